//! What a network adds to the processors' time: flights that travel, bytes that queue, and the slow start of TCP.
//!
//! The model, per connection (RFC 9293, RFC 6928, RFC 5681):
//! * each flight travels for half a round trip; the client's request goes with its last flight of the handshake if that is
//!   the last of all, else it follows; the answer is one flight more. TCP's own handshake is not counted: it is the same for
//!   every cell, one round trip;
//! * a side may have `initcwnd` segments of 1460 bytes on the way at first, and twice as many after each round trip, until the
//!   link is full; each side's handshake goes out as one burst, its data as another that begins with the first window again;
//! * bytes leave at the link's bandwidth;
//! * no packet is lost, nobody waits for acknowledgements that are delayed, headers of TCP and IP do not count.

mod rate;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use rate::{Bandwidth, BandwidthError};

/// Bytes of data in a segment: what is left of 1500 by the headers of IP and TCP.
pub const SEGMENT: u64 = 1460;
/// Segments of the first window, RFC 6928.
pub const DEFAULT_INITCWND: u32 = 10;

/// A link between client and server, alike both ways.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Link {
    /// Time of a round trip, in nanoseconds.
    pub rtt_ns: u64,
    /// Bits a second; null for a link that is never full.
    pub bits_per_second: Option<f64>,
    /// Segments of 1460 bytes that may be on the way at first.
    pub initcwnd: u32,
}

/// What a connection puts on the link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Traffic {
    /// Flights of the handshake.
    pub flights: u64,
    /// Whether the client's first data go with its first flight.
    pub early_data: bool,
    /// Bytes of the handshake, from the client and from the server.
    pub handshake: [u64; 2],
    /// Bytes of application data, likewise.
    pub data: [u64; 2],
}

/// When a client has the answer to its first request, from its first flight on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Arrival {
    /// The first byte, in nanoseconds: processors, travel, and what has to pass before it.
    pub first_byte_ns: f64,
    /// The last one.
    pub last_byte_ns: f64,
    /// How much of the latter the processors take.
    pub cpu_ns: f64,
}

impl Link {
    fn rtt_seconds(&self) -> f64 {
        self.rtt_ns as f64 / 1e9
    }

    /// Bytes that the first window holds.
    fn first_window(&self) -> f64 {
        (u64::from(self.initcwnd) * SEGMENT) as f64
    }

    /// Seconds that so many bytes take to leave, their travel not counted.
    fn leaving(&self, bytes: u64) -> f64 {
        self.bits_per_second.map_or(0.0, |bits| bytes as f64 * 8.0 / bits)
    }

    /// Seconds from the first byte's departure to the last one's, for a burst that begins with the first window.
    pub fn burst_seconds(&self, bytes: u64) -> f64 {
        let mut left = bytes as f64;
        let mut window = self.first_window();
        let mut seconds = 0.0;
        let per_byte = self.bits_per_second.map_or(0.0, |bits| 8.0 / bits);
        // A window that takes a round trip to leave fills the link: acknowledgements come in time from then on.
        while left > window && window * per_byte < self.rtt_seconds() {
            seconds += self.rtt_seconds();
            left -= window;
            window *= 2.0;
        }
        seconds + left * per_byte
    }

    /// When the answer arrives, if processors take so long for handshake and transfer; none if there is no answer.
    pub fn arrival(&self, traffic: &Traffic, cpu_ns: f64) -> Option<Arrival> {
        if traffic.data[1] == 0 {
            return None;
        }
        let travel = traffic.trips() as f64 * self.rtt_seconds() / 2.0;
        let handshake: f64 = traffic.handshake.iter().map(|&bytes| self.burst_seconds(bytes)).sum();
        let request = self.burst_seconds(traffic.data[0]);
        let first = travel + handshake + request;
        let last = first + self.burst_seconds(traffic.data[1]);
        let first_byte_ns = cpu_ns + (first + self.leaving(1)) * 1e9;
        Some(Arrival { first_byte_ns, last_byte_ns: cpu_ns + last * 1e9, cpu_ns })
    }
}

impl Traffic {
    /// Flights from the client's first to the server's answer.
    pub fn trips(&self) -> u64 {
        // Flights are counted from the client's first: an odd number ends with the client.
        let ends_with_client = self.flights % 2 == 1;
        let asks = self.data[0] > 0;
        match (self.early_data, ends_with_client) {
            (true, _) => 2,
            (false, true) => self.flights + 1,
            // Unasked, a server sends behind its own last flight.
            (false, false) if !asks => self.flights,
            (false, false) => self.flights + 2,
        }
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rtt = humantime::format_duration(Duration::from_nanos(self.rtt_ns));
        write!(f, "{rtt} a round trip")?;
        if let Some(bits) = self.bits_per_second {
            write!(f, ", {}", Bandwidth(bits))?;
        }
        write!(f, ", first window {} × {SEGMENT} bytes", self.initcwnd)
    }
}

