//! Memory over a long time: `cargo bench --bench soak [-- CONNECTIONS]`
//!
//! Runs 100,000 connections on each engine, full and resumed, and prints by how much the resident set grew after the
//! first tenth, which warms up. Then runs `classic` as a process of its own and prints the most memory that it had.

#![allow(clippy::print_stdout)] // its results

#[path = "batches/result.rs"]
mod result;

use std::env;
use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use result::Result;
use tlspair::cell::{Cell, Cert, Choice, Cipher, Proto};
use tlspair::engine::{Engine, Engines};
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, LoopPlan, LoopRun, Nobody, NotReady, Payload, ReadyCell, Stop};

const DEFAULT_CONNECTIONS: u64 = 100_000;
/// Connections a loop, of which the first is full.
const LOOP: u64 = 50;
/// How often the memory of `classic` is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);

fn main() -> Result<()> {
    // Cargo adds `--bench`.
    let connections = env::args().skip(1).find(|argument| argument != "--bench");
    let connections = connections.map_or(Ok(DEFAULT_CONNECTIONS), |count| count.parse())?;
    let engines = Engines::built_in();
    for engine in engines.iter().map(Engine::info) {
        soak(&engines, engine.id, connections)?;
    }
    for arguments in [["classic", "--quick"].as_slice(), &["classic"]] {
        println!("{}: {} KiB at most", arguments.join(" "), peak_of(arguments)?);
    }
    Ok(())
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

/// Every way of resumption, in TLS 1.2 and 1.3, over a certificate that makes full handshakes short.
fn cells(engine: &str) -> Result<Vec<Cell>> {
    let mut cells = Vec::new();
    for (proto, cipher) in
        [(Proto::Tls12, "ECDHE-ECDSA-AES128-GCM-SHA256"), (Proto::Tls13, "TLS_AES_128_GCM_SHA256")]
    {
        for &resume in tlspair::cell::Resume::ALL {
            let choice = Choice {
                proto: Some(proto),
                cipher: Some(Cipher::named(cipher)?),
                cert: Some(Cert::P256),
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
fn memory(process: &str, line: &str) -> Result<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let value = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':'));
    let value = value.ok_or_else(|| format!("no {line} in the status"))?;
    Ok(value.trim().trim_end_matches(" kB").parse()?)
}

/// Runs the program and looks at its high-water mark until it ends.
fn peak_of(arguments: &[&str]) -> Result<u64> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tlspair"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let process = child.id().to_string();
    let mut peak = 0;
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        // A process that has ended and was not waited for has no such line any more.
        peak = peak.max(memory(&process, "VmHWM").unwrap_or(0));
        thread::sleep(LOOK_EVERY);
    };
    if status.success() { Ok(peak) } else { Err(format!("{}: {status}", arguments.join(" ")).into()) }
}
