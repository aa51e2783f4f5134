//! A loop in batches, for times that are taken in turns with another process.

use std::fmt;

use super::connection::{Buffers, Pair, Payload};
use super::failure::Failure;
use super::loops::{LoopKind, LoopPlan, LoopRun, Stop, TimedLoop};
use super::ready::ReadyCell;
use super::witness::Nobody;
use crate::cell::Cell;
use crate::engine::Prepared;

/// A prepared loop that is run batch by batch. A reuse loop has its full handshake in the warm-up, so that every
/// connection of a batch is of the loop's kind.
pub struct Batches {
    cell: Cell,
    client: Box<dyn Prepared>,
    server: Box<dyn Prepared>,
    buffers: Option<Buffers>,
    kind: LoopKind,
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches")
            .field("cell", &self.cell.id())
            .field("kind", &self.kind)
            .finish_non_exhaustive()
    }
}

impl Batches {
    /// Takes a prepared cell and runs `warm_up` connections, one at least, that are not timed.
    pub fn warmed_up(
        ready: ReadyCell<'_>,
        kind: LoopKind,
        warm_up: u64,
        stop: Stop<'_>,
    ) -> Result<Self, Failure> {
        let cell = ready.cell().clone();
        let (client, server) = ready.into_sides();
        let mut batches = Self { cell, client, server, buffers: None, kind };
        let plan = batches.plan(warm_up.max(1), stop);
        batches.with_pair(|pair| LoopRun::of(pair, plan, &mut Nobody, |_, _| {}))?;
        Ok(batches)
    }

    /// Runs and times one batch of verified connections, fewer if told to stop.
    pub fn batch(&mut self, connections: u64, stop: Stop<'_>) -> Result<TimedLoop, Failure> {
        let plan = self.plan(connections, stop);
        self.with_pair(|pair| TimedLoop::going_on(pair, plan, true, |_| {}))
    }

    fn plan<'s>(&self, connections: u64, stop: Stop<'s>) -> LoopPlan<'s> {
        LoopPlan { kind: self.kind, connections, payload: Payload::Plain, stop }
    }

    /// A pair borrows the cell and its sides; its buffers stay from batch to batch.
    fn with_pair<T>(&mut self, work: impl FnOnce(&mut Pair<'_>) -> T) -> T {
        let buffers = self.buffers.take().unwrap_or_else(|| Buffers::of(&self.cell));
        let mut pair = Pair::over(buffers, &self.cell, &*self.client, &*self.server);
        let done = work(&mut pair);
        self.buffers = Some(pair.into_buffers());
        done
    }
}
