//! Results that grow row by row and are written after each: what `speed`, `explain` and `predict` share.

use super::args::ExportArgs;
use super::exporting::{finish, open_exports_of};
use super::interrupt::Interrupt;
use super::progress::{Lines, OnStderr, Trouble};
use super::{Color, Ending};
use crate::render::Report;
use crate::render::export::Exports;

/// Where growing results are seen.
pub struct Showing {
    /// What is said meanwhile.
    pub progress: OnStderr,
    exports: Exports,
    trouble: Trouble,
    row: &'static str,
}

impl Showing {
    /// Finds fit every place that the results of `command` go to. A `row` is what they grow by.
    pub fn begin(command: &str, row: &'static str, args: &ExportArgs) -> Result<Self, Ending> {
        let exports = open_exports_of(command, args)?;
        Ok(Self { progress: OnStderr::new(args.quiet), exports, trouble: Trouble::default(), row })
    }

    /// To say something while somebody else has the progress.
    pub fn lines(&self) -> Lines {
        self.progress.lines()
    }

    /// Says what is good to know before the first row.
    pub fn notes<'n>(&self, notes: impl IntoIterator<Item = &'n String>) {
        let lines = self.lines();
        notes.into_iter().for_each(|note| lines.note(note));
    }

    /// Writes what there is by now.
    pub fn grown(&mut self, report: &Report<'_>) {
        self.trouble.tell(self.exports.update(report), self.row, &self.progress.lines());
    }

    /// Writes the final results. From here on Ctrl-C ends the program at once.
    pub fn end(self, interrupt: &Interrupt, color: Color, report: &Report<'_>) -> Result<(), Ending> {
        drop(self.progress);
        interrupt.end_at_once();
        finish(&self.exports, color, |see| see(report))
    }
}
