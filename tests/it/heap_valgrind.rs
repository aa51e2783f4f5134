//! Allocations per connection against valgrind, which counts the same calls by other means: the difference between a
//! run of few and a run of more connections is what the connections in between allocated.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use tlspair::cell::{Cell, Choice, Proto};
use tlspair::engine::Engines;
use tlspair::fixtures::Credentials;
use tlspair::heap;
use tlspair::measure::{LoopKind, ReadyCell, supported};

use crate::support::with_cipher;

const FEW: u64 = 100;
const MORE: u64 = 200;

/// Cells that between them every engine can run some of, cheap ones: valgrind is slow.
fn cells() -> Vec<Cell> {
    let choices = [
        Choice { proto: Some(Proto::Ssl3), ..with_cipher("RC4-MD5") },
        Choice { proto: Some(Proto::Tls12), ..with_cipher("AES128-SHA") },
        Choice { bytes: Some(20_000), ..with_cipher("ECDHE-ECDSA-AES128-GCM-SHA256") },
        Choice { cert: Some("p256".parse().expect("a kind of certificate")), ..Choice::default() },
    ];
    let engines = Engines::built_in();
    let of_engine = |id: &'static str| choices.iter().filter_map(move |choice| choice.pin(id, id).ok());
    let all = engines.infos().into_iter().flat_map(|info| of_engine(info.id));
    all.filter(|cell| supported(&engines, cell).is_ok()).collect()
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

/// The number before "allocs" in valgrind's summary.
fn allocations_by_valgrind(example: &Path, cell: &Cell, kind: LoopKind, connections: u64) -> u64 {
    let output = Command::new("valgrind")
        .args(["--undef-value-errors=no", "--leak-check=no"])
        .arg(example)
        .args([&cell.client, &connections.to_string(), kind.name()])
        .args(cell.dimensions()[1..].iter().map(|dimension| format!("{}={}", dimension.key, dimension.value)))
        .output()
        .expect("valgrind starts, since it told its version");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{cell}: {said}");
    let (before, _) = said.split_once(" allocs").expect("valgrind sums the heap usage up");
    let number = before.rsplit(' ').next().unwrap_or_default().replace(',', "");
    number.parse().expect("a number stands before the word")
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
    for cell in cells() {
        for kind in LoopKind::BOTH {
            let by_valgrind = |connections| allocations_by_valgrind(&example, &cell, kind, connections);
            let theirs = by_valgrind(MORE) - by_valgrind(FEW);
            let ours = allocations_by_us(&cell, kind);
            assert_eq!(ours, theirs, "{cell} {} (is {} of this build?)", kind.name(), example.display());
        }
    }
}
