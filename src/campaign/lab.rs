//! Where cells run: in this process, or in another one that may crash without taking the results along.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::workload::{self, Workload};
use super::{NoNumbers, guarded, handshakes, trial, warm_up};
use crate::cell::Cell;
use crate::cost::BothSides;
use crate::engine::Engines;
use crate::fixtures::Credentials;
use crate::measure::{LoopKind, LoopPlan, Payload, ReadyCell, Stop, TimedLoop};
use crate::primitive::{Input, Operation};
use crate::results::{CellResult, LoopResult, Measured, Status};
use crate::speed::{self, OwnTask, Task};
use crate::wire::observe;

/// Runs cells, one thing at a time.
pub trait Lab {
    /// Tries a cell: a few connections of each kind, with every byte compared, wire and heap counted.
    fn try_cell(&mut self, cell: &Cell) -> Result<TriedCell, NoNumbers>;

    /// Tries a cell once, full and resumed, and checks everything that can be checked.
    fn verify_cell(&mut self, cell: &Cell) -> Result<(), NoNumbers>;

    /// Times one loop of a cell, after a warm-up; shorter than asked for if told to stop. `progress` is told the
    /// connections so far and their mean time, a few times a second.
    fn time_loop(
        &mut self,
        cell: &Cell,
        what: LoopTask,
        progress: &mut dyn FnMut(u64, Duration),
    ) -> Result<LoopResult, NoNumbers>;

    /// Puts a cell to something else.
    fn work(&mut self, cell: &Cell, workload: Workload) -> Result<Measured, NoNumbers>;

    /// Counts the operations of a full or resumed connection of a cell.
    fn count_operations(&mut self, cell: &Cell, kind: LoopKind) -> Result<BothSides, NoNumbers>;

    /// Does an engine's primitive over and over for about so long; nanoseconds an operation, one sample a batch.
    fn time_primitive(&mut self, engine: &str, task: Task, budget: Duration) -> Result<Vec<f64>, NoNumbers>;

    /// Does primitives once each, in turn, again and again for about so long; nanoseconds of each, one sample a turn. All must
    /// be of engines in one executable.
    fn time_in_turn(&mut self, tasks: &[OwnTask], budget: Duration) -> Result<Vec<Vec<f64>>, NoNumbers>;
}

/// A loop to be timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopTask {
    /// Which.
    pub kind: LoopKind,
    /// How many connections.
    pub connections: u64,
    /// Whether each resumption but the first comes right after a full handshake of its own, outside clocks and counts: so
    /// it finds the processor's caches as full handshakes leave them, and not as other resumptions do.
    pub renewed: bool,
}

/// What a trial showed of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TriedCell {
    /// The cell with all that was counted, and no loops yet.
    pub result: CellResult,
    /// About what a full connection takes, in nanoseconds.
    pub full_ns: u64,
    /// About what a resumed one takes.
    pub resumed_ns: u64,
}

impl TriedCell {
    /// Whether this is what a successful trial of `cell` shows; another process may say anything.
    pub fn is_of(&self, cell: &Cell) -> bool {
        self.result.id == cell.id() && self.result.status == Status::Ok
    }

    /// About what one connection of a loop takes.
    pub fn time(&self, kind: LoopKind) -> Duration {
        Duration::from_nanos(match kind {
            LoopKind::Full => self.full_ns,
            LoopKind::Reuse => self.resumed_ns,
        })
    }
}

/// This process, on this thread.
#[derive(Clone, Copy, Debug)]
pub struct Here<'a> {
    /// Where cells find their engines.
    pub engines: &'a Engines,
    /// Ends whatever runs.
    pub stop: Stop<'a>,
}

