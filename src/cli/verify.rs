//! `tlspair verify`: each cell once, with every assertion: what was negotiated, on both sides and on the wire; every
//! byte of data; resumption; flights; and record sizes by the formulas of the protocols.

use super::args::VerifyArgs;
use super::interrupt::Interrupt;
use super::progress::OnStderr;
use super::selection::Selection;
use super::{Color, Ending, Exit, output};
use crate::campaign::{NoNumbers, Observer, Place, trial};
use crate::cell::Cell;
use crate::engine::Engines;

/// Runs the sub-command.
pub fn run(engines: &Engines, args: &VerifyArgs, color: Color) -> Result<Exit, Ending> {
    let selection = Selection::of(engines, &args.cells, color)?;
    let interrupt = Interrupt::watch()?;
    let stop = interrupt.stop();
    let mut progress = OnStderr::new(args.quiet);
    selection.notes.iter().for_each(|note| progress.lines().note(note));
    let mut tally = Tally::default();
    let of = selection.cells.len();
    for (at, cell) in selection.cells.iter().enumerate() {
        if stop.requested() {
            break;
        }
        progress.trying(Place { number: at + 1, of, cell });
        let line =
            tally.count(cell, trial(engines, cell, stop).and_then(|trial| trial.check_counts(engines, cell)));
        output::print(line.as_bytes())?;
    }
    drop(progress);
    output::print(tally.summary().as_bytes())?;
    Ok(if stop.requested() { Exit::Interrupted } else { tally.exit() })
}

#[derive(Default)]
struct Tally {
    verified: usize,
    unsupported: usize,
    failed: usize,
}

impl Tally {
    /// Counts an outcome and says it in a line.
    fn count(&mut self, cell: &Cell, outcome: Result<(), NoNumbers>) -> String {
        match outcome {
            Ok(()) => {
                self.verified += 1;
                format!("ok           {cell}\n")
            }
            Err(NoNumbers::Unsupported(reason)) => {
                self.unsupported += 1;
                format!("unsupported  {cell}: {reason}\n")
            }
            Err(NoNumbers::Error(reason)) => {
                self.failed += 1;
                format!("FAILED       {cell}: {reason}\n")
            }
            Err(NoNumbers::NotReached) => String::new(),
        }
    }

    fn summary(&self) -> String {
        let Self { verified, unsupported, failed } = self;
        format!("{verified} verified, {unsupported} unsupported, {failed} failed\n")
    }

    fn exit(&self) -> Exit {
        match (self.failed, self.verified) {
            (1.., _) => Exit::VerificationFailed,
            (0, 0) => Exit::Nothing,
            _ => Exit::Ok,
        }
    }
}
