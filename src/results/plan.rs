//! What a run or a comparison set out to do, so that its parts can be put together and files can be told apart.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::cell::Cell;
use crate::measure::LoopKind;

/// What was planned before anything ran, shards included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlanEntry {
    /// SHA-256 over the ids of all cells and the loops, in hexadecimal: equal plans measure the same.
    pub hash: String,
    /// Cells of the whole plan, those of other shards too.
    pub cells: u64,
    /// Which part of the plan this is; null for all of it.
    pub shard: Option<Shard>,
}

/// One of several parts of a plan, written `number/of`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Shard {
    /// 1 for the first.
    pub number: u64,
    /// Parts in all.
    pub of: u64,
}

impl PlanEntry {
    /// The plan to run `loops` of all `cells`.
    pub fn whole(cells: &[Cell], loops: &[LoopKind]) -> Self {
        let mut hash = Sha256::new();
        for kind in loops {
            hash.update(kind.name());
            hash.update("\n");
        }
        for cell in cells {
            hash.update(cell.id());
            hash.update("\n");
        }
        Self { hash: hex::encode(hash.finalize()), cells: cells.len() as u64, shard: None }
    }
}

impl Shard {
    /// Whether the cell at this place of the plan, 0 for the first, belongs to the shard: cells are dealt out in turn,
    /// so that every shard gets its part of the slow ones.
    pub fn has(self, place: usize) -> bool {
        place as u64 % self.of == self.number - 1
    }
}
