//! Putting the shards of a plan together again: what comes out is what one run of the whole plan would have written,
//! but for the times.

mod comparison;
mod error;
mod join;
mod results;

pub use comparison::comparisons;
pub use error::MergeError;
pub use results::results;

/// What is merged although it need not fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Allow {
    /// Shards of different machines: the merged file then carries a warning.
    pub other_machines: bool,
    /// Shards that are missing or were interrupted: the merged file is then not complete.
    pub missing: bool,
}
