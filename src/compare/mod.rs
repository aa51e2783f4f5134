//! Is NEW slower, bigger or hungrier than OLD? Two executables, or saved results, cell by cell, by the method that
//! `docs/METHODOLOGY.md` describes.

mod contender;
mod contest;
mod engine_map;
mod explore;
mod rounds;
mod saved;

pub use contender::{Contender, ContenderError, Kind};
pub use contest::{Contest, ContestObserver, Settings};
pub use engine_map::{EngineMap, EngineMapError, EnginePair};
pub use rounds::{Done, PAIRS};
pub use saved::SavedContest;
