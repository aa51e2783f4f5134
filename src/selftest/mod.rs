//! Can this machine be trusted, and for which differences? The program is compared with itself: once as it is, which
//! shows false alarms and the noise floor, and once for each of several slowdowns made of real work, which shows how many
//! of them are found. Beside it stands what else says something of a machine: clocks, the harness's own cost, and what
//! other programs and the host took meanwhile.

mod clocks;
mod disturbance;
mod noise;
mod plan;
mod probe;
mod report;
mod run;
mod share;
mod trust;

#[cfg(test)]
pub(crate) mod tests;

pub use clocks::ClockReading;
pub use disturbance::Disturbance;
pub use noise::{LEAST_COMPARISONS, Noise, Unlearned, learned};
pub use plan::{Part, Plan, SelftestObserver};
pub use probe::{LoopOutcome, Probe};
pub use report::{FloorEntry, HarnessShare, SelftestKind, SelftestReport};
pub use run::Selftest;
pub use share::Share;
pub use trust::{FOUND_SHARE, Trust};
