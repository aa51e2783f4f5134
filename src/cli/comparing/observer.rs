//! Progress of a comparison on stderr, and its exports kept up to date.

use std::time::Duration;

use crate::cell::Cell;
use crate::cli::progress::{Lines, OnStderr, Trouble, plan};
use crate::compare::{ContestObserver, Done, conclude};
use crate::render::export::Exports;
use crate::render::{Report, number};
use crate::results::Comparison;

/// Progress of rounds on stderr.
pub struct RoundsOnStderr(pub OnStderr);

impl RoundsOnStderr {
    /// A cell is being tried before the rounds, 1 for the first. `about` comes first in the line.
    pub fn trying(&self, about: &str, number: usize, of: usize, cell: &Cell) {
        if number == 1 && !self.0.is_drawn() {
            let cells = number::counted(of as u64, "cell");
            self.0.lines().note(&format!("{about}trying {cells} first"));
        }
        self.0.show(format!("{about}trying cell {number} of {of}: {cell}"));
    }

    /// A loop is being visited.
    pub fn visit(&self, about: &str, done: Done, left: Duration) {
        let Done { round, rounds, visits, of } = done;
        let left = number::rough_duration(left);
        if visits == 0 && !self.0.is_drawn() {
            self.0.lines().note(&format!("{about}round {round} of {rounds}, {left} left"));
        }
        self.0.show(format!("{about}round {round} of {rounds}, loop {} of {of}, {left} left", visits + 1));
    }
}

impl ContestObserver for RoundsOnStderr {
    fn exploring(&mut self, number: usize, of: usize, cell: &Cell) {
        self.trying("", number, of, cell);
    }

    fn planned(&mut self, cells: usize, loops: usize, estimate: Duration) {
        let what =
            format!("{}, {}", number::counted(cells as u64, "cell"), number::counted(loops as u64, "loop"));
        self.0.lines().note(&plan(loops, &what, estimate));
    }

    fn visiting(&mut self, done: Done, left: Duration) {
        self.visit("", done, left);
    }
}

/// See the module's documentation.
pub struct Watching<'a> {
    rounds: RoundsOnStderr,
    exports: &'a Exports,
    trouble: Trouble,
}

impl<'a> Watching<'a> {
    pub fn new(progress: OnStderr, exports: &'a Exports) -> Self {
        Self { rounds: RoundsOnStderr(progress), exports, trouble: Trouble::default() }
    }

    fn lines(&self) -> Lines {
        self.rounds.0.lines()
    }
}

impl ContestObserver for Watching<'_> {
    fn exploring(&mut self, number: usize, of: usize, cell: &Cell) {
        self.rounds.exploring(number, of, cell);
    }

    fn planned(&mut self, cells: usize, loops: usize, estimate: Duration) {
        self.rounds.planned(cells, loops, estimate);
    }

    fn checking_again(&mut self, loops: usize, estimate: Duration) {
        let what = format!("measuring {} again", number::counted(loops as u64, "suspect"));
        self.lines().note(&plan(loops, &what, estimate));
    }

    fn visiting(&mut self, done: Done, left: Duration) {
        self.rounds.visiting(done, left);
    }

    fn counting(&mut self, number: usize, of: usize, left: Option<Duration>) {
        let left = left.map_or_else(String::new, |left| format!(", {} left", number::rough_duration(left)));
        if number == 1 && !self.rounds.0.is_drawn() {
            let loops = number::counted(of as u64, "loop");
            self.lines().note(&format!("counting the instructions of {loops}, some seconds each"));
        }
        self.rounds.0.show(format!("counting instructions, loop {number} of {of}{left}"));
    }

    fn so_far(&mut self, comparison: &Comparison) {
        let mut comparison = comparison.clone();
        conclude(&mut comparison);
        let written = self.exports.update(&Report::Comparison(&comparison));
        let lines = self.lines();
        self.trouble.tell(written, "round", &lines);
    }
}
