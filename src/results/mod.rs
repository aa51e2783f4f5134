//! The results file and the comparison file: plain data that other tools read. `docs/FORMAT.md` explains every field,
//! and `fixtures/results.schema.json` and `fixtures/comparison.schema.json` are the JSON Schemas made from these types.
//!
//! These types are apart from those that measure, so that the file's shape changes only on purpose. Fields may be
//! added under the same schema number; renaming or removing one, or changing its meaning, takes a new number.

mod arrivals;
mod cell;
mod comparison;
mod dims;
mod document;
mod evidence;
mod explanation;
mod json;
mod load;
mod loops;
mod machine;
mod measured;
mod plan;
mod prediction;
mod schema;
mod speed;
mod verification;
mod workloads;

pub use arrivals::Arrivals;
pub use cell::{AppCount, CellResult, Heap, HeapRange, HeapSide, Negotiated, Status, Wire, WireCount};
pub use comparison::{
    CellComparison, Change, Comparability, Comparison, ComparisonKind, Counted, CountedSide, Design, Effect,
    Evidence, FirstLook, InstructionCount, Instructions, LoopComparison, LoopComparisons, Method, Round,
    RoundTime, SideEntry, Thresholds, Verdict,
};
pub use dims::{DimValue, Dims};
pub use document::{Document, EngineEntry, HarnessCost, SCHEMA, SuiteEntry, ToolInfo};
pub use explanation::{
    CellExplanation, ExplainedOperations, ExplainedSide, ExplainedSides, ExplainedStage, Explanation,
    disturbance,
};
pub use json::write_json;
pub use load::{FileKind, LoadError, Loaded};
pub use loops::{LoopResult, Loops, PerConnection, Phases, SideNs};
pub use machine::{Difference, Machine};
pub use plan::{PlanEntry, Shard, ShardError};
pub use prediction::{
    CellPrediction, DeviceEntry, PredictedSide, PredictedSides, Prediction, PublishedMs, Scale, SideMs,
};
pub use schema::{comparison_schema, explanation_schema, json_schema, prediction_schema, speed_schema};
pub(crate) use speed::megabytes_per_second;
pub use speed::{PerOperation, PrimitiveResult, Speed};
pub use verification::{Verification, VerifiedCell};
pub use workloads::{Measured, OpenBytes, SideBytes, ThreadsTimes, WorkloadResult};
