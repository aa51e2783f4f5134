//! A worker that fails costs the cell in hand, which says why; all others have their numbers.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tlspair::results::{Comparability, Comparison, Status};

use crate::cli::OPERATIONAL;
use crate::contests::{Sides, comparison};

const CELLS: [&str; 6] =
    ["--engine=alpha", "--proto=tls1.3", "--bytes=1,1000", "--rounds=2", "--seed=7", "--quiet"];

/// The kinds of faults, and the word that ends up in the reason. A worker that hangs is tested apart, because it costs
/// time.
const FAULTS: [(&str, &str); 8] = [
    ("abort", "signal: 6 (SIGABRT)"),
    ("segfault", "signal: 11 (SIGSEGV)"),
    ("panic", "exit status: 101"),
    ("nonsense", "talks nonsense: `what was the question?`"),
    ("bytes", "talks nonsense: `"),
    ("other-answer", "talks nonsense: "),
    ("half-answer", "talks nonsense: `{\"batch\""),
    ("eof", "exit status: 0"),
];

/// Requests of a side in all: it tries and calibrates two cells, then visits four loops in each of two rounds.
const REQUESTS: u64 = 2 * 7 + 2 * 4 * 21;

/// Insists that one cell has failed for this reason and the other one has all its numbers.
#[track_caller]
fn one_cell_failed(comparison: &Comparison, reason: &[&str]) -> Comparability {
    assert!(comparison.complete);
    let (whole, failed): (Vec<_>, Vec<_>) =
        comparison.cells.iter().partition(|cell| cell.status == Comparability::Compared);
    assert_eq!((whole.len(), failed.len()), (1, 1), "{comparison:?}");
    for kind in [&whole[0].loops.full, &whole[0].loops.reuse] {
        let one = kind.as_ref().expect("the other cell has both loops");
        assert_eq!((one.evidence.old_times().len(), one.evidence.new_times().len()), (2, 2));
    }
    let said = failed[0].reason.as_deref().expect("who failed says why");
    for words in reason {
        assert!(said.contains(words), "{words} in {said}");
    }
    failed[0].status
}

/// Compares where one side fails at this request.
#[track_caller]
fn fails(side: &str, fault: &str, at: u64, reason: &[&str]) -> Comparability {
    let sides = Sides::new();
    sides.add("old", &[]);
    sides.add("new", &[]);
    let (fault, place) = (format!("FAULT={fault}"), format!("FAULT_AT={at}"));
    sides.add(side, &[&fault, &place]);
    let ran = sides.compared("compare", &[&CELLS[..], &["--worker-timeout=30"]].concat());
    let status = one_cell_failed(&comparison(&ran), reason);
    ran.ends(OPERATIONAL);
    sides.leave_nothing_running();
    status
}

#[test]
fn a_fault_at_any_request_costs_the_cell_in_hand() {
    let mut random = ChaCha8Rng::seed_from_u64(20_250_101);
    for (fault, words) in FAULTS {
        for side in ["old", "new"] {
            let at = random.random_range(1..=REQUESTS);
            let reason = [words, &format!("the worker of exe:./{side} "), &format!(" at request {at}")];
            let status = fails(side, fault, at, &reason);
            if at > 14 {
                assert_eq!(status, Comparability::Error, "{fault} of {side} at {at}, in the rounds");
            }
        }
    }
}

#[test]
fn a_fault_at_the_first_and_at_the_last_request_is_survived_too() {
    assert_eq!(fails("new", "abort", 1, &["on the new side: ", "SIGABRT"]), Comparability::Error);
    assert_eq!(fails("old", "abort", 1, &["on the old side: ", "SIGABRT"]), Comparability::Error);
    assert_eq!(fails("new", "abort", REQUESTS, &["SIGABRT"]), Comparability::Error);
}

#[test]
fn a_hanging_worker_is_given_up_after_the_time_that_was_set() {
    let sides = Sides::new();
    sides.add("old", &[]);
    sides.add("new", &["FAULT=hang", "FAULT_AT=60"]);
    let ran = sides.compared("compare", &[&CELLS[..], &["--worker-timeout=5"]].concat()).ends(OPERATIONAL);
    let words = ["did not answer within 5 s", "its last words: Hang at request 60"];
    assert_eq!(one_cell_failed(&comparison(&ran), &words), Comparability::Error);
    sides.leave_nothing_running();
}

#[test]
fn a_cell_that_always_fails_is_not_tried_again_and_again() {
    let sides = Sides::new();
    sides.add("old", &[]);
    sides.add("new", &["FAULT=abort", "FAULT_CELLS=bytes=1000"]);
    let ran = sides.compared("check", &CELLS).ends(OPERATIONAL);
    assert_eq!(one_cell_failed(&comparison(&ran), &["SIGABRT"]), Comparability::Error);
    let names = sides.folder().names();
    assert!(names.contains(&"new.state.processes".to_owned()), "{names:?}");
    let processes = std::fs::metadata(sides.folder().path("new.state.processes")).expect("counted").len();
    // One is greeted, one explores and dies of the second cell, and two measure.
    assert_eq!(processes, 4);
}

#[test]
fn an_isolated_run_survives_a_library_that_does_not() {
    for (fault, words) in FAULTS {
        let sides = Sides::new();
        let settings = [&format!("FAULT={fault}"), "FAULT_CELLS=bytes=1000"];
        let run =
            ["run", "--isolate", "--engine=alpha", "--bytes=1,1000,2000", "--num=5", "--quiet", "--json"];
        let ran = sides.run_virtual(&settings, &run).ends(OPERATIONAL);
        let document = ran.results();
        assert!(document.complete);
        let statuses: Vec<Status> = document.cells.iter().map(|cell| cell.status).collect();
        assert_eq!(statuses, [Status::Ok, Status::Error, Status::Ok], "{fault}");
        let reason = document.cells[1].reason.as_deref().expect("who failed says why");
        assert!(reason.contains(words) && reason.contains("the worker of exe:self "), "{fault}: {reason}");
        for cell in [&document.cells[0], &document.cells[2]] {
            let connections =
                |one: &Option<tlspair::results::LoopResult>| one.as_ref().map(|one| one.connections);
            assert_eq!((connections(&cell.loops.full), connections(&cell.loops.reuse)), (Some(5), Some(5)));
        }
        sides.leave_nothing_running();
    }
}

#[test]
fn an_isolated_run_gives_a_hanging_library_up() {
    let sides = Sides::new();
    let run = ["run", "--isolate", "--engine=alpha", "--num=5", "--quiet", "--json", "--worker-timeout=1"];
    let ran = sides.run_virtual(&["FAULT=hang", "FAULT_AT=3"], &run).ends(OPERATIONAL);
    let reason = ran.results().cells[0].reason.clone().expect("who failed says why");
    assert!(reason.contains("did not answer within ") && reason.contains("Hang at request 3"), "{reason}");
    sides.leave_nothing_running();
}

#[test]
fn times_that_cannot_be_end_nothing() {
    for (old, new) in [
        ("0", "0"),
        ("0", "18446744073709551615"),
        ("18446744073709551615", "0"),
        ("1", "18446744073709551615"),
        ("18446744073709551615", "18446744073709551615"),
    ] {
        let sides = Sides::new();
        for (name, ns) in [("old", old), ("new", new)] {
            sides.add(name, &[&format!("BATCH_NS={ns}")]);
        }
        let ran = sides.compared("check", &CELLS);
        assert!(ran.code.is_some_and(|code| code < 10), "{old}, {new}: {ran:?}");
        assert!(comparison(&ran).complete, "{old}, {new}");
    }
}
