//! The harness's share of the instructions of a loop: `cargo bench --bench instructions [-- ENGINE]`
//!
//! Runs `examples/connections` under callgrind (valgrind must be installed) with two numbers of connections, timed, and
//! looks at the difference: so many resumed TLS 1.2 connections of one byte, without start and preparation. Each
//! function's own instructions then belong to somebody:
//!
//! * the harness: everything of this crate outside the engines (loop, connection, check), and the reads of the clock;
//! * the heap counter: the test in front of `malloc` and its family which asks whether somebody counts;
//! * copying: what `memcpy` does for this crate's code, that is into and out of the pipes;
//! * glue: this crate's engine, which is what a program that uses the library would have to write as well;
//! * the library: the rest.
//!
//! A small function that the compiler moved into its caller (a pipe's `consume`, say) counts where it went.

#![allow(clippy::print_stdout)] // its results

#[path = "batches/result.rs"]
mod result;

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use result::Result;
use tlspair::instructions::callgrind::{Cost, READABLE, costs};

const DEFAULT_ENGINE: &str = "rustls-ring";
const FEW: u64 = 200;
const MANY: u64 = 1200;
/// What reads the clock.
const CLOCK: &str = "quanta::Clock";
/// What the executable defines in front of the C library's.
const ALLOCATOR: [&str; 5] = ["malloc", "calloc", "realloc", "free", "posix_memalign"];
/// valgrind's processor has no instructions for SHA-256, so a real one runs fewer of these.
const SHA256: &str = "sha256_block_data_order";

fn main() -> Result<()> {
    // Cargo adds `--bench`.
    let engine = env::args().skip(1).find(|argument| argument != "--bench");
    let engine = engine.as_deref().unwrap_or(DEFAULT_ENGINE);
    let few = profile(engine, FEW)?;
    let many = profile(engine, MANY)?;
    let per_connection =
        |count: fn(&Profile) -> u64| (count(&many) as f64 - count(&few) as f64) / (MANY - FEW) as f64;
    let all = per_connection(|profile| profile.all);
    let hashing = per_connection(|profile| profile.sha256);
    println!("{engine}, TLS 1.2 resumption of one byte: {all:.0} instructions a connection");
    for (who, count) in [
        ("harness", per_connection(|profile| profile.harness)),
        ("heap counter", per_connection(|profile| profile.counter)),
        ("copying", per_connection(|profile| profile.copying)),
        ("glue", per_connection(|profile| profile.glue)),
    ] {
        println!(
            "{who}: {count:.0}, {:.2} % of all, {:.2} % of all but SHA-256",
            100.0 * count / all,
            100.0 * count / (all - hashing)
        );
    }
    Ok(())
}

/// Instructions of one run, by owner.
#[derive(Default)]
struct Profile {
    all: u64,
    harness: u64,
    counter: u64,
    copying: u64,
    glue: u64,
    sha256: u64,
}

fn profile(engine: &str, connections: u64) -> Result<Profile> {
    let example = example()?;
    let output = env::temp_dir().join(format!("tlspair-callgrind-{}-{connections}", std::process::id()));
    let run = Command::new("valgrind")
        .arg("--tool=callgrind")
        .args(READABLE)
        .arg(format!("--callgrind-out-file={}", output.display()))
        .arg(&example)
        .args([engine, &connections.to_string(), "reuse", "timed", "proto=tls1.2"])
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    if !run.status.success() {
        return Err(String::from_utf8_lossy(&run.stderr).into_owned().into());
    }
    let text = fs::read_to_string(&output)?;
    fs::remove_file(&output)?;
    Ok(Profile::of(&text, &example))
}

/// Cargo puts examples beside the folder of the benches.
fn example() -> Result<PathBuf> {
    let bench = env::current_exe()?;
    let target = bench.parent().and_then(Path::parent).ok_or("the bench lies in no target folder")?;
    let example = target.join("examples/connections");
    if !example.is_file() {
        return Err("build the example first: cargo build --release --example connections".into());
    }
    Ok(example)
}

impl Profile {
    fn of(text: &str, example: &Path) -> Self {
        let mut own: HashMap<(&str, &str), u64> = HashMap::new();
        let mut profile = Self::default();
        for Cost { object, function, callee, instructions } in costs(text) {
            let is_copy = |callee: &str| callee.contains("memcpy") || callee.contains("memmove");
            match callee {
                None => *own.entry((object, function)).or_default() += instructions,
                Some(callee) if is_ours(function) && is_copy(callee) => profile.copying += instructions,
                Some(_) => {}
            }
        }
        for ((object, function), cost) in own {
            profile.all += cost;
            if function.contains("tlspair::engine") {
                profile.glue += cost;
            } else if is_ours(function) || function.starts_with(CLOCK) {
                profile.harness += cost;
            } else if ALLOCATOR.contains(&function) && Path::new(object) == example {
                profile.counter += cost;
            } else if function.contains(SHA256) {
                profile.sha256 += cost;
            }
        }
        profile
    }
}

fn is_ours(function: &str) -> bool {
    function.contains("tlspair::") || function.contains("connections::")
}
