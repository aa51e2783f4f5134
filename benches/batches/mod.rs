//! Two loops side by side in one process: short batches in turns, the CPU time of each, and their ratio.
//!
//! A pair of batches lasts a few milliseconds, so whatever else the machine does meanwhile hits both alike, and the
//! ratio of a pair holds still where the times do not.

mod result;

use std::time::Duration;

use cpu_time::ThreadTime;

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

/// What the two loops cost.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// The left loop's batches, in ns a connection.
    pub left_ns: f64,
    /// The same of the right loop.
    pub right_ns: f64,
    /// Left / right.
    pub ratio: f64,
    /// The 95 % interval of the ratio.
    pub interval: (f64, f64),
}

/// How often everything is made anew, so that where things lie in memory does not decide.
const ROUNDS: usize = 12;
/// Student's t for a two-sided 95 % interval with one degree of freedom less than there are rounds.
const T: f64 = 2.201;

/// Medians of a round.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    left_ns: f64,
    right_ns: f64,
    ratio: f64,
}

/// Runs pairs of batches in turns; every other pair begins with the right loop.
pub fn round(mut left: Subject<'_>, mut right: Subject<'_>, pairs: usize) -> Result<Round> {
    let (mut lefts, mut rights, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for pair in 0..pairs {
        let (left_ns, right_ns) = if pair.is_multiple_of(2) {
            let left_ns = left.batch()?;
            (left_ns, right.batch()?)
        } else {
            let right_ns = right.batch()?;
            (left.batch()?, right_ns)
        };
        lefts.push(left_ns);
        rights.push(right_ns);
        ratios.push(left_ns / right_ns);
    }
    Ok(Round { left_ns: median(lefts), right_ns: median(rights), ratio: median(ratios) })
}

/// Compares over all rounds. `one` is told whether to make the right loop first.
pub fn compare(mut one: impl FnMut(bool) -> Result<Round>) -> Result<Comparison> {
    let rounds = (0..ROUNDS).map(|number| one(number % 2 == 1)).collect::<Result<Vec<_>>>()?;
    let logarithms = rounds.iter().map(|round| round.ratio.ln());
    let mean = logarithms.clone().sum::<f64>() / ROUNDS as f64;
    let squares: f64 = logarithms.map(|logarithm| (logarithm - mean).powi(2)).sum();
    let half = T * (squares / (ROUNDS - 1) as f64 / ROUNDS as f64).sqrt();
    Ok(Comparison {
        left_ns: median(rounds.iter().map(|round| round.left_ns).collect()),
        right_ns: median(rounds.iter().map(|round| round.right_ns).collect()),
        ratio: mean.exp(),
        interval: ((mean - half).exp(), (mean + half).exp()),
    })
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
