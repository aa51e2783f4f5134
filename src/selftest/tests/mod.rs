//! Tests of what follows from comparisons, on comparisons made by hand.

mod counting;
pub(crate) mod sample;
mod trusting;
