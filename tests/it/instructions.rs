//! Instruction counts by valgrind, of the program itself. They do not depend on how busy the machine is, so these tests
//! may compare numbers.

use std::path::Path;
use std::process::Command;
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;
use tlspair::cell::{Cell, Choice, Proto};
use tlspair::engine::Engines;
use tlspair::instructions::{CountError, Counting, available, count};
use tlspair::measure::{LoopKind, supported};
use tlspair::results::{DimValue, Dims, InstructionCount};

use crate::cli::{OK, OPERATIONAL, USAGE, tlspair, tlspair_with};
use crate::support::cell;

fn exe() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_tlspair"))
}

/// Says so if there is nothing to count with.
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn can_count() -> bool {
    let found = available();
    if let Err(error) = &found {
        eprintln!("skipped: {error}");
    }
    found.is_ok()
}

#[track_caller]
fn counted(cell: &Cell, kind: LoopKind) -> InstructionCount {
    count(exe(), &Dims::from(cell), kind).unwrap_or_else(|error| panic!("{cell}: {error}"))
}

#[track_caller]
fn counted_in(connections: u64, cell: &Cell, kind: LoopKind) -> InstructionCount {
    let dims = Dims::from(cell);
    let counting = Counting { connections, ..Counting::of(exe(), &dims, kind) };
    counting.run().unwrap_or_else(|error| panic!("{cell}: {error}"))
}

fn tls12(bytes: u64) -> Choice {
    Choice { proto: Some(Proto::Tls12), bytes: Some(bytes), ..Choice::default() }
}

/// The cells of this choice that engines which speak TLS can play.
fn of_tls_engines(choice: &Choice) -> Vec<Cell> {
    let engines = Engines::built_in();
    let cells = engines.tls_ids().into_iter().map(|id| cell(id, choice));
    cells.filter(|cell| supported(&engines, cell).is_ok()).collect()
}

/// One of them: what the others do with random values is not this program's.
fn one_of_tls_engines(choice: &Choice) -> Option<Cell> {
    of_tls_engines(choice).into_iter().next()
}

/// By how much the larger exceeds the smaller.
fn spread(one: f64, other: f64) -> f64 {
    one.max(other) / one.min(other) - 1.0
}

#[test]
fn both_sides_cost_something_and_without_cryptography_far_less() {
    if !can_count() {
        return;
    }
    let null = counted(&cell("null", &tls12(1)), LoopKind::Reuse);
    assert!(null.client > 0.0 && null.server > 0.0, "{null:?}");
    for cell in of_tls_engines(&tls12(1)) {
        let tls = match count(exe(), &Dims::from(&cell), LoopKind::Reuse) {
            // The processor that valgrind plays has not all instructions of today.
            Err(CountError::Cell(why)) if why.contains("needs a processor with") => continue,
            counted => counted.unwrap_or_else(|error| panic!("{cell}: {error}")),
        };
        let least = 20.0 * null.total();
        assert!(tls.client > least && tls.server > least, "{cell}: {tls:?} beside {null:?}");
    }
}

#[test]
fn the_server_of_a_full_rsa_handshake_works_more_than_its_client() {
    if !can_count() {
        return;
    }
    let Some(cell) = one_of_tls_engines(&tls12(1)) else { return };
    let full = counted(&cell, LoopKind::Full);
    assert!(full.server > 2.0 * full.client, "{cell}: {full:?}");
}

#[test]
fn a_second_count_finds_the_same() {
    if !can_count() {
        return;
    }
    // A MiB takes valgrind about a second, so of these a few connections must do.
    let handshake = (tls12(1), LoopKind::Full, 20, 0.005);
    let bulk = (tls12(1 << 20), LoopKind::Reuse, 3, 0.001);
    for (choice, kind, connections, tolerance) in [handshake, bulk] {
        let Some(cell) = one_of_tls_engines(&choice) else { return };
        let [one, other] = [(); 2].map(|()| counted_in(connections, &cell, kind).total());
        assert!(spread(one, other) <= tolerance, "{cell}: {one} and {other}");
    }
}

#[test]
fn warming_up_does_not_count() {
    if !can_count() {
        return;
    }
    let null = Some((cell("null", &tls12(1)), 0.0));
    let tls = one_of_tls_engines(&tls12(1)).map(|cell| (cell, 0.005));
    for (cell, tolerance) in [null, tls].into_iter().flatten() {
        let mean = |connections| counted_in(connections, &cell, LoopKind::Reuse).total();
        // If warming up or preparing counted, it would weigh ten times as much in the one as in the other.
        let (few, many) = (mean(4), mean(40));
        assert!(spread(few, many) <= tolerance, "{cell}: {few} and {many}");
    }
}

