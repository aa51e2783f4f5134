//! Two loops side by side in one process: short batches in turns, the CPU time of each, and their ratio.
//!
//! A pair of batches lasts a few milliseconds, so whatever else the machine does meanwhile hits both alike, and the
//! ratio of a pair holds still where the times do not.

mod result;

use std::time::Duration;

use cpu_time::ThreadTime;
use tlspair::stats::{median_interval, quantile};

pub use result::Result;

/// What a batch takes, roughly.
const BATCH: Duration = Duration::from_millis(4);

/// Runs that many connections, and says what CPU time they took.
pub type Connect<'a> = Box<dyn FnMut(u64) -> Result<Duration> + 'a>;

/// The CPU time of `work` on this thread.
pub fn cpu_time(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = ThreadTime::now();
    work()?;
    Ok(start.elapsed())
}

/// A loop that can run any number of connections, and how many make a batch.
pub struct Subject<'a> {
    connect: Connect<'a>,
    connections: u64,
}

impl<'a> Subject<'a> {
    /// Warms `connect` up, and finds out how many connections make a batch.
    pub fn new(connect: Connect<'a>) -> Result<Self> {
        let mut subject = Self { connect, connections: 1 };
        for _ in 0..3 {
            subject.batch()?; // tables and caches are filled on first use
        }
        let mut least = subject.batch()?;
        for _ in 0..10 {
            subject.connections = ((BATCH.as_nanos() as f64 / least) as u64).max(1);
            least = least.min(subject.batch()?);
        }
        Ok(subject)
    }

    /// The same number of connections a batch as `other`.
    pub fn with_batches_of(mut self, other: &Self) -> Self {
        self.connections = other.connections;
        self
    }

    /// Runs a batch; nanoseconds of CPU time a connection.
    pub fn batch(&mut self) -> Result<f64> {
        let time = (self.connect)(self.connections)?;
        Ok(time.as_nanos() as f64 / self.connections as f64)
    }
}

/// What a number of pairs of batches say.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// Median of the left loop's batches, in ns a connection.
    pub left_ns: f64,
    /// The same of the right loop.
    pub right_ns: f64,
    /// Median over the pairs of left / right.
    pub ratio: f64,
    /// The 95 % interval of that median, by order statistics.
    pub interval: (f64, f64),
}

/// Parts of a ratio: the crate's statistics work on whole numbers.
const PARTS: f64 = 1e9;

/// Runs `pairs` pairs of batches; every other pair begins with the right loop.
pub fn side_by_side(left: &mut Subject<'_>, right: &mut Subject<'_>, pairs: usize) -> Result<Comparison> {
    let (mut lefts, mut rights, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for pair in 0..pairs {
        let (left_ns, right_ns) = if pair.is_multiple_of(2) {
            let left_ns = left.batch()?;
            (left_ns, right.batch()?)
        } else {
            let right_ns = right.batch()?;
            (left.batch()?, right_ns)
        };
        lefts.push(left_ns as u64);
        rights.push(right_ns as u64);
        ratios.push((left_ns / right_ns * PARTS) as u64);
    }
    for values in [&mut lefts, &mut rights, &mut ratios] {
        values.sort_unstable();
    }
    let interval = median_interval(&ratios).ok_or("6 pairs of batches are needed at least")?;
    Ok(Comparison {
        left_ns: quantile(&lefts, 0.5),
        right_ns: quantile(&rights, 0.5),
        ratio: quantile(&ratios, 0.5) / PARTS,
        interval: (interval.low_ns as f64 / PARTS, interval.high_ns as f64 / PARTS),
    })
}
