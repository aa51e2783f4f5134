//! Connections held open, and pairs on several threads.

use tlspair::campaign::{NoNumbers, Workload, work};
use tlspair::cell::{Cell, Choice, Direction, Proto};
use tlspair::engine::Engines;
use tlspair::measure::{Contexts, LoopKind, Stop, supported};
use tlspair::results::{Measured, OpenBytes, ThreadsTimes};

use crate::support::{cell, for_each_engine};

/// A cell of each of the newest versions that the engine has, cheap enough to be opened often.
fn cells(engine: &str) -> Vec<Cell> {
    let engines = Engines::built_in();
    let choices = Proto::ALL.iter().map(|&proto| Choice { proto: Some(proto), ..Choice::default() });
    choices
        .filter_map(|choice| choice.pin(engine, engine).ok())
        .filter(|cell| supported(&engines, cell).is_ok())
        .collect()
}

fn open(cell: &Cell, connections: u64) -> OpenBytes {
    let open = Workload::Open { connections };
    match work(&Engines::built_in(), cell, open, Stop::default()) {
        Ok(Measured::Open(bytes)) => bytes,
        other => panic!("{cell}: {other:?}"),
    }
}

fn threads(cell: &Cell, threads: u32, kind: LoopKind, contexts: Contexts) -> Result<ThreadsTimes, NoNumbers> {
    let on_threads = Workload::Threads { kind, connections: 10, threads, contexts };
    match work(&Engines::built_in(), cell, on_threads, Stop::default())? {
        Measured::Threads(times) => Ok(times),
        other => panic!("{cell}: {other:?}"),
    }
}

/// Whatever an engine allocates, connections at rest are alike, so that all together are as many times one.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn connections_held_open_add_up() {
    const CONNECTIONS: u64 = 20;
    for_each_engine(|engine| {
        for cell in cells(engine) {
            let bytes = open(&cell, CONNECTIONS);
            for side in [bytes.client, bytes.server] {
                // Beside the connections a server's cache may keep a session for each.
                let alike = CONNECTIONS * side.each_bytes;
                let (least, most) = (alike * 9 / 10, alike * 11 / 10 + 4096);
                assert!((least..=most).contains(&side.total_bytes), "{cell}: {side:?}");
                assert!(side.left_bytes <= side.total_bytes as i64, "{cell}: {side:?}");
            }
        }
    });
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn the_null_engine_keeps_what_its_endpoints_take() {
    let bytes = open(&cell("null", &Choice::default()), 50);
    assert!((1..=200).contains(&bytes.client.each_bytes), "{bytes:?}");
    let alike = 50 * bytes.client.each_bytes;
    assert!((alike..=alike + 200).contains(&bytes.client.total_bytes), "{bytes:?}"); // blocks differ by a few bytes
    assert_eq!((bytes.client.left_bytes, bytes.server.left_bytes), (0, 0), "{bytes:?}");
}

#[test]
fn downloads_are_held_open_too() {
    let choice = Choice { direction: Some(Direction::Down), bytes: Some(1000), ..Choice::default() };
    if tlspair::heap::supported() {
        open(&cell("null", &choice), 3);
    }
}

#[test]
fn every_thread_runs_its_whole_loop() {
    for_each_engine(|engine| {
        for cell in cells(engine) {
            for (kind, resumed) in [(LoopKind::Full, 0), (LoopKind::Reuse, 27)] {
                let times = threads(&cell, 3, kind, Contexts::Separate)
                    .unwrap_or_else(|why| panic!("{cell} {}: {why:?}", kind.name()));
                assert_eq!((times.connections, times.resumed), (30, resumed), "{cell} {}", kind.name());
                assert!(times.wall_ns > 0 && times.cpu_ns > 0, "{cell}: {times:?}");
            }
        }
    });
}

/// Contexts are shared, or there are words for why not; never something else in their place.
#[test]
fn threads_share_contexts_or_say_why_not() {
    for_each_engine(|engine| {
        for cell in cells(engine) {
            match threads(&cell, 2, LoopKind::Reuse, Contexts::Shared) {
                Ok(times) => assert_eq!((times.connections, times.resumed), (20, 18), "{cell}"),
                Err(NoNumbers::Unsupported(why)) => assert!(why.contains("thread"), "{cell}: {why}"),
                Err(other) => panic!("{cell}: {other:?}"),
            }
        }
    });
}

#[cfg(feature = "openssl")]
#[test]
fn openssl_shares_its_contexts() {
    let cell = cell("openssl", &Choice::default());
    assert!(threads(&cell, 2, LoopKind::Full, Contexts::Shared).is_ok());
}

#[test]
fn a_thread_that_cannot_run_does_not_keep_the_others_waiting() {
    let cell = cell("nobody", &Choice::default());
    let outcome = threads(&cell, 3, LoopKind::Full, Contexts::Separate);
    assert!(matches!(outcome, Err(NoNumbers::Error(_))), "{outcome:?}");
}
