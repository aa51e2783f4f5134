//! What the clocks of this machine tell apart, and what it costs to read them.

use std::hint::black_box;
use std::time::Instant;

use cpu_time::ThreadTime;
use quanta::Clock;
use serde::{Deserialize, Serialize};

use crate::stats::median;

/// One clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockReading {
    /// Which clock.
    pub clock: String,
    /// The smallest step seen between two readings that differ, in nanoseconds; null if none differed.
    pub step_ns: Option<f64>,
    /// What a reading costs, in nanoseconds.
    pub read_ns: f64,
}

/// Readings in each batch that is timed, and between which steps are looked for.
const READINGS: u32 = 10_000;
const BATCHES: usize = 9;

impl ClockReading {
    /// The clocks that times come from: the one of wall-clock times, that of samples, and that of CPU times.
    pub fn all() -> Vec<Self> {
        let start = Instant::now();
        let counter = Clock::new();
        let raw_start = counter.raw();
        let tick_ns = tick_ns(&counter);
        let cpu = ThreadTime::now();
        vec![
            Self::of("monotonic clock", || start.elapsed().as_nanos() as f64),
            // A difference of raw readings is small enough for a float to be exact.
            Self::of("time-stamp counter", || (counter.raw() - raw_start) as f64 * tick_ns),
            Self::of("thread CPU clock", || cpu.elapsed().as_nanos() as f64),
        ]
    }

    fn of(clock: &str, read: impl Fn() -> f64) -> Self {
        Self { clock: clock.to_owned(), step_ns: smallest_step(&read), read_ns: cost(&read) }
    }
}

fn smallest_step(read: impl Fn() -> f64) -> Option<f64> {
    let mut last = read();
    let mut smallest: Option<f64> = None;
    for _ in 0..READINGS {
        let now = read();
        let step = now - last;
        if step > 0.0 {
            smallest = Some(smallest.map_or(step, |smallest| smallest.min(step)));
        }
        last = now;
    }
    smallest
}

/// The median over batches, which an interruption does not change.
fn cost(read: impl Fn() -> f64) -> f64 {
    let batch = |_| {
        let start = Instant::now();
        for _ in 0..READINGS {
            black_box(read());
        }
        start.elapsed().as_nanos() as f64 / f64::from(READINGS)
    };
    let batches: Vec<f64> = (0..BATCHES).map(batch).collect();
    median(&batches).expect("there are batches")
}

/// What a tick of the counter lasts: read off many, because single ones are rounded to nanoseconds.
fn tick_ns(counter: &Clock) -> f64 {
    const TICKS: u64 = 1 << 30;
    counter.delta_as_nanos(0, TICKS) as f64 / TICKS as f64
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn the_smallest_step_is_found_among_standstills_and_jumps() {
        let reading = Cell::new(0u32);
        let steps = [0.0, 40.0, 0.0, 15.0, 1000.0];
        let now = Cell::new(0.0);
        let read = || {
            now.set(now.get() + steps[reading.get() as usize % steps.len()]);
            reading.set(reading.get() + 1);
            now.get()
        };
        assert_eq!(smallest_step(read), Some(15.0));
        assert_eq!(smallest_step(|| 7.0), None);
    }

    #[test]
    fn every_clock_goes_forward_and_has_a_cost() {
        let clocks = ClockReading::all();
        assert_eq!(clocks.len(), 3);
        for clock in clocks {
            assert!(clock.step_ns.is_some_and(|step| step > 0.0) && clock.read_ns > 0.0, "{clock:?}");
        }
    }
}
