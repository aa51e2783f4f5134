//! Whether verdicts keep what they promise, on simulated machines as noisy as those that were measured. Every random
//! number comes from a fixed seed, so these tests give the same result each time.

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use statrs::distribution::{ContinuousCDF, Normal};

use super::sample::{comparison, full, verdicts};
use crate::compare::{confirm, judge, suspects};
use crate::results::{Comparison, Evidence, Round, RoundTime, Verdict};

/// Loops of a large comparison.
const LOOPS: usize = 200;
/// Rounds by default, and those of a second look.
const ROUNDS: usize = 10;
const FRESH_ROUNDS: usize = 20;
/// Standard deviation of a round's effect: with it the half-width of the interval of ten rounds is about 1 %.
const ROUND_DEVIATION: f64 = 0.014;
/// How often something disturbs a round, and how many times wider such rounds scatter.
const DISTURBED: f64 = 0.03;
const DISTURBANCE: f64 = 4.0;

struct Machine {
    random: ChaCha8Rng,
    normal: Normal,
}

impl Machine {
    fn seeded(seed: u64) -> Self {
        Self { random: ChaCha8Rng::seed_from_u64(seed), normal: Normal::standard() }
    }

    /// Rounds of a loop that is really slower by `growth`.
    fn rounds(&mut self, growth: f64, rounds: usize) -> Evidence {
        let rounds = (1..=rounds as u64).map(|number| {
            let log_ratio = growth.ln_1p() + self.noise();
            let time = RoundTime::default();
            let (cpu, wall, client, server) = (log_ratio, log_ratio, log_ratio, log_ratio);
            Round { number, old: time, new: time, cpu, wall, client, server }
        });
        Evidence::Paired { rounds: rounds.collect() }
    }

    fn noise(&mut self) -> f64 {
        let chance = self.random.random_range(f64::EPSILON..1.0);
        let widened = if self.random.random_bool(DISTURBED) { DISTURBANCE } else { 1.0 };
        self.normal.inverse_cdf(chance) * ROUND_DEVIATION * widened
    }

    /// A judged comparison of loops with these true growths.
    fn compare(&mut self, growths: &[f64]) -> Comparison {
        let evidence: Vec<Evidence> = growths.iter().map(|&growth| self.rounds(growth, ROUNDS)).collect();
        let mut comparison = comparison(evidence);
        judge(&mut comparison);
        comparison
    }

    /// The same, with a second look at the suspects.
    fn check(&mut self, growths: &[f64]) -> Comparison {
        let mut comparison = self.compare(growths);
        self.look_again(&mut comparison, growths);
        judge(&mut comparison);
        comparison
    }

    fn look_again(&mut self, comparison: &mut Comparison, growths: &[f64]) {
        for (cell, kind) in suspects(comparison) {
            let fresh = self.rounds(growths[cell], FRESH_ROUNDS);
            confirm(comparison, cell, kind, fresh);
        }
    }
}

/// One loop in ten really slower by `growth`, the others unchanged.
fn one_in_ten(growth: f64) -> Vec<f64> {
    (0..LOOPS).map(|place| if place % 10 == 0 { growth } else { 0.0 }).collect()
}

fn alarms(comparison: &Comparison, growths: &[f64], is_counted: fn(f64) -> bool) -> usize {
    let verdicts = verdicts(comparison).into_iter().zip(growths);
    verdicts.filter(|(verdict, growth)| *verdict == Verdict::Regression && is_counted(**growth)).count()
}

/// The shares of alarms that are false, and of slower loops that are found, over some comparisons.
fn false_share_and_power(
    comparisons: usize,
    growths: &[f64],
    mut run: impl FnMut(&[f64]) -> Comparison,
) -> (f64, f64) {
    let (mut wrong, mut right) = (0, 0);
    for _ in 0..comparisons {
        let comparison = run(growths);
        wrong += alarms(&comparison, growths, |growth| growth == 0.0);
        right += alarms(&comparison, growths, |growth| growth > 0.0);
    }
    let slower = growths.iter().filter(|growth| **growth > 0.0).count() * comparisons;
    (wrong as f64 / (wrong + right).max(1) as f64, right as f64 / slower as f64)
}

