//! The comparison file: what `compare` and `check` found, with the evidence from which every verdict can be computed
//! again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Dims, EngineEntry, Heap, Machine, Negotiated, PlanEntry, SuiteEntry, ToolInfo, Wire};
use crate::measure::LoopKind;

/// A comparison of two builds, or of two engines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "tlspair comparison")]
pub struct Comparison {
    /// Number of the schema; the same as that of results files.
    #[schemars(extend("const" = super::SCHEMA))]
    pub schema: u32,
    /// Tells a comparison from a results file.
    pub kind: ComparisonKind,
    /// The program that compared.
    pub tool: ToolInfo,
    /// The machine that compared.
    pub machine: Machine,
    /// False if the comparison was interrupted.
    pub complete: bool,
    /// The suites that the cells come from; empty if flags named them.
    pub suites: Vec<SuiteEntry>,
    /// What was to be compared.
    pub plan: PlanEntry,
    /// The side that is compared against.
    pub old: SideEntry,
    /// The side in question.
    pub new: SideEntry,
    /// How it was measured and decided.
    pub method: Method,
    /// What makes all of it doubtful, in words.
    pub warnings: Vec<String>,
    /// Engines that only one side has, in words.
    pub left_out: Vec<String>,
    /// One entry a cell, in the order of the plan.
    pub cells: Vec<CellComparison>,
}

/// `comparison`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ComparisonKind {
    /// The only kind there is.
    Comparison,
}

/// One side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SideEntry {
    /// What the command line called it: `exe:PATH`, or a results file.
    pub name: String,
    /// SHA-256 of the executable; null for a results file.
    pub hash: Option<String>,
    /// Version of tlspair.
    pub version: String,
    /// How the executable was compiled: target, optimisation level, flags.
    pub build: String,
    /// Its engines.
    pub engines: Vec<EngineEntry>,
}

/// How a comparison was measured and decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Method {
    /// `paired`: rounds of fresh processes of both sides, batches in turns. `separate`: at least one side was measured
    /// at another time, which is weaker evidence.
    pub design: Design,
    /// Rounds planned before the start.
    pub rounds: u64,
    /// Pairs of batches in each visit of a cell's loop.
    pub pairs: u64,
    /// What the random order was made from.
    pub seed: u64,
    /// The share of false alarms among alarms that is allowed (Benjamini and Hochberg's q).
    pub alpha: f64,
    /// How much slower counts as not slower: 0.01 is 1 %.
    pub noise_floor: f64,
    /// Where the noise floor comes from, in words.
    pub noise_floor_from: String,
    /// The processor that both sides ran on; null if they could not be bound to one.
    pub core: Option<u64>,
}

/// How the times of both sides belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Design {
    /// Both sides in every round, batch by batch.
    Paired,
    /// Each side by itself.
    Separate,
}

/// What the comparison says of one cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellComparison {
    /// Its id on the OLD side.
    pub id: String,
    /// Its dimensions on the OLD side.
    pub dims: Dims,
    /// What plays it on the NEW side, if other engines than on the OLD one: an engine, or `client→server`.
    pub new_engines: Option<String>,
    /// Whether both sides ran it.
    pub status: Comparability,
    /// Why not, in words; null if both did.
    pub reason: Option<String>,
    /// What counts as a regression of this cell.
    pub thresholds: Thresholds,
    /// Times.
    pub loops: LoopComparisons,
    /// What was counted on both sides; null if they did not both run it.
    pub counted: Option<Counted>,
    /// Every difference in what was counted.
    pub changes: Vec<Change>,
}

/// Whether a cell could be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Comparability {
    /// Both sides ran it.
    Compared,
    /// OLD runs it and NEW does not: a regression.
    Lost,
    /// NEW runs it and OLD does not.
    Gained,
    /// Neither runs it.
    Neither,
    /// It failed on one side: a connection, or a worker that crashed, hung or talked nonsense.
    Error,
}

/// From which growth on a difference is a regression: 0.03 is 3 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Thresholds {
    /// CPU time.
    pub time: f64,
    /// Bytes, records and flights on the wire.
    pub wire: f64,
    /// Allocations, and peak and held bytes of the heap.
    pub heap: f64,
    /// Instructions.
    pub instructions: f64,
}

/// The two loops of a cell; null for one that was not compared.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoopComparisons {
    /// Every handshake was full.
    pub full: Option<LoopComparison>,
    /// Every handshake was resumed.
    pub reuse: Option<LoopComparison>,
}

