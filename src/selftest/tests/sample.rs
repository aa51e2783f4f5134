//! Probes and a report made by hand.

use crate::compare::tests::sample::{comparison, of_cells, paired};
use crate::compare::{Contender, Kind, conclude};
use crate::measure::LoopKind;
use crate::results::{Comparison, Document, Evidence, PlanEntry, SCHEMA};
use crate::selftest::{
    ClockReading, Disturbance, FloorEntry, HarnessShare, Probe, SelftestKind, SelftestReport, Trust,
};

/// Rounds around a growth that all agree to a tenth of a percent.
pub fn steady(growth: f64) -> Evidence {
    paired(&[growth - 0.0005, growth + 0.0005, growth, growth - 0.0003, growth + 0.0003])
}

/// Rounds of which nothing can be said.
pub fn scattered() -> Evidence {
    paired(&[-0.2, 0.25, -0.1, 0.12, 0.01])
}

/// A judged comparison of loops with this evidence.
pub fn judged(evidence: impl IntoIterator<Item = Evidence>) -> Comparison {
    let mut comparison = comparison(evidence);
    conclude(&mut comparison);
    comparison
}

/// A probe of so many loops, of which so many came out as they were slowed down and the others as if they had not been.
pub fn probe(slowdown: f64, loops: usize, found: usize) -> Probe {
    let evidence = (0..loops).map(|at| steady(if at < found { slowdown } else { 0.0 }));
    Probe::of(&judged(evidence), slowdown)
}

/// A probe of so many loops of the unchanged program, of which so many are false alarms.
pub fn same(loops: usize, false_alarms: usize) -> Probe {
    let evidence = (0..loops).map(|at| steady(if at < false_alarms { 0.06 } else { 0.001 }));
    Probe::of(&judged(evidence), 0.0)
}

/// A whole report of a machine that finds 5 % and more.
pub fn report() -> SelftestReport {
    let Document { tool, machine, .. } =
        Document::begin(&[], PlanEntry { hash: "0".repeat(64), cells: 20, shard: None });
    let (same, slowed) = (same(20, 0), vec![probe(0.02, 20, 1), probe(0.05, 20, 20)]);
    let trust = Trust::of(&same, &slowed, 5, 0.03);
    let side = Contender { name: "exe:self".to_owned(), kind: Kind::Saved(Box::new(document())) }.entry();
    SelftestReport {
        schema: SCHEMA,
        kind: SelftestKind::Selftest,
        tool,
        machine,
        complete: true,
        suites: Vec::new(),
        plan: PlanEntry { hash: "0".repeat(64), cells: 20, shard: None },
        side,
        rounds: 5,
        seed: 42,
        core: None,
        alpha: 0.05,
        threshold: 0.03,
        same: Some(same),
        slowed,
        trust: Some(trust),
        floor: FloorEntry { file: Some("/home/me/noise-floor.json".to_owned()), reason: None },
        harness: Some(HarnessShare {
            id: "engine=null".to_owned(),
            kind: LoopKind::Reuse,
            connection_ns: 20_000.0,
            harness_ns: 260.0,
        }),
        clocks: vec![ClockReading { clock: "monotonic clock".to_owned(), step_ns: None, read_ns: 22.0 }],
        disturbance: Disturbance { stolen: Some(0.012), ..Disturbance::default() },
        warnings: vec!["the machine is made up".to_owned()],
    }
}

/// A comparison without cells.
pub fn nothing() -> Comparison {
    of_cells(Vec::new())
}

fn document() -> Document {
    Document::begin(&[], PlanEntry { hash: String::new(), cells: 0, shard: None })
}
