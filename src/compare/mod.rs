//! What follows from the evidence of a comparison: verdicts on times, differences in what was counted, and the summary.
//!
//! Everything here is a pure function of a [`Comparison`](crate::results::Comparison), so that a file read back, or put
//! together from shards, is judged like a fresh one. Times are compared on the scale of ln(new/old), and a threshold
//! of x is ln(1+x) to either side there: swapping OLD and NEW mirrors every verdict.

mod doubts;
mod exact;
mod instructions;
mod judge;
mod look;
mod summary;
mod words;

#[cfg(test)]
mod tests;

pub use exact::changes;
pub use instructions::instruction_changes;
pub use judge::{confirm, judge, suspects};
pub use look::{PROCESS_DEVIATION, SEPARATE_NOISE_FLOOR};
pub use summary::{EngineMean, Summary, order};

/// What rounding may add to a growth or to a logarithm: growth by exactly the threshold is not beyond it.
const ROUNDING: f64 = 1e-9;
