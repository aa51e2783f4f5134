//! The document as a whole: what a results file holds, and reading one back.

use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::load::{self, FileKind, LoadError};
use super::{CellResult, Machine, PlanEntry};
use crate::cell::Cell;
use crate::engine::EngineInfo;
use crate::link::Link;
use crate::measure::{LoopKind, TimedLoop};
use crate::stats::Summary;

/// The number of the schema that this build writes and reads.
pub const SCHEMA: u32 = 1;

/// A results file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(title = "tlspair results")]
pub struct Document {
    /// Number of the schema; 1.
    #[schemars(extend("const" = SCHEMA))]
    pub schema: u32,
    /// The program that measured.
    pub tool: ToolInfo,
    /// The machine that measured.
    pub machine: Machine,
    /// False while cells are still to come, and for ever if the run was interrupted.
    pub complete: bool,
    /// The suites that the cells come from; empty if flags named them.
    pub suites: Vec<SuiteEntry>,
    /// What was to be measured.
    pub plan: PlanEntry,
    /// What makes all of it doubtful, in words.
    pub warnings: Vec<String>,
    /// The engines of the plan, in other shards too.
    pub engines: Vec<EngineEntry>,
    /// What the harness itself costs, measured with an engine that does no cryptography; null if not measured.
    pub harness: Option<Vec<HarnessCost>>,
    /// The link over which answers arrive; null if nobody asked.
    #[serde(default)]
    pub link: Option<Link>,
    /// One entry a cell, in the order of the plan.
    pub cells: Vec<CellResult>,
}

/// The program that measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// One suite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SuiteEntry {
    /// Its heading.
    pub title: String,
    /// What it shows.
    pub about: String,
}

/// One engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct EngineEntry {
    /// The value of the `engine` dimension.
    pub id: String,
    /// The library's name.
    pub library: String,
    /// The library's own version.
    pub version: String,
    /// How it was built: backend, flags, notable switches.
    pub build: String,
}

/// What a connection of the null pair costs: the same calls and bytes, no cryptography.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HarnessCost {
    /// Bytes sent each way.
    pub bytes: u64,
    /// Bytes that a write holds at most.
    pub chunk: u32,
    /// `full` or `reuse`.
    #[serde(rename = "loop")]
    pub loop_name: String,
    /// CPU time of a connection, the harness's own work included: the loop's CPU time by its connections.
    pub cpu_ns_per_connection: f64,
    /// Median time of a connection between the hand-overs, which is what is in the samples of other engines too.
    pub median_ns: f64,
}

impl ToolInfo {
    /// This program.
    pub fn this_one() -> Self {
        Self { name: env!("CARGO_PKG_NAME").to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() }
    }
}

impl Document {
    /// A document without cells, of this machine, now.
    pub fn begin(engines: &[EngineInfo], plan: PlanEntry) -> Self {
        Self {
            schema: SCHEMA,
            tool: ToolInfo::this_one(),
            machine: Machine::this_one(),
            complete: false,
            suites: Vec::new(),
            plan,
            warnings: Vec::new(),
            engines: engines.iter().map(EngineEntry::from).collect(),
            harness: None,
            link: None,
            cells: Vec::new(),
        }
    }

    /// Reads a results file.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let origin = path.display().to_string();
        Self::parse(&load::text_of(path, &origin)?, &origin)
    }

    /// Reads results from text; `origin` names them in messages.
    pub fn parse(text: &str, origin: &str) -> Result<Self, LoadError> {
        load::parse(text, origin, FileKind::Results)
    }

    /// The cell with this id.
    pub fn cell(&self, id: &str) -> Option<&CellResult> {
        self.cells.iter().find(|cell| cell.id == id)
    }
}

impl From<&EngineInfo> for EngineEntry {
    fn from(info: &EngineInfo) -> Self {
        Self {
            id: info.id.to_owned(),
            library: info.library.clone(),
            version: info.version.clone(),
            build: info.build.clone(),
        }
    }
}

impl HarnessCost {
    /// From a loop of the null pair; none if no connection ran.
    pub fn of(cell: &Cell, kind: LoopKind, timed: &TimedLoop) -> Option<Self> {
        let summary = Summary::of(&timed.samples_ns)?;
        Some(Self {
            bytes: cell.bytes,
            chunk: cell.chunk,
            loop_name: kind.name().to_owned(),
            cpu_ns_per_connection: timed.cpu.as_nanos() as f64 / timed.run.connections as f64,
            median_ns: summary.median_ns,
        })
    }
}
