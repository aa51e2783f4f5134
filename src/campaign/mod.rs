//! Measuring many cells: each is tried once before anything is timed, so that what is wrong shows first and the
//! time that all will take is known; then each is timed.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::cell::{Cell, Hello, MAX_RECORD_SIZE};
use crate::engine::Engines;
use crate::fixtures::Credentials;
use crate::measure::{
    Failure, LoopKind, LoopPlan, LoopRun, Nobody, NotReady, Pair, Payload, ReadyCell, Stop, TimedLoop,
};
use crate::primitive::NoOperation;
use crate::results::{CellResult, Loops, Status, WorkloadResult};

mod explain;
mod handshakes;
mod lab;
mod observer;
mod trial;
mod workload;

pub use explain::{Explaining, Pricing};
pub use lab::{Here, Lab, LoopTask, TriedCell};
pub use observer::{Observer, Place, Progress, Silent};
pub use trial::{Trial, Tried};
pub use workload::{Workload, work};

/// Why a cell has no numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoNumbers {
    /// An engine cannot do this.
    Unsupported(String),
    /// An engine failed, in its own words.
    Error(String),
    /// The run was stopped before the cell's turn.
    NotReached,
}

impl NoNumbers {
    /// Why, in words; none if there is nothing to say.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Self::Unsupported(reason) | Self::Error(reason) => Some(reason),
            Self::NotReached => None,
        }
    }

    /// What a row says in place of numbers; none if its turn never came.
    pub fn into_row(self) -> Option<(Status, String)> {
        match self {
            Self::Unsupported(reason) => Some((Status::Unsupported, reason)),
            Self::Error(reason) => Some((Status::Error, reason)),
            Self::NotReached => None,
        }
    }
}

impl From<NotReady> for NoNumbers {
    fn from(reason: NotReady) -> Self {
        match reason {
            NotReady::Unsupported(why) => Self::Unsupported(why.to_string()),
            NotReady::Unshared { .. } => Self::Unsupported(reason.to_string()),
            other => Self::Error(other.to_string()),
        }
    }
}

impl From<NoOperation> for NoNumbers {
    fn from(why: NoOperation) -> Self {
        match why {
            NoOperation::Unsupported(why) => Self::Unsupported(why.to_string()),
            NoOperation::Failed(error) => Self::Error(error.to_string()),
        }
    }
}

impl From<Failure> for NoNumbers {
    fn from(failure: Failure) -> Self {
        Self::Error(failure.to_string())
    }
}

/// What is to be measured, and how.
#[derive(Debug)]
pub struct Campaign<'a> {
    /// The cells, in the order of the results.
    pub cells: &'a [Cell],
    /// Connections a loop.
    pub connections: u64,
    /// Which loops.
    pub loops: &'a [LoopKind],
    /// What each cell is put to beside.
    pub workloads: &'a [Workload],
    /// Ends the campaign early.
    pub stop: Stop<'a>,
}

