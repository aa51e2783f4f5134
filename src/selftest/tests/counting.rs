//! From a judged comparison to numbers.

use super::sample::{judged, nothing, report, same, scattered, steady};
use crate::compare::tests::sample::{cell, of_cells, paired};
use crate::measure::LoopKind;
use crate::results::{Change, Comparability, Effect, LoopComparisons, Machine, Verdict};
use crate::selftest::{
    LEAST_COMPARISONS, LoopOutcome, Noise, Probe, SelftestReport, Share, Unlearned, learned,
};

#[test]
fn every_verdict_is_counted_where_it_belongs() {
    let evidence = [steady(0.06), steady(0.02), steady(0.0), steady(-0.06), scattered()];
    let probe = Probe::of(&judged(evidence), 0.0);
    let counts = [probe.regressions, probe.improvements, probe.slower].map(|share| (share.count, share.of));
    assert_eq!(counts, [(1, 5), (1, 5), (2, 5)]);
    assert_eq!((probe.unchanged, probe.inconclusive, probe.comparisons()), (2, 1, 5));
    let ratio = probe.median_ratio.expect("there are loops");
    assert!((1.0..1.02).contains(&ratio), "{ratio}");
}

#[test]
fn shares_have_the_interval_of_the_reference() {
    let share = Share::of(&[true, false, false, false, false, false, false, false, false, false], |&is| !is);
    assert_eq!((share.count, share.of, share.value()), (9, 10, Some(0.9)));
    // `binom.test(9, 10)$conf.int` of R.
    assert!((share.low - 0.554_983_9).abs() < 1e-6 && (share.high - 0.997_471_4).abs() < 1e-6, "{share:?}");
    assert_eq!(Share::of(&[0u8; 0], |_| true).value(), None);
}

#[test]
fn a_loop_of_one_round_says_nothing() {
    let probe = Probe::of(&judged([paired(&[0.3]), steady(0.0)]), 0.0);
    assert_eq!((probe.comparisons(), probe.regressions.count, probe.unchanged), (1, 0, 1));
    let none = Probe::of(&nothing(), 0.0);
    assert_eq!((none.comparisons(), none.noise, none.median_ratio), (0, None, None));
}

#[test]
fn cells_that_failed_are_apart_from_those_that_no_engine_runs() {
    use Comparability::{Compared, Error, Gained, Lost, Neither};
    let cells = [Compared, Lost, Gained, Neither, Error].map(|status| {
        let mut cell = cell(&format!("cell={status:?}"), LoopComparisons::default());
        cell.status = status;
        cell.reason = Some("a reason".to_owned());
        cell
    });
    let probe = Probe::of(&of_cells(cells.into()), 0.0);
    assert_eq!(probe.failures, ["cell=Lost: a reason", "cell=Gained: a reason", "cell=Error: a reason"]);
    assert_eq!(probe.unsupported, ["cell=Neither: a reason"]);
}

#[test]
fn a_count_that_grew_is_a_false_alarm_and_one_that_fell_is_not() {
    let change = |is_regression| Change {
        metric: "wire.full.client_bytes".to_owned(),
        old: "512".to_owned(),
        new: "513".to_owned(),
        growth: None,
        is_regression,
        words: "the client sends more".to_owned(),
    };
    let mut comparison = judged([steady(0.0)]);
    comparison.cells[0].changes = vec![change(false)];
    assert!(!Probe::of(&comparison, 0.0).has_false_regression());
    comparison.cells[0].changes.push(change(true));
    let probe = Probe::of(&comparison, 0.0);
    assert_eq!(probe.differences, ["cell=0: the client sends more"]);
    assert!(probe.has_false_regression());
}

#[test]
fn what_was_slowed_down_is_no_false_alarm() {
    assert!(Probe::of(&judged([steady(0.06)]), 0.0).has_false_regression());
    assert!(!Probe::of(&judged([steady(0.06)]), 0.05).has_false_regression());
    assert!(!same(20, 0).has_false_regression());
}

#[test]
fn noise_is_the_distance_from_one_to_either_side() {
    let effect = |ratio: f64, half: f64| Effect { ratio, low: Some(ratio / half), high: Some(ratio * half) };
    let effects = [
        effect(1.01, 1.02),
        effect(1.0 / 1.03, 1.01),
        effect(1.02, 1.04),
        Effect { ratio: 9.0, low: None, high: None },
    ];
    let noise = Noise::of(effects.into_iter()).expect("three have intervals");
    assert!((noise.median - 0.02).abs() < 1e-12, "{noise:?}");
    // At place 1.9 of 0 to 2, between 2 % and 3 %.
    assert!((noise.p95 - 0.029).abs() < 1e-4 && noise.p95 < 0.03, "{noise:?}");
    assert!((noise.half_width - 0.02).abs() < 1e-12, "{noise:?}");
    assert_eq!(Noise::of(std::iter::empty()), None);
}

#[test]
fn a_floor_takes_enough_comparisons() {
    let machine = Machine::this_one();
    let enough = usize::try_from(LEAST_COMPARISONS).expect("a small number");
    assert_eq!(learned(&same(enough - 1, 0), 5, &machine), Err(Unlearned::TooFew(LEAST_COMPARISONS - 1)));
    let probe = same(enough, 0);
    let floor = learned(&probe, 5, &machine).expect("enough");
    assert_eq!(Some(floor.noise_floor), probe.noise.map(|noise| noise.p95));
    assert_eq!((floor.comparisons, floor.rounds, floor.machine), (LEAST_COMPARISONS, 5, machine));
}

#[test]
fn a_report_reads_back_from_its_json() {
    // Numbers of few digits: those of many come back with another last one.
    let share = Share { count: 1, of: 4, low: 0.25, high: 0.75 };
    let cpu = Effect { ratio: 1.5, low: Some(1.25), high: None };
    let probe = Probe {
        regressions: share,
        improvements: share,
        slower: share,
        median_ratio: Some(1.5),
        noise: Some(Noise { median: 0.5, p95: 0.75, half_width: 0.125 }),
        loops: vec![LoopOutcome {
            id: "cell=0".to_owned(),
            kind: LoopKind::Full,
            cpu,
            p_slower: Some(0.5),
            verdict: Verdict::Regression,
        }],
        differences: vec!["cell=0: larger".to_owned()],
        failures: vec!["cell=1: died".to_owned()],
        ..same(0, 0)
    };
    let report = SelftestReport { same: Some(probe.clone()), slowed: vec![probe], ..report() };
    let text = serde_json::to_string(&report).expect("a report is plain JSON");
    let back: SelftestReport = serde_json::from_str(&text).expect("what was written");
    assert_eq!(back, report);
    assert!(text.contains(r#""kind":"selftest""#) && text.contains(r#""loop":"reuse""#), "{text}");
}
