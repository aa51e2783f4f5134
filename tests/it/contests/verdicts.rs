//! What differs is found, and what does not differ is not.

use tlspair::measure::LoopKind;
use tlspair::results::Comparison;

use super::{QUIET, Sides, TWO_CELLS, all, comparison, undated, verdicts, with};
use crate::cli::{INCONCLUSIVE, OK, REGRESSION, Ran};

/// Name and ratio of each loop.
fn ratios(comparison: &Comparison) -> Vec<f64> {
    let loops = |cell| LoopKind::BOTH.into_iter().map(move |kind| (cell, kind));
    let ratio = |(cell, kind): (&tlspair::results::CellComparison, _)| Some(cell.loops.of(kind)?.cpu.ratio);
    comparison.cells.iter().flat_map(loops).filter_map(ratio).collect()
}

#[track_caller]
fn each_is_near(ran: &Ran, expected: f64) {
    for ratio in ratios(&comparison(ran)) {
        assert!((ratio / expected - 1.0).abs() < 0.008, "{ratio} for {expected}");
    }
}

#[test]
fn builds_that_do_not_differ_are_unchanged_everywhere() {
    let sides = Sides::quiet(&[]);
    for (sub_command, more) in [("compare", &[][..]), ("check", &[]), ("check", &["--strict"])] {
        let ran = sides.compared(sub_command, &with(&TWO_CELLS, more)).ends(OK);
        assert_eq!(ran.stderr, "");
        let comparison = comparison(&ran);
        assert!(comparison.complete);
        assert_eq!(verdicts(&comparison), all("unchanged"));
        assert_eq!((comparison.method.rounds, comparison.method.seed), (10, 7));
    }
    sides.leave_nothing_running();
}

#[test]
fn five_percent_more_everywhere_is_a_regression_which_only_check_fails_for() {
    let sides = Sides::quiet(&["SLOWDOWN=1.05"]);
    for (sub_command, exit) in [("compare", OK), ("check", REGRESSION)] {
        let ran = sides.compared(sub_command, &TWO_CELLS).ends(exit);
        assert_eq!(verdicts(&comparison(&ran)), all("regression"));
        each_is_near(&ran, 1.05);
    }
}

#[test]
fn five_percent_less_is_an_improvement_and_no_failure() {
    let sides = Sides::quiet(&["SLOWDOWN=0.95"]);
    for sub_command in ["compare", "check"] {
        let ran = sides.compared(sub_command, &TWO_CELLS).ends(OK);
        assert_eq!(verdicts(&comparison(&ran)), all("improvement"));
        each_is_near(&ran, 0.95);
    }
}

#[test]
fn a_slowdown_of_some_cells_is_found_in_exactly_those() {
    let sides = Sides::quiet(&["SLOWDOWN=1.05", "SLOW_CELLS=bytes=1000"]);
    let expected = ["1 full unchanged", "1 reuse unchanged", "1000 full regression", "1000 reuse regression"];
    for (sub_command, exit) in [("compare", OK), ("check", REGRESSION)] {
        let ran = sides.compared(sub_command, &TWO_CELLS).ends(exit);
        assert_eq!(verdicts(&comparison(&ran)), expected);
    }
}

#[test]
fn noise_beyond_all_measure_leaves_everything_open() {
    let sides = Sides::new();
    sides.add("old", &["NOISE=0.3", "SEED=1"]);
    sides.add("new", &["NOISE=0.3", "SEED=2"]);
    let ran = sides.compared("compare", &TWO_CELLS).ends(OK);
    assert_eq!(verdicts(&comparison(&ran)), all("inconclusive"));
    for (more, exit) in [(&[][..], OK), (&["--strict"], INCONCLUSIVE)] {
        let ran = sides.compared("check", &with(&TWO_CELLS, more)).ends(exit);
        assert_eq!(verdicts(&comparison(&ran)), all("inconclusive"));
    }
}

#[test]
fn the_same_seed_gives_the_same_output_to_the_last_byte() {
    let sides = Sides::quiet(&["SLOWDOWN=1.02"]);
    let said = |arguments: &[&str]| {
        let ran = sides.compared("check", &with(arguments, &["--export=csv=r.csv"])).ends(OK);
        let csv = std::fs::read_to_string(sides.folder().path("r.csv")).expect("it was written");
        (undated(&ran.stdout, &comparison(&ran)), csv)
    };
    let first = said(&TWO_CELLS);
    assert_eq!(said(&TWO_CELLS), first);
    let other_seed = with(&TWO_CELLS[..3], &["--seed=8", "--quiet"]);
    assert_ne!(said(&other_seed).1, first.1, "another order meets other noise");
}

