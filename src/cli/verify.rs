//! `tlspair verify`: each cell once, with every assertion: what was negotiated, on both sides and on the wire; every
//! byte of data; resumption; flights; and record sizes by the formulas of the protocols.

use clap::Args;

use super::args::WorkerArgs;
use super::cells::CellArgs;
use super::interrupt::Interrupt;
use super::progress::OnStderr;
use super::selection::Selection;
use super::with::WithArgs;
use super::{Color, Ending, Exit, output};
use crate::campaign::{Lab, NoNumbers, Observer, Place};
use crate::cell::Cell;
use crate::engine::Engines;
use crate::results::{Status, Verification, VerifiedCell, write_json};
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
    /// As JSON, once all are done.
    #[arg(long)]
    pub json: bool,
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
    let mut verified = Verification::begin();
    let of = selection.cells.len();
    for (at, cell) in selection.cells.iter().enumerate() {
        if stop.requested() {
            break;
        }
        progress.trying(Place { number: at + 1, of, cell });
        let Some(cell) = result(cell, lab.verify_cell(cell)) else { continue };
        if !args.json {
            output::print(line(&cell).as_bytes())?;
        }
        verified.cells.push(cell);
    }
    verified.complete = !stop.requested();
    let progress_lines = progress.lines();
    drop(progress);
    if !verified.complete {
        progress_lines.warn(&format!("interrupted: {} of {of} cells verified", verified.cells.len()));
    }
    if args.json {
        let mut text = Vec::new();
        write_json(&verified, &mut text).map_err(Ending::operational)?;
        output::print(&text)?;
    } else {
        output::print(summary(&verified).as_bytes())?;
    }
    Ok(exit(&verified))
}

/// What came out; nothing if it was not reached.
fn result(cell: &Cell, outcome: Result<(), NoNumbers>) -> Option<VerifiedCell> {
    let (status, reason) = match outcome {
        Ok(()) => (Status::Ok, None),
        Err(why) => why.into_row().map(|(status, reason)| (status, Some(reason)))?,
    };
    Some(VerifiedCell { id: cell.id(), status, reason })
}

fn line(cell: &VerifiedCell) -> String {
    let word = match cell.status {
        Status::Ok => "ok",
        Status::Unsupported => "unsupported",
        Status::Error => "FAILED",
    };
    let reason = cell.reason.iter().map(|reason| format!(": {reason}")).collect::<String>();
    format!("{word:<12} {}{reason}\n", cell.id)
}

fn summary(verified: &Verification) -> String {
    let [ok, unsupported, failed] =
        [Status::Ok, Status::Unsupported, Status::Error].map(|status| verified.count(status));
    format!("{ok} verified, {unsupported} unsupported, {failed} failed\n")
}

fn exit(verified: &Verification) -> Exit {
    match (verified.complete, verified.count(Status::Error), verified.count(Status::Ok)) {
        (false, ..) => Exit::Interrupted,
        (true, 1.., _) => Exit::VerificationFailed,
        (true, 0, 0) => Exit::Nothing,
        (true, 0, 1..) => Exit::Ok,
    }
}
