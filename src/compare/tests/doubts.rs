//! Odd rounds, and what is said about a verdict.

use super::sample::{comparison, full, paired, separate, with};
use crate::compare::judge;
use crate::results::{Evidence, InstructionCount, Instructions, LoopComparison, Verdict};

fn judged(evidence: Evidence) -> LoopComparison {
    counted(evidence, None)
}

fn counted(evidence: Evidence, instructions: Option<(f64, f64)>) -> LoopComparison {
    let mut comparison = comparison([evidence]);
    let one = comparison.cells[0].loops.full.as_mut().expect("sample cells have a full loop");
    one.instructions = instructions.map(|(old, new)| {
        let count = |total: f64| InstructionCount { client: total / 4.0, server: total * 3.0 / 4.0 };
        Instructions { old: count(old), new: count(new) }
    });
    judge(&mut comparison);
    full(&comparison, 0).clone()
}

#[test]
fn odd_rounds_are_named_by_number_and_count_all_the_same() {
    let quiet = [0.001, -0.001, 0.002, 0.0, -0.002, 0.001, 0.0, -0.001];
    let one = judged(paired(&[&quiet[..], &[0.4]].concat()));
    assert_eq!(one.odd_rounds, [9]);
    assert_eq!(one.doubts, ["round 9 is far from the others; it counts all the same"]);
    assert!(one.cpu.ratio > 1.03, "the odd round is in the mean");
    let two = judged(paired(&[&[-0.3][..], &quiet, &[0.4]].concat()));
    assert_eq!(two.doubts, ["rounds 1 and 10 are far from the others; they count all the same"]);
}

#[test]
fn a_round_within_the_noise_floor_is_never_odd() {
    assert!(judged(paired(&[0.0, 0.0, 0.0, 0.0, 0.009])).odd_rounds.is_empty());
    assert_eq!(judged(paired(&[0.0, 0.0, 0.0, 0.0, 0.011])).odd_rounds, [5]);
}

#[test]
fn the_number_is_the_rounds_own_where_a_round_is_missing() {
    let evidence = with(paired(&[0.0, 0.0, 0.0, 0.0, 0.2]), |round| round.number *= 10);
    assert_eq!(judged(evidence).odd_rounds, [50]);
}

#[test]
fn little_evidence_is_named() {
    assert_eq!(
        judged(paired(&[0.0])).doubts,
        ["only one round was completed: how much rounds differ is not known"]
    );
    let doubts = judged(separate(&[1.0], &[1.0, 1.0])).doubts;
    assert!(
        doubts[0].starts_with("one side ran in a single process, so that no verdict is possible"),
        "{doubts:?}"
    );
    assert!(judged(separate(&[1.0, 1.0], &[1.0, 1.0])).doubts.is_empty());
}

#[test]
fn a_wall_clock_that_disagrees_is_a_doubt() {
    let wall = |growth: f64| judged(with(paired(&[0.0; 5]), |round| round.wall = growth.ln_1p())).doubts;
    assert_eq!(
        wall(0.12),
        ["wall clock says 12.0 % slower, CPU time as fast: something else ran, or the library waits"]
    );
    assert_eq!(
        wall(-0.12),
        ["wall clock says 12.0 % faster, CPU time as fast: something else ran, or the library waits"]
    );
    assert!(wall(0.029).is_empty() && wall(-0.029).is_empty());
}

#[test]
fn a_side_that_a_flat_total_hides_is_named() {
    let sides = |total: f64, client: f64, server: f64| {
        judged(with(paired(&[total; 5]), |round| {
            (round.client, round.server) = (client.ln_1p(), server.ln_1p());
        }))
        .doubts
    };
    assert_eq!(
        sides(0.0, 0.081, -0.05),
        ["the client alone is 8.1 % slower", "the server alone is 5.0 % faster"]
    );
    assert!(sides(0.0, 0.02, -0.02).is_empty(), "within the threshold");
    assert!(sides(0.1, 0.2, 0.0).is_empty(), "the total is not flat");
}

#[test]
fn a_side_of_which_one_is_not_sure_is_not_named() {
    let evidence =
        with(paired(&[0.0; 4]), |round| round.client = if round.number % 2 == 0 { 0.3 } else { -0.1 });
    assert!(judged(evidence).doubts.is_empty());
}

#[test]
fn time_without_instructions_is_layout_and_the_like() {
    let slow = counted(paired(&[0.05; 5]), Some((1e6, 1.001e6)));
    assert_eq!(
        slow.doubts,
        ["CPU time is up but instructions are flat: layout, caches or frequency, rather than more work"]
    );
    let fast = counted(paired(&[-0.05; 5]), Some((1e6, 0.999e6)));
    assert_eq!(
        fast.doubts,
        ["CPU time is down but instructions are flat: layout, caches or frequency, rather than less work"]
    );
    assert!(counted(paired(&[0.05; 5]), Some((1e6, 1.05e6))).doubts.is_empty());
}

#[test]
fn instructions_without_time_are_named() {
    let up = counted(paired(&[0.0; 5]), Some((1e6, 1.021e6)));
    assert_eq!(up.doubts, ["instructions are up by 2.1 % but CPU time is flat"]);
    let down = counted(paired(&[0.0; 5]), Some((1e6, 0.9e6)));
    assert_eq!(down.doubts, ["instructions are down by 10.0 % but CPU time is flat"]);
    assert!(counted(paired(&[0.0; 5]), Some((1e6, 1.004e6))).doubts.is_empty());
    assert!(counted(paired(&[0.0; 5]), Some((0.0, 1e6))).doubts.is_empty());
    assert_eq!((up.verdict, down.verdict), (Verdict::Unchanged, Verdict::Unchanged));
}
