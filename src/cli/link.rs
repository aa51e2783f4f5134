//! The flags of a network between client and server.

use clap::Args;

use crate::link::{Bandwidth, DEFAULT_INITCWND, Link, RoundTrip};

/// The network between client and server, by calculation.
#[derive(Args, Clone, Copy, Debug)]
pub struct LinkArgs {
    /// Also say when answers arrive over a link with this time of a round trip, such as 50ms.
    #[arg(long, value_name = "TIME")]
    pub rtt: Option<RoundTrip>,
    /// With --rtt, how much the link carries, such as 10Mbit [default: it is never full].
    #[arg(long, value_name = "RATE", requires = "rtt")]
    pub bandwidth: Option<Bandwidth>,
    /// With --rtt, segments of 1460 bytes that TCP sends before it waits for the first acknowledgement.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_INITCWND, requires = "rtt", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub initcwnd: u32,
}

impl LinkArgs {
    /// The link, if there is one.
    pub fn link(self) -> Option<Link> {
        let RoundTrip(rtt) = self.rtt?;
        let rtt_ns = rtt.as_nanos() as u64; // an hour at most
        Some(Link { rtt_ns, bits_per_second: self.bandwidth.map(|rate| rate.0), initcwnd: self.initcwnd })
    }
}
