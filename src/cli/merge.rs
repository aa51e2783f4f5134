//! `tlspair merge`: the results of shards put together.

use std::path::PathBuf;

use super::args::MergeArgs;
use super::exporting::{exit_of, finish, open_exports};
use super::progress::OnStderr;
use super::{Color, Ending, Exit};
use crate::merge::{self, Allow};
use crate::render::Report;
use crate::render::number::counted;
use crate::results::Document;

/// Runs the sub-command.
pub fn run(args: &MergeArgs, color: Color) -> Result<Exit, Ending> {
    let exports = open_exports(&args.export)?;
    let results = load(&args.files)?;
    let files = results.len() as u64;
    let allow = Allow { other_machines: args.force, missing: args.partial };
    let document = merge::results(results, allow).map_err(Ending::usage)?;
    let lines = OnStderr::new(args.export.quiet).lines();
    let cells = counted(document.cells.len() as u64, "cell");
    lines.note(&format!("{cells} from {}", counted(files, "file")));
    document.warnings.iter().for_each(|warning| lines.warn(&format!("warning: {warning}")));
    finish(&exports, color, |see| see(&Report::Cells(&document)))?;
    Ok(exit_of(&document))
}

/// Reads all files, which must be results.
fn load(files: &[PathBuf]) -> Result<Vec<(String, Document)>, Ending> {
    files
        .iter()
        .map(|path| {
            let document = Document::load(path).map_err(Ending::operational)?;
            Ok((path.display().to_string(), document))
        })
        .collect()
}
