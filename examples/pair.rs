//! Drives a pair from Rust: 100 full handshakes of TLS 1.3 and 100 resumed ones, client and server over memory, each checked.
//! `cargo run --release --example pair`

#![allow(clippy::print_stdout)] // its results

use tlspair::cell::{Cert, Choice, Proto};
use tlspair::engine::Engines;
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, LoopPlan, Payload, ReadyCell, Stop, TimedLoop};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engines = Engines::built_in();
    let choice = Choice { proto: Some(Proto::Tls13), cert: Some(Cert::P256), ..Choice::default() };
    let cell = choice.pin("rustls-ring", "rustls-ring")?;
    let ready = ReadyCell::of(&engines, &cell, &Credentials::of(&cell))?;
    for kind in LoopKind::BOTH {
        let plan = LoopPlan { kind, connections: 100, payload: Payload::Plain, stop: Stop::default() };
        let timed = TimedLoop::of(&mut ready.pair(), plan, |_| {})?;
        println!("{} {}: {} resumed, {:?} of CPU time", cell, kind.name(), timed.run.resumed, timed.cpu);
    }
    Ok(())
}
