//! One tampered connection, and what came of it.

use tlspair::cell::Cell;
use tlspair::engine::{Side, Start};
use tlspair::fixtures::Credentials;
use tlspair::measure::{Failure, FailureCause, LoopKind, Nobody, Pair, Payload, Phase, ReadyCell};

use super::meddler::{Deed, Meddler};
use crate::engines;

/// What came of a tampered connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ran to its end, with all data whole and all negotiated as the cell says.
    Completed,
    /// A library refused, in this phase.
    Refused(Phase),
    /// A side waits for bytes that do not come.
    Waits,
    /// What must never be: changed data, or another negotiation than the cell's that no library noticed.
    Wrong(Failure),
}

impl Outcome {
    fn of(result: Result<(), Failure>) -> Self {
        match result {
            Ok(()) => Self::Completed,
            Err(failure) => match failure.cause {
                FailureCause::Library(_) => Self::Refused(failure.phase),
                FailureCause::Stalled | FailureCause::Lost { .. } | FailureCause::TurnedDown { .. } => {
                    Self::Waits
                }
                FailureCause::Changed(_) | FailureCause::Disagrees(_) | FailureCause::Unread => {
                    Self::Wrong(failure)
                }
            },
        }
    }
}

/// Connections of one cell and kind, each tampered with once.
pub struct Trials<'a> {
    pair: Pair<'a>,
    kind: LoopKind,
}

impl<'a> Trials<'a> {
    /// Over a cell made ready.
    pub fn new(ready: &'a ReadyCell<'_>, kind: LoopKind) -> Self {
        Self { pair: ready.pair(), kind }
    }

    /// The cell.
    pub fn cell(&self) -> &Cell {
        self.pair.cell()
    }

    /// Runs one connection with `deed` done to what `side` sends. A resumed connection is preceded by a full one
    /// that nobody touches, which also shows that the failed connection before it has left nothing behind.
    pub fn run(&mut self, side: Side, deed: Deed) -> (Outcome, Meddler) {
        let mut meddler = Meddler::new(side, deed);
        let start = match self.kind {
            LoopKind::Full => Start::Fresh,
            LoopKind::Reuse => {
                self.untouched();
                Start::Resume
            }
        };
        let result = self.pair.connect(start, true, Payload::Checked, &mut meddler);
        (Outcome::of(result.map(drop)), meddler)
    }

    /// A full connection as it should be.
    pub fn untouched(&mut self) {
        let result = self.pair.connect(Start::Fresh, true, Payload::Checked, &mut Nobody);
        result.unwrap_or_else(|failure| panic!("{}: untouched, and yet: {failure}", self.pair.cell()));
    }
}

/// A cell that is supported, made ready.
pub fn make_ready(cell: &Cell) -> ReadyCell<'_> {
    ReadyCell::of(&engines(), cell, &Credentials::of(cell)).unwrap_or_else(|error| panic!("{cell}: {error}"))
}

/// Makes a cell ready and hands it to `work` for both kinds of handshake.
pub fn for_both_kinds(cell: &Cell, mut work: impl FnMut(&mut Trials<'_>, LoopKind)) {
    let ready = make_ready(cell);
    for kind in LoopKind::BOTH {
        let mut trials = Trials::new(&ready, kind);
        work(&mut trials, kind);
        trials.untouched();
    }
}
