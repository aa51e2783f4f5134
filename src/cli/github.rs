//! What a GitHub workflow gets to see beside the report: a summary of the step, and annotations. Elsewhere, nothing.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write, stderr};
use std::path::Path;

use crate::render::github::{SUMMARY_LIMIT, annotations};
use crate::render::{Report, write_markdown};

/// Appends the report to the step's summary and prints annotations, as far as the environment says that this is a
/// GitHub workflow. Nothing of it can fail the program: what goes wrong is a warning.
///
/// If `strict`, what is inconclusive is annotated too. Annotations go to stderr, where GitHub looks for them as well,
/// because stdout carries results only.
pub fn tell(report: &Report<'_>, strict: bool) {
    let mut err = stderr().lock();
    if let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) {
        let path = Path::new(&path);
        if let Err(failure) = append_summary(report, path) {
            let place = path.display();
            // Nobody is left to tell if this fails.
            writeln!(err, "warning: cannot append to the step summary {place}: {failure}").ok();
        }
    }
    if env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true") {
        for annotation in annotations(report, strict) {
            writeln!(err, "{annotation}").ok(); // as above
        }
    }
}

/// A summary beyond GitHub's limit would make the whole step's summary vanish.
fn append_summary(report: &Report<'_>, path: &Path) -> io::Result<()> {
    let mut markdown = Vec::new();
    write_markdown(report, &mut markdown)?;
    markdown.push(b'\n');
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    let there = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
    if markdown.len().saturating_add(there) > SUMMARY_LIMIT {
        let size = markdown.len();
        return Err(io::Error::other(format!(
            "the table has {size} bytes, and GitHub takes {SUMMARY_LIMIT} of a step; export md=FILE instead"
        )));
    }
    file.write_all(&markdown)
}
