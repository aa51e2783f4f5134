//! Is NEW slower, bigger or hungrier than OLD? Two executables, or saved results, cell by cell, by the method that
//! `docs/METHODOLOGY.md` describes.
//!
//! One half measures: contenders are explored, then visited in rounds. The other half (from [`judge`] on) is pure functions
//! of a [`Comparison`], so that a file read back, or put together from shards, is judged like a
//! fresh one. Times are compared on the scale of ln(new/old), and a threshold of x is ln(1+x) to either side there:
//! swapping OLD and NEW mirrors every verdict.

mod contender;
mod contest;
mod counting;
mod doubts;
mod engine_map;
mod exact;
mod explore;
mod floor;
mod instructions;
mod judge;
mod look;
mod rounds;
mod saved;
mod solo;
mod summary;
mod words;

#[cfg(test)]
pub(crate) mod tests;

use crate::results::Comparison;

pub use contender::{Contender, ContenderError, Kind};
pub use contest::{Contest, ContestObserver, Contested, Settings};
pub use engine_map::{EngineMap, EngineMapError, EnginePair};
pub use exact::changes;
pub use floor::{DEFAULT_NOISE_FLOOR, FloorError, LearnedFloor};
pub use instructions::instruction_changes;
pub use judge::{confirm, judge, suspects};
pub use look::{PROCESS_DEVIATION, SEPARATE_NOISE_FLOOR};
pub use rounds::{Done, PAIRS};
pub use saved::SavedContest;
pub use solo::{Solo, SoloCell};
pub use summary::{EngineMean, Summary, order};

/// Fills in everything that follows from what was measured and counted.
pub fn conclude(comparison: &mut Comparison) {
    for cell in &mut comparison.cells {
        let counted = cell.counted.as_ref().map(|counted| changes(counted, &cell.thresholds));
        cell.changes = counted.unwrap_or_default();
        cell.changes.extend(instruction_changes(&cell.loops, &cell.thresholds));
    }
    judge(comparison);
}

/// What rounding may add to a growth or to a logarithm: growth by exactly the threshold is not beyond it.
const ROUNDING: f64 = 1e-9;
