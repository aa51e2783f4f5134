//! Tests of the verdicts, on evidence made by hand and by seeded simulation.

mod doubts;
mod exact;
mod judging;
mod properties;
mod recheck;
pub(crate) mod sample;
mod simulation;
mod summary;
