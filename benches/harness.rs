//! What the harness itself costs, in CPU time: `cargo bench --bench harness [-- PAIRS]`
//!
//! 1. A null connection beside the cheapest real one.
//! 2. Each library's cell as the harness plays it, with its clock, beside a bare loop over the library's own interface.
//!
//! Both run in one process in short batches that alternate. A round makes everything anew and takes the median over
//! PAIRS pairs of batches; a ratio is the mean of twelve rounds, with its 95 % interval.
//! `docs/harness-cost.md` has figures, and what they have to be.

#![allow(clippy::print_stdout)] // its results

mod bare;
mod batches;

use std::env;

use bare::Handshake;
use batches::{Comparison, Connect, Result, Subject, compare, cpu_time, round};
use tlspair::cell::{Cell, Resume};
use tlspair::engine::{Engines, Start};
use tlspair::fixtures::Credentials;
use tlspair::measure::{Clock, Pair, Payload, ReadyCell};

const DEFAULT_PAIRS: usize = 40;

fn main() -> Result<()> {
    // Cargo adds `--bench`.
    let pairs = env::args().skip(1).find(|argument| argument != "--bench");
    let pairs = pairs.map_or(Ok(DEFAULT_PAIRS), |pairs| pairs.parse())?;
    let engines = Engines::built_in();

    let (cheapest, cell) = cheapest_connection(&engines)?;
    println!("cheapest connection: {cell}, {:.1} µs", cheapest / 1e3);
    let null = bare::cell("null")?;
    let comparison = compare(|right_first| {
        let (null, real) = (ready(&engines, &null)?, ready(&engines, &cell)?);
        let left = || Subject::new(harness(null.pair(), Handshake::Resumed)?);
        let right = || Subject::new(harness(real.pair(), Handshake::Resumed)?);
        let (left, right) = both(right_first, left, right)?;
        round(left, right, pairs)
    })?;
    print("null / cheapest", comparison);

    for handshake in [Handshake::Resumed, Handshake::Full] {
        for engine in ["openssl", "rustls-ring", "mbedtls"] {
            let cell = bare::cell(engine)?;
            let credentials = Credentials::of(&cell);
            let comparison = compare(|right_first| {
                let ready = ready(&engines, &cell)?;
                let ours = || Subject::new(harness(ready.pair(), handshake)?);
                let bare = || Subject::new(bare_loop(engine, &credentials, handshake)?);
                let (ours, bare) = both(right_first, ours, bare)?;
                round(ours.with_batches_of(&bare), bare, pairs)
            })?;
            print(&format!("{engine} {handshake:?}, ours / bare"), comparison);
        }
    }
    Ok(())
}

/// Makes both, in this order or the other.
fn both<T, U>(
    right_first: bool,
    left: impl FnOnce() -> Result<T>,
    right: impl FnOnce() -> Result<U>,
) -> Result<(T, U)> {
    if right_first {
        let right = right()?;
        Ok((left()?, right))
    } else {
        let left = left()?;
        Ok((left, right()?))
    }
}

/// Nanoseconds and cell of the fastest TLS 1.2 resumption of one byte that any engine has.
fn cheapest_connection(engines: &Engines) -> Result<(f64, Cell)> {
    let mut cheapest: Option<(f64, Cell)> = None;
    for engine in engines.tls_ids() {
        for resume in [Resume::SessionId, Resume::Ticket] {
            let cell = Cell { resume, ..bare::cell(engine)? };
            let nanoseconds = {
                let ready = ready(engines, &cell)?;
                let mut subject = Subject::new(harness(ready.pair(), Handshake::Resumed)?)?;
                (0..10).try_fold(f64::INFINITY, |least, _| subject.batch().map(|batch| batch.min(least)))?
            };
            if cheapest.as_ref().is_none_or(|(least, _)| nanoseconds < *least) {
                cheapest = Some((nanoseconds, cell));
            }
        }
    }
    cheapest.ok_or_else(|| "no engine is built in".into())
}

fn ready<'a>(engines: &Engines, cell: &'a Cell) -> Result<ReadyCell<'a>> {
    Ok(ReadyCell::of(engines, cell, &Credentials::of(cell))?)
}

/// What a timed loop does for each of its connections: play it, check it, keep its time. As there, the clock is made
/// before the time begins: to make one asks the processor what it is, which a virtual machine answers slowly.
fn harness(mut pair: Pair<'_>, handshake: Handshake) -> Result<Connect<'_>> {
    let start = match handshake {
        Handshake::Full => Start::Fresh,
        Handshake::Resumed => Start::Resume,
    };
    pair.connect(Start::Fresh, true, Payload::Plain, &mut Clock::new(1))?;
    Ok(Box::new(move |connections| {
        let mut clock = Clock::new(connections as usize);
        cpu_time(|| {
            for _ in 0..connections {
                pair.connect(start, false, Payload::Plain, &mut clock)?;
                clock.end_connection();
            }
            Ok(())
        })
    }))
}

fn bare_loop(engine: &str, credentials: &Credentials, handshake: Handshake) -> Result<Connect<'static>> {
    let identity = &credentials.server;
    match engine {
        "openssl" => {
            let mut bare = bare::openssl::Loop::new(identity, handshake)?;
            Ok(Box::new(move |count| cpu_time(|| bare.connections(count))))
        }
        "mbedtls" => {
            let mut bare = bare::mbedtls::Loop::new(identity, handshake)?;
            Ok(Box::new(move |count| cpu_time(|| bare.connections(count))))
        }
        _ => {
            let mut bare = bare::rustls::Loop::new(identity, handshake)?;
            Ok(Box::new(move |count| cpu_time(|| bare.connections(count))))
        }
    }
}

fn print(what: &str, comparison: Comparison) {
    let Comparison { left_ns, right_ns, ratio, interval: (low, high) } = comparison;
    println!("{what}: {ratio:.4} [{low:.4}, {high:.4}]  ({left_ns:.0} ns, {right_ns:.0} ns)");
}
