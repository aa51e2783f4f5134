//! Pairs on several threads at once, each thread its own pair: what a program with as many workers gets done, and what
//! its threads cost each other.

use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::connection::{Pair, Payload};
use super::failure::Failure;
use super::loops::{LoopKind, LoopPlan, LoopRun, Stop, TimedLoop};
use super::ready::{NotReady, ReadyCell};
use super::witness::Nobody;
use crate::cell::Cell;
use crate::engine::{Engines, Share, Side};
use crate::fixtures::Credentials;

/// Whether the threads' pairs have contexts of the library in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Contexts {
    /// Every thread has its own, with its own session cache and ticket keys.
    #[default]
    Separate,
    /// All threads use the same, as the threads of one server do.
    Shared,
}

impl Contexts {
    /// The name used in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Separate => "separate",
            Self::Shared => "shared",
        }
    }
}

/// What several threads are to do.
#[derive(Clone, Copy, Debug)]
pub struct ThreadsPlan<'a> {
    /// How many threads.
    pub threads: u32,
    /// What they have in common.
    pub contexts: Contexts,
    /// Which loop.
    pub kind: LoopKind,
    /// Connections of each thread.
    pub connections: u64,
    /// Ends the work early.
    pub stop: Stop<'a>,
}

/// What several threads did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreadsRun {
    /// Connections and resumptions of all threads together.
    pub run: LoopRun,
    /// From the start of all to the end of the last, in nanoseconds.
    pub wall_ns: u64,
    /// CPU time of all threads together, in nanoseconds.
    pub cpu_ns: u64,
}

/// Why threads have no numbers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThreadsError {
    /// The cell, or a share of it, could not be made ready.
    #[error(transparent)]
    NotReady(#[from] NotReady),
    /// A connection failed.
    #[error(transparent)]
    Failed(#[from] Failure),
    /// A thread panicked.
    #[error("a thread panicked")]
    Panicked,
}

/// What one thread did, and when.
struct Done {
    timed: TimedLoop,
    begun: Instant,
    ended: Instant,
}

/// Runs a loop of the cell on each of several threads, all beginning together after a warm-up of their own.
pub fn run_threads(
    engines: &Engines,
    cell: &Cell,
    credentials: &Credentials,
    plan: ThreadsPlan<'_>,
    warm_up: u64,
) -> Result<ThreadsRun, ThreadsError> {
    let begin = Barrier::new(plan.threads as usize);
    let common = match plan.contexts {
        Contexts::Separate => None,
        Contexts::Shared => Some(ReadyCell::of(engines, cell, credentials)?),
    };
    let shares = (0..plan.threads).map(|_| common.as_ref().map(ReadyCell::shares).transpose());
    let shares = shares.collect::<Result<Vec<_>, _>>()?;
    let outcomes: Vec<Result<Done, ThreadsError>> = thread::scope(|scope| {
        let begin = &begin;
        let start = |shares: Option<_>| {
            scope.spawn(move || {
                let ready = match shares {
                    None => ReadyCell::of(engines, cell, credentials),
                    Some(shares) => ReadyCell::of_shares(cell, shares),
                };
                one_thread(ready, plan, warm_up, begin)
            })
        };
        let running: Vec<_> = shares.into_iter().map(start).collect();
        running.into_iter().map(|thread| thread.join().unwrap_or(Err(ThreadsError::Panicked))).collect()
    });
    Ok(ThreadsRun::of(&outcomes.into_iter().collect::<Result<Vec<_>, _>>()?))
}

/// A thread that cannot run waits for the others all the same, or they would wait for it for ever.
fn one_thread(
    ready: Result<ReadyCell<'_>, NotReady>,
    plan: ThreadsPlan<'_>,
    warm_up: u64,
    begin: &Barrier,
) -> Result<Done, ThreadsError> {
    let warmed = ready.map_err(ThreadsError::from).and_then(|ready| {
        let ThreadsPlan { kind, stop, .. } = plan;
        let warm_up = LoopPlan { kind, connections: warm_up, payload: Payload::Plain, stop };
        LoopRun::of(&mut ready.pair(), warm_up, &mut Nobody, |_, _| {})?;
        Ok(ready)
    });
    begin.wait();
    let ready = warmed?;
    let mut pair: Pair<'_> = ready.pair();
    let ThreadsPlan { kind, connections, stop, .. } = plan;
    let begun = Instant::now();
    let timed =
        TimedLoop::of(&mut pair, LoopPlan { kind, connections, payload: Payload::Plain, stop }, |_| {})?;
    Ok(Done { timed, begun, ended: Instant::now() })
}

impl ThreadsRun {
    fn of(done: &[Done]) -> Self {
        let first = done.iter().map(|done| done.begun).min();
        let last = done.iter().map(|done| done.ended).max();
        let wall = first.zip(last).map(|(first, last)| last.duration_since(first)).unwrap_or_default();
        let mut all = Self { wall_ns: wall.as_nanos() as u64, ..Self::default() };
        for Done { timed, .. } in done {
            all.run.connections += timed.run.connections;
            all.run.resumed += timed.run.resumed;
            all.cpu_ns += timed.cpu.as_nanos() as u64;
        }
        all
    }
}

/// The shares of both sides.
type Shares = (Share, Share);

impl<'a> ReadyCell<'a> {
    /// What makes this cell ready on another thread, over the same contexts.
    fn shares(&self) -> Result<Shares, NotReady> {
        let share = |side: Side| {
            let refused = |why| NotReady::Unshared { side, why };
            self.prepared(side).share().map_err(refused)
        };
        Ok((share(Side::Client)?, share(Side::Server)?))
    }

    fn of_shares(cell: &'a Cell, (client, server): Shares) -> Result<Self, NotReady> {
        let made = |side, share: Share| share().map_err(|error| NotReady::Failed { side, error });
        Ok(Self::over(cell, made(Side::Client, client)?, made(Side::Server, server)?))
    }
}
