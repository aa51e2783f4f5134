//! Allocations per connection against valgrind, which counts the same calls by other means: the difference between a
//! run of few and a run of more connections is what the connections in between allocated.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use tlspair::cell::{Cell, Cert, Choice};
use tlspair::engine::Engines;
use tlspair::fixtures::Credentials;
use tlspair::heap;
use tlspair::measure::{LoopKind, ReadyCell, supported};

use crate::support::{cell, with_cipher};

const FEW: u64 = 20;
const MORE: u64 = 40;

/// What to compare: between them, every engine can run some, and none takes long. Valgrind is slow.
fn loops() -> Vec<(Cell, LoopKind)> {
    let tls12 = with_cipher("ECDHE-ECDSA-AES128-GCM-SHA256");
    let tls13 = Choice { cert: Some(Cert::P256), bytes: Some(20_000), ..Choice::default() };
    let ssl2 = Choice { cert: Some(Cert::Rsa512), bytes: Some(20_000), ..with_cipher("DES-CBC3-MD5") };
    let choices = [(tls12, LoopKind::Full), (tls13, LoopKind::Reuse), (ssl2, LoopKind::Full)];
    let engines = Engines::built_in();
    let mut loops = Vec::new();
    for info in engines.infos() {
        let before = loops.len();
        for (choice, kind) in &choices {
            let cell = cell(info.id, choice);
            if supported(&engines, &cell).is_ok() {
                loops.push((cell, *kind));
            }
        }
        assert!(loops.len() > before, "{} runs none of the cells", info.id);
    }
    loops
}

fn ready(cell: &Cell) -> ReadyCell<'_> {
    ReadyCell::of(&Engines::built_in(), cell, &Credentials::of(cell)).expect("supported cells prepare")
}

/// The example that runs connections with nobody watching; `cargo test` builds it beside this executable's folder.
fn example() -> Option<PathBuf> {
    let itself = env::current_exe().ok()?;
    let path = itself.parent()?.parent()?.join("examples/connections");
    path.is_file().then_some(path)
}

/// The number before "allocs" in valgrind's summary; none if the processor that valgrind plays is not enough for an
/// engine.
fn allocations_by_valgrind(example: &Path, cell: &Cell, kind: LoopKind, connections: u64) -> Option<u64> {
    let output = Command::new("valgrind")
        .args(["--undef-value-errors=no", "--leak-check=no"])
        .arg(example)
        .args([&cell.client, &connections.to_string(), kind.name()])
        .args(cell.dimensions()[1..].iter().map(|dimension| format!("{}={}", dimension.key, dimension.value)))
        .output()
        .expect("valgrind starts, since it told its version");
    let said = String::from_utf8_lossy(&output.stderr);
    if said.contains("needs a processor with") {
        return None;
    }
    assert!(output.status.success(), "{cell}: {said}");
    let (before, _) = said.split_once(" allocs").expect("valgrind sums the heap usage up");
    let number = before.rsplit(' ').next().unwrap_or_default().replace(',', "");
    Some(number.parse().expect("a number stands before the word"))
}

fn allocations_by_us(cell: &Cell, kind: LoopKind) -> u64 {
    let uses = heap::each(&mut ready(cell).pair(), kind, MORE).expect("connections succeed");
    let uses = uses.expect("tests of the counter run where there is one");
    uses[FEW as usize..].iter().map(heap::HeapUse::allocations).sum()
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn allocations_per_connection_are_those_that_valgrind_counts() {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no valgrind to compare with");
        return;
    }
    let Some(example) = example() else {
        eprintln!("skipped: `cargo build --release --example connections` makes what valgrind is to run");
        return;
    };
    for (cell, kind) in loops() {
        let by_valgrind = |connections| allocations_by_valgrind(&example, &cell, kind, connections);
        let (Some(more), Some(few)) = (by_valgrind(MORE), by_valgrind(FEW)) else {
            eprintln!("skipped: {} does not run on the processor that valgrind plays", cell.client);
            continue;
        };
        let theirs = more - few;
        let ours = allocations_by_us(&cell, kind);
        // Big numbers of random values are at times a word shorter, and take an allocation less.
        let is_close = ours.abs_diff(theirs) <= theirs / 200;
        assert!(
            is_close,
            "{cell} {}: {ours} by us, {theirs} by valgrind ({} is of this build?)",
            kind.name(),
            example.display()
        );
    }
}
