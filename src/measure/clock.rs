//! The clock that splits a loop between sides and phases, read at hand-overs only.

use std::time::Duration;

use quanta::Clock as Counter;

use super::totals::Totals;
use super::witness::{Phase, Turn, Witness};
use crate::engine::Side;
use crate::pipe::Pipes;

/// Nanoseconds of each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideTimes {
    /// In the client's hands.
    pub client_ns: u64,
    /// In the server's hands.
    pub server_ns: u64,
}

/// Nanoseconds of each side in each phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SplitTimes {
    /// In the order of [`Phase::ALL`].
    pub phases: [SideTimes; 4],
}

impl SplitTimes {
    /// One side, all phases.
    pub fn side(&self) -> SideTimes {
        self.phases.iter().fold(SideTimes::default(), |sum, times| SideTimes {
            client_ns: sum.client_ns + times.client_ns,
            server_ns: sum.server_ns + times.server_ns,
        })
    }

    /// One phase.
    pub fn phase(&self, phase: Phase) -> SideTimes {
        self.phases[phase as usize]
    }
}

/// What a clock measured.
#[derive(Clone, Debug)]
pub struct Times {
    /// CPU time of this thread, harness included, less the pauses.
    pub cpu: Duration,
    /// Wall-clock time, likewise.
    pub wall: Duration,
    /// All connections, by phase and side.
    pub split: SplitTimes,
    /// The first connection, by side: in a reuse loop it is of another kind than the rest.
    pub first: SideTimes,
    /// One sample a connection: both sides, all phases, in ns.
    pub samples_ns: Vec<u64>,
}

/// A witness that keeps time. One clock read a hand-over, no allocation.
#[derive(Debug)]
pub struct Clock {
    counter: Counter,
    start: u64,
    last: u64,
    /// Raw ticks by phase and side; the last slot is the harness's own.
    ticks: [u64; SLOTS],
    slot: usize,
    samples: Vec<u64>,
    /// The ticks as they stood after the first connection.
    after_first: [u64; SLOTS],
    /// Where the samples so far end.
    sampled: u64,
    totals: Totals,
}

const SLOTS: usize = 9;
const HARNESS: usize = SLOTS - 1;

impl Clock {
    /// A clock with room for the samples of `connections`.
    pub fn new(connections: usize) -> Self {
        let counter = Counter::new();
        let start = counter.raw();
        Self {
            counter,
            start,
            last: start,
            ticks: [0; SLOTS],
            slot: HARNESS,
            samples: Vec::with_capacity(connections),
            after_first: [0; SLOTS],
            sampled: 0,
            totals: Totals::start(),
        }
    }

    /// Ends one connection: what the libraries took since the last call becomes its sample.
    #[inline]
    pub fn end_connection(&mut self) {
        // All that is not the harness's: cheaper than to add up eight slots.
        let so_far = self.last - self.start - self.ticks[HARNESS];
        if self.samples.is_empty() {
            self.after_first = self.ticks;
        }
        self.samples.push(so_far - self.sampled);
        self.sampled = so_far;
    }

    /// What the libraries took so far, up to the end of the last connection, in ns.
    #[inline]
    pub fn libraries_ns(&self) -> u64 {
        self.counter.delta_as_nanos(0, self.sampled)
    }

    /// What was measured.
    pub fn finish(mut self) -> Times {
        self.totals.pause();
        let to_ns = |ticks: u64| self.counter.delta_as_nanos(0, ticks);
        let split = |ticks: &[u64; SLOTS]| {
            let mut times = SplitTimes::default();
            for (phase, sides) in times.phases.iter_mut().zip(ticks[..HARNESS].chunks_exact(2)) {
                phase.client_ns = to_ns(sides[0]);
                phase.server_ns = to_ns(sides[1]);
            }
            times
        };
        Times {
            cpu: self.totals.cpu,
            wall: self.totals.wall,
            split: split(&self.ticks),
            first: split(&self.after_first).side(),
            samples_ns: self.samples.iter().map(|&ticks| to_ns(ticks)).collect(),
        }
    }
}

impl Witness for Clock {
    #[inline]
    fn turn(&mut self, next: Turn, _pipes: &mut Pipes) {
        let slot = match next {
            Turn::Harness => HARNESS,
            Turn::Library { phase, side, .. } => phase as usize * 2 + usize::from(side == Side::Server),
        };
        if slot == self.slot {
            return;
        }
        let now = self.counter.raw();
        self.ticks[self.slot] += now - self.last;
        self.last = now;
        self.slot = slot;
    }

    fn pause(&mut self) {
        self.totals.pause();
    }

    fn resume(&mut self) {
        self.totals.resume();
    }
}
