//! What must hold whatever was measured.

use proptest::prelude::*;

use super::sample::{comparison, full, verdicts};
use crate::compare::{confirm, judge, order, suspects};
use crate::results::{Comparison, Evidence, Round, RoundTime, Verdict};

fn time() -> impl Strategy<Value = RoundTime> {
    (1e3f64..1e8, 0.9f64..1.3, 0.1f64..0.9).prop_map(|(cpu_ns, wall, share)| RoundTime {
        cpu_ns,
        wall_ns: cpu_ns * wall,
        client_ns: cpu_ns * share,
        server_ns: cpu_ns * (1.0 - share),
    })
}

/// Rounds that scatter by up to 3 % around one growth.
fn paired() -> impl Strategy<Value = Evidence> {
    let noise = prop::collection::vec((time(), prop::array::uniform4(-0.03f64..0.03)), 0..12);
    (-0.1f64..0.1, noise).prop_map(|(growth, noise)| {
        let rounds = noise.into_iter().enumerate().map(|(place, (old, noise))| {
            let [cpu, wall, client, server] = noise.map(|one| growth + one);
            let new = RoundTime { cpu_ns: old.cpu_ns * cpu.exp(), ..old };
            Round { number: place as u64 + 1, old, new, cpu, wall, client, server }
        });
        Evidence::Paired { rounds: rounds.collect() }
    })
}

/// Processes of each side that scatter by up to 3 %.
fn separate() -> impl Strategy<Value = Evidence> {
    let noise = || prop::collection::vec(-0.03f64..0.03, 0..6);
    (time(), -0.1f64..0.1, noise(), noise()).prop_map(|(time, growth, old, new)| {
        let times = |noise: Vec<f64>, growth: f64| {
            noise.into_iter().map(|noise| scaled(time, (growth + noise).exp())).collect()
        };
        Evidence::Separate { old: times(old, 0.0), new: times(new, growth) }
    })
}

fn scaled(time: RoundTime, factor: f64) -> RoundTime {
    RoundTime {
        cpu_ns: time.cpu_ns * factor,
        wall_ns: time.wall_ns * factor,
        client_ns: time.client_ns * factor,
        server_ns: time.server_ns * factor,
    }
}

fn evidence() -> impl Strategy<Value = Vec<Evidence>> {
    prop::collection::vec(prop_oneof![3 => paired(), 1 => separate()], 1..8)
}

fn judged(evidence: impl IntoIterator<Item = Evidence>) -> Comparison {
    let mut comparison = comparison(evidence);
    judge(&mut comparison);
    comparison
}

fn swapped(evidence: &Evidence) -> Evidence {
    match evidence {
        Evidence::Separate { old, new } => Evidence::Separate { old: new.clone(), new: old.clone() },
        Evidence::Paired { rounds } => {
            let swap = |round: &Round| Round {
                number: round.number,
                old: round.new,
                new: round.old,
                cpu: -round.cpu,
                wall: -round.wall,
                client: -round.client,
                server: -round.server,
            };
            Evidence::Paired { rounds: rounds.iter().map(swap).collect() }
        }
    }
}

fn rescaled(evidence: &Evidence, factor: f64) -> Evidence {
    let all = |times: &[RoundTime]| times.iter().map(|&time| scaled(time, factor)).collect();
    match evidence {
        Evidence::Separate { old, new } => Evidence::Separate { old: all(old), new: all(new) },
        Evidence::Paired { rounds } => {
            let scale = |round: &Round| Round {
                old: scaled(round.old, factor),
                new: scaled(round.new, factor),
                ..*round
            };
            Evidence::Paired { rounds: rounds.iter().map(scale).collect() }
        }
    }
}

fn mirrored(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Regression => Verdict::Improvement,
        Verdict::Improvement => Verdict::Regression,
        Verdict::Unchanged | Verdict::Inconclusive => verdict,
    }
}

fn near(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() < 1e-9
}

proptest! {
    #[test]
    fn swapping_the_sides_mirrors_verdicts_and_inverts_ratios(evidence in evidence()) {
        let plain = judged(evidence.clone());
        let swapped = judged(evidence.iter().map(swapped));
        for place in 0..plain.cells.len() {
            let (plain, swapped) = (full(&plain, place), full(&swapped, place));
            prop_assert_eq!(swapped.verdict, mirrored(plain.verdict));
            prop_assert!(near(swapped.cpu.ratio, 1.0 / plain.cpu.ratio));
            let ends = plain.cpu.low.zip(swapped.cpu.high);
            prop_assert!(ends.is_none_or(|(low, high)| near(low, 1.0 / high)));
            prop_assert_eq!((swapped.p_slower, swapped.p_faster), (plain.p_faster, plain.p_slower));
            prop_assert_eq!(&swapped.odd_rounds, &plain.odd_rounds);
        }
    }

    #[test]
    fn scaling_all_times_changes_nothing(evidence in evidence(), factor in 1e-3f64..1e3) {
        let plain = judged(evidence.clone());
        let scaled = judged(evidence.iter().map(|one| rescaled(one, factor)));
        prop_assert_eq!(verdicts(&plain), verdicts(&scaled));
        for place in 0..plain.cells.len() {
            prop_assert!(near(full(&plain, place).cpu.ratio, full(&scaled, place).cpu.ratio));
        }
    }

    #[test]
    fn the_order_of_cells_changes_no_verdict(evidence in evidence()) {
        let plain = judged(evidence.clone());
        let mut reversed = judged(evidence.into_iter().rev());
        reversed.cells.reverse();
        for place in 0..plain.cells.len() {
            prop_assert_eq!(full(&plain, place), full(&reversed, place));
        }
    }

    #[test]
    fn judging_twice_is_judging_once(evidence in evidence()) {
        let mut once = judged(evidence.clone());
        for ((cell, kind), fresh) in suspects(&once).into_iter().zip(evidence) {
            confirm(&mut once, cell, kind, fresh);
        }
        judge(&mut once);
        let mut twice = once.clone();
        judge(&mut twice);
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn verdicts_agree_with_intervals(evidence in evidence()) {
        let comparison = judged(evidence);
        for place in 0..comparison.cells.len() {
            let one = full(&comparison, place);
            let ends = one.cpu.low.zip(one.cpu.high);
            prop_assert!(ends.is_none_or(|(low, high)| low <= one.cpu.ratio && one.cpu.ratio <= high));
            match one.verdict {
                Verdict::Regression => prop_assert!(one.cpu.ratio >= 1.03 - 1e-6),
                Verdict::Improvement => prop_assert!(one.cpu.ratio <= 1.0 / 1.03 + 1e-6),
                Verdict::Unchanged => {
                    let (low, high) = ends.expect("an unchanged loop has an interval");
                    prop_assert!(1.0 / 1.03 - 1e-6 <= low && high <= 1.03 + 1e-6);
                }
                Verdict::Inconclusive => {}
            }
        }
    }

    #[test]
    fn every_loop_is_in_the_order_once(evidence in evidence()) {
        let comparison = judged(evidence);
        let mut places: Vec<usize> = order(&comparison).into_iter().map(|(place, _)| place).collect();
        places.sort_unstable();
        prop_assert_eq!(places, (0..comparison.cells.len()).collect::<Vec<_>>());
    }
}