impl Campaign<'_> {
    /// Tries all cells, then times them one after the other; `each` is given what came out, in the cells' order,
    /// except of cells that were not reached.
    pub fn run(
        &self,
        lab: &mut dyn Lab,
        observer: &mut impl Observer,
        mut each: impl FnMut(Place<'_>, CellResult),
    ) {
        let trials = self.trials(lab, observer);
        let mut left: Duration = trials.iter().flatten().map(|tried| self.estimate(tried)).sum();
        if !self.stop.requested() {
            observer.planned(trials.iter().filter(|tried| tried.is_ok()).count(), left);
        }
        for (place, tried) in self.places().zip(trials) {
            let estimate = tried.as_ref().map_or(Duration::ZERO, |tried| self.estimate(tried));
            left = left.saturating_sub(estimate);
            let outcome = tried.and_then(|tried| self.time(lab, place, tried, left, observer));
            if let Some(result) = CellResult::of(place.cell, outcome) {
                observer.finished(place, &result);
                each(place, result);
            }
        }
    }

    fn places(&self) -> impl Iterator<Item = Place<'_>> {
        let of = self.cells.len();
        self.cells.iter().enumerate().map(move |(at, cell)| Place { number: at + 1, of, cell })
    }

    fn trials(&self, lab: &mut dyn Lab, observer: &mut impl Observer) -> Vec<Result<TriedCell, NoNumbers>> {
        self.places()
            .map(|place| {
                if self.stop.requested() {
                    return Err(NoNumbers::NotReached);
                }
                observer.trying(place);
                lab.try_cell(place.cell)
            })
            .collect()
    }

    /// What the loops of a cell will take, and what it is put to beside.
    fn estimate(&self, tried: &TriedCell) -> Duration {
        let loops = self.loops.iter().map(|&kind| times(tried.time(kind), self.connections));
        loops.chain(self.workloads.iter().map(|workload| workload.estimate(tried))).sum()
    }

    fn time(
        &self,
        lab: &mut dyn Lab,
        place: Place<'_>,
        tried: TriedCell,
        left_after: Duration,
        observer: &mut impl Observer,
    ) -> Result<CellResult, NoNumbers> {
        let mut result = tried.result.clone();
        for (at, &kind) in self.loops.iter().enumerate() {
            if self.stop.requested() {
                break;
            }
            let other_loops = self.loops[at + 1..].iter();
            let left_after = left_after
                + other_loops.map(|&kind| times(tried.time(kind), self.connections)).sum::<Duration>();
            let what = LoopTask { kind, connections: self.connections, renewed: false };
            let timed = lab.time_loop(place.cell, what, &mut |done, per_connection| {
                let left = left_after + times(per_connection, self.connections.saturating_sub(done));
                let progress = Progress { kind, done, connections: self.connections, per_connection, left };
                observer.progress(place, progress);
            });
            match timed {
                Err(NoNumbers::NotReached) => break,
                timed => result.loops.set(kind, Some(timed?)),
            }
        }
        result.keep_wire_of_loops();
        for &workload in self.workloads {
            let measured = lab.work(place.cell, workload);
            result.workloads.extend(WorkloadResult::of(workload, measured));
        }
        if result.loops == Loops::default() { Err(NoNumbers::NotReached) } else { Ok(result) }
    }
}

fn times(one: Duration, count: u64) -> Duration {
    one * u32::try_from(count).unwrap_or(u32::MAX)
}

/// Tries one cell; a panic of an engine becomes its error. Told to stop, it finishes the connection in hand and the
/// cell counts as not reached.
pub fn trial(engines: &Engines, cell: &Cell, stop: Stop<'_>) -> Result<Trial, NoNumbers> {
    guarded(|| {
        let trial = Trial::of(&ReadyCell::of(engines, cell, &Credentials::of(cell))?, stop)?;
        if cell.record_size != MAX_RECORD_SIZE {
            trial.check_counts(engines, cell)?; // no library says how long its records are
        }
        Ok(trial)
    })
}

/// What a loop of the null pair costs in a cell of this shape: the harness's own part of every measurement.
pub fn harness_cost(cell: &Cell, kind: LoopKind) -> Result<TimedLoop, NoNumbers> {
    const CONNECTIONS: u64 = 2000;
    const MOST_BYTES: u64 = 64 << 20;
    let engines = Engines::of(Vec::new());
    let cell = Cell {
        client: "null".to_owned(),
        server: "null".to_owned(),
        hello: Hello::Direct,
        record_size: MAX_RECORD_SIZE,
        early_data: 0,
        ..cell.clone()
    };
    guarded(|| {
        let ready = ReadyCell::of(&engines, &cell, &Credentials::of(&cell))?;
        let mut pair = ready.pair();
        let connections = (MOST_BYTES / (cell.bytes * u64::from(cell.requests))).clamp(1, CONNECTIONS);
        let plan = LoopPlan { kind, connections, payload: Payload::Plain, stop: Stop::default() };
        warm_up(&mut pair, plan)?;
        Ok(TimedLoop::of(&mut pair, plan, |_| {})?)
    })
}

/// Connections before each timed loop, so that its first ones meet warm caches like the rest.
const WARM_UP: u64 = 3;

fn warm_up(pair: &mut Pair<'_>, plan: LoopPlan<'_>) -> Result<(), Failure> {
    let connections = plan.connections.min(WARM_UP);
    LoopRun::of(pair, LoopPlan { connections, ..plan }, &mut Nobody, |_, _| {})?;
    Ok(())
}

/// A panic in an engine becomes an error of its cell.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, NoNumbers>) -> Result<T, NoNumbers> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(NoNumbers::Error(words_of(&*panic))))
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let words = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    format!("panicked: {words}")
}
