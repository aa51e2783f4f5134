//! The heap counter: on allocations of known sizes, on an engine that makes them, and against valgrind's own count.

use std::fs;
use std::hint::black_box;
use std::process::Command;
use std::thread;

use tlspair::cell::{Cell, Choice};
use tlspair::engine::{
    Endpoint, Engine, EngineError, EngineInfo, Engines, Negotiated, Null, Prepared, Side, Start, Step,
    Unsupported,
};
use tlspair::fixtures::Credentials;
use tlspair::heap::{self, HeapCount, HeapWitness};
use tlspair::measure::{LoopKind, Phase, ReadyCell, Turn, Witness};
use tlspair::pipe::{Io, Pipes};

use crate::support::cell;

const BLOCK: usize = 1000;
const DOUBLE: usize = 2000;
/// What glibc may set aside beyond what is asked for, for a few blocks.
const SLACK: u64 = 100;

/// Allocations and bytes exactly; what is live to within what the allocator may add.
#[track_caller]
fn assert_count(found: HeapCount, allocations: u64, bytes: u64, peak_bytes: u64, held_bytes: i64) {
    assert_eq!((found.allocations, found.bytes), (allocations, bytes), "{found:?}");
    assert!((peak_bytes..=peak_bytes + SLACK).contains(&found.peak_bytes), "{found:?}, not {peak_bytes}");
    assert!(found.held_bytes.abs_diff(held_bytes) <= SLACK, "{found:?}, not {held_bytes}");
}

fn turn(witness: &mut HeapWitness, side: Option<Side>) {
    let next =
        side.map_or(Turn::Harness, |side| Turn::Library { phase: Phase::Handshake, side, peer_done: false });
    witness.turn(next, &mut Pipes::with_capacity(0));
}

/// What `work` does in the client's turn.
fn counted(work: impl FnOnce()) -> HeapCount {
    let mut witness = HeapWitness::start().expect("tests of the counter run where there is one");
    turn(&mut witness, Some(Side::Client));
    work();
    turn(&mut witness, None);
    witness.end_connection().client
}

fn block(bytes: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(bytes))
}

#[test]
fn a_block_given_back_is_counted_and_not_held() {
    assert_count(counted(|| drop(block(BLOCK))), 1, 1000, 1000, 0);
}

#[test]
fn a_block_kept_is_held() {
    let mut kept = Vec::new();
    assert_count(counted(|| kept = block(BLOCK)), 1, 1000, 1000, 1000);
    assert_count(counted(|| drop(std::mem::take(&mut kept))), 0, 0, 0, -1000);
}

#[test]
fn the_peak_is_the_most_that_was_live_at_a_time() {
    let in_turn = counted(|| {
        drop(block(BLOCK));
        drop(block(BLOCK));
    });
    assert_count(in_turn, 2, 2000, 1000, 0);
    let together = counted(|| drop((block(BLOCK), block(BLOCK))));
    assert_count(together, 2, 2000, 2000, 0);
}

#[test]
fn a_realloc_counts_as_the_block_that_it_hands_out() {
    let grown = counted(|| {
        let mut grows = block(BLOCK);
        grows.reserve_exact(DOUBLE);
        drop(black_box(grows));
    });
    assert_count(grown, 2, 1000 + 2000, 2000, 0);
}

