//! Progress of a comparison on stderr, and its exports kept up to date.

use std::time::Duration;

use crate::cell::Cell;
use crate::cli::progress::{OnStderr, plan};
use crate::compare::{ContestObserver, Done, conclude};
use crate::render::export::Exports;
use crate::render::{Report, number};
use crate::results::Comparison;

/// See the module's documentation.
pub struct Watching<'a> {
    progress: OnStderr,
    exports: &'a Exports,
    said: Option<String>,
}

impl<'a> Watching<'a> {
    pub fn new(progress: OnStderr, exports: &'a Exports) -> Self {
        Self { progress, exports, said: None }
    }
}

impl ContestObserver for Watching<'_> {
    fn exploring(&mut self, number: usize, of: usize, cell: &Cell) {
        if number == 1 && !self.progress.is_drawn() {
            let cells = number::counted(of as u64, "cell");
            self.progress.lines().note(&format!("trying {cells} on both sides first"));
        }
        self.progress.show(format!("trying cell {number} of {of}: {cell}"));
    }

    fn planned(&mut self, cells: usize, loops: usize, estimate: Duration) {
        let what =
            format!("{}, {}", number::counted(cells as u64, "cell"), number::counted(loops as u64, "loop"));
        self.progress.lines().note(&plan(loops, &what, estimate));
    }

    fn checking_again(&mut self, loops: usize, estimate: Duration) {
        let what = format!("measuring {} again", number::counted(loops as u64, "suspect"));
        self.progress.lines().note(&plan(loops, &what, estimate));
    }

    fn visiting(&mut self, done: Done, left: Duration) {
        let Done { round, rounds, visits, of } = done;
        let left = number::rough_duration(left);
        if visits == 0 && !self.progress.is_drawn() {
            self.progress.lines().note(&format!("round {round} of {rounds}, {left} left"));
        }
        self.progress.show(format!("round {round} of {rounds}, loop {} of {of}, {left} left", visits + 1));
    }

    fn so_far(&mut self, comparison: &Comparison) {
        let mut comparison = comparison.clone();
        conclude(&mut comparison);
        let trouble =
            self.exports.update(&Report::Comparison(&comparison)).err().map(|error| error.to_string());
        if let Some(trouble) = trouble.as_ref().filter(|_| trouble != self.said) {
            self.progress.lines().warn(&format!("warning: {trouble}; tried again after the next round"));
        }
        self.said = trouble;
    }
}
