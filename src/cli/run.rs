//! `tlspair run`: the cells of suites, or those that the flags describe.

use super::args::{Loops, RunArgs, WorkloadArgs};
use super::measuring::{Job, NewBaseline};
use super::selection::Selection;
use super::{Color, Ending, Exit};
use crate::baseline::{BaselineName, Baselines, Saving};
use crate::campaign::Workload;
use crate::engine::Engines;
use crate::measure::LoopKind;
use crate::render::Report;

/// Connections a loop where nobody says otherwise: the loops of 1997.
pub const DEFAULT_CONNECTIONS: u64 = 1000;

/// Runs the sub-command.
pub fn run(engines: &Engines, args: &RunArgs, color: Color) -> Result<Exit, Ending> {
    if args.save_baseline.is_some() && !args.with.with.is_empty() {
        return Err(Ending::usage(
            "--save-baseline does not go with --with: a baseline is of one executable, whose processes it measures in rounds",
        ));
    }
    let guests = args.with.guests(engines, args.worker)?;
    let selection = Selection::of(guests.names(engines), &args.cells, color)?;
    let asked = if args.reuse { Some(Loops::Reuse) } else { args.loops };
    let loops = Loops::or_of_suites(asked, selection.loops);
    let connections = args.num.or(selection.connections).unwrap_or(DEFAULT_CONNECTIONS);
    let baseline = args.save_baseline.as_ref().map(open_baseline).transpose()?;
    Job {
        engines,
        guests: &guests,
        cells: &selection.cells,
        shard: args.shard.shard,
        thresholds: &selection.thresholds,
        suites: &selection.suites,
        connections,
        loops: &loops,
        workloads: &workloads(&args.workloads, &loops, connections),
        link: args.link.link(),
        isolated: args.isolate,
        patience: args.worker.patience(),
        notes: &selection.notes,
        explain: &|_| None,
        show: &|document, see| see(&Report::Cells(document)),
        baseline: baseline.as_ref().map(|saving| NewBaseline {
            saving,
            rounds: args.rounds,
            patience: args.worker.patience(),
        }),
    }
    .run(&args.export, color)
}

/// What the flags ask for beside the loops.
fn workloads(args: &WorkloadArgs, loops: &[LoopKind], connections: u64) -> Vec<Workload> {
    let open = args.open.map(|connections| Workload::Open { connections });
    let threads = args.threads.into_iter().flat_map(|threads| {
        let contexts = args.contexts.into();
        loops.iter().map(move |&kind| Workload::Threads { kind, connections, threads, contexts })
    });
    open.into_iter().chain(threads).collect()
}

fn open_baseline(name: &BaselineName) -> Result<Saving, Ending> {
    let saving = Baselines::open().and_then(|baselines| baselines.saving(name));
    saving.map_err(Ending::baseline)
}
