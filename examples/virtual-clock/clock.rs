//! The clock: times that follow from the cell, the loop and the settings, and noise that a seed repeats.

use std::fs::OpenOptions;
use std::io::{self, Write};

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use tlspair::cell::Cell;
use tlspair::measure::LoopKind;

use super::settings::Settings;

/// The times of one process.
pub struct Clock<'a> {
    settings: &'a Settings,
    random: ChaCha8Rng,
    /// By how much this process differs from others.
    of_process: f64,
    is_slow: bool,
}

impl<'a> Clock<'a> {
    /// The clock of the process with this number, 1 for the first.
    pub fn of_process(number: u64, settings: &'a Settings) -> Self {
        let mut random =
            ChaCha8Rng::seed_from_u64(settings.seed.wrapping_mul(1_000_003).wrapping_add(number));
        let of_process = factor(&mut random, settings.noise);
        Self { settings, random, of_process, is_slow: number <= settings.slow_until }
    }

    /// The time of so many connections together, in nanoseconds.
    pub fn time_ns(&mut self, cell: &Cell, kind: LoopKind, connections: u64) -> u64 {
        let is_slow = self.is_slow && cell.id().contains(&self.settings.slow_cells);
        let slowdown = if is_slow { self.settings.slowdown } else { 1.0 };
        let of_batch = factor(&mut self.random, self.settings.noise);
        let connection = base_ns(cell, kind) * slowdown * self.of_process * of_batch;
        (connection * connections as f64).round() as u64
    }
}

/// What a connection takes, in nanoseconds. A resumed one takes less, a transfer its time.
fn base_ns(cell: &Cell, kind: LoopKind) -> f64 {
    let handshake = match kind {
        LoopKind::Full => 400_000.0,
        LoopKind::Reuse => 100_000.0,
    };
    handshake + 10.0 * cell.bytes as f64
}

/// About log-normal, with this standard deviation.
fn factor(random: &mut ChaCha8Rng, deviation: f64) -> f64 {
    let about_normal: f64 = (0..12).map(|_| random.random_range(-0.5..0.5)).sum();
    (deviation * about_normal).exp()
}

/// Counts processes and their requests: a file's length is the count, so that a process that dies loses none.
#[derive(Clone, Debug)]
pub struct Counters(Option<String>);

impl Counters {
    /// Files whose names begin like this; without one nothing is counted.
    pub fn in_files(beginning: Option<String>) -> Self {
        Self(beginning)
    }

    /// One more of these; says how many there are now.
    pub fn count(&self, what: &str) -> io::Result<u64> {
        let Some(beginning) = &self.0 else { return Ok(1) };
        let mut file = OpenOptions::new().create(true).append(true).open(format!("{beginning}.{what}"))?;
        file.write_all(b".")?;
        Ok(file.metadata()?.len())
    }
}
