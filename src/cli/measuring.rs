//! What `run` and `classic` share: exports opened first, cells measured, results written after each.

use std::time::Duration;

use super::args::ExportArgs;
use super::comparing::RoundsOnStderr;
use super::exporting::{See, exit_of, finish, open_exports};
use super::interrupt::Interrupt;
use super::progress::{Lines, OnStderr, Trouble};
use super::{Color, Ending, Exit};
use crate::baseline::{Saved, Saving};
use crate::campaign::{Campaign, Lab, Workload, harness_cost};
use crate::cell::Cell;
use crate::compare::Solo;
use crate::engine::Engines;
use crate::link::Link;
use crate::measure::{LoopKind, Stop};
use crate::render::export::{ExportError, Exports};
use crate::render::number::{count, counted};
use crate::results::{
    Arrivals, CellResult, Document, HarnessCost, PlanEntry, Shard, Status, SuiteEntry, Thresholds,
};
use crate::suite::PartialThresholds;
use crate::worker::{Build, Executable, Guest, Guests, Routes, Terms, last_core};

/// What is to be measured and shown.
pub struct Job<'a> {
    /// Where cells find their engines.
    pub engines: &'a Engines,
    /// The executables in which they find others.
    pub guests: &'a Guests,
    /// The cells of the whole plan in the order of the results.
    pub cells: &'a [Cell],
    /// Which part of the plan to measure; none for all of it.
    pub shard: Option<Shard>,
    /// What the suites say of each cell's thresholds, in the same order; empty where nobody compares.
    pub thresholds: &'a [PartialThresholds],
    /// The suites they come from.
    pub suites: &'a [SuiteEntry],
    /// Connections a loop.
    pub connections: u64,
    /// Which loops.
    pub loops: &'a [LoopKind],
    /// What each cell is put to beside its loops.
    pub workloads: &'a [Workload],
    /// The link over which answers are to arrive.
    pub link: Option<Link>,
    /// Whether all is measured in processes of its own.
    pub isolated: bool,
    /// How long such processes may be silent, and those of other executables.
    pub patience: Duration,
    /// Lines to say before anything runs.
    pub notes: &'a [String],
    /// Words that say better than one engine's why nothing runs a cell.
    pub explain: &'a dyn Fn(&Cell) -> Option<String>,
    /// How the results want to be seen: handed the document so far and who wants to see it.
    pub show: &'a dyn Fn(&Document, &mut See<'_>) -> Result<(), ExportError>,
    /// The baseline that the results become too.
    pub baseline: Option<NewBaseline<'a>>,
}

/// A baseline to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewBaseline<'a> {
    /// Where it goes.
    pub saving: &'a Saving,
    /// In how many fresh processes every loop is measured: what later comparisons rest on.
    pub rounds: u64,
    /// How long such a process may be silent.
    pub patience: Duration,
}

