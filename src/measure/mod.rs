//! Running cells: one connection, loops of them, and what watches a loop (clock, heap counter, wire parser).

mod batches;
mod clock;
mod connection;
mod loops;
mod ready;
mod witness;

pub use batches::Batches;
pub use clock::{Clock, SideTimes, SplitTimes};
pub use connection::{Agreed, Failure, FailureCause, Pair, Payload};
pub use loops::{LoopKind, LoopPlan, LoopRun, Stop, TimedLoop};
pub use ready::{NotReady, ReadyCell, needs, supported};
pub use witness::{Nobody, Phase, Turn, Witness};
