//! Rounds: a fresh process of every side, all on one processor, one batch at a time. Processes differ by more than the
//! batches of one, so only fresh processes show how sure a difference is.

use std::time::{Duration, Instant};

use rand::rngs::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use crate::campaign::NoNumbers;
use crate::measure::LoopKind;
use crate::results::{Dims, Round, RoundTime};
use crate::stats::median;
use crate::worker::{BatchTimes, Executable, Post, Reply, Request, Terms};

/// Pairs of batches in a visit.
pub const PAIRS: u64 = 20;

/// One loop of a cell that every round visits.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Which loop.
    pub kind: LoopKind,
    /// Connections a batch, and of the warm-up before the first.
    pub batch: u64,
    /// What each side runs.
    pub sides: Vec<EntrySide>,
}

/// What one side runs in a visit.
#[derive(Clone, Debug)]
pub struct EntrySide {
    /// The cell.
    pub dims: Dims,
    /// Real work beside each connection, in nanoseconds.
    pub burden_ns: u64,
    /// What a batch should take.
    pub batch_time: Duration,
    /// What preparing the loop should take, without the warm-up.
    pub open_time: Duration,
}

impl Entry {
    /// What a visit should take.
    pub fn time(&self) -> Duration {
        self.sides.iter().map(|side| side.open_time + side.batch_time * (1 + PAIRS as u32)).sum()
    }
}

/// What came of one visit: the batches of each side, in the order of the pairs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The round, 1 for the first.
    pub round: u64,
    /// One list a side.
    pub batches: Vec<Vec<BatchTimes>>,
}

/// Told of progress between visits.
pub trait RoundsObserver {
    /// A visit begins: so much of all is done, and about so much time is left.
    fn visiting(&mut self, done: Done, left: Duration);

    /// A round has ended, with all that was measured so far; an entry that failed has its reason instead.
    fn round_ended(&mut self, round: u64, outcomes: &[Result<Vec<Visit>, NoNumbers>]);
}

/// How far the rounds have come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Done {
    /// The round, 1 for the first.
    pub round: u64,
    /// Rounds in all.
    pub rounds: u64,
    /// Visits done in this round.
    pub visits: usize,
    /// Visits of each round.
    pub of: usize,
}

/// How entries are to be visited.
#[derive(Clone, Copy, Debug)]
pub struct Rounds<'a> {
    /// The sides' executables, one or two.
    pub sides: &'a [Executable],
    /// How workers are employed.
    pub terms: Terms<'a>,
    /// How many rounds.
    pub rounds: u64,
    /// What all random order is made from.
    pub seed: u64,
}

/// What is known of an entry so far.
type Outcome = Result<Vec<Visit>, NoNumbers>;

impl<'a> Rounds<'a> {
    /// Visits all entries in every round. An entry that fails is not visited again.
    pub fn run(&self, entries: &[Entry], observer: &mut dyn RoundsObserver) -> Vec<Outcome> {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        let mut outcomes: Vec<Outcome> = entries.iter().map(|_| Ok(Vec::new())).collect();
        let all: Duration = entries.iter().map(Entry::time).sum();
        let mut pace = Pace::new(all * self.rounds as u32);
        for round in 1..=self.rounds {
            let mut order: Vec<usize> = (0..entries.len()).collect();
            order.shuffle(&mut random);
            let mut crew = Crew::start(self, &mut random);
            for (visits, &at) in order.iter().enumerate() {
                if self.terms.stop.requested() {
                    return outcomes;
                }
                let done = Done { round, rounds: self.rounds, visits, of: entries.len() };
                observer.visiting(done, pace.left());
                if let Ok(visits) = &mut outcomes[at] {
                    match crew.visit(&entries[at], &mut random) {
                        Ok(batches) => visits.push(Visit { round, batches }),
                        Err(NoNumbers::NotReached) => return outcomes,
                        Err(why) => outcomes[at] = Err(why),
                    }
                }
                pace.passed(entries[at].time());
            }
            observer.round_ended(round, &outcomes);
        }
        outcomes
    }
}

/// Corrects the time that is left by what past visits really took.
struct Pace {
    started: Instant,
    planned: Duration,
    passed: Duration,
}

impl Pace {
    fn new(planned: Duration) -> Self {
        Self { started: Instant::now(), planned, passed: Duration::ZERO }
    }

    fn passed(&mut self, planned: Duration) {
        self.passed += planned;
    }

    fn left(&self) -> Duration {
        let left = self.planned.saturating_sub(self.passed);
        if self.passed.is_zero() {
            return left;
        }
        left.mul_f64(self.started.elapsed().as_secs_f64() / self.passed.as_secs_f64())
    }
}

