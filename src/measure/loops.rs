//! The loops of 1997: N full handshakes, or one full and N−1 resumed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clock::{Clock, SideTimes, SplitTimes, Times};
use super::connection::{Pair, Payload};
use super::failure::Failure;
use super::witness::Witness;
use crate::engine::Start;

/// Which loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
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

/// What a loop is to do.
#[derive(Clone, Copy, Debug)]
pub struct LoopPlan<'a> {
    /// Full handshakes only, or resumed ones after the first.
    pub kind: LoopKind,
    /// How many connections.
    pub connections: u64,
    /// What the sides send.
    pub payload: Payload,
    /// Ends the loop early.
    pub stop: Stop<'a>,
}

impl LoopRun {
    /// Runs the planned connections, fewer if told to stop. `after` is called by the harness after each.
    pub fn of<W: Witness>(
        pair: &mut Pair<'_>,
        plan: LoopPlan<'_>,
        witness: &mut W,
        after: impl FnMut(&mut W, Self),
    ) -> Result<Self, Failure> {
        Self::going_on(pair, plan, false, witness, after)
    }

    /// The same where, with `has_session`, an earlier loop has left a session: then even the first connection of a
    /// reuse loop is resumed.
    pub(super) fn going_on<W: Witness>(
        pair: &mut Pair<'_>,
        plan: LoopPlan<'_>,
        has_session: bool,
        witness: &mut W,
        mut after: impl FnMut(&mut W, Self),
    ) -> Result<Self, Failure> {
        let mut run = Self::default();
        // A session may be used over and over up to TLS 1.2; a TLS 1.3 ticket only once, so each connection
        // keeps the ticket for the next.
        let single_use = pair.cell().resume.is_single_use();
        while run.connections < plan.connections && !plan.stop.requested() {
            let first = run.connections == 0 && !has_session;
            let fresh = first || plan.kind == LoopKind::Full;
            let start = if fresh { Start::Fresh } else { Start::Resume };
            let keep = plan.kind == LoopKind::Reuse && (first || single_use);
            if start == Start::Resume {
                pair.renew_session(plan.payload, witness)?;
            }
            let agreed = pair.connect(start, keep, plan.payload, witness)?;
            run.connections += 1;
            run.resumed += u64::from(agreed.client.resumed && agreed.server.resumed);
            after(witness, run);
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
    /// The first connection, by side.
    pub first: SideTimes,
    /// One sample a connection: both sides, all phases, in ns.
    pub samples_ns: Vec<u64>,
}

/// How long a loop runs before it shows progress; CPU and wall clock stand still meanwhile.
const PROGRESS_EVERY_NS: u64 = 200_000_000;

impl TimedLoop {
    /// Runs and times one loop. `progress` is told how far it came, a few times a second, outside the timers.
    pub fn of(
        pair: &mut Pair<'_>,
        plan: LoopPlan<'_>,
        progress: impl FnMut(LoopRun),
    ) -> Result<Self, Failure> {
        Self::going_on(pair, plan, false, progress)
    }

    /// The same; `has_session` as for [`LoopRun`].
    pub(super) fn going_on(
        pair: &mut Pair<'_>,
        plan: LoopPlan<'_>,
        has_session: bool,
        mut progress: impl FnMut(LoopRun),
    ) -> Result<Self, Failure> {
        let mut clock = Clock::new(plan.connections as usize);
        let mut shown_ns = 0;
        let run = LoopRun::going_on(pair, plan, has_session, &mut clock, |clock, run| {
            clock.end_connection();
            if clock.libraries_ns() - shown_ns > PROGRESS_EVERY_NS {
                shown_ns = clock.libraries_ns();
                clock.pause();
                progress(run);
                clock.resume();
            }
        })?;
        let Times { cpu, wall, split, first, samples_ns } = clock.finish();
        Ok(Self { run, cpu, wall, split, first, samples_ns })
    }
}
