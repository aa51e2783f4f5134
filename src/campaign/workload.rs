//! What a cell can be put to beside its loops.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{NoNumbers, TriedCell, WARM_UP, guarded, times};
use crate::cell::Cell;
use crate::engine::Engines;
use crate::fixtures::Credentials;
use crate::heap;
use crate::measure::{Contexts, LoopKind, ReadyCell, Stop, ThreadsError, ThreadsPlan, run_threads};
use crate::results::Measured;

/// One thing to do with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "workload", rename_all = "lowercase")]
pub enum Workload {
    /// Hold connections open, and look at the heap.
    Open {
        /// How many.
        connections: u64,
    },
    /// Run a loop on each of several threads at once.
    Threads {
        /// Which loop.
        #[serde(rename = "loop")]
        kind: LoopKind,
        /// Connections of each thread.
        connections: u64,
        /// How many threads.
        threads: u32,
        /// What they have in common.
        contexts: Contexts,
    },
}

impl Workload {
    /// The most connections that may be held open at once.
    pub const MOST_OPEN: u64 = 10_000;
    /// The most threads.
    pub const MOST_THREADS: u32 = 1024;

    /// What this will take, by what a trial took.
    pub fn estimate(&self, tried: &TriedCell) -> Duration {
        match *self {
            Self::Open { connections } => times(tried.time(LoopKind::Full), connections),
            Self::Threads { kind, connections, threads, .. } => {
                let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
                times(tried.time(kind), connections * u64::from(threads).div_ceil(cores))
            }
        }
    }
}

/// Does it in this process.
pub fn work(
    engines: &Engines,
    cell: &Cell,
    workload: Workload,
    stop: Stop<'_>,
) -> Result<Measured, NoNumbers> {
    let credentials = Credentials::of(cell);
    guarded(|| match workload {
        Workload::Open { connections } => {
            if !heap::supported() {
                return Err(NoNumbers::Unsupported("the heap is not counted on this platform".to_owned()));
            }
            let ready = ReadyCell::of(engines, cell, &credentials)?;
            let held = heap::open_at_once(&mut ready.pair(), connections, stop)?;
            held.map(Measured::from).ok_or(NoNumbers::NotReached)
        }
        Workload::Threads { kind, connections, threads, contexts } => {
            let plan = ThreadsPlan { threads, contexts, kind, connections, stop };
            let ran = run_threads(engines, cell, &credentials, plan, WARM_UP.min(connections))?;
            let all = connections * u64::from(threads);
            if ran.run.connections == all { Ok(ran.into()) } else { Err(NoNumbers::NotReached) }
        }
    })
}

impl From<ThreadsError> for NoNumbers {
    fn from(error: ThreadsError) -> Self {
        match error {
            ThreadsError::NotReady(why) => why.into(),
            ThreadsError::Failed(failure) => failure.into(),
            ThreadsError::Panicked => Self::Error(error.to_string()),
        }
    }
}
