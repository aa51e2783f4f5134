//! Measuring many cells: each is tried once before anything is timed, so that what is wrong shows first and the
//! time that all will take is known; then each is timed.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crate::cell::Cell;
use crate::engine::Engines;
use crate::fixtures::Credentials;
use crate::measure::{
    Failure, LoopKind, LoopPlan, LoopRun, Nobody, NotReady, Pair, Payload, ReadyCell, Stop, TimedLoop,
};

mod observer;
mod trial;

pub use observer::{Observer, Place, Progress, Silent};
pub use trial::{Trial, Tried};

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

impl From<NotReady> for NoNumbers {
    fn from(reason: NotReady) -> Self {
        match reason {
            NotReady::Unsupported(why) => Self::Unsupported(why.to_string()),
            other => Self::Error(other.to_string()),
        }
    }
}

impl From<Failure> for NoNumbers {
    fn from(failure: Failure) -> Self {
        Self::Error(failure.to_string())
    }
}

/// What was measured of a cell.
#[derive(Clone, Debug)]
pub struct Measurement {
    /// The untimed part: negotiated parameters, wire, heap.
    pub trial: Trial,
    /// The loop of full handshakes, if asked for and begun.
    pub full: Option<TimedLoop>,
    /// The loop of resumed handshakes, if asked for and begun.
    pub reuse: Option<TimedLoop>,
}

/// What is to be measured, and how.
#[derive(Debug)]
pub struct Campaign<'a> {
    /// Where cells find their engines.
    pub engines: &'a Engines,
    /// The cells, in the order of the results.
    pub cells: &'a [Cell],
    /// Connections a loop.
    pub connections: u64,
    /// Which loops.
    pub loops: &'a [LoopKind],
    /// Ends the campaign early.
    pub stop: Stop<'a>,
}

impl Campaign<'_> {
    /// Tries all cells, then times them one after the other; `each` is given what came out, in the cells' order,
    /// except of cells that were not reached.
    pub fn run(
        &self,
        observer: &mut impl Observer,
        mut each: impl FnMut(&Cell, Result<Measurement, NoNumbers>),
    ) {
        let trials = self.trials(observer);
        let mut left: Duration = trials.iter().flatten().map(|trial| self.estimate(trial)).sum();
        if !self.stop.requested() {
            observer.planned(trials.iter().filter(|trial| trial.is_ok()).count(), left);
        }
        for (place, trial) in self.places().zip(trials) {
            let estimate = trial.as_ref().map_or(Duration::ZERO, |trial| self.estimate(trial));
            left = left.saturating_sub(estimate);
            let outcome = trial.and_then(|trial| self.time(place, trial, left, observer));
            if matches!(outcome, Err(NoNumbers::NotReached)) {
                continue;
            }
            observer.finished(place, &outcome);
            each(place.cell, outcome);
        }
    }

    fn places(&self) -> impl Iterator<Item = Place<'_>> {
        let of = self.cells.len();
        self.cells.iter().enumerate().map(move |(at, cell)| Place { number: at + 1, of, cell })
    }

    fn trials(&self, observer: &mut impl Observer) -> Vec<Result<Trial, NoNumbers>> {
        self.places()
            .map(|place| {
                if self.stop.requested() {
                    return Err(NoNumbers::NotReached);
                }
                observer.trying(place);
                trial(self.engines, place.cell, self.stop)
            })
            .collect()
    }

    /// What the loops of a cell will take.
    fn estimate(&self, trial: &Trial) -> Duration {
        self.loops.iter().map(|&kind| self.loop_estimate(trial, kind)).sum()
    }

    fn loop_estimate(&self, trial: &Trial, kind: LoopKind) -> Duration {
        times(trial.kind(kind).time, self.connections)
    }

    fn time(
        &self,
        place: Place<'_>,
        trial: Trial,
        left_after: Duration,
        observer: &mut impl Observer,
    ) -> Result<Measurement, NoNumbers> {
        if self.stop.requested() {
            return Err(NoNumbers::NotReached);
        }
        guarded(|| {
            let ready = ReadyCell::of(self.engines, place.cell, &Credentials::of(place.cell))?;
            let mut measurement = Measurement { trial, full: None, reuse: None };
            for (at, &kind) in self.loops.iter().enumerate() {
                let other_loops = self.loops[at + 1..].iter();
                let left_after = left_after
                    + other_loops.map(|&kind| self.loop_estimate(&measurement.trial, kind)).sum::<Duration>();
                let timed = self.time_loop(&ready, kind, |done, per_connection| {
                    let left = left_after + times(per_connection, self.connections - done.connections);
                    observer.progress(
                        place,
                        Progress { kind, done, connections: self.connections, per_connection, left },
                    );
                })?;
                if timed.run.connections == 0 {
                    break; // stopped before it began
                }
                match kind {
                    LoopKind::Full => measurement.full = Some(timed),
                    LoopKind::Reuse => measurement.reuse = Some(timed),
                }
            }
            if measurement.full.is_none() && measurement.reuse.is_none() {
                return Err(NoNumbers::NotReached);
            }
            Ok(measurement)
        })
    }

    fn time_loop(
        &self,
        ready: &ReadyCell<'_>,
        kind: LoopKind,
        mut progress: impl FnMut(LoopRun, Duration),
    ) -> Result<TimedLoop, Failure> {
        let mut pair = ready.pair();
        let plan = LoopPlan { kind, connections: self.connections, payload: Payload::Plain, stop: self.stop };
        warm_up(&mut pair, plan)?;
        let started = Instant::now();
        TimedLoop::of(&mut pair, plan, |done| {
            let mean = started.elapsed() / u32::try_from(done.connections).unwrap_or(u32::MAX);
            progress(done, mean);
        })
    }
}

fn times(one: Duration, count: u64) -> Duration {
    one * u32::try_from(count).unwrap_or(u32::MAX)
}

/// Tries one cell; a panic of an engine becomes its error. Told to stop, it finishes the connection in hand and the
/// cell counts as not reached.
pub fn trial(engines: &Engines, cell: &Cell, stop: Stop<'_>) -> Result<Trial, NoNumbers> {
    guarded(|| Trial::of(&ReadyCell::of(engines, cell, &Credentials::of(cell))?, stop))
}

/// What a loop of the null pair costs in a cell of this shape: the harness's own part of every measurement.
pub fn harness_cost(cell: &Cell, kind: LoopKind) -> Result<TimedLoop, NoNumbers> {
    const CONNECTIONS: u64 = 2000;
    const MOST_BYTES: u64 = 64 << 20;
    let engines = Engines::of(Vec::new());
    let cell = Cell { client: "null".to_owned(), server: "null".to_owned(), ..cell.clone() };
    guarded(|| {
        let ready = ReadyCell::of(&engines, &cell, &Credentials::of(&cell))?;
        let mut pair = ready.pair();
        let connections = (MOST_BYTES / cell.bytes).clamp(1, CONNECTIONS);
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
fn guarded<T>(work: impl FnOnce() -> Result<T, NoNumbers>) -> Result<T, NoNumbers> {
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
