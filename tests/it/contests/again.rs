//! The second look of `check`: suspects are measured once more, and only that counts.

use tlspair::measure::LoopKind;
use tlspair::results::{Comparison, Verdict};

use super::{Sides, TWO_CELLS, all, comparison, verdicts, with};
use crate::cli::{OK, REGRESSION};

/// Processes of a side until all first rounds are over: one is greeted, one explores, ten measure.
const OF_THE_FIRST_LOOK: &str = "SLOW_UNTIL=12";

/// Rounds of each loop, and whether it had a first look.
fn looks(comparison: &Comparison) -> Vec<(usize, bool)> {
    let mut looks = Vec::new();
    for cell in &comparison.cells {
        for kind in LoopKind::BOTH {
            let one = cell.loops.of(kind).expect("both loops were compared");
            looks.push((one.evidence.old_times().len(), one.first_look.is_some()));
        }
    }
    looks
}

#[test]
fn a_slowdown_that_was_there_only_at_first_is_forgotten() {
    let sides = Sides::quiet(&["SLOWDOWN=1.06", OF_THE_FIRST_LOOK]);
    let ran = sides.compared("check", &TWO_CELLS).ends(OK);
    let comparison = comparison(&ran);
    assert_eq!(verdicts(&comparison), all("unchanged"));
    assert_eq!(looks(&comparison), [(20, true); 4]);
    for cell in &comparison.cells {
        let one = cell.loops.full.as_ref().expect("it was compared");
        let first = one.first_look.as_ref().expect("it was a suspect");
        assert_eq!((first.verdict, first.evidence.old_times().len()), (Verdict::Regression, 10));
        assert!((first.cpu.ratio / 1.06 - 1.0).abs() < 0.01 && (one.cpu.ratio - 1.0).abs() < 0.01);
    }
}

#[test]
fn a_slowdown_that_stays_is_confirmed_and_other_loops_are_left_alone() {
    let sides = Sides::quiet(&["SLOWDOWN=1.05", "SLOW_CELLS=bytes=1000"]);
    let ran = sides.compared("check", &TWO_CELLS).ends(REGRESSION);
    let comparison = comparison(&ran);
    assert_eq!(looks(&comparison), [(10, false), (10, false), (20, true), (20, true)]);
    assert_eq!(comparison.method.rounds, 10, "planned before the start");
}

#[test]
fn compare_looks_once() {
    let sides = Sides::quiet(&["SLOWDOWN=1.06", OF_THE_FIRST_LOOK]);
    let comparison = comparison(&sides.compared("compare", &TWO_CELLS).ends(OK));
    assert_eq!(verdicts(&comparison), all("regression"));
    assert_eq!(looks(&comparison), [(10, false); 4]);
}

#[test]
fn the_table_says_that_the_second_look_counts() {
    let sides = Sides::quiet(&["SLOWDOWN=1.06", OF_THE_FIRST_LOOK]);
    let arguments = with(&["check", "exe:./old", "exe:./new"], &TWO_CELLS);
    let ran = sides.run(&arguments).ends(OK);
    let words = "measured again, and only the second measurement counts; the first said regression, +";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
}