impl Job<'_> {
    /// Does all of it and says how the program ends.
    pub fn run(&self, args: &ExportArgs, color: Color) -> Result<Exit, Ending> {
        let exports = open_exports(args)?;
        let interrupt = Interrupt::watch()?;
        let stop = interrupt.stop();
        let mut progress = OnStderr::new(args.quiet);
        self.guests.notes().iter().chain(self.notes).for_each(|note| progress.lines().note(note));
        let begun = self.begin();
        self.shard.iter().for_each(|shard| progress.lines().note(&shard_line(*shard, &begun.plan)));
        let needs_itself = self.isolated || self.baseline.is_some();
        let itself = needs_itself.then(Executable::this_one).transpose().map_err(Ending::operational)?;
        let terms = Terms { core: None, patience: self.patience, stop };
        let mut lab = Routes::new(self.engines, self.guests, self.isolated, terms);
        let mut document = self.measure(begun, stop, &mut lab, &exports, &mut progress);
        document.complete = !stop.requested();
        if document.complete {
            document.harness = self.harness(&document);
            progress = self.add_rounds(&mut document, itself.as_ref(), stop, progress);
            document.complete = !stop.requested();
        }
        if !document.complete {
            let whole = document.cells.iter().filter(|result| self.is_whole(result)).count();
            let of = document.plan.share_size();
            progress.lines().warn(&format!("interrupted: {whole} of {of} cells measured in full"));
        }
        let saved = self.save(&document);
        self.tell_of_baseline(&saved, &progress.lines());
        drop(progress);
        interrupt.end_at_once();
        // A baseline that cannot be written must not keep the results from being shown.
        finish(&exports, color, |see| (self.show)(&document, see))?;
        saved.map_err(Ending::operational)?;
        Ok(if document.complete { exit_of(&document) } else { Exit::Interrupted })
    }

    /// The results before anything is measured. They name the engines of the whole plan, so that all shards name the
    /// same.
    fn begin(&self) -> Document {
        let is_named = |id: &str| self.cells.iter().any(|cell| cell.client == id || cell.server == id);
        let infos: Vec<_> = self.engines.infos().into_iter().filter(|info| is_named(info.id)).collect();
        let plan = PlanEntry { shard: self.shard, ..PlanEntry::whole(self.cells, self.loops) };
        let mut document =
            Document { suites: self.suites.to_vec(), link: self.link, ..Document::begin(&infos, plan) };
        for Guest { executable, hello } in self.guests.iter() {
            let theirs = hello.engines.iter().chain(&hello.other_engines);
            let is_theirs = |id: &str| is_named(id) && self.engines.named(id).is_err();
            let named: Vec<_> = theirs.filter(|engine| is_theirs(&engine.id)).collect();
            if let Some(difference) = Build::this_one().difference(&hello.build).filter(|_| !named.is_empty())
            {
                document.warnings.push(format!("{} was compiled with {difference}", executable.name));
            }
            document.engines.extend(named.into_iter().cloned());
        }
        document
    }

    /// Measures the cells of the shard. A file that cannot be written meanwhile does not end the run, because what is
    /// measured can still be shown, and written once the disk has room again.
    fn measure(
        &self,
        begun: Document,
        stop: Stop<'_>,
        lab: &mut dyn Lab,
        exports: &Exports,
        progress: &mut OnStderr,
    ) -> Document {
        let mut document = begun;
        let cells = document.plan.share(self.cells.iter().cloned());
        let thresholds = document.plan.share(self.thresholds.iter().copied());
        if cells.is_empty() {
            return document;
        }
        let Self { connections, loops, .. } = *self;
        let campaign = Campaign { cells: &cells, connections, loops, workloads: self.workloads, stop };
        let lines = progress.lines();
        let mut trouble = Trouble::default();
        campaign.run(lab, progress, |place, mut result| {
            let by_suite = thresholds.get(place.number - 1);
            result.arrivals = self.link.map(|link| Arrivals::of(&link, &result));
            result.thresholds = by_suite.map(|by_suite| Thresholds::of(*by_suite, place.cell));
            document.cells.push(self.explained(place.cell, result));
            let exported = (self.show)(&document, &mut |report| exports.update(report));
            let written = self.save(&document).and(exported);
            trouble.tell(written, "cell", &lines);
        });
        document
    }

    /// Measures every loop once more in fresh processes, if the results are to become a baseline.
    fn add_rounds(
        &self,
        document: &mut Document,
        itself: Option<&Executable>,
        stop: Stop<'_>,
        progress: OnStderr,
    ) -> OnStderr {
        let (Some(NewBaseline { rounds, patience, .. }), Some(itself)) = (self.baseline, itself) else {
            return progress;
        };
        let ran = |cell: &&Cell| document.cell(&cell.id()).is_some_and(|result| result.status == Status::Ok);
        let cells: Vec<&Cell> = self.cells.iter().filter(ran).collect();
        let terms = Terms { core: last_core(), patience, stop };
        let solo = Solo { executable: itself, loops: self.loops, rounds, seed: document.plan.cells, terms };
        let mut observer = RoundsOnStderr(progress);
        for (cell, measured) in cells.iter().zip(solo.measure(&cells, &mut observer)) {
            let Some(result) = document.cells.iter_mut().find(|result| result.id == cell.id()) else {
                continue;
            };
            for (kind, times) in measured.loops {
                if let Some(timed) = result.loops.of_mut(kind) {
                    timed.rounds = times;
                }
            }
            if let Err(why) = measured.counted {
                document.warnings.extend(why.reason().map(|reason| format!("rounds of {cell}: {reason}")));
            }
        }
        observer.0
    }

    /// Brings the baseline up to date, if there is to be one.
    fn save(&self, document: &Document) -> Result<Option<Saved>, ExportError> {
        Ok(self.baseline.map(|baseline| baseline.saving.write(document)).transpose()?)
    }

    fn tell_of_baseline(&self, saved: &Result<Option<Saved>, ExportError>, lines: &Lines) {
        let (Some(baseline), Ok(Some(saved))) = (self.baseline, saved) else { return };
        let name = baseline.saving.name();
        match saved {
            Saved::Written => lines.note(&format!("results kept as baseline {name}")),
            Saved::Kept => lines.warn(&format!(
                "baseline {name} stays as it was: an interrupted run does not replace a complete baseline"
            )),
        }
    }

    fn explained(&self, cell: &Cell, mut result: CellResult) -> CellResult {
        if result.status == Status::Unsupported {
            result.reason = (self.explain)(cell).or(result.reason);
        }
        result
    }

    fn is_whole(&self, result: &CellResult) -> bool {
        let connections = |kind| result.loops.of(kind).map(|run| run.connections);
        self.loops.iter().all(|&kind| connections(kind) == Some(self.connections))
    }

    /// What the harness costs in cells shaped like the cheapest one measured.
    fn harness(&self, document: &Document) -> Option<Vec<HarnessCost>> {
        let cheapest = document
            .cells
            .iter()
            .filter_map(|result| {
                let fastest = self.loops.iter().filter_map(|&kind| result.loops.of(kind));
                let ns = fastest.map(|run| run.per_connection_ns.median).min_by(f64::total_cmp)?;
                Some((ns, self.cells.iter().find(|cell| cell.id() == result.id)?))
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))?;
        let costs = self.loops.iter().filter_map(|&kind| {
            let timed = harness_cost(cheapest.1, kind).ok()?;
            HarnessCost::of(cheapest.1, kind, &timed)
        });
        Some(costs.collect())
    }
}

/// What a shard has to do, in one line.
fn shard_line(shard: Shard, plan: &PlanEntry) -> String {
    let of = counted(plan.cells, "cell");
    match plan.share_size() {
        0 => format!("shard {shard} is empty, because the whole plan has only {of}: nothing is measured"),
        share => format!("shard {shard}: {} of {of}", count(share)),
    }
}
