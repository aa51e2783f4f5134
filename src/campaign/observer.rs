//! What happens while cells run, told to whoever shows it.

use std::time::Duration;

use crate::cell::Cell;
use crate::measure::LoopKind;
use crate::results::CellResult;

/// Where in the plan a cell stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// 1 for the first.
    pub number: usize,
    /// Cells in all.
    pub of: usize,
    /// The cell.
    pub cell: &'a Cell,
}

/// Told of progress, outside all timers. By default nothing is done with it.
pub trait Observer {
    /// The cells are being tried once each, before anything is measured.
    fn trying(&mut self, place: Place<'_>) {
        _ = place;
    }

    /// All cells were tried: `runnable` of them can be measured, in about `estimate`. Not told if stopped before.
    fn planned(&mut self, runnable: usize, estimate: Duration) {
        _ = (runnable, estimate);
    }

    /// A cell's loop is so far.
    fn progress(&mut self, place: Place<'_>, progress: Progress) {
        _ = (place, progress);
    }

    /// A cell has been measured, or has no numbers. Not told of cells that were not reached.
    fn finished(&mut self, place: Place<'_>, result: &CellResult) {
        _ = (place, result);
    }
}

/// How far a loop has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Which loop.
    pub kind: LoopKind,
    /// Connections so far.
    pub done: u64,
    /// Connections in all.
    pub connections: u64,
    /// Mean time of a connection so far.
    pub per_connection: Duration,
    /// What all that is still to do will take: this loop, the cell's other one, and the cells to come.
    pub left: Duration,
}

/// Shows nothing.
#[derive(Debug)]
pub struct Silent;

impl Observer for Silent {}
