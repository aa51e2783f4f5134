//! Sides that do not have the same engines, the same cells or the same bytes.

use tlspair::results::{Comparability, Comparison};

use super::{Sides, TWO_CELLS, all, comparison, verdicts, with};
use crate::cli::{NOTHING, OK, REGRESSION, USAGE};

fn sides(old: &[&str], new: &[&str]) -> Sides {
    let sides = Sides::new();
    sides.add("old", old);
    sides.add("new", new);
    sides
}

/// Engine, bytes and standing of each cell.
fn standings(comparison: &Comparison) -> Vec<(String, u64, Comparability)> {
    let standing = |cell: &tlspair::results::CellComparison| {
        let engine = cell.dims.engines().expect("every cell has engines");
        (engine, cell.dims.number("bytes").expect("every cell has bytes"), cell.status)
    };
    comparison.cells.iter().map(standing).collect()
}

#[test]
fn bytes_that_a_handshake_grew_by_are_a_regression_in_words() {
    let sides = sides(&[], &["EXTRA_BYTES=7"]);
    let ran = sides.run(&with(&["check", "exe:./old", "exe:./new"], &TWO_CELLS)).ends(REGRESSION);
    let words = "in all 2 cells: the client sends 7 bytes more in a full handshake (238 → 245)";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    let comparison = comparison(&sides.compared("check", &TWO_CELLS).ends(REGRESSION));
    assert_eq!(verdicts(&comparison), all("unchanged"), "the time is as it was");
    for cell in &comparison.cells {
        let metrics: Vec<&str> = cell.changes.iter().map(|change| change.metric.as_str()).collect();
        assert_eq!(metrics, ["wire.full.client_bytes"]);
        assert!(cell.changes[0].is_regression);
    }
    sides.run(&with(&["compare", "exe:./old", "exe:./new"], &TWO_CELLS)).ends(OK);
}

#[test]
fn bytes_that_a_handshake_shrank_by_are_said_and_no_regression() {
    let sides = sides(&["EXTRA_BYTES=7"], &[]);
    let ran = sides.run(&with(&["check", "exe:./old", "exe:./new"], &TWO_CELLS)).ends(OK);
    assert!(ran.stdout.contains("the client sends 7 bytes fewer in a full handshake"), "{}", ran.stdout);
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[test]
fn allocations_that_grew_are_a_regression_in_words() {
    let sides = sides(&[], &["EXTRA_ALLOCATIONS=40"]);
    let ran = sides.run(&with(&["check", "exe:./old", "exe:./new"], &TWO_CELLS)).ends(REGRESSION);
    assert!(
        ran.stdout.contains("in all 2 cells: the server allocates 41 times as often (1 → 41 allocations)"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_cell_that_the_new_side_lost_is_a_regression_and_one_that_it_gained_is_none() {
    let lost = sides(&[], &["LACKS=bytes=1000"]);
    let ran = lost.compared("check", &TWO_CELLS).ends(REGRESSION);
    let found = comparison(&ran);
    let expected =
        [("alpha".to_owned(), 1, Comparability::Compared), ("alpha".to_owned(), 1000, Comparability::Lost)];
    assert_eq!(standings(&found), expected);
    assert_eq!(found.cells[1].reason.as_deref(), Some("this build has no such thing"));
    lost.compared("compare", &TWO_CELLS).ends(OK);

    let gained = sides(&["LACKS=bytes=1000"], &[]);
    let found = comparison(&gained.compared("check", &TWO_CELLS).ends(OK));
    assert_eq!(standings(&found)[1].2, Comparability::Gained);

    let neither = sides(&["LACKS=bytes"], &["LACKS=bytes"]);
    let found = comparison(&neither.compared("check", &TWO_CELLS).ends(OK));
    assert_eq!(standings(&found)[1].2, Comparability::Neither);
}

#[test]
fn an_engine_whose_cells_are_all_lost_is_a_regression() {
    let sides = sides(&[], &["LACKS=beta"]);
    let both = ["--engine=alpha,beta", "--proto=tls1.3", "--seed=7", "--quiet"];
    let found = comparison(&sides.compared("check", &both).ends(REGRESSION));
    let expected =
        [("alpha".to_owned(), 1, Comparability::Compared), ("beta".to_owned(), 1, Comparability::Lost)];
    assert_eq!(standings(&found), expected);
}

#[test]
fn only_engines_that_both_sides_have_are_compared_and_the_others_are_named() {
    let sides = sides(&["ENGINES=alpha,beta"], &["ENGINES=beta,gamma"]);
    let any = ["--proto=tls1.3", "--seed=7", "--rounds=2"];
    let ran = sides.compared("check", &any).ends(OK);
    let found = comparison(&ran);
    assert_eq!(standings(&found), [("beta".to_owned(), 1, Comparability::Compared)]);
    let left_out = ["alpha: only exe:./old has it", "gamma: only exe:./new has it"];
    assert_eq!(found.left_out, left_out);
    assert_eq!(ran.stderr.lines().take(2).collect::<Vec<_>>(), left_out);
    let table = sides.run(&with(&["check", "exe:./old", "exe:./new", "--quiet"], &any)).ends(OK).stdout;
    assert!(left_out.iter().all(|words| table.contains(&format!("Left out: {words}"))), "{table}");
}

#[test]
fn sides_without_a_common_engine_have_nothing_to_compare() {
    let sides = sides(&["ENGINES=alpha"], &["ENGINES=beta"]);
    let arguments = ["check", "exe:./old", "exe:./new", "--quiet"];
    sides.run(&arguments).ends(NOTHING).says_only(
        "no cell that both sides could run: alpha: only exe:./old has it; beta: only exe:./new has it; \
         --engine-map compares engines of different names",
    );
    sides.leave_nothing_running();
}

#[test]
fn engines_of_different_names_are_compared_where_the_map_says_so() {
    let sides = sides(&["ENGINES=alpha"], &["ENGINES=beta,gamma", "SLOWDOWN=1.05"]);
    let mapped = with(&TWO_CELLS, &["--engine-map=alpha=gamma"]);
    let found = comparison(&sides.compared("check", &mapped).ends(REGRESSION));
    assert_eq!(verdicts(&found), all("regression"));
    assert!(found.cells.iter().all(|cell| cell.new_engines.as_deref() == Some("gamma")));
    let table = sides.run(&with(&["compare", "exe:./old", "exe:./new"], &mapped)).ends(OK).stdout;
    assert!(table.contains("alpha ⇒ gamma"), "{table}");
}

#[test]
fn a_map_that_makes_no_sense_is_refused_with_the_nearest_name() {
    let sides = sides(&["ENGINES=alpha"], &["ENGINES=beta,gamma"]);
    let refused = |map: &[&str]| sides.run(&with(&["compare", "exe:./old", "exe:./new"], map)).ends(USAGE);
    refused(&["--engine-map=alpha=gama"])
        .says_only("--engine-map, exe:./new: unknown engine `gama`; did you mean gamma?");
    refused(&["--engine-map=beta=gamma"]).complains_of(&["--engine-map, exe:./old: unknown engine `beta`"]);
    refused(&["--engine-map=alpha=beta", "--engine-map=alpha=gamma"])
        .says_only("--engine-map gives alpha two counterparts; compare one at a time");
    refused(&["--engine-map=alpha"]).complains_of(&["--engine-map `alpha` is not OLD=NEW"]);
    sides.leave_nothing_running();
}
