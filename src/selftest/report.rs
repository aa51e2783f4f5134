//! What a self-test found, as `--export json=FILE` writes it.

use serde::{Deserialize, Serialize};

use super::clocks::ClockReading;
use super::disturbance::Disturbance;
use super::probe::Probe;
use super::trust::Trust;
use crate::campaign::harness_cost;
use crate::cell::Cell;
use crate::measure::LoopKind;
use crate::results::{
    Comparability, Comparison, HarnessCost, Machine, PlanEntry, SideEntry, SuiteEntry, ToolInfo,
};

/// What a self-test found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelftestReport {
    /// Number of the schema; the same as that of results files.
    pub schema: u32,
    /// Tells a self-test from a results file.
    pub kind: SelftestKind,
    /// The program.
    pub tool: ToolInfo,
    /// The machine.
    pub machine: Machine,
    /// False if the self-test was interrupted.
    pub complete: bool,
    /// The suites that the cells come from; empty if flags named them.
    pub suites: Vec<SuiteEntry>,
    /// What was to be compared.
    pub plan: PlanEntry,
    /// The executable.
    pub side: SideEntry,
    /// Rounds of each comparison, each a fresh process of either side.
    pub rounds: u64,
    /// What the random order was made from; each comparison after the first adds one.
    pub seed: u64,
    /// The processor that was measured on; null if the processes could not be bound to one.
    pub core: Option<u64>,
    /// The share of false alarms among alarms that is allowed.
    pub alpha: f64,
    /// From how much more CPU time on a loop counts as slower: 0.03 is 3 %.
    pub threshold: f64,
    /// The program against itself, nothing slowed down; null if that was interrupted before it began.
    pub same: Option<Probe>,
    /// The program against itself slowed down, one entry a slowdown.
    pub slowed: Vec<Probe>,
    /// What this machine can be trusted with; null if the self-test was interrupted.
    pub trust: Option<Trust>,
    /// What became of the noise floor that was learned.
    pub floor: FloorEntry,
    /// The harness's own cost beside the cheapest loop's; null if not measured.
    pub harness: Option<HarnessShare>,
    /// The clocks.
    pub clocks: Vec<ClockReading>,
    /// What others took of the processors meanwhile.
    pub disturbance: Disturbance,
    /// What makes all of it doubtful, in words.
    pub warnings: Vec<String>,
}

/// `selftest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SelftestKind {
    /// The only kind there is.
    Selftest,
}

/// What became of the noise floor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FloorEntry {
    /// The file in which it is kept for later comparisons; null if it is not kept.
    pub file: Option<String>,
    /// Why it is not kept, in words; null if it is.
    pub reason: Option<String>,
}

/// What the harness costs beside the loop in which that matters most.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HarnessShare {
    /// The cheapest loop's cell.
    pub id: String,
    /// Which loop.
    #[serde(rename = "loop")]
    pub kind: LoopKind,
    /// CPU time of one of its connections, in nanoseconds.
    pub connection_ns: f64,
    /// CPU time of a connection of the null pair in the same cell, in nanoseconds.
    pub harness_ns: f64,
}

impl HarnessShare {
    /// Measures the null pair beside the cheapest loop of a comparison; none if there is no loop.
    pub(super) fn of(comparison: &Comparison, cells: &[Cell]) -> Option<Self> {
        let (connection_ns, id, kind) = cheapest(comparison)?;
        let cell = cells.iter().find(|cell| cell.id() == id)?;
        let cost = HarnessCost::of(cell, kind, &harness_cost(cell, kind).ok()?)?;
        Some(Self { id: id.to_owned(), kind, connection_ns, harness_ns: cost.cpu_ns_per_connection })
    }

    /// The harness's part of the connection, 0 to 1.
    pub fn share(&self) -> f64 {
        self.harness_ns / self.connection_ns
    }
}

impl SelftestReport {
    /// Whether something was called worse although nothing had changed.
    pub fn has_false_regression(&self) -> bool {
        self.same.as_ref().is_some_and(Probe::has_false_regression)
    }

    /// Every comparison, that of the unchanged program first.
    pub fn probes(&self) -> impl Iterator<Item = &Probe> {
        self.same.iter().chain(&self.slowed)
    }

    /// Whether something failed in any comparison.
    pub fn has_failure(&self) -> bool {
        self.probes().any(|probe| !probe.failures.is_empty())
    }

    /// Whether there was a loop to compare.
    pub fn has_comparisons(&self) -> bool {
        self.same.as_ref().is_some_and(|same| same.comparisons() > 0)
    }
}

fn cheapest(comparison: &Comparison) -> Option<(f64, &str, LoopKind)> {
    let compared = comparison.cells.iter().filter(|cell| cell.status == Comparability::Compared);
    compared
        .flat_map(|cell| {
            LoopKind::BOTH.into_iter().filter_map(|kind| {
                let time = cell.loops.of(kind)?.old_median()?;
                Some((time.cpu_ns, cell.id.as_str(), kind))
            })
        })
        .min_by(|one, other| one.0.total_cmp(&other.0))
}
