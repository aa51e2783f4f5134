//! The file of `explain`: where the time of connections goes.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Dims, EngineEntry, Machine, SCHEMA, Status, ToolInfo};
use crate::cost::Priced;
use crate::link::Traffic;

/// What `explain` writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "tlspair explanation")]
pub struct Explanation {
    /// Number of the schema; 1.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: u32,
    /// `explanation`.
    #[schemars(extend("const" = "explanation"))]
    pub kind: String,
    /// The program that measured.
    pub tool: ToolInfo,
    /// The machine that measured.
    pub machine: Machine,
    /// False if it was interrupted.
    pub complete: bool,
    /// What makes all of it doubtful, in words.
    pub warnings: Vec<String>,
    /// The engines.
    pub engines: Vec<EngineEntry>,
    /// One entry a cell and loop.
    pub cells: Vec<CellExplanation>,
}

/// A connection of one cell, full or resumed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellExplanation {
    /// The cell's id.
    pub id: String,
    /// Its dimensions.
    pub dims: Dims,
    /// `full` or `reuse`.
    #[serde(rename = "loop")]
    pub loop_name: String,
    /// Whether it could be explained.
    pub status: Status,
    /// Why not, in words; null where it could.
    pub reason: Option<String>,
    /// Both sides; null where it could not.
    pub sides: Option<ExplainedSides>,
    /// What it puts on the wire; null likewise.
    pub traffic: Option<Traffic>,
    /// How far apart the rounds lie in which it was timed, as a part of their median; null likewise. Much of it means that
    /// something else used the machine.
    pub rounds_spread: Option<f64>,
}

/// Both sides of a connection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainedSides {
    /// The client's.
    pub client: ExplainedSide,
    /// The server's.
    pub server: ExplainedSide,
}

/// What one side does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainedSide {
    /// The operations, in the order of a connection.
    pub operations: Vec<ExplainedOperations>,
    /// By stage: what was measured, and how much of it the operations come to.
    pub stages: Vec<ExplainedStage>,
    /// What a resumed connection takes beside its operations, in the handshake for as many messages as this one has: the
    /// protocol's machinery, in nanoseconds; null if one of its operations has no price. For a full connection it is a resumed
    /// one right after a full one, which finds the processor's caches as this one does.
    pub machinery_ns: Option<f64>,
}

/// Operations of a kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainedOperations {
    /// When: `handshake`, `transfer` or `close`.
    pub stage: String,
    /// What for, in words.
    pub purpose: String,
    /// The primitive's name.
    pub primitive: String,
    /// Bytes that each is given; null for primitives that take none of any length.
    pub bytes: Option<u64>,
    /// How many.
    pub count: u64,
    /// How much of a measured operation each is, where it derives more or fewer bytes.
    pub share: f64,
    /// All together, in nanoseconds; null without a price.
    pub ns: Option<f64>,
    /// By which rule the price was found where nobody measured the same; null else.
    pub rule: Option<String>,
}

impl From<Priced> for ExplainedOperations {
    fn from(priced: Priced) -> Self {
        let part = priced.part;
        Self {
            stage: part.stage.name().to_owned(),
            purpose: part.purpose.into_owned(),
            primitive: part.primitive.to_string(),
            bytes: part.bytes,
            count: part.count,
            share: part.share,
            ns: priced.ns,
            rule: priced.substitute.map(|substitute| substitute.rule.to_owned()),
        }
    }
}

/// One stage of a connection in one side's hands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ExplainedStage {
    /// `handshake` (with the setup of endpoints), `transfer` or `close`.
    pub stage: String,
    /// What it took: the mean over the connections that were timed, in nanoseconds.
    pub measured_ns: f64,
    /// What its operations come to.
    pub operations_ns: f64,
}

impl Explanation {
    /// Without cells, of this machine, now.
    pub fn begin(engines: Vec<EngineEntry>) -> Self {
        Self {
            schema: SCHEMA,
            kind: "explanation".to_owned(),
            tool: ToolInfo::this_one(),
            machine: Machine::this_one(),
            complete: false,
            warnings: Vec::new(),
            engines,
            cells: Vec::new(),
        }
    }
}

/// Rounds that differ by so much were not all of the same machine.
const MUCH: f64 = 0.25;

/// The warning that connections whose rounds lie so far apart ask for, if any does (see [`CellExplanation::rounds_spread`]).
pub fn disturbance(spreads: &[f64]) -> Option<String> {
    let most = spreads.iter().copied().fold(0.0, f64::max);
    let wide = spreads.iter().filter(|spread| **spread > MUCH).count();
    (wide > 0).then(|| {
        format!(
            "the rounds of {wide} of {} timed connections lie up to {:.0} % apart: something else used the machine meanwhile, \
             and times may be wrong by as much, down to a machinery below zero",
            spreads.len(),
            100.0 * most,
        )
    })
}

impl ExplainedStage {
    /// What is left beside its operations, in nanoseconds; negative where these come to more than was measured.
    pub fn rest_ns(&self) -> f64 {
        self.measured_ns - self.operations_ns
    }
}

impl ExplainedSide {
    /// All stages as measured, in nanoseconds.
    pub fn measured_ns(&self) -> f64 {
        self.stages.iter().map(|stage| stage.measured_ns).sum()
    }

    /// All operations, in nanoseconds.
    pub fn operations_ns(&self) -> f64 {
        self.stages.iter().map(|stage| stage.operations_ns).sum()
    }

    /// Whether every operation has a price: only then can what is left be told apart from them.
    pub fn is_priced(&self) -> bool {
        self.operations.iter().all(|one| one.ns.is_some())
    }

    /// What is left: the protocol's machinery, and whatever the operations do not account for. Negative where the operations
    /// come to more than was measured.
    pub fn rest_ns(&self) -> f64 {
        self.measured_ns() - self.operations_ns()
    }

    /// What neither the operations nor the machinery of a resumed handshake account for; none without one.
    pub fn unattributed_ns(&self) -> Option<f64> {
        self.is_priced().then_some(self.rest_ns() - self.machinery_ns?)
    }
}
