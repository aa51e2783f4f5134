//! The loops of 1997: N full handshakes, or one full and N−1 resumed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

use super::clock::{Clock, SplitTimes};
use super::connection::{Failure, Pair, Payload};
use super::witness::Witness;
use crate::cell::{Cell, Resume};
use crate::engine::Start;

/// Which loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoopKind {
    /// Every handshake is full.
    Full,
    /// One full handshake, the rest resumed.
    Reuse,
}

impl LoopKind {
    /// Both, in the table's order.
    pub const BOTH: [Self; 2] = [Self::Full, Self::Reuse];

    /// The name used in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Reuse => "reuse",
        }
    }
}

/// A request to stop between two connections, set from a signal handler.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stop<'a>(Option<&'a AtomicBool>);

impl<'a> Stop<'a> {
    /// Stops when `flag` is set.
    pub fn when(flag: &'a AtomicBool) -> Self {
        Self(Some(flag))
    }

    /// Whether to stop now.
    #[inline]
    pub fn requested(self) -> bool {
        self.0.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

/// How many connections of a loop ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LoopRun {
    /// All of them, each verified.
    pub connections: u64,
    /// Those that both sides say were resumed.
    pub resumed: u64,
}

impl LoopRun {
    /// Runs up to `connections`, fewer if `stop` says so. `after` is called after each, by the harness.
    pub fn of<W: Witness>(
        pair: &mut Pair<'_>,
        cell: &Cell,
        kind: LoopKind,
        connections: u64,
        payload: Payload,
        stop: Stop<'_>,
        witness: &mut W,
        mut after: impl FnMut(&mut W),
    ) -> Result<Self, Failure> {
        let mut run = Self::default();
        // A session may be used over and over up to TLS 1.2; a TLS 1.3 ticket only once, so each connection
        // keeps the ticket for the next.
        let single_use = cell.resume == Resume::PskDhe;
        while run.connections < connections && !stop.requested() {
            let first = run.connections == 0;
            let start = if first || kind == LoopKind::Full { Start::Fresh } else { Start::Resume };
            let keep = kind == LoopKind::Reuse && (first || single_use);
            let agreed = pair.connect(start, keep, payload, witness)?;
            run.connections += 1;
            run.resumed += u64::from(agreed.client.resumed && agreed.server.resumed);
            after(witness);
        }
        Ok(run)
    }
}

/// A loop with its times.
#[derive(Clone, Debug)]
pub struct TimedLoop {
    /// What ran.
    pub run: LoopRun,
    /// CPU time of the whole loop on this thread, harness included.
    pub cpu: Duration,
    /// Wall-clock time of the whole loop.
    pub wall: Duration,
    /// Times by phase and side, from the monotonic clock.
    pub split: SplitTimes,
    /// One sample a connection: both sides, all phases, in ns.
    pub samples_ns: Vec<u64>,
}

impl TimedLoop {
    /// Runs and times one loop.
    pub fn of(
        pair: &mut Pair<'_>,
        cell: &Cell,
        kind: LoopKind,
        connections: u64,
        stop: Stop<'_>,
    ) -> Result<Self, Failure> {
        let mut clock = Clock::new(connections as usize);
        let wall_start = Instant::now();
        let cpu_start = ThreadTime::now();
        let run = LoopRun::of(
            pair,
            cell,
            kind,
            connections,
            Payload::Plain,
            stop,
            &mut clock,
            Clock::end_connection,
        )?;
        let cpu = cpu_start.elapsed();
        let wall = wall_start.elapsed();
        let (split, samples_ns) = clock.finish();
        Ok(Self { run, cpu, wall, split, samples_ns })
    }
}
