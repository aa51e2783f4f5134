//! Verdicts, effects and p values.

use super::sample::{comparison, full, paired, separate, unjudged, verdicts, with};
use crate::compare::{PROCESS_DEVIATION, judge};
use crate::results::{Comparison, Evidence, LoopComparison, Verdict};

/// A spread of ±0.5 % around a growth.
fn around(growth: f64) -> Evidence {
    paired(
        &[-0.005, 0.004, 0.002, -0.003, 0.005, -0.004, 0.001, -0.001, 0.003, -0.002]
            .map(|noise| growth + noise),
    )
}

fn judged(evidence: impl IntoIterator<Item = Evidence>) -> Comparison {
    let mut comparison = comparison(evidence);
    judge(&mut comparison);
    comparison
}

fn judged_one(evidence: Evidence) -> LoopComparison {
    full(&judged([evidence]), 0).clone()
}

#[test]
fn clear_cases_get_their_verdicts() {
    let growths = [0.08, -0.08, 0.0, 0.02, -0.02];
    assert_eq!(
        verdicts(&judged(growths.map(around))),
        [
            Verdict::Regression,
            Verdict::Improvement,
            Verdict::Unchanged,
            Verdict::Unchanged,
            Verdict::Unchanged
        ]
    );
}

#[test]
fn sure_but_smaller_than_the_threshold_is_no_regression() {
    let one = judged_one(around(0.029));
    assert!(one.p_slower.expect("ten rounds") < 1e-6);
    assert_eq!(one.verdict, Verdict::Inconclusive);
}

#[test]
fn larger_than_the_threshold_but_unsure_is_inconclusive() {
    let one = judged_one(paired(&[0.2, -0.1, 0.15, -0.05, 0.1]));
    assert!(one.cpu.ratio > 1.03 && one.p_slower.expect("five rounds") > 0.05);
    assert_eq!(one.verdict, Verdict::Inconclusive);
}

#[test]
fn slower_by_less_than_the_noise_floor_is_no_regression_even_with_a_threshold_of_nothing() {
    let mut comparison = comparison([around(0.009), around(0.02)]);
    comparison.cells.iter_mut().for_each(|cell| cell.thresholds.time = 0.0);
    judge(&mut comparison);
    assert_eq!(verdicts(&comparison), [Verdict::Inconclusive, Verdict::Regression]);
}

#[test]
fn each_cell_has_its_own_threshold() {
    let mut comparison = comparison([around(0.04), around(0.04)]);
    comparison.cells[1].thresholds.time = 0.05;
    judge(&mut comparison);
    assert_eq!(verdicts(&comparison), [Verdict::Regression, Verdict::Unchanged]);
}

/// `exp(mean(x))` and `exp(t.test(x)$conf.int)` of R for x = log(c(1.02, 1.05, 1.03, 1.06)).
#[test]
fn effects_are_geometric_means_with_intervals_of_the_logarithms() {
    let one = judged_one(paired(&[0.02, 0.05, 0.03, 0.06]));
    for effect in [one.cpu, one.wall, one.client, one.server] {
        assert!((effect.ratio - 1.039_879_795_7).abs() < 1e-7, "{effect:?}");
        assert!((effect.low.expect("an interval") - 1.011_230_241_2).abs() < 1e-7, "{effect:?}");
        assert!((effect.high.expect("an interval") - 1.069_341_031_8).abs() < 1e-7, "{effect:?}");
    }
}

#[test]
fn each_clock_and_side_has_its_own_effect() {
    let evidence = with(paired(&[0.0, 0.0]), |round| {
        (round.wall, round.client, round.server) = (0.1f64.ln_1p(), 0.2f64.ln_1p(), (-0.2f64).ln_1p());
    });
    let one = judged_one(evidence);
    let ratios = [one.cpu, one.wall, one.client, one.server].map(|effect| effect.ratio);
    for (found, expected) in ratios.into_iter().zip([1.0, 1.1, 1.2, 0.8]) {
        assert!((found - expected).abs() < 1e-12, "{ratios:?}");
    }
    assert_eq!(one.verdict, Verdict::Unchanged, "CPU time decides");
}

#[test]
fn rounds_that_do_not_vary_leave_no_doubt() {
    let comparison = judged([0.05, 0.03, 0.02, 0.0, -0.03, -0.05].map(|growth| paired(&[growth; 10])));
    assert_eq!(
        verdicts(&comparison),
        [
            Verdict::Regression,
            Verdict::Regression,
            Verdict::Unchanged,
            Verdict::Unchanged,
            Verdict::Improvement,
            Verdict::Improvement
        ]
    );
    let one = full(&comparison, 0);
    assert_eq!((one.p_slower, one.p_faster), (Some(0.0), Some(1.0)));
    assert_eq!((one.cpu.low, one.cpu.high), (Some(one.cpu.ratio), Some(one.cpu.ratio)));
    assert_eq!((&one.odd_rounds, &one.doubts), (&vec![], &vec![]));
}

