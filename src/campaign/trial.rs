//! The trial of a cell: a full and a resumed connection with every byte compared and the wire watched, then a few
//! more to count the heap and to see what they take. Nothing here is timed for the results.

use std::fmt;
use std::time::Duration;

use super::NoNumbers;
use crate::cell::Cell;
use crate::engine::{Engines, Start};
use crate::heap::{self, HeapSpread};
use crate::measure::{Agreed, Failure, LoopKind, LoopPlan, Pair, Payload, Phase, ReadyCell, Stop, TimedLoop};
use crate::wire::oracle::{self, Habits};
use crate::wire::{AppCount, Contradiction, Observer, Seen, Trace, WireCount};

/// What a trial showed.
#[derive(Clone, Debug)]
pub struct Trial {
    /// A full handshake.
    pub full: Tried,
    /// A resumed one.
    pub resumed: Tried,
    /// Heap of a full connection; none where it cannot be counted.
    pub heap: Option<HeapSpread>,
}

/// One kind of connection.
#[derive(Clone, Debug)]
pub struct Tried {
    /// What both libraries say was negotiated.
    pub agreed: Agreed,
    /// What the plaintext part of the handshake shows.
    pub seen: Seen,
    /// What passed over the wire in the handshake.
    pub wire: WireCount,
    /// The application data.
    pub app: AppCount,
    /// About what a connection takes.
    pub time: Duration,
}

impl Trial {
    /// Tries a prepared cell, unless told to stop.
    pub fn of(ready: &ReadyCell<'_>, stop: Stop<'_>) -> Result<Self, NoNumbers> {
        let mut pair = ready.pair();
        let trial = Self {
            full: Tried::of(&mut pair, LoopKind::Full, stop)?,
            resumed: Tried::of(&mut pair, LoopKind::Reuse, stop)?,
            heap: heap::measure_unless(stop, &mut pair, LoopKind::Full)?,
        };
        // Whatever was cut short is worth nothing.
        if stop.requested() { Err(NoNumbers::NotReached) } else { Ok(trial) }
    }

    /// Checks the counts that formulas predict. A run insists on them only where they are all that shows whether a cell
    /// is what it says.
    pub fn check_counts(&self, engines: &Engines, cell: &Cell) -> Result<(), NoNumbers> {
        let contradicted = |what: &dyn fmt::Display| NoNumbers::Error(what.to_string());
        for kind in LoopKind::BOTH {
            let tried = self.kind(kind);
            let habits = Habits::of(engines, cell, &tried.seen).map_err(|unknown| contradicted(&unknown))?;
            let resumed = kind == LoopKind::Reuse;
            oracle::check_flights(&tried.wire, cell, resumed).map_err(|wrong| contradicted(&wrong))?;
            oracle::check_app(&tried.app, cell, &habits, resumed).map_err(|wrong| contradicted(&wrong))?;
        }
        Ok(())
    }

    /// The trial of one kind of connection.
    pub fn kind(&self, kind: LoopKind) -> &Tried {
        match kind {
            LoopKind::Full => &self.full,
            LoopKind::Reuse => &self.resumed,
        }
    }
}

impl Tried {
    /// The full one must come first: it leaves the session that the other resumes.
    fn of(pair: &mut Pair<'_>, kind: LoopKind, stop: Stop<'_>) -> Result<Self, NoNumbers> {
        if stop.requested() {
            return Err(NoNumbers::NotReached);
        }
        let resumed = kind == LoopKind::Reuse;
        let (agreed, trace) = watched(pair, if resumed { Start::Resume } else { Start::Fresh })?;
        trace.seen().check(pair.cell(), resumed)?;
        check_said(pair, &agreed, &trace, resumed)?;
        let (wire, app) = (trace.handshake(), trace.app());
        Ok(Self { agreed, seen: *trace.seen(), wire, app, time: rough_time(pair, kind, stop)? })
    }
}

impl From<Contradiction> for NoNumbers {
    fn from(contradiction: Contradiction) -> Self {
        Self::Error(format!("{}: {contradiction}", Phase::Handshake.name()))
    }
}

pub(super) fn watched(pair: &mut Pair<'_>, start: Start) -> Result<(Agreed, Trace), Failure> {
    let mut observer = Observer::default();
    let agreed = pair.connect(start, true, Payload::Checked, &mut observer)?;
    Ok((agreed, observer.into_trace()))
}

/// A group or signature that neither library names, and that the wire does not show, is pinned but not verified: no
/// number may rest on it. (The null pair negotiates nothing.)
fn check_said(pair: &Pair<'_>, agreed: &Agreed, trace: &Trace, resumed: bool) -> Result<(), NoNumbers> {
    let cell = pair.cell();
    if resumed || cell.signature().is_none() {
        return Ok(());
    }
    let seen = trace.seen();
    let sides = [agreed.client, agreed.server];
    let group_said = seen.group.is_some() || sides.iter().any(|side| side.group.is_some());
    let signature_said = seen.signature.is_some() || sides.iter().any(|side| side.signature.is_some());
    // Before TLS 1.2 the key alone decides on the signature.
    let signature_open = cell.certificate_signature().code().is_some();
    let unsaid = match (group_said, signature_said || !signature_open) {
        (false, _) => "group",
        (_, false) => "signature scheme",
        _ => return Ok(()),
    };
    Err(NoNumbers::Error(format!("nothing says which {unsaid} was negotiated")))
}

/// The fastest of a few connections of this kind.
fn rough_time(pair: &mut Pair<'_>, kind: LoopKind, stop: Stop<'_>) -> Result<Duration, Failure> {
    let plan = LoopPlan { kind, connections: 3, payload: Payload::Plain, stop };
    let timed = TimedLoop::of(pair, plan, |_| {})?;
    Ok(timed.samples_ns.iter().min().map_or(Duration::ZERO, |&fastest| Duration::from_nanos(fastest)))
}
