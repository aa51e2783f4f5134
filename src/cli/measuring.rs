//! What `run` and `classic` share: exports opened first, cells measured, results written after each.

use super::args::ExportArgs;
use super::exporting::{See, exit_of, finish, open_exports};
use super::interrupt::Interrupt;
use super::progress::OnStderr;
use super::{Color, Ending, Exit};
use crate::baseline::Saving;
use crate::campaign::{Campaign, Measurement, NoNumbers, harness_cost};
use crate::cell::Cell;
use crate::engine::Engines;
use crate::measure::{LoopKind, Stop};
use crate::render::export::{ExportError, Exports};
use crate::render::number::{count, counted};
use crate::results::{CellResult, Document, HarnessCost, PlanEntry, Shard, SuiteEntry};

/// What is to be measured and shown.
pub struct Job<'a> {
    /// Where cells find their engines.
    pub engines: &'a Engines,
    /// The cells of the whole plan in the order of the results.
    pub cells: &'a [Cell],
    /// Which part of the plan to measure; none for all of it.
    pub shard: Option<Shard>,
    /// The suites they come from.
    pub suites: &'a [SuiteEntry],
    /// Connections a loop.
    pub connections: u64,
    /// Which loops.
    pub loops: &'a [LoopKind],
    /// Lines to say before anything runs.
    pub notes: &'a [String],
    /// Words that say better than one engine's why nothing runs a cell.
    pub explain: &'a dyn Fn(&Cell) -> Option<String>,
    /// How the results want to be seen: handed the document so far and who wants to see it.
    pub show: &'a dyn Fn(&Document, &mut See<'_>) -> Result<(), ExportError>,
    /// The baseline that the results become too.
    pub baseline: Option<&'a Saving>,
}

impl Job<'_> {
    /// Does all of it and says how the program ends.
    pub fn run(&self, args: &ExportArgs, color: Color) -> Result<Exit, Ending> {
        let exports = open_exports(args)?;
        let interrupt = Interrupt::watch()?;
        let stop = interrupt.stop();
        let mut progress = OnStderr::new(args.quiet);
        self.notes.iter().for_each(|note| progress.lines().note(note));
        let begun = self.begin();
        let cells = begun.plan.share(self.cells.iter().cloned());
        self.shard.iter().for_each(|shard| progress.lines().note(&shard_line(*shard, &begun.plan)));
        let mut document = self.measure(begun, &cells, stop, &exports, &mut progress);
        document.complete = !stop.requested();
        if document.complete {
            document.harness = self.harness(&document);
        } else {
            let whole = document.cells.iter().filter(|result| self.is_whole(result)).count();
            let of = cells.len();
            progress.lines().warn(&format!("interrupted: {whole} of {of} cells measured in full"));
        }
        drop(progress);
        interrupt.end_at_once();
        self.finish(&document, &exports, color)?;
        Ok(if document.complete { exit_of(&document) } else { Exit::Interrupted })
    }

    /// The results before anything is measured. They name the engines of the whole plan, so that all shards name the
    /// same.
    fn begin(&self) -> Document {
        let infos: Vec<_> = self
            .engines
            .infos()
            .into_iter()
            .filter(|info| self.cells.iter().any(|cell| cell.client == info.id || cell.server == info.id))
            .collect();
        let plan = PlanEntry { shard: self.shard, ..PlanEntry::whole(self.cells, self.loops) };
        Document { suites: self.suites.to_vec(), ..Document::begin(&infos, plan) }
    }

    /// Measures cells. A file that cannot be written meanwhile does not end the run, because what is measured can
    /// still be shown, and written once the disk has room again.
    fn measure(
        &self,
        begun: Document,
        cells: &[Cell],
        stop: Stop<'_>,
        exports: &Exports,
        progress: &mut OnStderr,
    ) -> Document {
        let mut document = begun;
        if cells.is_empty() {
            return document;
        }
        let Self { engines, connections, loops, .. } = *self;
        let campaign = Campaign { engines, cells, connections, loops, stop };
        let lines = progress.lines();
        let mut said = None;
        campaign.run(progress, |cell, outcome| {
            document.cells.extend(CellResult::of(cell, &self.explained(cell, outcome)));
            let written =
                (self.show)(&document, &mut |report| exports.update(report)).and(self.save(&document));
            let trouble = written.err().map(|error| error.to_string());
            if let Some(trouble) = trouble.as_ref().filter(|_| trouble != said) {
                lines.warn(&format!("warning: {trouble}; tried again after the next cell"));
            }
            said = trouble;
        });
        document
    }

    /// Brings the baseline up to date.
    fn save(&self, document: &Document) -> Result<(), ExportError> {
        self.baseline.map(|baseline| baseline.write(document)).transpose()?;
        Ok(())
    }

    fn explained(
        &self,
        cell: &Cell,
        outcome: Result<Measurement, NoNumbers>,
    ) -> Result<Measurement, NoNumbers> {
        outcome.map_err(|why| match why {
            NoNumbers::Unsupported(reason) => NoNumbers::Unsupported((self.explain)(cell).unwrap_or(reason)),
            other => other,
        })
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

    fn finish(&self, document: &Document, exports: &Exports, color: Color) -> Result<(), Ending> {
        // A baseline that cannot be written must not keep the results from being shown.
        let saved = self.save(document);
        finish(exports, color, |see| (self.show)(document, see))?;
        saved.map_err(Ending::operational)
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