#[test]
fn two_counts_at_a_time_do_not_disturb_each_other() {
    if !can_count() {
        return;
    }
    let cells = [1, 100_000].map(|bytes| cell("null", &tls12(bytes)));
    let alone = cells.each_ref().map(|cell| counted(cell, LoopKind::Full));
    let at_a_time = thread::scope(|scope| {
        let counts = cells.each_ref().map(|cell| scope.spawn(|| counted(cell, LoopKind::Full)));
        counts.map(|count| count.join().expect("the count succeeds"))
    });
    assert_eq!(at_a_time, alone);
    assert!(alone[1].total() > 2.0 * alone[0].total(), "{alone:?}");
}

#[test]
fn a_cell_that_cannot_run_is_told_in_the_words_of_whoever_cannot() {
    if !can_count() {
        return;
    }
    let error = |dims: [(&str, &str); 2]| {
        let text = |(key, value): (&str, &str)| (key.to_owned(), DimValue::Text(value.to_owned()));
        let refused = count(exe(), &Dims::new(dims.map(text)), LoopKind::Full).expect_err("it cannot run");
        assert!(matches!(refused, CountError::Cell(_)), "{refused:?}");
        refused.to_string()
    };
    let unknown = error([("engine", "nulll"), ("proto", "tls1.2")]);
    assert_eq!(unknown, "--engine: unknown engine `nulll`; did you mean `null`?");
    let unknown = error([("engine", "null"), ("proto", "tls1.4")]);
    assert!(unknown.starts_with("--proto: ") && unknown.contains("tls1."), "{unknown}");
    if let Some(other) = Engines::built_in().tls_ids().first() {
        let unsupported = error([("client", "null"), ("server", other)]);
        assert_eq!(unsupported, "null speaks no TLS, so it pairs with itself only");
    }
}

#[test]
fn an_executable_that_cannot_count_is_named_with_the_reason() {
    if !can_count() {
        return;
    }
    let dims = Dims::from(&cell("null", &Choice::default()));
    let refused = |exe: &Path| count(exe, &dims, LoopKind::Full).expect_err("it cannot count").to_string();
    let missing = refused(Path::new("no/such/tlspair"));
    assert!(missing.starts_with("cannot run no/such/tlspair: "), "{missing}");
    assert!(missing.contains("No such file"), "{missing}");
    let too_old = "does not know `count-loop`: it is no tlspair, or one too old to count instructions";
    assert_eq!(refused(Path::new("/bin/true")), format!("/bin/true {too_old}"));
    assert_eq!(refused(Path::new("/bin/ls")), format!("/bin/ls {too_old}"));
    let failed = refused(Path::new("/bin/false"));
    assert!(failed.starts_with("/bin/false failed under valgrind: ") && failed.contains('1'), "{failed}");
    let folder = refused(Path::new("/"));
    assert!(folder.starts_with("valgrind failed: "), "{folder}");
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn a_stripped_executable_is_told_that_it_has_no_symbols() {
    if !can_count() {
        return;
    }
    let folder = TempDir::new().expect("there is room for a folder");
    let stripped = folder.path().join("stripped 100%");
    let status = Command::new("strip").arg("-o").arg(&stripped).arg(exe()).status();
    if !status.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no strip to take the symbols away");
        return;
    }
    let dims = Dims::from(&cell("null", &Choice::default()));
    let refused = count(&stripped, &dims, LoopKind::Full).expect_err("nobody can tell the sides apart");
    assert!(matches!(refused, CountError::NoSymbols { .. }), "{refused:?}");
}

#[test]
fn the_counted_loop_replies_with_one_line_of_json_and_is_not_in_the_help() {
    let reply = |dims: &str, code| {
        let arguments = ["count-loop", dims, "--loop", "reuse", "--connections", "5"];
        let ran = tlspair_with(arguments).ends(code);
        assert_eq!(ran.stderr, "");
        serde_json::from_str::<Value>(&ran.stdout).expect("the reply is JSON")
    };
    assert_eq!(reply(r#"{"engine":"null"}"#, OK), json!({"counted": {"connections": 5, "resumed": 5}}));
    let failed = reply(r#"{"engine":"nulll"}"#, OPERATIONAL);
    assert_eq!(failed, json!({"failed": "--engine: unknown engine `nulll`; did you mean `null`?"}));
    let help = tlspair("--help").ends(OK);
    assert!(!help.stdout.contains("count-loop"), "{}", help.stdout);
}

#[test]
fn wrong_arguments_of_the_counted_loop_are_mistakes_of_usage() {
    for (dims, kind, connections, words) in [
        ("null", "full", "1", "must be a JSON object of dimensions"),
        ("{}", "both", "1", "must be full or reuse"),
        ("{}", "full", "0", "0 is not in 1.."),
    ] {
        let ran =
            tlspair_with(["count-loop", dims, "--loop", kind, "--connections", connections]).ends(USAGE);
        assert!(ran.stderr.contains(words), "{}", ran.stderr);
        assert_eq!(ran.stdout, "");
    }
}
