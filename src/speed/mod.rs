//! How long primitives take: every library's own, through its own interface, in turns.

mod clock;

use std::time::Duration;

pub use clock::{time, time_in_turn};

use crate::campaign::{Lab, NoNumbers};
use crate::measure::Stop;
use crate::primitive::Primitive;
use crate::results::PrimitiveResult;

/// One row of a speed table: a primitive, and how many bytes it is given if it takes any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// What to do.
    pub primitive: Primitive,
    /// Over how much.
    pub bytes: Option<usize>,
}

impl Task {
    /// The most bytes that a primitive may be given.
    pub const MOST_BYTES: usize = 1 << 26;
    /// The longest time at one task.
    pub const MOST_TIME: Duration = Duration::from_secs(600);

    /// Every primitive given, those that take bytes at every size.
    pub fn all(primitives: &[Primitive], sizes: &[usize]) -> Vec<Self> {
        let at_sizes = |&primitive: &Primitive| -> Vec<Self> {
            if primitive.takes_bytes() {
                sizes.iter().map(|&bytes| Self { primitive, bytes: Some(bytes) }).collect()
            } else {
                vec![Self { primitive, bytes: None }]
            }
        };
        primitives.iter().flat_map(at_sizes).collect()
    }
}

impl std::fmt::Display for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.bytes {
            Some(bytes) => write!(f, "{} × {bytes}", self.primitive),
            None => write!(f, "{}", self.primitive),
        }
    }
}

/// A task of one engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnTask {
    /// Whose.
    pub engine: String,
    /// What.
    pub task: Task,
}

/// What is to be measured, and how long.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The rows.
    pub tasks: &'a [Task],
    /// The engines, which take turns at each.
    pub engines: &'a [String],
    /// How long each engine works on each row in all.
    pub time: Duration,
    /// Ends it early.
    pub stop: Stop<'a>,
}

/// Turns that each engine has at a row, so that a disturbance hits all alike.
pub const ROUNDS: u32 = 5;

impl Plan<'_> {
    /// About what all will take.
    pub fn estimate(&self) -> Duration {
        let turns = self.tasks.len() * self.engines.len();
        self.time * u32::try_from(turns).unwrap_or(u32::MAX)
    }

    /// Measures row by row. `each` is told every row's results as they come, one an engine; a row that was stopped in its
    /// midst is left out.
    pub fn run(&self, lab: &mut dyn Lab, mut each: impl FnMut(usize, Vec<PrimitiveResult>)) {
        for (at, task) in self.tasks.iter().enumerate() {
            let mut samples: Vec<Result<Vec<f64>, NoNumbers>> =
                self.engines.iter().map(|_| Ok(Vec::new())).collect();
            for _ in 0..ROUNDS {
                for (engine, so_far) in self.engines.iter().zip(&mut samples) {
                    let Ok(collected) = so_far else { continue };
                    match lab.time_primitive(engine, *task, self.time / ROUNDS) {
                        Ok(more) => collected.extend(more),
                        Err(why) => *so_far = Err(why),
                    }
                }
                if self.stop.requested() {
                    return;
                }
            }
            let results = self.engines.iter().zip(samples);
            each(
                at,
                results.filter_map(|(engine, samples)| PrimitiveResult::of(engine, *task, samples)).collect(),
            );
        }
    }
}
