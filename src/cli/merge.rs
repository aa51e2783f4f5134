//! `tlspair merge`: the shards of a run, or of a comparison, put together.

use std::path::PathBuf;

use super::args::MergeArgs;
use super::comparing::{self, Then};
use super::exporting::{exit_of, finish, open_exports};
use super::progress::OnStderr;
use super::{Color, Ending, Exit};
use crate::compare::conclude;
use crate::merge::{self, Allow};
use crate::render::Report;
use crate::render::export::Exports;
use crate::render::number::counted;
use crate::results::{Comparison, Document, Loaded};

/// Runs the sub-command.
pub fn run(args: &MergeArgs, color: Color) -> Result<Exit, Ending> {
    let exports = open_exports(&args.export)?;
    let allow = Allow { other_machines: args.force, missing: args.partial };
    let merging = Merging { args, exports: &exports, color };
    match Files::load(&args.files)? {
        Files::Results(files) => {
            let document = merge::results(files, allow).map_err(Ending::usage)?;
            merging.show(&Report::Cells(&document), document.cells.len(), &document.warnings)?;
            Ok(exit_of(&document))
        }
        Files::Comparisons(files) => {
            let mut comparison = merge::comparisons(files, allow).map_err(Ending::usage)?;
            // Verdicts depend on how many loops were compared.
            conclude(&mut comparison);
            merging.show(&Report::Comparison(&comparison), comparison.cells.len(), &comparison.warnings)?;
            // A file does not tell whether `compare` or `check` made it, and no regression may go unnoticed.
            Ok(comparing::exit_of(&comparison, Then::Check { strict: false }))
        }
    }
}

/// The files to merge with their names, all of one kind.
enum Files {
    Results(Vec<(String, Document)>),
    Comparisons(Vec<(String, Comparison)>),
}

impl Files {
    fn load(paths: &[PathBuf]) -> Result<Self, Ending> {
        let (mut results, mut comparisons) = (Vec::new(), Vec::new());
        for path in paths {
            let name = path.display().to_string();
            match Loaded::load(path).map_err(Ending::operational)? {
                Loaded::Results(document) => results.push((name, *document)),
                Loaded::Comparison(comparison) => comparisons.push((name, *comparison)),
            }
        }
        match (results.first(), comparisons.first()) {
            (Some((one, _)), Some((other, _))) => Err(Ending::usage(format!(
                "{one} is a results file and {other} a comparison file; merge files of one kind"
            ))),
            (None, Some(_)) => Ok(Self::Comparisons(comparisons)),
            _ => Ok(Self::Results(results)),
        }
    }
}

/// Where what was merged goes.
struct Merging<'a> {
    args: &'a MergeArgs,
    exports: &'a Exports,
    color: Color,
}

impl Merging<'_> {
    fn show(&self, report: &Report<'_>, cells: usize, warnings: &[String]) -> Result<(), Ending> {
        let lines = OnStderr::new(self.args.export.quiet).lines();
        let (cells, files) = (counted(cells as u64, "cell"), counted(self.args.files.len() as u64, "file"));
        lines.note(&format!("{cells} from {files}"));
        warnings.iter().for_each(|warning| lines.warn(&format!("warning: {warning}")));
        finish(self.exports, self.color, |see| see(report))
    }
}