#[test]
fn swapping_the_sides_mirrors_what_comes_out() {
    let sides = Sides::quiet(&["SLOWDOWN=1.05", "SLOW_CELLS=bytes=1000"]);
    let one = comparison(&sides.compared("compare", &TWO_CELLS).ends(OK));
    let swapped = with(&["compare", "exe:./new", "exe:./old", "--json"], &TWO_CELLS);
    let other = comparison(&sides.run(&swapped).ends(OK));
    let mirrored: Vec<String> =
        verdicts(&one).iter().map(|verdict| verdict.replace("regression", "improvement")).collect();
    assert_eq!(verdicts(&other), mirrored);
    for (one, other) in ratios(&one).iter().zip(ratios(&other)) {
        // Times are whole nanoseconds, and a batch of the slower side may hold a connection less.
        assert!((one * other - 1.0).abs() < 1e-4, "{one} and {other}");
    }
}

#[test]
fn the_threshold_of_the_command_line_decides_what_matters() {
    let sides = Sides::quiet(&["SLOWDOWN=1.05"]);
    for (threshold, verdict, exit) in
        [("6%", "unchanged", OK), ("4", "regression", REGRESSION), ("4.5%", "regression", REGRESSION)]
    {
        let threshold = format!("--fail-threshold={threshold}");
        let ran = sides.compared("check", &with(&TWO_CELLS, &[&threshold])).ends(exit);
        assert_eq!(verdicts(&comparison(&ran)), all(verdict), "{threshold}");
    }
}

#[test]
fn a_slowdown_below_the_noise_floor_is_none_that_one_can_be_sure_of() {
    let sides = Sides::quiet(&["SLOWDOWN=1.05"]);
    let ran = sides.compared("compare", &with(&TWO_CELLS, &["--noise-floor=8%"])).ends(OK);
    let comparison = comparison(&ran);
    assert_eq!(verdicts(&comparison), all("inconclusive"));
    let method = &comparison.method;
    assert_eq!((method.noise_floor, method.noise_floor_from.as_str()), (0.08, "--noise-floor"));
}

#[test]
fn a_stricter_alpha_wants_more_evidence() {
    let sides = Sides::quiet(&["SLOWDOWN=1.05"]);
    let few = with(&TWO_CELLS, &["--rounds=3"]);
    let ran = sides.compared("compare", &few).ends(OK);
    assert_eq!(verdicts(&comparison(&ran)), all("regression"));
    let ran = sides.compared("compare", &with(&few, &["--alpha=0.000000001"])).ends(OK);
    let comparison = comparison(&ran);
    assert_eq!(verdicts(&comparison), all("inconclusive"));
    assert_eq!(comparison.method.alpha, 1e-9);
}

#[test]
fn two_rounds_do_for_what_is_plain() {
    let sides = Sides::quiet(&["SLOWDOWN=1.5"]);
    let arguments = with(&TWO_CELLS, &["--rounds=2", "--loop=full"]);
    let ran = sides.compared("compare", &arguments).ends(OK);
    let comparison = comparison(&ran);
    assert_eq!(verdicts(&comparison), ["1 full regression", "1000 full regression"]);
    for cell in &comparison.cells {
        let one = cell.loops.full.as_ref().expect("it was asked for");
        assert_eq!(one.evidence.old_times().len(), 2);
    }
}

#[test]
fn the_table_says_what_was_found() {
    let sides = Sides::quiet(&["SLOWDOWN=1.05", "SLOW_CELLS=bytes=1000"]);
    let arguments = with(&["compare", "exe:./old", "exe:./new"], &TWO_CELLS);
    let ran = sides.run(&arguments).ends(OK);
    let rows: Vec<Vec<&str>> = ran
        .stdout
        .lines()
        .map(|line| line.split_whitespace().take(4).collect())
        .filter(|words: &Vec<&str>| words.first() == Some(&"alpha"))
        .collect();
    assert_eq!(rows.len(), 4, "{}", ran.stdout);
    let found: Vec<&str> = rows.iter().map(|words| words[3]).collect();
    assert_eq!(found, ["regression", "regression", "unchanged", "unchanged"], "{}", ran.stdout);
    assert!(rows[..2].iter().all(|words| words[1] == "1,000"), "{}", ran.stdout);
    assert!(ran.stdout.contains("Old: exe:./old; new: exe:./new."), "{}", ran.stdout);
}

#[test]
fn progress_goes_to_stderr_and_tells_each_round() {
    let sides = Sides::new();
    sides.add("old", &[QUIET]);
    sides.add("new", &[QUIET]);
    let ran = sides.compared("compare", &["--engine=alpha", "--proto=tls1.3", "--rounds=2"]).ends(OK);
    let first_words: Vec<String> = ran
        .stderr
        .lines()
        .map(|line| line.split_whitespace().take(3).collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(first_words, ["trying 1 cell", "1 cell, 2", "round 1 of", "round 2 of"]);
}
