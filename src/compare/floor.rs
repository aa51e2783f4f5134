//! The noise floor that `selftest` learns of a machine and keeps for later comparisons.

use std::fs;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::render::export::{Sink, SinkError};
use crate::results::{Machine, write_json};
use crate::store::{Store, StoreError};

/// What counts as no difference where nothing was learned: the same source linked in another order differs by as much.
pub const DEFAULT_NOISE_FLOOR: f64 = 0.01;

/// What was learned of a machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedFloor {
    /// 0.012 is 1.2 %: 95 of 100 comparisons of a program with itself came out nearer.
    pub noise_floor: f64,
    /// How many comparisons that rests on.
    pub comparisons: u64,
    /// Rounds of each.
    pub rounds: u64,
    /// The machine.
    pub machine: Machine,
}

/// Why a floor cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum FloorError {
    /// There is no place for it.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The file cannot be written.
    #[error(transparent)]
    Sink(#[from] SinkError),
}

impl LearnedFloor {
    /// What was learned of `machine`; none if nothing was, or only of another machine.
    pub fn of(store: &Store, machine: &Machine) -> Option<Self> {
        let text = fs::read_to_string(file(store)).ok()?;
        let learned: Self = serde_json::from_str(&text).ok()?;
        let fits = learned.noise_floor.is_finite() && learned.noise_floor >= 0.0;
        (fits && learned.machine.differences(machine).is_empty()).then_some(learned)
    }

    /// Finds out whether one can be kept, without changing what was learned before.
    pub fn can_be_kept(store: &Store) -> Result<(), FloorError> {
        let file = file(store);
        store.make_room_for(&file)?;
        Sink::open(&file)?;
        Ok(())
    }

    /// Keeps it in place of what was learned before; says where.
    pub fn keep(&self, store: &Store) -> Result<PathBuf, FloorError> {
        let file = file(store);
        store.make_room_for(&file)?;
        let sink = Sink::open(&file)?;
        sink.finish(|out| write_json(self, out))?;
        Ok(file)
    }
}

fn file(store: &Store) -> PathBuf {
    store.path("noise-floor.json")
}
