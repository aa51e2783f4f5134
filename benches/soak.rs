//! Memory over a long time: `cargo bench --bench soak [-- CONNECTIONS]`
//!
//! Runs 100,000 connections on each engine, full and resumed, and prints by how much the resident set grew after the
//! first tenth, which warms up. Then runs `classic` as a process of its own and prints the most memory that it had.

#![allow(clippy::print_stdout)] // its results

mod soaking;

use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use soaking::{Result, memory, soak_all};
use tlspair::engine::Engines;

/// How often the memory of `classic` is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(10);

fn main() -> Result<()> {
    soak_all(&Engines::built_in())?;
    for arguments in [["classic", "--quick"].as_slice(), &["classic"]] {
        println!("{}: {} KiB at most", arguments.join(" "), peak_of(arguments)?);
    }
    Ok(())
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
