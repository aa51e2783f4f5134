//! What `compare`, `check` and `upgrade` share: two contenders, what to compare of them, how to measure and decide, and
//! where the outcome goes.

mod args;
mod contenders;
mod job;
mod observer;
mod percent;

pub use args::{ComparingArgs, MeasuringArgs};
pub use contenders::{EXECUTABLE, contender, executable_name};
pub use job::{Comparing, Then};
pub use observer::RoundsOnStderr;
pub use percent::parse_percent;
