//! Running cells: one connection, loops of them, and what watches a loop (clock, heap counter, wire parser).

mod batches;
mod clock;
mod connection;
mod failure;
mod loops;
mod open;
mod ready;
mod threads;
mod totals;
mod transfer;
mod witness;

pub use batches::Batches;
pub use clock::{Clock, SideTimes, SplitTimes};
pub use connection::{Agreed, Pair, Payload};
pub use failure::{Failure, FailureCause};
pub use loops::{LoopKind, LoopPlan, LoopRun, Stop, TimedLoop};
pub use open::OpenConnections;
pub use ready::{NotReady, ReadyCell, needs, supported};
pub use threads::{Contexts, ThreadsError, ThreadsPlan, ThreadsRun, run_threads};
pub use witness::{Nobody, Phase, Turn, Witness};
