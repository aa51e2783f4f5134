//! Memory over a long time, over any engines: what the benches of this package and of those in `engines/` share.

#![allow(clippy::print_stdout)] // its results

#[path = "../batches/result.rs"]
mod result;

use std::env;
use std::fs;

pub use result::Result;
use tlspair::cell::{Cell, Cert, Choice, Cipher, Proto, Resume};
use tlspair::engine::{Engine, Engines};
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, LoopPlan, LoopRun, Nobody, NotReady, Payload, ReadyCell, Stop};

const DEFAULT_CONNECTIONS: u64 = 100_000;
/// Connections a loop, of which the first is full.
const LOOP: u64 = 50;

/// Runs as many connections on each engine as the command line says, full and resumed, and prints by how much the
/// resident set grew after the first tenth, which warms up.
pub fn soak_all(engines: &Engines) -> Result<()> {
    // Cargo adds `--bench`.
    let connections = env::args().skip(1).find(|argument| argument != "--bench");
    let connections = connections.map_or(Ok(DEFAULT_CONNECTIONS), |count| count.parse())?;
    engines.iter().map(Engine::info).try_for_each(|engine| soak(engines, engine.id, connections))
}

fn soak(engines: &Engines, engine: &str, connections: u64) -> Result<()> {
    let cells = cells(engine)?;
    let ready: Vec<ReadyCell<'_>> = cells
        .iter()
        .filter_map(|cell| match ReadyCell::of(engines, cell, &Credentials::of(cell)) {
            Err(NotReady::Unsupported(_)) => None,
            outcome => Some(outcome),
        })
        .collect::<std::result::Result<_, _>>()?;
    let warm_up = connections / 10;
    run(&ready, warm_up)?;
    let before = memory("self", "VmRSS")?;
    run(&ready, connections)?;
    let after = memory("self", "VmRSS")?;
    println!(
        "{engine}: {connections} connections on {} cells, resident set {before} KiB, then {after} KiB: {:+} KiB",
        ready.len(),
        after as i64 - before as i64
    );
    Ok(())
}

/// Every way of resumption in TLS 1.2 and 1.3, over a certificate that makes full handshakes short, and SSL 2.0.
fn cells(engine: &str) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    for (proto, cipher, cert) in [
        (Proto::Tls12, "ECDHE-ECDSA-AES128-GCM-SHA256", Cert::P256),
        (Proto::Tls13, "TLS_AES_128_GCM_SHA256", Cert::P256),
        (Proto::Ssl2, "RC4-MD5", Cert::Rsa512),
    ] {
        for &resume in Resume::ALL {
            let choice = Choice {
                proto: Some(proto),
                cipher: Some(Cipher::named(cipher)?),
                cert: Some(cert),
                resume: Some(resume),
                ..Choice::default()
            };
            cells.extend(choice.pin(engine, engine)); // not every way exists in every version
        }
    }
    Ok(cells)
}

fn run(ready: &[ReadyCell<'_>], connections: u64) -> Result<()> {
    let plan =
        LoopPlan { kind: LoopKind::Reuse, connections: LOOP, payload: Payload::Plain, stop: Stop::default() };
    for turn in 0..connections.div_ceil(LOOP) {
        let cell = &ready[turn as usize % ready.len()];
        let run = LoopRun::of(&mut cell.pair(), plan, &mut Nobody, |_, _| {})?;
        if run.resumed != LOOP - 1 {
            return Err(format!("{} of {LOOP} connections resumed", run.resumed).into());
        }
    }
    Ok(())
}

/// A line of the kernel's status of a process, in KiB.
#[allow(dead_code)] // the benches of the packages look at themselves only
pub fn memory(process: &str, line: &str) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let value = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':'));
    let value = value.ok_or_else(|| format!("no {line} in the status"))?;
    Ok(value.trim().trim_end_matches(" kB").parse()?)
}
