//! `tlspair verify`: each cell once, with every assertion: what was negotiated, on both sides and on the wire; every
//! byte of data; resumption; flights; and record sizes by the formulas of the protocols.

use clap::Args;

use super::args::{CellArgs, WorkerArgs};
use super::interrupt::Interrupt;
use super::progress::OnStderr;
use super::selection::Selection;
use super::with::WithArgs;
use super::{Color, Ending, Exit, output};
use crate::campaign::{Lab, NoNumbers, Observer, Place};
use crate::cell::Cell;
use crate::engine::Engines;
use crate::worker::{Routes, Terms};

/// `tlspair verify`.
#[derive(Args, Debug)]
pub struct VerifyArgs {
    /// Which cells.
    #[command(flatten)]
    pub cells: CellArgs,
    /// Whose engines, beside those of this executable.
    #[command(flatten)]
    pub with: WithArgs,
    /// How long to wait for them.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// No progress.
    #[arg(short, long)]
    pub quiet: bool,
}

/// Runs the sub-command.
pub fn run(engines: &Engines, args: &VerifyArgs, color: Color) -> Result<Exit, Ending> {
    let guests = args.with.guests(engines, args.worker)?;
    let selection = Selection::of(guests.names(engines), &args.cells, color)?;
    let interrupt = Interrupt::watch()?;
    let stop = interrupt.stop();
    let mut progress = OnStderr::new(args.quiet);
    let terms = Terms { core: None, patience: args.worker.patience(), stop };
    let mut lab = Routes::new(engines, &guests, false, terms);
    guests.notes().iter().chain(&selection.notes).for_each(|note| progress.lines().note(note));
    let mut tally = Tally::default();
    let of = selection.cells.len();
    for (at, cell) in selection.cells.iter().enumerate() {
        if stop.requested() {
            break;
        }
        progress.trying(Place { number: at + 1, of, cell });
        let line = tally.count(cell, lab.verify_cell(cell));
        output::print(line.as_bytes())?;
    }
    let progress_lines = progress.lines();
    drop(progress);
    if stop.requested() {
        progress_lines.warn(&format!("interrupted: {} of {of} cells verified", tally.count_of_all()));
    }
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

    fn count_of_all(&self) -> usize {
        self.verified + self.unsupported + self.failed
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
