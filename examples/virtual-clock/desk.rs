//! The worker's desk: cells are tried for real, times come from the virtual clock.

use std::io;
use std::time::Duration;

use tlspair::campaign::{Here, Lab, LoopTask, NoNumbers, TriedCell, Workload};
use tlspair::cell::Cell;
use tlspair::cost::BothSides;
use tlspair::engine::Engines;
use tlspair::measure::{LoopKind, Stop};
use tlspair::results::{LoopResult, Measured, Phases, SideNs};
use tlspair::speed::{OwnTask, Task};
use tlspair::stats::Summary;
use tlspair::worker::{BatchTimes, Desk};

use super::clock::Clock;
use super::settings::Settings;

/// See the module's documentation.
pub struct VirtualDesk<'a> {
    here: Here<'a>,
    settings: &'a Settings,
    clock: io::Result<Clock<'a>>,
    open: Option<(Cell, LoopKind)>,
}

impl<'a> VirtualDesk<'a> {
    /// The desk of this process, which is counted.
    pub fn new(engines: &'a Engines, settings: &'a Settings, stop: Stop<'a>) -> Self {
        let number = settings.counters.count("processes");
        let clock = number.map(|number| Clock::of_process(number, settings));
        Self { here: Here { engines, stop }, settings, clock, open: None }
    }

    /// Each request is counted, and may go wrong.
    fn begin(&mut self, cell: &Cell) -> Result<(), NoNumbers> {
        let request = self.settings.counters.count("requests").map_err(failed)?;
        let fault = self.settings.fault.as_ref();
        fault.map_or(Ok(()), |fault| fault.strike(request, &cell.id())).map_err(failed)
    }

    fn time_ns(&mut self, cell: &Cell, kind: LoopKind, connections: u64) -> Result<u64, NoNumbers> {
        let clock = self.clock.as_mut().map_err(|error| failed(&*error))?;
        Ok(clock.time_ns(cell, kind, connections))
    }
}

impl Lab for VirtualDesk<'_> {
    fn try_cell(&mut self, cell: &Cell) -> Result<TriedCell, NoNumbers> {
        self.begin(cell)?;
        if self.settings.lacks.as_ref().is_some_and(|lacks| cell.id().contains(lacks)) {
            return Err(NoNumbers::Unsupported("this build has no such thing".to_owned()));
        }
        let mut tried = self.here.try_cell(cell)?;
        if let Some(wire) = &mut tried.result.wire.full {
            wire.client_bytes += self.settings.extra_bytes;
        }
        if let Some(heap) = &mut tried.result.heap {
            let extra = self.settings.extra_allocations;
            heap.server.allocations += extra;
            for end in heap.server.range.iter_mut().flat_map(|range| &mut range.allocations) {
                *end += extra;
            }
        }
        tried.full_ns = self.time_ns(cell, LoopKind::Full, 1)?;
        tried.resumed_ns = self.time_ns(cell, LoopKind::Reuse, 1)?;
        Ok(tried)
    }

    fn verify_cell(&mut self, cell: &Cell) -> Result<(), NoNumbers> {
        self.begin(cell)?;
        self.here.verify_cell(cell)
    }

    fn time_loop(
        &mut self,
        cell: &Cell,
        what: LoopTask,
        progress: &mut dyn FnMut(u64, Duration),
    ) -> Result<LoopResult, NoNumbers> {
        self.begin(cell)?;
        let real = self.here.time_loop(cell, what, progress)?;
        let first_kind = LoopKind::Full; // also of a reuse loop the first connection is full
        let mut samples = vec![self.time_ns(cell, first_kind, 1)?];
        for _ in 1..real.connections {
            samples.push(self.time_ns(cell, what.kind, 1)?);
        }
        Ok(with_times(real, samples))
    }

    fn work(&mut self, cell: &Cell, workload: Workload) -> Result<Measured, NoNumbers> {
        self.begin(cell)?;
        self.here.work(cell, workload)
    }

    fn count_operations(&mut self, cell: &Cell, kind: LoopKind) -> Result<BothSides, NoNumbers> {
        self.here.count_operations(cell, kind)
    }

    /// A nanosecond a byte, whatever it is.
    fn time_primitive(&mut self, engine: &str, task: Task, budget: Duration) -> Result<Vec<f64>, NoNumbers> {
        let real = self.here.time_primitive(engine, task, budget)?;
        Ok(vec![task.bytes.unwrap_or(1000) as f64; real.len()])
    }

    fn time_in_turn(&mut self, tasks: &[OwnTask], budget: Duration) -> Result<Vec<Vec<f64>>, NoNumbers> {
        let real = self.here.time_in_turn(tasks, budget)?;
        let ns = |own: &OwnTask| own.task.bytes.unwrap_or(1000) as f64;
        Ok(tasks.iter().zip(real).map(|(own, real)| vec![ns(own); real.len()]).collect())
    }
}

impl Desk for VirtualDesk<'_> {
    fn engines(&self) -> &Engines {
        self.here.engines
    }

    fn open(
        &mut self,
        cell: Cell,
        kind: LoopKind,
        _warm_up: u64,
        _burden: Duration,
    ) -> Result<(), NoNumbers> {
        self.begin(&cell)?;
        self.open = Some((cell, kind));
        Ok(())
    }

    fn batch(&mut self, connections: u64) -> Result<BatchTimes, NoNumbers> {
        let (cell, kind) = self.open.clone().ok_or_else(|| failed("no loop is open"))?;
        self.begin(&cell)?;
        let cpu_ns = match self.settings.batch_ns {
            Some(absurd) => absurd,
            None => self.time_ns(&cell, kind, connections)?,
        };
        let SideNs { client_ns, server_ns } = sides(cpu_ns);
        Ok(BatchTimes { connections, cpu_ns, wall_ns: cpu_ns, client_ns, server_ns })
    }
}

/// A loop that took other times.
fn with_times(real: LoopResult, samples_ns: Vec<u64>) -> LoopResult {
    let all: u64 = samples_ns.iter().sum();
    let summary = Summary::of(&samples_ns).expect("a loop has a connection");
    LoopResult {
        cpu_ns: all,
        wall_ns: all,
        cpu_wall_differ: false,
        per_connection_ns: summary.into(),
        phases: Phases { handshake: sides(all), ..Phases::default() },
        first_connection: sides(samples_ns[0]),
        samples_ns,
        ..real
    }
}

/// The client does two fifths of the work.
fn sides(ns: u64) -> SideNs {
    let client_ns = ns / 5 * 2;
    SideNs { client_ns, server_ns: ns - client_ns }
}

fn failed(error: impl ToString) -> NoNumbers {
    NoNumbers::Error(error.to_string())
}
