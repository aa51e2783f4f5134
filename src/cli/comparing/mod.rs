//! What `compare`, `check` and `upgrade` share: two contenders, what to compare of them, how to measure and decide, and
//! where the outcome goes.

mod args;
mod contenders;
mod job;
mod observer;
mod percent;

pub use args::ComparingArgs;
pub use job::{Comparing, Then};