/// A time of a round trip, such as `50ms`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundTrip(pub Duration);

impl FromStr for RoundTrip {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const MOST: Duration = Duration::from_secs(3600);
        let duration: Duration =
            humantime::parse_duration(text).map_err(|error| format!("{error}; write 50ms or 1.5s"))?;
        if duration > MOST {
            Err("a round trip takes an hour at most".to_owned())
        } else {
            Ok(Self(duration))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(rtt_ms: u64, megabits: Option<f64>) -> Link {
        Link { rtt_ns: rtt_ms * 1_000_000, bits_per_second: megabits.map(|bits| bits * 1e6), initcwnd: 10 }
    }

    /// By hand: windows of 14,600, 29,200, 58,400 bytes.
    #[test]
    fn slow_start_takes_a_round_trip_a_window() {
        let endless = link(100, None);
        for (bytes, rounds) in
            [(0, 0), (1, 0), (14_600, 0), (14_601, 1), (43_800, 1), (43_801, 2), (102_200, 2), (102_201, 3)]
        {
            assert_eq!(endless.burst_seconds(bytes), 0.1 * f64::from(rounds), "{bytes}");
        }
    }

    /// By hand: 10 Mbit/s are 1.25 bytes a µs, 125,000 a round trip; the window of 116,800 is the last that does not fill it.
    #[test]
    fn a_full_link_is_a_matter_of_bandwidth() {
        let slow = link(100, Some(10.0));
        assert_eq!(slow.burst_seconds(1250), 0.001);
        // One window, then 400 bytes.
        assert!((slow.burst_seconds(15_000) - (0.1 + 0.000_32)).abs() < 1e-12);
        // Windows of 14,600 to 116,800 bytes go in four round trips: 219,000 bytes. The rest flows.
        let rest = 1_000_000.0 - 219_000.0;
        assert!((slow.burst_seconds(1_000_000) - (0.4 + rest / 1.25e6)).abs() < 1e-9);
        // On a link that the first window fills nothing ever waits.
        assert!((link(10, Some(1.0)).burst_seconds(1_000_000) - 8.0).abs() < 1e-9);
    }

    #[test]
    fn requests_go_with_the_last_flight_if_it_is_the_clients() {
        let trips =
            |flights, early_data| Traffic { flights, early_data, data: [1, 1], ..Traffic::default() }.trips();
        // TLS 1.2 full and resumed, TLS 1.3, the same after HelloRetryRequest, 0-RTT data.
        assert_eq!([trips(4, false), trips(3, false), trips(5, false), trips(3, true)], [6, 4, 6, 2]);
        // A download that nobody asks for, and an upload that nobody answers.
        let unasked = |flights| Traffic { flights, data: [0, 1], ..Traffic::default() }.trips();
        assert_eq!([unasked(4), unasked(3)], [4, 4]);
        let unanswered = Traffic { flights: 3, data: [1, 0], ..Traffic::default() };
        assert_eq!(link(50, None).arrival(&unanswered, 0.0), None);
    }

    /// By hand: 2 round trips of 50 ms, 5 ms of processors, 2000 + 500 and 100 + 1000 bytes at 8 Mbit/s, which is a byte a
    /// µs.
    #[test]
    fn an_arrival_is_a_sum() {
        let traffic = Traffic { flights: 3, early_data: false, handshake: [500, 2000], data: [100, 1000] };
        let arrival = link(50, Some(8.0)).arrival(&traffic, 5e6).expect("the server answers");
        assert!((arrival.first_byte_ns - (5e6 + 100e6 + 2_500e3 + 100e3 + 1e3)).abs() < 1.0, "{arrival:?}");
        assert!(
            (arrival.last_byte_ns - (5e6 + 100e6 + 2_500e3 + 100e3 + 1_000e3)).abs() < 1.0,
            "{arrival:?}"
        );
        assert_eq!(arrival.cpu_ns, 5e6);
    }

    #[test]
    fn what_is_no_link_is_refused() {
        for bad in ["0", "0kbit", "0.5bit", "1e-320bit", "-1Mbit", "fast", "10", "1e400Mbit", "NaNMbit", ""] {
            assert!(bad.parse::<Bandwidth>().is_err(), "{bad}");
        }
        for bad in ["50", "-1ms", "2h", "soon", ""] {
            assert!(bad.parse::<RoundTrip>().is_err(), "{bad}");
        }
        let good: [(&str, f64); 4] =
            [("56kbit", 56e3), ("10Mbit", 1e7), ("1.5Gbit", 1.5e9), ("9600bit", 9600.0)];
        for (text, bits) in good {
            assert_eq!(text.parse(), Ok(Bandwidth(bits)), "{text}");
        }
    }
}