#[test]
fn one_round_says_how_much_but_not_how_sure() {
    let one = judged_one(paired(&[0.5]));
    assert!((one.cpu.ratio - 1.5).abs() < 1e-12);
    assert_eq!((one.cpu.low, one.cpu.high, one.p_slower, one.p_faster), (None, None, None, None));
    assert_eq!(one.verdict, Verdict::Inconclusive);
}

#[test]
fn no_round_says_nothing() {
    for evidence in [paired(&[]), separate(&[], &[1.0]), separate(&[1.0], &[])] {
        let one = judged_one(evidence);
        assert_eq!((one.cpu.ratio, one.cpu.low, one.p_slower), (1.0, None, None));
        assert_eq!(one.verdict, Verdict::Inconclusive);
        assert_eq!(one.doubts, ["no round was completed"]);
    }
}

#[test]
fn what_has_no_p_does_not_count_in_the_family() {
    let alone = judged([around(0.02)]);
    let beside = judged([around(0.02), paired(&[0.5]), paired(&[])]);
    assert_eq!(full(&alone, 0), full(&beside, 0));
}

/// By hand: of p values that fall apart like these, the smaller is doubled and the larger stays.
#[test]
fn p_values_are_adjusted_over_all_loops_of_all_cells() {
    let plain = |evidence: Evidence| judged_one(evidence).p_slower.expect("rounds");
    let (sure, unsure) = (paired(&[0.03, 0.05, 0.04]), paired(&[0.0, 0.03, -0.02]));
    let (p_sure, p_unsure) = (plain(sure.clone()), plain(unsure.clone()));
    assert!(2.0 * p_sure < p_unsure);
    let mut both = comparison([sure]);
    both.cells[0].loops.reuse = Some(unjudged(unsure));
    judge(&mut both);
    let reuse = both.cells[0].loops.reuse.as_ref().expect("just put there");
    assert_eq!((full(&both, 0).p_slower, reuse.p_slower), (Some(2.0 * p_sure), Some(p_unsure)));
}

#[test]
fn separate_sides_are_compared_by_welch() {
    let old = [100.0, 101.0, 99.5, 100.5];
    let new = [120.0, 119.0, 121.0, 120.5, 119.5];
    let comparison = judged([separate(&old, &new), separate(&new, &old), separate(&old, &old)]);
    assert_eq!(verdicts(&comparison), [Verdict::Regression, Verdict::Improvement, Verdict::Unchanged]);
    let one = full(&comparison, 0);
    assert!(one.cpu.low.expect("an interval") > 1.15 && one.cpu.high.expect("an interval") < 1.25);
}

#[test]
fn a_single_process_is_taken_to_be_as_uncertain_as_processes_are() {
    let one = judged_one(separate(&[100.0], &[100.0]));
    let half_width = 1.959_963_984_540_054 * PROCESS_DEVIATION * 2f64.sqrt();
    assert!((one.cpu.high.expect("an interval").ln() - half_width).abs() < 1e-9);
    assert_eq!(one.verdict, Verdict::Inconclusive);
    let more = judged([separate(&[100.0], &[107.0]), separate(&[100.0], &[110.0])]);
    assert_eq!(verdicts(&more), [Verdict::Inconclusive, Verdict::Inconclusive], "it is only taken to be so");
    assert_eq!(full(&more, 1).p_slower, None);
}

#[test]
fn separate_sides_have_a_noise_floor_of_three_percent_at_least() {
    let steady = |growth: f64| separate(&[100.0; 3], &[100.0 * (1.0 + growth); 3]);
    let mut comparison = comparison([steady(0.025), steady(0.035), steady(-0.025), steady(-0.035)]);
    comparison.cells.iter_mut().for_each(|cell| cell.thresholds.time = 0.02);
    judge(&mut comparison);
    assert_eq!(
        verdicts(&comparison),
        [Verdict::Inconclusive, Verdict::Regression, Verdict::Inconclusive, Verdict::Improvement]
    );
    comparison.method.noise_floor = 0.05;
    judge(&mut comparison);
    assert_eq!(verdicts(&comparison), [Verdict::Inconclusive; 4]);
}

/// A clock that is too coarse to see a side's work.
#[test]
fn times_of_zero_do_not_spoil_the_rest() {
    let one =
        judged_one(with(around(0.08), |round| (round.client, round.server) = (f64::NAN, f64::INFINITY)));
    assert_eq!(one.verdict, Verdict::Regression);
    assert_eq!((one.client.ratio, one.client.low, one.server.high), (1.0, None, None));
    let one = judged_one(separate(&[0.0, 100.0, 100.0], &[100.0, 100.0, 0.0]));
    assert_eq!((one.cpu.ratio, one.verdict), (1.0, Verdict::Unchanged));
}
