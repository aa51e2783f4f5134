//! What a list of baselines says of each.

use std::path::PathBuf;

use serde::Serialize;

use super::{BaselineError, BaselineName, Baselines};
use crate::results::{Document, EngineEntry, Machine, PlanEntry, ToolInfo};

/// A baseline in a list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Kept {
    /// Its name.
    pub name: String,
    /// Its file.
    pub path: PathBuf,
    /// What it holds; null if it cannot be read.
    pub holds: Option<Contents>,
    /// Why it cannot be read, in words; null if it can.
    pub reason: Option<String>,
}

/// What a baseline holds, without its numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Contents {
    /// Whether its run was not interrupted.
    pub complete: bool,
    /// The program that measured.
    pub tool: ToolInfo,
    /// The engines that took part.
    pub engines: Vec<EngineEntry>,
    /// The machine that measured, and when.
    pub machine: Machine,
    /// What was measured.
    pub plan: PlanEntry,
    /// How many cells there are.
    pub cells: u64,
}

impl Baselines {
    /// All baselines, in alphabetical order. One that cannot be read is there too, with the reason.
    pub fn kept(&self) -> Result<Vec<Kept>, BaselineError> {
        let names = self.names()?;
        Ok(names.iter().map(|name| self.describe(name)).collect())
    }

    fn describe(&self, name: &BaselineName) -> Kept {
        let (holds, reason) = match self.load(name) {
            Ok(document) => (Some(Contents::of(document)), None),
            Err(error) => (None, Some(error.to_string())),
        };
        Kept { name: name.to_string(), path: self.path(name), holds, reason }
    }
}

impl Contents {
    fn of(document: Document) -> Self {
        let Document { complete, tool, engines, machine, plan, cells, .. } = document;
        Self { complete, tool, engines, machine, plan, cells: cells.len() as u64 }
    }
}
