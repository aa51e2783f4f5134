//! `tlspair explain`: where the time of a cell's connections goes.

use std::time::Duration;

use clap::Args;

use super::args::{ExportArgs, WorkerArgs};
use super::cells::CellArgs;
use super::interrupt::Interrupt;
use super::selection::Selection;
use super::showing::Showing;
use super::with::WithArgs;
use super::{Color, Ending, Exit};
use crate::campaign::{Explaining, Observer, Place, Pricing};
use crate::engine::Engines;
use crate::render::Report;
use crate::results::{Explanation, disturbance};
use crate::worker::{Routes, Terms};

/// `tlspair explain`.
#[derive(Args, Debug)]
pub struct ExplainArgs {
    /// Which cells.
    #[command(flatten)]
    pub cells: CellArgs,
    /// Connections that each loop times.
    #[arg(short, long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub num: u64,
    /// How long each primitive is timed, in milliseconds.
    #[arg(long, value_name = "MS", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub time: u64,
    /// Whose engines, beside those of this executable.
    #[command(flatten)]
    pub with: WithArgs,
    /// How long to wait for processes.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// Where results go beside the table.
    #[command(flatten)]
    pub export: ExportArgs,
}

/// Runs the sub-command.
pub fn run(engines: &Engines, args: &ExplainArgs, color: Color) -> Result<Exit, Ending> {
    let guests = args.with.guests(engines, args.worker)?;
    let selection = Selection::of(guests.names(engines), &args.cells, color)?;
    let mut showing = Showing::begin("explain", "cell", &args.export)?;
    let interrupt = Interrupt::watch()?;
    let stop = interrupt.stop();
    showing.notes(guests.notes().iter().chain(&selection.notes));
    let terms = Terms { core: None, patience: args.worker.patience(), stop };
    let mut lab = Routes::new(engines, &guests, false, terms);
    let (connections, time) = (args.num, Duration::from_millis(args.time));
    let explaining = Explaining { connections, time, pricing: Pricing::InTurn, stop };
    let is_named = |id: &str| selection.cells.iter().any(|cell| cell.client == id || cell.server == id);
    let ids: Vec<String> = guests.tls_ids(engines).into_iter().filter(|id| is_named(id)).collect();
    let mut document = Explanation::begin(guests.entries(engines, &ids));
    for (at, cell) in selection.cells.iter().enumerate() {
        if stop.requested() {
            break;
        }
        showing.progress.trying(Place { number: at + 1, of: selection.cells.len(), cell });
        document.cells.extend(explaining.explain(&mut lab, cell));
        showing.grown(&Report::Explanation(&document));
    }
    document.complete = !stop.requested();
    let spreads: Vec<f64> = document.cells.iter().filter_map(|cell| cell.rounds_spread).collect();
    document.warnings.extend(disturbance(&spreads));
    showing.end(&interrupt, color, &Report::Explanation(&document))?;
    Ok(Exit::of_rows(document.complete, document.cells.iter().map(|cell| cell.status)))
}
