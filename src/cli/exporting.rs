//! What all that show results share: exports opened first, the table on stdout unless an export goes there.

use std::io::{self, StdoutLock, Write, stdout};

use super::args::ExportArgs;
use super::github;
use super::output::write_failed;
use super::{Color, Ending, Exit};
use crate::render::export::{ExportError, ExportSpec, Exports};
use crate::render::{Report, Style, write_selftest, write_text};
use crate::results::{Comparison, Document, Status, write_json};
use crate::selftest::SelftestReport;

/// Who wants to see results.
pub type See<'a> = dyn FnMut(&Report<'_>) -> Result<(), ExportError> + 'a;

/// Finds every place fit that the exports go to.
pub fn open_exports(args: &ExportArgs) -> Result<Exports, Ending> {
    open_exports_of("", args)
}

/// The same for the results of one sub-command, which some formats hold alone.
pub fn open_exports_of(command: &str, args: &ExportArgs) -> Result<Exports, Ending> {
    let shorthand = args.json.then_some("json=-");
    let specs: Vec<ExportSpec> = args
        .exports
        .iter()
        .map(String::as_str)
        .chain(shorthand)
        .map(str::parse)
        .collect::<Result<_, _>>()
        .map_err(Ending::usage)?;
    for spec in &specs {
        if let Some(only) = spec.exporter.only_of().filter(|only| *only != command) {
            let name = spec.exporter.name();
            return Err(Ending::usage(format!(
                "--export {spec}: {name} is a format of `tlspair {only}` alone"
            )));
        }
    }
    Exports::open(&specs).map_err(|error| match error {
        ExportError::Sink(_) | ExportError::Stdout(_) => Ending::operational(error),
        ExportError::StdoutTwice { .. } | ExportError::SameFile(..) => Ending::usage(error),
    })
}

/// Writes final results everywhere; `show` hands the report to who wants to see it.
pub fn finish(
    exports: &Exports,
    color: Color,
    show: impl FnOnce(&mut See<'_>) -> Result<(), ExportError>,
) -> Result<(), Ending> {
    // Results that are compared with nothing leave no question open.
    finish_with(exports, color, false, show)
}

/// Writes a comparison everywhere. If `strict`, an open question is something to point out.
pub fn finish_comparison(
    exports: &Exports,
    color: Color,
    strict: bool,
    comparison: &Comparison,
) -> Result<(), Ending> {
    finish_with(exports, color, strict, |see| see(&Report::Comparison(comparison)))
}

/// Writes a self-test everywhere; its only format is JSON.
pub fn finish_selftest(exports: &Exports, color: Color, report: &SelftestReport) -> Result<(), Ending> {
    let table = |out: &mut StdoutLock<'_>| write_selftest(report, style(color), out);
    let export = |out: &mut StdoutLock<'_>| exports.finish_by(|_, out| write_json(report, out), out);
    told(both(exports, &mut stdout().lock(), table, export))
}

fn finish_with(
    exports: &Exports,
    color: Color,
    strict: bool,
    show: impl FnOnce(&mut See<'_>) -> Result<(), ExportError>,
) -> Result<(), Ending> {
    let mut out = stdout().lock();
    let style = style(color);
    told(show(&mut |report| {
        let table = |out: &mut StdoutLock<'_>| write_text(report, style, out);
        let finished = both(exports, &mut out, table, |out| exports.finish(report, out));
        github::tell(report, strict);
        finished
    }))
}

fn style(color: Color) -> Style {
    Style { color: color.on_stdout(), ..Style::for_stdout() }
}

/// The table, unless an export takes standard output, and the exports.
fn both<'a>(
    exports: &Exports,
    out: &mut StdoutLock<'a>,
    table: impl FnOnce(&mut StdoutLock<'a>) -> io::Result<()>,
    export: impl FnOnce(&mut StdoutLock<'a>) -> Result<(), ExportError>,
) -> Result<(), ExportError> {
    // A table that cannot be printed must not keep the files from being written.
    let printed = if exports.takes_stdout() { Ok(()) } else { table(out).and_then(|()| out.flush()) };
    export(out).and(printed.map_err(ExportError::Stdout))
}

fn told(finished: Result<(), ExportError>) -> Result<(), Ending> {
    match finished {
        Err(ExportError::Stdout(failure)) => write_failed(&failure).map_or(Ok(()), Err),
        other => other.map_err(Ending::operational),
    }
}

/// A failed cell is an error of the run; what no engine supports is not, unless there is nothing else. Whether there is,
/// a shard cannot know.
pub fn exit_of(document: &Document) -> Exit {
    let has = |status| document.cells.iter().any(|cell| cell.status == status);
    let mut workloads = document.cells.iter().flat_map(|cell| &cell.workloads);
    if has(Status::Error) || workloads.any(|workload| workload.failed) {
        Exit::Operational
    } else if has(Status::Ok) || document.plan.shard.is_some() {
        Exit::Ok
    } else {
        Exit::Nothing
    }
}
