//! Before the rounds: what each side can run of the cells, what can be counted without a clock, and how many
//! connections a batch needs.

use std::time::{Duration, Instant};

use super::rounds::{Entry, EntrySide};
use crate::campaign::NoNumbers;
use crate::cell::Cell;
use crate::measure::LoopKind;
use crate::results::{
    CellComparison, CellResult, Comparability, Counted, CountedSide, Dims, LoopComparisons, Thresholds,
};
use crate::worker::{Executable, Post, Reply, Request, Terms, allowance};

/// What a batch should take. The batches of a visit are cut short rather than the rounds, because rounds are what makes
/// a result sure; below a few milliseconds the hand-over between the processes would show.
const BATCH: Duration = Duration::from_millis(3);
/// Connections before a side's first clock reading.
const WARM_UP: u64 = 3;

/// Explores one side by workers of its own.
#[derive(Debug)]
pub(super) struct Explorer<'a>(Post<'a>);

/// What a loop takes on one side.
#[derive(Clone, Copy, Debug)]
struct Calibration {
    open: Duration,
    /// Wall-clock time, by which batches are made up and the time left is told.
    connection: Duration,
    /// CPU time, which decides and which a slowdown is therefore a part of.
    connection_cpu: Duration,
}

impl<'a> Explorer<'a> {
    pub(super) fn new(executable: &Executable, terms: Terms<'a>) -> Self {
        Self(Post::vacant(executable, terms))
    }

    /// Counts what needs no clock.
    pub(super) fn count(&mut self, cell: &Cell) -> Result<CountedSide, NoNumbers> {
        match self.0.ask(&Request::Try { dims: Dims::from(cell) }, allowance(cell))? {
            Reply::Tried(tried) if tried.is_of(cell) => {
                let CellResult { negotiated, wire, heap, .. } = tried.result;
                Ok(CountedSide { negotiated, wire, heap })
            }
            other => Err(self.0.nonsense(&other)),
        }
    }

    /// Finds out what a connection of a loop takes: one by itself, then as many as fill a batch.
    fn calibrate(&mut self, cell: &Cell, kind: LoopKind) -> Result<Calibration, NoNumbers> {
        let expected = allowance(cell);
        let started = Instant::now();
        let request = Request::Open { dims: Dims::from(cell), kind, warm_up: WARM_UP, burden_ns: 0 };
        match self.0.ask(&request, expected)? {
            Reply::Opened => {}
            other => return Err(self.0.nonsense(&other)),
        }
        let opened = started.elapsed();
        let (alone, _) = self.connection_times(1, expected)?;
        let (connection, connection_cpu) = self.connection_times(batch_of(alone), expected)?;
        let open = opened.saturating_sub(connection * WARM_UP as u32);
        Ok(Calibration { open, connection, connection_cpu })
    }

    /// Wall-clock and CPU time of a connection.
    fn connection_times(
        &mut self,
        connections: u64,
        expected: Duration,
    ) -> Result<(Duration, Duration), NoNumbers> {
        /// What is reckoned with at most: a worker may say anything, and plans must not overflow.
        const LONGEST: Duration = Duration::from_secs(3600);
        match self.0.ask(&Request::Batch { connections }, expected)? {
            Reply::Batch(times) if times.connections == connections => {
                let of_one = |ns| Duration::from_nanos(ns / connections).min(LONGEST);
                Ok((of_one(times.wall_ns), of_one(times.cpu_ns)))
            }
            Reply::Batch(_) => Err(self.0.cut_short()),
            other => Err(self.0.nonsense(&other)),
        }
    }
}

/// As many connections as fill a batch, one at least.
fn batch_of(connection: Duration) -> u64 {
    let ratio = BATCH.as_secs_f64() / connection.as_secs_f64().max(1e-9);
    (ratio.round() as u64).max(1)
}

/// The entry of one loop: calibrated on OLD, the first of `sides`, so that all sides run the same number of connections.
/// `burden` is the part of a connection's time by which the last side is slowed down.
pub(super) fn entry(
    explorers: &mut [Explorer<'_>],
    cells: &[&Cell],
    kind: LoopKind,
    burden: f64,
) -> Result<Entry, NoNumbers> {
    let calibrations: Vec<Calibration> = explorers
        .iter_mut()
        .zip(cells)
        .map(|(explorer, cell)| explorer.calibrate(cell, kind))
        .collect::<Result<_, _>>()?;
    let batch = batch_of(calibrations[0].connection);
    let last = calibrations.len() - 1;
    let sides = calibrations.iter().zip(cells).enumerate().map(|(at, (calibration, cell))| {
        let burden = if at == last { calibrations[0].connection_cpu.mul_f64(burden) } else { Duration::ZERO };
        EntrySide {
            dims: Dims::from(*cell),
            burden_ns: burden.as_nanos() as u64,
            batch_time: (calibration.connection + burden) * u32::try_from(batch).unwrap_or(u32::MAX),
            open_time: calibration.open,
        }
    });
    Ok(Entry { kind, batch, sides: sides.collect() })
}

/// What is known of a cell before times are taken. What a side cannot do is lost or gained; what fails on one side is an
/// error, because a library that fails and a worker that dies for want of memory look alike.
pub(super) fn cell_comparison(
    old: &Cell,
    new: &Cell,
    thresholds: Thresholds,
    counted: [Result<CountedSide, NoNumbers>; 2],
) -> CellComparison {
    let (status, reason, counted) = match counted {
        [Ok(old), Ok(new)] => (Comparability::Compared, None, Some(Counted { old, new })),
        [Ok(_), Err(NoNumbers::Unsupported(why))] => (Comparability::Lost, Some(why), None),
        [Err(NoNumbers::Unsupported(why)), Ok(_)] => (Comparability::Gained, Some(why), None),
        [Ok(_), Err(why)] => (Comparability::Error, Some(format!("on the new side: {}", words(why))), None),
        [Err(why), Ok(_)] => (Comparability::Error, Some(format!("on the old side: {}", words(why))), None),
        [Err(old), Err(new)] => {
            let is_lack = |why: &NoNumbers| matches!(why, NoNumbers::Unsupported(_));
            let lacks = is_lack(&old) && is_lack(&new);
            let (old, new) = (words(old), words(new));
            let both = if old == new { old } else { format!("{old}; {new}") };
            (if lacks { Comparability::Neither } else { Comparability::Error }, Some(both), None)
        }
    };
    CellComparison {
        id: old.id(),
        dims: Dims::from(old),
        new_engines: (old.engines() != new.engines()).then(|| new.engines()),
        status,
        reason,
        thresholds,
        loops: LoopComparisons::default(),
        counted,
        changes: Vec::new(),
    }
}

pub(super) fn words(why: NoNumbers) -> String {
    why.reason().unwrap_or("its turn never came").to_owned()
}