#[test]
fn cleared_and_aligned_blocks_count_too() {
    let cleared = counted(|| drop(black_box(vec![0u8; BLOCK])));
    assert_count(cleared, 1, 1000, 1000, 0);

    #[repr(align(256))]
    struct Aligned(#[expect(dead_code, reason = "it only takes room")] [u8; 512]);
    let aligned = counted(|| drop(black_box(Box::new(Aligned([7; 512])))));
    assert_eq!((aligned.allocations, aligned.held_bytes), (1, 0));
    assert!((512..1024).contains(&aligned.bytes), "{aligned:?}");
}

#[test]
fn what_the_c_library_allocates_inside_counts_too() {
    // opendir sets a buffer of 32 KiB aside.
    let directory = counted(|| drop(black_box(fs::read_dir("/"))));
    assert!(directory.peak_bytes >= 32 * 1024, "{directory:?}");
    assert_eq!(directory.held_bytes, 0);
}

#[test]
fn each_side_has_its_own_count() {
    let mut witness = HeapWitness::start().expect("tests of the counter run where there is one");
    turn(&mut witness, Some(Side::Client));
    let from_client = block(BLOCK);
    turn(&mut witness, Some(Side::Server));
    drop(block(DOUBLE));
    drop(from_client); // attributed to who gives it back
    turn(&mut witness, None);
    drop(block(24));
    let found = witness.end_connection();
    assert_count(found.client, 1, 1000, 1000, 1000);
    assert_count(found.server, 1, 2000, 2000, -1000);
    assert_count(found.harness, 1, 24, 24, 0);
    assert_eq!(found.allocations(), 3);
    assert_eq!(witness.end_connection().allocations(), 0);
}

#[test]
fn nothing_counts_on_other_threads_or_after_the_witness_has_gone() {
    let other = counted(|| {
        // The thread's own start allocates here; its work does not count.
        thread::spawn(|| drop(block(1 << 20))).join().expect("the thread does not panic");
    });
    assert!(other.bytes < 1 << 20, "{other:?}");

    drop(HeapWitness::start());
    drop(block(BLOCK));
    let mut witness = HeapWitness::start().expect("tests of the counter run where there is one");
    assert_eq!(witness.end_connection().allocations(), 0);
}

/// The null engine, hungry: known blocks at known times.
struct Hungry;

impl Engine for Hungry {
    fn info(&self) -> EngineInfo {
        EngineInfo { id: "hungry", ..Null.info() }
    }

    fn supports(&self, _cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        Ok(())
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        Ok(Box::new(HungrySide { side, inner: Null.prepare(side, cell, credentials)? }))
    }
}

struct HungrySide {
    side: Side,
    inner: Box<dyn Prepared>,
}

impl Prepared for HungrySide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        Ok(Box::new(HungryEndpoint {
            side: self.side,
            inner: self.inner.endpoint(start)?,
            kept: block(BLOCK),
        }))
    }
}

struct HungryEndpoint {
    side: Side,
    inner: Box<dyn Endpoint>,
    /// Lives as long as the endpoint.
    kept: Vec<u8>,
}

impl Endpoint for HungryEndpoint {
    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        self.inner.handshake_step(io)
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        drop(block(DOUBLE));
        self.inner.write(data, io)
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        if self.side == Side::Server {
            self.kept.reserve_exact(DOUBLE);
            std::mem::forget(block(500)); // leaks, on purpose
        }
        self.inner.read(into, io)
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        self.inner.close_step(io)
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        drop(block(BLOCK)); // in the harness's turn
        self.inner.negotiated()
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        self.inner.keep_session()
    }
}

#[test]
fn an_engine_of_known_appetite_is_measured_exactly() {
    let of = |engine: &'static str| {
        let engines = Engines::of(vec![Box::new(Hungry)]);
        let cell = cell(engine, &Choice::default());
        let ready =
            ReadyCell::of(&engines, &cell, &Credentials::of(&cell)).expect("both engines run all cells");
        LoopKind::BOTH.map(|kind| {
            let spread = heap::measure(&mut ready.pair(), kind)
                .expect("connections succeed")
                .expect("tests of the counter run where there is one");
            // Live bytes are counted in what the allocator sets aside, which varies.
            let asked =
                |heap: heap::HeapUse| [heap.client, heap.server].map(|side| (side.allocations, side.bytes));
            assert_eq!(asked(spread.low), asked(spread.high), "what is asked for does not vary here");
            spread.typical
        })
    };
    let own_box = size_of::<HungryEndpoint>() as u64;
    for (null, hungry) in of("null").into_iter().zip(of("hungry")) {
        // The endpoint's own box, what it keeps, what it takes to write; and the server's as it reads.
        let (client, server) = (null.client, null.server);
        assert_count(
            hungry.client,
            client.allocations + 1 + 2,
            client.bytes + own_box + 1000 + 2000,
            client.peak_bytes + own_box + 1000 + 2000,
            0,
        );
        assert_count(
            hungry.server,
            server.allocations + 1 + 4,
            server.bytes + own_box + 1000 + 2000 + 2000 + 500,
            server.peak_bytes + own_box + 2000 + 500 + 2000,
            500,
        );
        assert_count(hungry.harness, 2, 2000, 1000, 0);
    }
}

/// The allocator's functions must be in front of the C library's in every executable, not in this one only.
#[test]
fn the_program_counts_too() {
    let output = Command::new(env!("CARGO_BIN_EXE_tlspair"))
        .args(["run", "--engine", "null", "--num", "1", "--json"])
        .output()
        .expect("the program starts");
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).expect("results are JSON");
    let heap = &results["cells"][0]["heap"];
    for side in Side::BOTH {
        assert!(heap[side.name()]["allocations"].as_u64().is_some_and(|count| count > 0), "{side}: {heap}");
    }
}
