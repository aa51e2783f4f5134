//! Suspects, and judging them by fresh evidence alone.

use super::sample::{comparison, full, paired, verdicts};
use crate::compare::{confirm, judge, suspects};
use crate::measure::LoopKind;
use crate::results::{Comparison, Evidence, Verdict};
use crate::stats::holm;

/// Surely slower by about 8 %.
fn slow() -> Evidence {
    paired(&[0.08, 0.081, 0.079, 0.082])
}

/// As fast.
fn flat() -> Evidence {
    paired(&[0.001, -0.001, 0.002, -0.002])
}

/// On average much slower, but anything may be true.
fn unsure() -> Evidence {
    paired(&[0.2, -0.1, 0.15, -0.05])
}

fn judged(evidence: impl IntoIterator<Item = Evidence>) -> Comparison {
    let mut comparison = comparison(evidence);
    judge(&mut comparison);
    comparison
}

#[test]
fn suspects_are_what_is_slower_or_may_well_be() {
    let unsure_but_small = paired(&[0.2, -0.2, 0.1, -0.05]);
    let mut comparison = judged([flat(), slow(), unsure(), unsure_but_small, paired(&[-0.08; 4])]);
    comparison.cells[4].loops.reuse = comparison.cells[1].loops.full.clone();
    assert_eq!(suspects(&comparison), [(1, LoopKind::Full), (2, LoopKind::Full), (4, LoopKind::Reuse)]);
}

#[test]
fn the_fresh_evidence_alone_decides_and_the_first_is_kept() {
    let mut comparison = judged([flat(), slow(), slow()]);
    let before = full(&comparison, 1).clone();
    confirm(&mut comparison, 1, LoopKind::Full, flat());
    confirm(&mut comparison, 2, LoopKind::Full, slow());
    judge(&mut comparison);
    assert_eq!(verdicts(&comparison), [Verdict::Unchanged, Verdict::Unchanged, Verdict::Regression]);
    let after = full(&comparison, 1);
    let first = after.first_look.as_ref().expect("it was measured again");
    assert_eq!((&first.evidence, &after.evidence), (&slow(), &flat()));
    assert_eq!((first.cpu, first.p_slower, first.verdict), (before.cpu, before.p_slower, before.verdict));
    assert!(after.cpu.ratio < 1.01);
}

#[test]
fn fresh_p_values_are_adjusted_after_holm_among_themselves() {
    let fresh = [paired(&[0.03, 0.05, 0.04]), paired(&[0.0, 0.03, 0.01]), paired(&[0.02, 0.03, 0.05])];
    let plain = fresh.clone().map(|one| full(&judged([one]), 0).p_slower.expect("three rounds"));
    let mut comparison = judged([flat(), slow(), slow(), slow()]);
    for (place, one) in fresh.into_iter().enumerate() {
        confirm(&mut comparison, place + 1, LoopKind::Full, one);
    }
    judge(&mut comparison);
    let adjusted: Vec<f64> = (1..4).map(|place| full(&comparison, place).p_slower.expect("rounds")).collect();
    assert_eq!(adjusted, holm(&plain));
}

#[test]
fn measuring_suspects_again_changes_nothing_about_the_others() {
    let loops = || [flat(), slow(), paired(&[0.02, 0.03, 0.05]), unsure(), slow()];
    let before = judged(loops());
    let mut after = before.clone();
    for place in [1, 4] {
        confirm(&mut after, place, LoopKind::Full, flat());
    }
    judge(&mut after);
    for place in [0, 2, 3] {
        assert_eq!(full(&before, place), full(&after, place));
    }
}

#[test]
fn a_suspect_is_measured_again_once() {
    let mut comparison = judged([slow(), slow()]);
    confirm(&mut comparison, 0, LoopKind::Full, slow());
    judge(&mut comparison);
    assert_eq!(full(&comparison, 0).verdict, Verdict::Regression);
    assert_eq!(suspects(&comparison), [(1, LoopKind::Full)]);
}

#[test]
fn the_first_look_stays_the_first_one() {
    let mut comparison = judged([slow()]);
    confirm(&mut comparison, 0, LoopKind::Full, unsure());
    confirm(&mut comparison, 0, LoopKind::Full, flat());
    judge(&mut comparison);
    let one = full(&comparison, 0);
    assert_eq!(one.first_look.as_ref().map(|look| &look.evidence), Some(&slow()));
    assert_eq!(one.evidence, flat());
}

#[test]
fn a_second_measurement_without_a_round_is_inconclusive() {
    let mut comparison = judged([slow()]);
    confirm(&mut comparison, 0, LoopKind::Full, paired(&[]));
    judge(&mut comparison);
    let one = full(&comparison, 0);
    assert_eq!((one.verdict, one.p_slower), (Verdict::Inconclusive, None));
    assert_eq!(one.first_look.as_ref().map(|look| look.verdict), Some(Verdict::Regression));
}
