//! Engines that do what the null engine does, under names of their own, so that sides can have several and not the same.

use tlspair::cell::Cell;
use tlspair::engine::{
    Engine, EngineError, EngineInfo, Engines, Null, Prepared, RecordHabit, Side, Unsupported,
};
use tlspair::fixtures::Credentials;

/// The names that engines can have.
pub const IDS: [&str; 3] = ["alpha", "beta", "gamma"];

/// Engines with these names.
pub fn named(ids: &[&'static str]) -> Engines {
    Engines::of(ids.iter().map(|&id| Box::new(Renamed(id)) as Box<dyn Engine>).collect())
}

struct Renamed(&'static str);

impl Renamed {
    /// The cell as the null engine knows it. All of these understand each other.
    fn original(cell: &Cell) -> Cell {
        let original = |id: &String| if IDS.contains(&id.as_str()) { "null".to_owned() } else { id.clone() };
        Cell { client: original(&cell.client), server: original(&cell.server), ..cell.clone() }
    }
}

impl Engine for Renamed {
    fn info(&self) -> EngineInfo {
        EngineInfo { id: self.0, is_tls: true, ..Null.info() }
    }

    fn supports(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        Null.supports(&Self::original(cell), side)
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        Null.prepare(side, &Self::original(cell), credentials)
    }

    fn record_habit(&self, cell: &Cell) -> RecordHabit {
        Null.record_habit(&Self::original(cell))
    }
}
