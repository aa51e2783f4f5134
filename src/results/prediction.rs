//! The file of `predict`: what connections would take on a device.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Dims, EngineEntry, ExplainedOperations, Machine, SCHEMA, Status, ToolInfo};
use crate::link::{Arrival, Link};

/// What `predict` writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "tlspair prediction")]
pub struct Prediction {
    /// Number of the schema; 1.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: u32,
    /// `prediction`.
    #[schemars(extend("const" = "prediction"))]
    pub kind: String,
    /// The program that measured.
    pub tool: ToolInfo,
    /// The machine that measured what a connection does and what the protocol's machinery takes.
    pub machine: Machine,
    /// False if it was interrupted.
    pub complete: bool,
    /// What makes all of it doubtful, in words.
    pub warnings: Vec<String>,
    /// The engines.
    pub engines: Vec<EngineEntry>,
    /// The device whose primitives were priced.
    pub device: DeviceEntry,
    /// How the machinery's time became the device's; null where the device has no hash to go by: then it is left out.
    pub scale: Option<Scale>,
    /// The link over which answers arrive; null if nobody asked.
    pub link: Option<Link>,
    /// One entry a cell and loop.
    pub cells: Vec<CellPrediction>,
}

/// A device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct DeviceEntry {
    /// Its name.
    pub id: String,
    /// Its processor.
    pub cpu: String,
    /// The library that was measured there.
    pub library: String,
    /// Who published it.
    pub source: String,
}

/// How much slower the device is at what no processor has instructions for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scale {
    /// The hash that both were measured with, over 8192 bytes.
    pub primitive: String,
    /// Whose code it was here.
    pub engine: String,
    /// What it takes here, in nanoseconds.
    pub here_ns: f64,
    /// What it takes there.
    pub there_ns: f64,
    /// There by here: what the machinery's time is multiplied by.
    pub ratio: f64,
}

/// A connection of one cell, full or resumed, as it would be there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellPrediction {
    /// The cell's id.
    pub id: String,
    /// Its dimensions.
    pub dims: Dims,
    /// `full` or `reuse`.
    #[serde(rename = "loop")]
    pub loop_name: String,
    /// Whether there is a prediction.
    pub status: Status,
    /// Why not, in words; null where there is.
    pub reason: Option<String>,
    /// Setup and handshake; null without a prediction.
    pub handshake: Option<SideMs>,
    /// Application data; null likewise.
    pub transfer: Option<SideMs>,
    /// close_notify both ways; null likewise.
    pub close: Option<SideMs>,
    /// What it is made of, by the device's prices; null likewise.
    pub sides: Option<PredictedSides>,
    /// How much of all that is primitives, by the device's prices; the rest is the scaled machinery. Null likewise.
    pub primitives_share: Option<f64>,
    /// Operations that the device has no price for, not even by a rule: they are left out.
    pub lacks: Vec<String>,
    /// Operations priced by a rule, and the rule.
    pub rules: Vec<String>,
    /// When the answer arrives over the link, with the device's processor on both sides; null without a link.
    pub arrival: Option<Arrival>,
    /// What was published of such connections on the device.
    pub published: Vec<PublishedMs>,
}

/// What both sides' time is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PredictedSides {
    /// The client's.
    pub client: PredictedSide,
    /// The server's.
    pub server: PredictedSide,
}

/// What one side's time is made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PredictedSide {
    /// The operations at the device's prices, in the order of a connection.
    pub operations: Vec<ExplainedOperations>,
    /// The protocol's machinery as it was measured here, scaled, in nanoseconds.
    pub machinery_ns: f64,
}

/// Milliseconds of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SideMs {
    /// The client's.
    pub client_ms: f64,
    /// The server's.
    pub server_ms: f64,
}

/// A published time beside the prediction of the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PublishedMs {
    /// What it is the time of: `both sides, all`, or one side's handshake.
    pub what: String,
    /// The published time.
    pub published_ms: f64,
    /// The predicted one.
    pub predicted_ms: f64,
    /// How much more was predicted, as a part of what was published; negative for less.
    pub error: f64,
}

impl SideMs {
    /// Both together.
    pub fn sum(self) -> f64 {
        self.client_ms + self.server_ms
    }
}

impl CellPrediction {
    /// Everything of the connection, both sides; none without a prediction.
    pub fn total_ms(&self) -> Option<f64> {
        Some(self.handshake?.sum() + self.transfer?.sum() + self.close?.sum())
    }
}
