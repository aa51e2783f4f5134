//! What was measured beside the loops: connections held open, and several threads at once.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::LoopResult;
use crate::campaign::Workload;
use crate::engine::Side;
use crate::heap::{OpenHeap, OpenSide};
use crate::measure::{Contexts, LoopKind, ThreadsRun};

/// A workload beside the loops, and what came of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WorkloadResult {
    /// What was asked for.
    #[serde(flatten)]
    pub workload: Workload,
    /// What was measured; null if it could not be.
    pub measured: Option<Measured>,
    /// Why nothing was; null if it was.
    pub reason: Option<String>,
    /// Whether the reason is that something failed, not that a library lacks something.
    pub failed: bool,
}

/// The numbers of a workload.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Measured {
    /// Of connections held open.
    Open(OpenBytes),
    /// Of threads.
    Threads(ThreadsTimes),
}

/// The heap of connections that are open at the same time and at rest, by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OpenBytes {
    /// The client's.
    pub client: SideBytes,
    /// The server's.
    pub server: SideBytes,
}

/// Live bytes of one side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SideBytes {
    /// That a connection adds: the median over all.
    pub each_bytes: u64,
    /// Of all together, with what caches keep for them.
    pub total_bytes: u64,
    /// Once all are closed and freed.
    pub left_bytes: i64,
}

/// Times of all threads together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ThreadsTimes {
    /// Connections that ran.
    pub connections: u64,
    /// Those that were resumed.
    pub resumed: u64,
    /// Wall-clock time from the common start to the end of the last thread.
    pub wall_ns: u64,
    /// CPU time of all threads.
    pub cpu_ns: u64,
}

impl WorkloadResult {
    /// The times of threads in this kind of loop.
    pub fn threads(&self, kind: LoopKind) -> Option<ThreadsTimes> {
        match (&self.workload, self.measured) {
            (Workload::Threads { kind: of, .. }, Some(Measured::Threads(times))) if *of == kind => {
                Some(times)
            }
            _ => None,
        }
    }

    /// The bytes of connections held open.
    pub fn open(&self) -> Option<OpenBytes> {
        match self.measured {
            Some(Measured::Open(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// Connections held open, or those of each thread.
    pub fn connections(&self) -> u64 {
        match self.workload {
            Workload::Open { connections } | Workload::Threads { connections, .. } => connections,
        }
    }

    /// How many threads, and what they have in common.
    pub fn on_threads(&self) -> Option<(u32, Contexts)> {
        match self.workload {
            Workload::Threads { threads, contexts, .. } => Some((threads, contexts)),
            Workload::Open { .. } => None,
        }
    }
}

impl OpenBytes {
    /// One side's.
    pub fn side(&self, side: Side) -> SideBytes {
        match side {
            Side::Client => self.client,
            Side::Server => self.server,
        }
    }
}

impl ThreadsTimes {
    /// Connections that the wall clock saw in a second; none where it saw no time pass.
    pub fn per_second(&self) -> Option<f64> {
        (self.wall_ns > 0).then(|| self.connections as f64 * 1e9 / self.wall_ns as f64)
    }

    /// How many times as many as `alone`, the same loop on one thread, did in the same time.
    pub fn times_one(&self, alone: &LoopResult) -> Option<f64> {
        let one = (alone.wall_ns > 0).then(|| alone.connections as f64 * 1e9 / alone.wall_ns as f64)?;
        Some(self.per_second()? / one)
    }
}

impl From<OpenHeap> for Measured {
    fn from(heap: OpenHeap) -> Self {
        Self::Open(OpenBytes { client: heap.client.into(), server: heap.server.into() })
    }
}

impl From<OpenSide> for SideBytes {
    fn from(OpenSide { each_bytes, total_bytes, left_bytes }: OpenSide) -> Self {
        Self { each_bytes, total_bytes, left_bytes }
    }
}

impl From<ThreadsRun> for Measured {
    fn from(ThreadsRun { run, wall_ns, cpu_ns }: ThreadsRun) -> Self {
        let (connections, resumed) = (run.connections, run.resumed);
        Self::Threads(ThreadsTimes { connections, resumed, wall_ns, cpu_ns })
    }
}