/// The workers of one round, by side.
struct Crew<'a>(Vec<Post<'a>>);

impl<'a> Crew<'a> {
    /// Starts a worker of each side, in random order.
    fn start(rounds: &Rounds<'a>, random: &mut ChaCha8Rng) -> Self {
        let posts = rounds.sides.iter().map(|executable| Post::vacant(executable, rounds.terms));
        let mut crew = Self(posts.collect());
        let mut order: Vec<usize> = (0..crew.0.len()).collect();
        order.shuffle(random);
        for side in order {
            crew.0[side].fill().ok(); // who cannot be started is an error of the first visit
        }
        crew
    }

    fn visit(&mut self, entry: &Entry, random: &mut ChaCha8Rng) -> Result<Vec<Vec<BatchTimes>>, NoNumbers> {
        let mut sides: Vec<usize> = (0..self.0.len()).collect();
        sides.shuffle(random);
        for &side in &sides {
            self.open(side, entry)?;
        }
        let mut batches = vec![Vec::new(); sides.len()];
        for begins_at in balanced(PAIRS, sides.len(), random) {
            for step in 0..sides.len() {
                let side = (begins_at + step) % sides.len();
                batches[side].push(self.batch(side, entry)?);
            }
        }
        Ok(batches)
    }

    fn open(&mut self, side: usize, entry: &Entry) -> Result<(), NoNumbers> {
        let EntrySide { dims, burden_ns, batch_time, open_time } = &entry.sides[side];
        let request = Request::Open {
            dims: dims.clone(),
            kind: entry.kind,
            warm_up: entry.batch,
            burden_ns: *burden_ns,
        };
        match self.0[side].ask(&request, *open_time + *batch_time)? {
            Reply::Opened => Ok(()),
            other => Err(self.0[side].nonsense(&other)),
        }
    }

    fn batch(&mut self, side: usize, entry: &Entry) -> Result<BatchTimes, NoNumbers> {
        let request = Request::Batch { connections: entry.batch };
        match self.0[side].ask(&request, entry.sides[side].batch_time)? {
            Reply::Batch(times) if times.connections == entry.batch => Ok(times),
            Reply::Batch(_) => Err(self.0[side].cut_short()),
            other => Err(self.0[side].nonsense(&other)),
        }
    }
}

/// Which side begins each pair: every side as often as the others, in random order.
fn balanced(pairs: u64, sides: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let offset = random.random_range(0..sides);
    let mut begins: Vec<usize> = (0..pairs as usize).map(|pair| (pair + offset) % sides).collect();
    begins.shuffle(random);
    begins
}

impl Round {
    /// What two sides' batches of one visit say; none if a clock saw no time pass.
    pub fn of(visit: &Visit) -> Option<Self> {
        let [old, new] = visit.batches.as_slice() else { return None };
        let median_of = |part: fn(&BatchTimes) -> f64| {
            finite_median(old.iter().zip(new).map(|(old, new)| (part(new) / part(old)).ln()))
        };
        Some(Self {
            number: visit.round,
            old: RoundTime::of(old)?,
            new: RoundTime::of(new)?,
            cpu: median_of(cpu_ns)?,
            wall: median_of(wall_ns)?,
            client: median_of(client_ns)?,
            server: median_of(server_ns)?,
        })
    }
}

impl RoundTime {
    /// What the batches of one side say of a connection; none without batches.
    pub fn of(batches: &[BatchTimes]) -> Option<Self> {
        let median_of = |part: fn(&BatchTimes) -> f64| {
            finite_median(batches.iter().map(|times| part(times) / times.connections as f64))
        };
        Some(Self {
            cpu_ns: median_of(cpu_ns)?,
            wall_ns: median_of(wall_ns)?,
            client_ns: median_of(client_ns)?,
            server_ns: median_of(server_ns)?,
        })
    }
}

fn cpu_ns(times: &BatchTimes) -> f64 {
    times.cpu_ns as f64
}

fn wall_ns(times: &BatchTimes) -> f64 {
    times.wall_ns as f64
}

/// The sides' clock goes on while another process runs; their shares of the CPU time hardly change by that.
fn client_ns(times: &BatchTimes) -> f64 {
    cpu_ns(times) * times.client_ns as f64 / (times.client_ns + times.server_ns) as f64
}

fn server_ns(times: &BatchTimes) -> f64 {
    cpu_ns(times) * times.server_ns as f64 / (times.client_ns + times.server_ns) as f64
}

/// None if there are no values, or if any is no number because a clock saw no time pass.
fn finite_median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let values: Vec<f64> = values.collect();
    if values.iter().all(|value| value.is_finite()) { median(&values) } else { None }
}
