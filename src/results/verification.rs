//! The document of `verify --json`: which cells are what they say.

use serde::{Deserialize, Serialize};

use super::{SCHEMA, Status, ToolInfo};

/// What `verify --json` writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verification {
    /// Number of the schema; 1.
    pub schema: u32,
    /// `verification`.
    pub kind: String,
    /// The program that verified.
    pub tool: ToolInfo,
    /// False if it was interrupted.
    pub complete: bool,
    /// One entry a cell.
    pub cells: Vec<VerifiedCell>,
}

/// A cell that was run once, full and resumed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifiedCell {
    /// Its id.
    pub id: String,
    /// `ok` if it is what it says.
    pub status: Status,
    /// Why not, in words; null if it is.
    pub reason: Option<String>,
}

impl Verification {
    /// Without cells, now.
    pub fn begin() -> Self {
        Self {
            schema: SCHEMA,
            kind: "verification".to_owned(),
            tool: ToolInfo::this_one(),
            complete: false,
            cells: Vec::new(),
        }
    }

    /// How many cells came to this.
    pub fn count(&self, status: Status) -> usize {
        self.cells.iter().filter(|cell| cell.status == status).count()
    }
}
