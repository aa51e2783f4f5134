//! `tlspair merge`: the results or comparisons of shards put together.

use super::args::MergeArgs;
use super::comparing::Then;
use super::exporting::{exit_of, finish, finish_comparison, open_exports};
use super::progress::OnStderr;
use super::{Color, Ending, Exit};
use crate::compare::conclude;
use crate::merge::{self, Allow};
use crate::render::Report;
use crate::render::number::counted;
use crate::results::{Comparison, Document, FileKind, LoadError, Loaded};

/// Files of one kind, with their names.
enum Files {
    Results(Vec<(String, Document)>),
    Comparisons(Vec<(String, Comparison)>),
}

/// Runs the sub-command.
pub fn run(args: &MergeArgs, color: Color) -> Result<Exit, Ending> {
    let exports = open_exports(&args.export)?;
    let files = load(args)?;
    let allow = Allow { other_machines: args.force, missing: args.partial };
    let lines = OnStderr::new(args.export.quiet).lines();
    let say = |cells: usize, warnings: &[String]| {
        let (cells, files) = (counted(cells as u64, "cell"), counted(args.files.len() as u64, "file"));
        lines.note(&format!("{cells} from {files}"));
        warnings.iter().for_each(|warning| lines.warn(&format!("warning: {warning}")));
    };
    match files {
        Files::Results(_) if args.check => Err(Ending::usage(
            "--check is for comparisons, and these are results: let the shards run `compare` or `check`",
        )),
        Files::Results(files) => {
            let document = merge::results(files, allow).map_err(Ending::usage)?;
            say(document.cells.len(), &document.warnings);
            finish(&exports, color, |see| see(&Report::Cells(&document)))?;
            Ok(exit_of(&document))
        }
        Files::Comparisons(files) => {
            let mut comparison = merge::comparisons(files, allow).map_err(Ending::usage)?;
            conclude(&mut comparison);
            say(comparison.cells.len(), &comparison.warnings);
            finish_comparison(&exports, color, args.strict, &comparison)?;
            let then = if args.check { Then::Check { strict: args.strict } } else { Then::Show };
            Ok(then.exit(&comparison))
        }
    }
}

/// Reads all files, which must be of the kind that the first one is.
fn load(args: &MergeArgs) -> Result<Files, Ending> {
    let mut files = Files::Results(Vec::new());
    for (at, path) in args.files.iter().enumerate() {
        let name = path.display().to_string();
        match (Loaded::load(path).map_err(Ending::operational)?, &mut files) {
            (Loaded::Comparison(comparison), _) if at == 0 => {
                files = Files::Comparisons(vec![(name, *comparison)]);
            }
            (Loaded::Results(document), Files::Results(files)) => files.push((name, *document)),
            (Loaded::Comparison(comparison), Files::Comparisons(files)) => files.push((name, *comparison)),
            (other, Files::Comparisons(_)) => return Err(mixed(name, other.kind(), FileKind::Comparison)),
            (other, Files::Results(_)) => return Err(mixed(name, other.kind(), FileKind::Results)),
        }
    }
    Ok(files)
}

fn mixed(origin: String, found: FileKind, wanted: FileKind) -> Ending {
    Ending::usage(LoadError::OtherKind { origin, found, wanted })
}