/// The times of one loop of a cell on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoopComparison {
    /// Connections in each batch, the same on both sides.
    pub batch: u64,
    /// What was measured.
    pub evidence: Evidence,
    /// CPU time: this decides.
    pub cpu: Effect,
    /// Wall-clock time.
    pub wall: Effect,
    /// The client's part of the CPU time.
    pub client: Effect,
    /// The server's part of the CPU time.
    pub server: Effect,
    /// One-sided p against "not slower by more than the noise floor", adjusted for all comparisons; null where the
    /// evidence allows none.
    pub p_slower: Option<f64>,
    /// The same against "not faster by more than the noise floor".
    pub p_faster: Option<f64>,
    /// What follows.
    pub verdict: Verdict,
    /// Rounds whose effect is far from the others', 1 for the first. They count all the same.
    pub odd_rounds: Vec<u64>,
    /// What makes this comparison doubtful, in words.
    pub doubts: Vec<String>,
    /// What made `check` measure again; the fields above are then of the fresh measurement alone.
    pub first_look: Option<FirstLook>,
    /// Instructions of a connection on both sides; null if not counted.
    pub instructions: Option<Instructions>,
}

/// What was measured of one loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", tag = "design")]
pub enum Evidence {
    /// Both sides in every round.
    Paired {
        /// One entry a round, in their order.
        rounds: Vec<Round>,
    },
    /// Each side by itself.
    Separate {
        /// One entry a process of the OLD side.
        old: Vec<RoundTime>,
        /// One entry a process of the NEW side.
        new: Vec<RoundTime>,
    },
}

/// One round of one loop: a fresh process of each side.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Round {
    /// 1 for the first. A round in which a worker died has no entry.
    pub number: u64,
    /// A connection of the OLD side.
    pub old: RoundTime,
    /// A connection of the NEW side.
    pub new: RoundTime,
    /// Median over the pairs of batches of ln(new/old), CPU time.
    pub cpu: f64,
    /// The same, wall-clock time.
    pub wall: f64,
    /// The same, the client's part of the CPU time.
    pub client: f64,
    /// The same, the server's part.
    pub server: f64,
}

/// What a connection took in one process: medians over its batches, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundTime {
    /// CPU time.
    pub cpu_ns: f64,
    /// Wall-clock time.
    pub wall_ns: f64,
    /// CPU time in the client's hands.
    pub client_ns: f64,
    /// CPU time in the server's hands.
    pub server_ns: f64,
}

/// How many times as long NEW takes as OLD, with the 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Effect {
    /// 1.05 is 5 % slower.
    pub ratio: f64,
    /// Lower end of the interval; null for a single round.
    pub low: Option<f64>,
    /// Upper end of the interval; null for a single round.
    pub high: Option<f64>,
}

/// What follows from the times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Slower, surely and by enough to matter.
    Regression,
    /// Faster, surely and by enough to matter.
    Improvement,
    /// The interval lies within the threshold on both sides.
    Unchanged,
    /// Any of these, for all one knows.
    Inconclusive,
}

/// What the first measurement said of a loop that `check` measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FirstLook {
    /// What was measured.
    pub evidence: Evidence,
    /// CPU time.
    pub cpu: Effect,
    /// The adjusted p of "slower".
    pub p_slower: Option<f64>,
    /// What followed.
    pub verdict: Verdict,
}

/// Instructions of a connection on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Instructions {
    /// The OLD side's.
    pub old: InstructionCount,
    /// The NEW side's.
    pub new: InstructionCount,
}

/// Instructions of a connection, the mean over a fixed number of connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct InstructionCount {
    /// In the client's hands.
    pub client: f64,
    /// In the server's hands.
    pub server: f64,
}

/// What was counted on both sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counted {
    /// The OLD side's.
    pub old: CountedSide,
    /// The NEW side's.
    pub new: CountedSide,
}

/// What was counted on one side, as results files have it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CountedSide {
    /// What both libraries say they negotiated.
    pub negotiated: Option<Negotiated>,
    /// Bytes, records and flights.
    pub wire: Wire,
    /// Heap of one full connection; null if not counted.
    pub heap: Option<Heap>,
}

/// One difference in what was counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// What differs, such as `wire.full.client_bytes`.
    pub metric: String,
    /// On the OLD side.
    pub old: String,
    /// On the NEW side.
    pub new: String,
    /// new/old − 1; null if that is no number.
    pub growth: Option<f64>,
    /// Whether it is more than the threshold allows.
    pub is_regression: bool,
    /// The difference in a sentence.
    pub words: String,
}

impl LoopComparisons {
    /// One of them.
    pub fn of(&self, kind: LoopKind) -> Option<&LoopComparison> {
        match kind {
            LoopKind::Full => self.full.as_ref(),
            LoopKind::Reuse => self.reuse.as_ref(),
        }
    }

    /// One of them, to be changed.
    pub fn of_mut(&mut self, kind: LoopKind) -> &mut Option<LoopComparison> {
        match kind {
            LoopKind::Full => &mut self.full,
            LoopKind::Reuse => &mut self.reuse,
        }
    }
}

impl Verdict {
    /// The word in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Regression => "regression",
            Self::Improvement => "improvement",
            Self::Unchanged => "unchanged",
            Self::Inconclusive => "inconclusive",
        }
    }
}

impl InstructionCount {
    /// Both sides together.
    pub fn total(self) -> f64 {
        self.client + self.server
    }
}
