//! The timer of primitives: batches long enough that reading the clock costs nothing beside them.

use std::time::{Duration, Instant};

use crate::engine::EngineError;
use crate::measure::Stop;
use crate::primitive::Operation;
use crate::stats::median;

/// A batch takes this at least where the supply allows: reading the clock takes some 20 ns.
const BATCH: Duration = Duration::from_micros(50);
/// Batches at least, however long they take: what a middle and an interval need.
const LEAST_BATCHES: usize = 2;

/// Does the operation over and over for about so long. One sample a batch: the mean time of an operation in it, in ns.
pub fn time(
    operation: &mut dyn Operation,
    budget: Duration,
    stop: Stop<'_>,
) -> Result<Vec<f64>, EngineError> {
    let mut supply = Supply { operation, left: 0 };
    let batch = supply.batch_size()?;
    let mut samples = Vec::new();
    let started = Instant::now();
    while samples.len() < LEAST_BATCHES || started.elapsed() < budget {
        if stop.requested() {
            break;
        }
        let taken = supply.batch(batch)?;
        samples.push(taken.as_nanos() as f64 / batch as f64);
    }
    Ok(samples)
}

/// Turns at least, however long they take.
const LEAST_TURNS: usize = 3;

/// Does each operation once, in turn, again and again for about so long: as a connection does them, each finds the
/// processor's caches as the others have left them. One sample a time, in ns; those of each operation together.
pub fn time_in_turn(
    operations: &mut [Box<dyn Operation>],
    budget: Duration,
    stop: Stop<'_>,
) -> Result<Vec<Vec<f64>>, EngineError> {
    let reading = reading_ns();
    let mut supplies: Vec<Supply<'_>> =
        operations.iter_mut().map(|operation| Supply { operation: &mut **operation, left: 0 }).collect();
    for supply in &mut supplies {
        supply.batch(1)?; // the first time is like no other
    }
    let mut samples = vec![Vec::new(); supplies.len()];
    let started = Instant::now();
    let mut turns = 0;
    while turns < LEAST_TURNS || started.elapsed() < budget {
        if stop.requested() {
            break;
        }
        for (supply, samples) in supplies.iter_mut().zip(&mut samples) {
            let taken = supply.batch(1)?.as_nanos() as f64;
            samples.push((taken - reading).max(0.0));
        }
        turns += 1;
    }
    Ok(samples)
}

/// What an empty measurement shows: it is part of each sample, and beside a record of few bytes not little.
fn reading_ns() -> f64 {
    let empty: Vec<f64> = (0..101).map(|_| Instant::now().elapsed().as_nanos() as f64).collect();
    median(&empty).unwrap_or_default()
}

/// An operation and how often it can be done until it must be renewed.
struct Supply<'a> {
    operation: &'a mut dyn Operation,
    left: usize,
}

impl Supply<'_> {
    /// How many operations take as long as a batch shall, found by doubling, which warms up.
    fn batch_size(&mut self) -> Result<usize, EngineError> {
        let most = self.operation.supply().max(1);
        let mut count = 1;
        loop {
            let taken = self.batch(count)?;
            if taken >= BATCH || count == most {
                return Ok(count);
            }
            count = (count * 2).min(most);
        }
    }

    fn batch(&mut self, count: usize) -> Result<Duration, EngineError> {
        if self.left < count {
            self.operation.renew()?;
            self.left = self.operation.supply();
        }
        self.left = self.left.saturating_sub(count);
        let started = Instant::now();
        for _ in 0..count {
            self.operation.once()?;
        }
        Ok(started.elapsed())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts, and has a supply.
    struct Counting {
        done: usize,
        since_renewed: usize,
        supply: usize,
    }

    impl Operation for Counting {
        fn once(&mut self) -> Result<(), EngineError> {
            self.done += 1;
            self.since_renewed += 1;
            if self.since_renewed > self.supply {
                return Err(EngineError::new("used up"));
            }
            Ok(())
        }

        fn supply(&self) -> usize {
            self.supply
        }

        fn renew(&mut self) -> Result<(), EngineError> {
            self.since_renewed = 0;
            Ok(())
        }

        fn output(&self) -> Vec<Vec<u8>> {
            Vec::new()
        }
    }

    #[test]
    fn a_supply_is_never_overdrawn() {
        for supply in [1, 2, 3, 7, 1000, usize::MAX] {
            let mut operation = Counting { done: 0, since_renewed: 0, supply };
            let samples = time(&mut operation, Duration::from_millis(1), Stop::default());
            assert!(samples.is_ok_and(|samples| samples.len() >= LEAST_BATCHES), "{supply}");
        }
    }

    #[test]
    fn operations_in_turn_are_done_equally_often() {
        let counting = |supply| Counting { done: 0, since_renewed: 0, supply };
        let mut operations: Vec<Box<dyn Operation>> =
            vec![Box::new(counting(1)), Box::new(counting(usize::MAX))];
        let samples = time_in_turn(&mut operations, Duration::from_millis(1), Stop::default());
        let samples = samples.expect("nothing is overdrawn");
        assert!(samples[0].len() >= LEAST_TURNS && samples[0].len() == samples[1].len());
        assert!(samples.iter().flatten().all(|ns| *ns >= 0.0));
    }

    #[test]
    fn a_failure_is_not_a_number() {
        let mut operation = Counting { done: 0, since_renewed: 0, supply: 0 };
        assert!(time(&mut operation, Duration::ZERO, Stop::default()).is_err());
    }
}
