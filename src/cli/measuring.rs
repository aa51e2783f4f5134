//! What `run` and `classic` share: exports opened first, cells measured, results written after each.

use std::io::{Write, stdout};

use super::args::ExportArgs;
use super::github;
use super::interrupt::Interrupt;
use super::output::write_failed;
use super::progress::OnStderr;
use super::{Color, Ending, Exit};
use crate::campaign::{Campaign, Measurement, NoNumbers, harness_cost};
use crate::cell::Cell;
use crate::engine::Engines;
use crate::measure::{LoopKind, Stop};
use crate::render::export::{ExportError, ExportSpec, Exports};
use crate::render::{Report, Style, write_text};
use crate::results::{CellResult, Document, HarnessCost, Status, SuiteEntry};

/// What is to be measured and shown.
pub struct Job<'a> {
    /// Where cells find their engines.
    pub engines: &'a Engines,
    /// The cells in the order of the results.
    pub cells: &'a [Cell],
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
}

/// Who wants to see results.
pub type See<'a> = dyn FnMut(&Report<'_>) -> Result<(), ExportError> + 'a;

impl Job<'_> {
    /// Does all of it and says how the program ends.
    pub fn run(&self, args: &ExportArgs, color: Color) -> Result<Exit, Ending> {
        let exports = open_exports(args)?;
        let interrupt = Interrupt::watch()?;
        let stop = interrupt.stop();
        let mut progress = OnStderr::new(args.quiet);
        self.notes.iter().for_each(|note| progress.lines().note(note));
        let mut document = self.measure(stop, &exports, &mut progress);
        document.complete = !stop.requested();
        if document.complete {
            document.harness = self.harness(&document);
        } else {
            let whole = document.cells.iter().filter(|result| self.is_whole(result)).count();
            let of = self.cells.len();
            progress.lines().warn(&format!("interrupted: {whole} of {of} cells measured in full"));
        }
        drop(progress);
        interrupt.end_at_once();
        self.finish(&document, &exports, color)?;
        Ok(if document.complete { exit_of(&document) } else { Exit::Interrupted })
    }

    /// Measures all cells. A file that cannot be written meanwhile does not end the run, because what is measured can
    /// still be shown, and written once the disk has room again.
    fn measure(&self, stop: Stop<'_>, exports: &Exports, progress: &mut OnStderr) -> Document {
        let Self { engines, cells, connections, loops, .. } = *self;
        let infos: Vec<_> = engines
            .infos()
            .into_iter()
            .filter(|info| cells.iter().any(|cell| cell.client == info.id || cell.server == info.id))
            .collect();
        let mut document = Document { suites: self.suites.to_vec(), ..Document::begin(&infos) };
        let campaign = Campaign { engines, cells, connections, loops, stop };
        let lines = progress.lines();
        let mut said = None;
        campaign.run(progress, |cell, outcome| {
            document.cells.extend(CellResult::of(cell, &self.explained(cell, outcome)));
            let written = (self.show)(&document, &mut |report| exports.update(report));
            let trouble = written.err().map(|error| error.to_string());
            if let Some(trouble) = trouble.as_ref().filter(|_| trouble != said) {
                lines.warn(&format!("warning: {trouble}; tried again after the next cell"));
            }
            said = trouble;
        });
        document
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
        let mut out = stdout().lock();
        let style = Style { color: color.on_stdout(), ..Style::for_stdout() };
        let finished = (self.show)(document, &mut |report| {
            // A table that cannot be printed must not keep the files from being written.
            let table = if exports.takes_stdout() {
                Ok(())
            } else {
                write_text(report, style, &mut out).and_then(|()| out.flush())
            };
            let exported = exports.finish(report, &mut out);
            github::tell(report, NOT_STRICT);
            exported.and(table.map_err(ExportError::Stdout))
        });
        match finished {
            Err(ExportError::Stdout(failure)) => write_failed(&failure).map_or(Ok(()), Err),
            other => other.map_err(Ending::operational),
        }
    }
}

/// What `run` and `classic` measure is compared with nothing, so that nothing can be inconclusive.
const NOT_STRICT: bool = false;

fn open_exports(args: &ExportArgs) -> Result<Exports, Ending> {
    let shorthand = args.json.then_some("json=-");
    let specs: Vec<ExportSpec> = args
        .exports
        .iter()
        .map(String::as_str)
        .chain(shorthand)
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(Ending::usage)?;
    Exports::open(&specs).map_err(|error| match error {
        ExportError::Sink(_) | ExportError::Stdout(_) => Ending::operational(error),
        ExportError::StdoutTwice { .. } | ExportError::SameFile(..) => Ending::usage(error),
    })
}

/// A failed cell is an error of the run; what no engine supports is not, unless there is nothing else.
fn exit_of(document: &Document) -> Exit {
    let has = |status| document.cells.iter().any(|cell| cell.status == status);
    if has(Status::Error) {
        Exit::Operational
    } else if has(Status::Ok) {
        Exit::Ok
    } else {
        Exit::Nothing
    }
}