impl Lab for Here<'_> {
    fn try_cell(&mut self, cell: &Cell) -> Result<TriedCell, NoNumbers> {
        let trial = trial(self.engines, cell, self.stop)?;
        let mut result = CellResult::tried(cell, &trial);
        let (full, resumed) = handshakes::largest(self.engines, cell, self.stop)?;
        result.wire.full = Some(full.into());
        result.wire.reuse = Some(resumed.into());
        Ok(TriedCell {
            result,
            full_ns: trial.full.time.as_nanos() as u64,
            resumed_ns: trial.resumed.time.as_nanos() as u64,
        })
    }

    fn verify_cell(&mut self, cell: &Cell) -> Result<(), NoNumbers> {
        trial(self.engines, cell, self.stop)?.check_counts(self.engines, cell)
    }

    fn time_loop(
        &mut self,
        cell: &Cell,
        what: LoopTask,
        progress: &mut dyn FnMut(u64, Duration),
    ) -> Result<LoopResult, NoNumbers> {
        let LoopTask { kind, connections, renewed } = what;
        guarded(|| {
            let ready = ReadyCell::of(self.engines, cell, &Credentials::of(cell))?;
            let ready = if renewed { ready.renewed() } else { ready };
            let mut pair = ready.pair();
            let plan = LoopPlan { kind, connections, payload: Payload::Plain, stop: self.stop };
            warm_up(&mut pair, plan)?;
            let started = Instant::now();
            let timed = TimedLoop::of(&mut pair, plan, |done| {
                let mean = started.elapsed() / u32::try_from(done.connections).unwrap_or(u32::MAX);
                progress(done.connections, mean);
            })?;
            LoopResult::of(&timed).ok_or(NoNumbers::NotReached) // stopped before it began
        })
    }

    fn work(&mut self, cell: &Cell, workload: Workload) -> Result<Measured, NoNumbers> {
        workload::work(self.engines, cell, workload, self.stop)
    }

    fn count_operations(&mut self, cell: &Cell, kind: LoopKind) -> Result<BothSides, NoNumbers> {
        guarded(|| {
            let speaks_tls = |id: &str| self.engines.named(id).is_ok_and(|engine| engine.info().is_tls);
            if let Some(id) = [&cell.client, &cell.server].into_iter().find(|id| !speaks_tls(id)) {
                return Err(NoNumbers::Unsupported(format!("{id} does no cryptography to count")));
            }
            let ready = ReadyCell::of(self.engines, cell, &Credentials::of(cell))?;
            let trace = observe(&mut ready.pair(), kind)?;
            Ok(BothSides::of(cell, kind == LoopKind::Reuse, &trace))
        })
    }

    fn time_primitive(&mut self, engine: &str, task: Task, budget: Duration) -> Result<Vec<f64>, NoNumbers> {
        guarded(|| {
            let mut operation = self.operation(engine, task)?;
            let samples = speed::time(&mut *operation, budget, self.stop);
            samples.map_err(|error| NoNumbers::Error(error.to_string()))
        })
    }

    fn time_in_turn(&mut self, tasks: &[OwnTask], budget: Duration) -> Result<Vec<Vec<f64>>, NoNumbers> {
        guarded(|| {
            let mut operations = Vec::new();
            for OwnTask { engine, task } in tasks {
                operations.push(self.operation(engine, *task)?);
            }
            let samples = speed::time_in_turn(&mut operations, budget, self.stop);
            samples.map_err(|error| NoNumbers::Error(error.to_string()))
        })
    }
}

impl Here<'_> {
    /// An engine's primitive, made ready.
    fn operation(&self, engine: &str, task: Task) -> Result<Box<dyn Operation>, NoNumbers> {
        let engine = self.engines.named(engine).map_err(|why| NoNumbers::Error(why.to_string()))?;
        let bytes = task.bytes.unwrap_or_default();
        if let Some(why) = task.primitive.refuses(bytes) {
            return Err(NoNumbers::Unsupported(why.to_owned()));
        }
        let switched = engine.acceleration_switch().unwrap_or_default();
        if let Some((name, _)) = switched.iter().find(|(name, _)| std::env::var_os(name).is_some()) {
            return Err(NoNumbers::Unsupported(format!(
                "{name} is set, which keeps the library from the processor's instructions"
            )));
        }
        Ok(engine.operation(task.primitive, &Input::of(task.primitive, bytes))?)
    }
}