#[test]
fn the_interval_covers_the_truth_as_often_as_it_says() {
    let mut machine = Machine::seeded(1);
    for growth in [0.0, 0.05, -0.2] {
        let comparison = machine.compare(&vec![growth; 3000]);
        let truth = 1.0 + growth;
        let covers = |place: usize| {
            let cpu = full(&comparison, place).cpu;
            cpu.low.is_some_and(|low| low <= truth) && cpu.high.is_some_and(|high| truth <= high)
        };
        let share = (0..3000).filter(|&place| covers(place)).count() as f64 / 3000.0;
        assert!((0.93..=0.97).contains(&share), "{share} of the intervals cover {truth}");
    }
}

#[test]
fn comparing_a_build_with_itself_raises_no_alarm() {
    let mut machine = Machine::seeded(2);
    let growths = vec![0.0; LOOPS];
    let comparisons = 100;
    let with_alarm =
        (0..comparisons).filter(|_| alarms(&machine.compare(&growths), &growths, |_| true) > 0).count();
    assert!(with_alarm * 20 <= comparisons, "{with_alarm} of {comparisons} comparisons");
}

/// The hardest case that must not raise an alarm: every loop is slower by just what is tolerated, and the threshold
/// does not help. Rejecting nothing ever would pass the test above, but not this one.
#[test]
fn at_the_noise_floor_the_rate_of_alarms_is_the_nominal_one() {
    let mut machine = Machine::seeded(3);
    let growths = vec![0.01; 20];
    let comparisons = 2000;
    let with_alarm = (0..comparisons)
        .filter(|_| {
            let mut comparison = machine.compare(&growths);
            comparison.cells.iter_mut().for_each(|cell| cell.thresholds.time = 0.0);
            judge(&mut comparison);
            alarms(&comparison, &growths, |_| true) > 0
        })
        .count();
    let share = with_alarm as f64 / comparisons as f64;
    assert!((0.01..=0.06).contains(&share), "{share} of the comparisons");
}

#[test]
fn five_percent_slower_is_found() {
    let mut machine = Machine::seeded(4);
    let (false_share, power) =
        false_share_and_power(50, &one_in_ten(0.05), |growths| machine.compare(growths));
    assert!(false_share <= 0.05, "{false_share} of the alarms are false");
    assert!(power >= 0.9, "{power} of the slower loops are found");
}

#[test]
fn ten_percent_slower_is_always_found() {
    let mut machine = Machine::seeded(5);
    let (false_share, power) =
        false_share_and_power(25, &one_in_ten(0.1), |growths| machine.compare(growths));
    assert!(false_share <= 0.05, "{false_share} of the alarms are false");
    assert!(power >= 0.99, "{power} of the slower loops are found");
}

#[test]
fn a_second_look_finds_no_less_and_raises_no_more_alarms() {
    let mut machine = Machine::seeded(6);
    let (false_share, power) = false_share_and_power(25, &one_in_ten(0.05), |growths| machine.check(growths));
    assert!(false_share <= 0.05, "{false_share} of the alarms are false");
    assert!(power >= 0.9, "{power} of the slower loops are found");
}

/// Every loop is slower by just what is tolerated, and many are measured again because the first look was careless.
/// The second one starts afresh, so its alarms are as rare as it says, whatever made the first one suspect them.
#[test]
fn a_second_look_is_not_fooled_by_why_it_was_taken() {
    let mut machine = Machine::seeded(7);
    let growths = vec![0.01; 20];
    let comparisons = 500;
    let mut with_alarm = 0;
    for _ in 0..comparisons {
        let mut comparison = machine.compare(&growths);
        comparison.cells.iter_mut().for_each(|cell| cell.thresholds.time = 0.0);
        judge_with_alpha(&mut comparison, 0.5);
        machine.look_again(&mut comparison, &growths);
        judge_with_alpha(&mut comparison, 0.05);
        let loops = comparison.cells.iter().filter_map(|cell| cell.loops.full.as_ref());
        let mut fresh = loops.filter(|one| one.first_look.is_some());
        with_alarm += usize::from(fresh.any(|one| one.verdict == Verdict::Regression));
    }
    let share = with_alarm as f64 / comparisons as f64;
    assert!((0.01..=0.07).contains(&share), "{share} of the comparisons");
}

fn judge_with_alpha(comparison: &mut Comparison, alpha: f64) {
    comparison.method.alpha = alpha;
    judge(comparison);
}
