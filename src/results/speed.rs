//! The file of `speed`: what primitives take.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::load::{self, FileKind, LoadError};
use super::{EngineEntry, Machine, SCHEMA, Status, ToolInfo};
use crate::campaign::NoNumbers;
use crate::speed::Task;
use crate::stats::Summary;

/// What `speed` writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "tlspair speed")]
pub struct Speed {
    /// Number of the schema; 1.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: u32,
    /// `speed`.
    #[schemars(extend("const" = "speed"))]
    pub kind: String,
    /// The program that measured.
    pub tool: ToolInfo,
    /// The machine that measured.
    pub machine: Machine,
    /// False while results are still to come, and for ever if the run was interrupted.
    pub complete: bool,
    /// What makes all of it doubtful, in words.
    pub warnings: Vec<String>,
    /// The engines, in the order of the table.
    pub engines: Vec<EngineEntry>,
    /// One entry a primitive, size and engine, in the order of the plan.
    pub primitives: Vec<PrimitiveResult>,
}

/// One primitive of one engine, over so many bytes if it takes any.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PrimitiveResult {
    /// The primitive's name, such as `aes128-gcm` or `p256-sign`.
    pub primitive: String,
    /// Bytes that it was given; null for primitives that take none of any length.
    pub bytes: Option<u64>,
    /// The engine's id.
    pub engine: String,
    /// Whether it ran.
    pub status: Status,
    /// Why not, in words; null where it ran.
    pub reason: Option<String>,
    /// What one operation takes; null where it did not run.
    pub per_operation_ns: Option<PerOperation>,
}

/// Descriptive statistics of batches, in nanoseconds an operation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PerOperation {
    /// How many batches were timed; each is as many operations as take 50 µs or more, and counts with their mean.
    pub batches: u64,
    /// The fastest batch.
    pub min: f64,
    /// The middle one, or the mean of the two middle ones.
    pub median: f64,
    /// Lower end of the median's 95 % interval by order statistics; null for fewer than 6 batches.
    pub median_low: Option<f64>,
    /// Upper end of the same interval.
    pub median_high: Option<f64>,
    /// The quantile 0.95, interpolated linearly.
    pub p95: f64,
    /// The arithmetic mean.
    pub mean: f64,
}

impl PerOperation {
    /// Of at least one sample in nanoseconds; none if there are none. Samples are looked at to a thousandth of a nanosecond.
    pub fn of(samples_ns: &[f64]) -> Option<Self> {
        const PARTS: f64 = 1000.0;
        let parts: Vec<u64> = samples_ns.iter().map(|ns| (ns * PARTS).round() as u64).collect();
        let summary = Summary::of(&parts)?;
        let ns = |parts: f64| parts / PARTS;
        Some(Self {
            batches: summary.count as u64,
            min: ns(summary.min_ns as f64),
            median: ns(summary.median_ns),
            median_low: summary.median_interval.map(|interval| ns(interval.low_ns as f64)),
            median_high: summary.median_interval.map(|interval| ns(interval.high_ns as f64)),
            p95: ns(summary.p95_ns),
            mean: ns(summary.mean_ns),
        })
    }

    /// The farther end of the median's 95 % interval, as a part of the median; none for too few batches.
    pub fn uncertainty(&self) -> Option<f64> {
        let (low, high) = (self.median_low?, self.median_high?);
        Some((high - self.median).max(self.median - low) / self.median)
    }

    /// Operations a second, by the median.
    pub fn per_second(&self) -> f64 {
        1e9 / self.median
    }

    /// Decimal megabytes a second over so many bytes, by the median.
    pub fn megabytes_per_second(&self, bytes: u64) -> f64 {
        megabytes_per_second(bytes, self.median)
    }
}

/// Decimal megabytes a second, of so many bytes in so many nanoseconds.
pub(crate) fn megabytes_per_second(bytes: u64, ns: f64) -> f64 {
    bytes as f64 * 1e3 / ns
}

impl PrimitiveResult {
    /// What it is, in the manner of a cell's id: `engine=openssl/primitive=aes128-gcm/bytes=1024`.
    pub fn name(&self) -> String {
        let bytes = self.bytes.map(|bytes| format!("/bytes={bytes}")).unwrap_or_default();
        format!("engine={}/primitive={}{bytes}", self.engine, self.primitive)
    }

    /// Of what came out; none if it was not reached.
    pub fn of(engine: &str, task: Task, samples: Result<Vec<f64>, NoNumbers>) -> Option<Self> {
        let (status, reason, per_operation_ns) = match samples {
            Ok(samples) => (Status::Ok, None, Some(PerOperation::of(&samples)?)),
            Err(why) => why.into_row().map(|(status, reason)| (status, Some(reason), None))?,
        };
        Some(Self {
            primitive: task.primitive.to_string(),
            bytes: task.bytes.map(|bytes| bytes as u64),
            engine: engine.to_owned(),
            status,
            reason,
            per_operation_ns,
        })
    }
}

impl Speed {
    /// A file without results, of this machine, now.
    pub fn begin(engines: Vec<EngineEntry>) -> Self {
        Self {
            schema: SCHEMA,
            kind: "speed".to_owned(),
            tool: ToolInfo::this_one(),
            machine: Machine::this_one(),
            complete: false,
            warnings: Vec::new(),
            engines,
            primitives: Vec::new(),
        }
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let origin = path.display().to_string();
        load::parse(&load::text_of(path, &origin)?, &origin, FileKind::Speed)
    }

    /// What an engine takes for a primitive over so many bytes, if it was measured.
    pub fn of(&self, engine: &str, primitive: &str, bytes: Option<u64>) -> Option<&PrimitiveResult> {
        self.primitives
            .iter()
            .find(|result| result.engine == engine && result.primitive == primitive && result.bytes == bytes)
    }
}
