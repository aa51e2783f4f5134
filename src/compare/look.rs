//! What one measurement of one loop says by itself.

use crate::results::{Effect, Evidence, Round, RoundTime};
use crate::stats::{Bounds, Estimate, Freedom, far_from_median, mean};

/// Standard deviation of ln(time) among processes that run the same code, for a side that ran in one process only, so
/// that its own spread cannot be estimated. Measured: processes differ by 1.5 to 2 % among themselves, because
/// addresses of code, stack and heap differ.
pub const PROCESS_DEVIATION: f64 = 0.02;

/// The least noise floor where the sides were not measured in turns: what changes on a machine from one hour to the
/// next (frequency, neighbours, memory layout) is then part of the difference.
pub const SEPARATE_NOISE_FLOOR: f64 = 0.03;

/// One measurement of one loop.
pub(super) struct Look {
    pub cpu: LogRatio,
    pub wall: LogRatio,
    pub client: LogRatio,
    pub server: LogRatio,
    /// One-sided p against "not slower by more than the noise floor", not adjusted.
    pub p_slower: Option<f64>,
    /// The same of "faster".
    pub p_faster: Option<f64>,
    /// Numbers of the rounds that are far from the others; none where sides have no common rounds.
    pub odd_rounds: Vec<u64>,
    pub amount: Amount,
}

/// How much a measurement rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    /// No time that could be compared.
    Nothing,
    /// One round.
    OneRound,
    /// Separate processes, only one of some side.
    OneProcess,
    /// Enough to see the spread.
    Enough,
}

/// What is known of ln(new/old).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum LogRatio {
    /// Nothing.
    Unknown,
    /// A value, but not how sure it is.
    Single(f64),
    /// A value with its error.
    Estimated(Estimate),
}

impl Look {
    /// Reads the evidence; `noise_floor` as in the file.
    pub fn of(evidence: &Evidence, noise_floor: f64) -> Self {
        let tolerated = match evidence {
            Evidence::Paired { .. } => noise_floor,
            Evidence::Separate { .. } => noise_floor.max(SEPARATE_NOISE_FLOOR),
        }
        .ln_1p();
        let cpu = LogRatio::cpu(evidence);
        let amount = Amount::of(&cpu);
        // A spread that is only taken for granted decides nothing: on a busy machine it is far too small.
        let estimate = cpu.estimate().filter(|_| amount == Amount::Enough);
        Self {
            cpu,
            wall: LogRatio::of(evidence, |round| round.wall, |time| time.wall_ns),
            client: LogRatio::of(evidence, |round| round.client, |time| time.client_ns),
            server: LogRatio::of(evidence, |round| round.server, |time| time.server_ns),
            p_slower: estimate.map(|estimate| estimate.p_above(tolerated)),
            p_faster: estimate.map(|estimate| estimate.p_below(-tolerated)),
            odd_rounds: odd_rounds(evidence, tolerated),
            amount,
        }
    }
}

impl Amount {
    fn of(cpu: &LogRatio) -> Self {
        match cpu {
            LogRatio::Unknown => Self::Nothing,
            LogRatio::Single(_) => Self::OneRound,
            LogRatio::Estimated(Estimate { freedom: Freedom::Known, .. }) => Self::OneProcess,
            LogRatio::Estimated(Estimate { freedom: Freedom::Degrees(_), .. }) => Self::Enough,
        }
    }
}

impl LogRatio {
    /// Of the CPU time.
    pub fn cpu(evidence: &Evidence) -> Self {
        Self::of(evidence, |round| round.cpu, |time| time.cpu_ns)
    }

    fn of(evidence: &Evidence, of_round: fn(&Round) -> f64, of_time: fn(&RoundTime) -> f64) -> Self {
        match evidence {
            Evidence::Paired { rounds } => Self::paired(&finite(rounds.iter().map(of_round))),
            Evidence::Separate { old, new } => {
                let logs = |times: &[RoundTime]| finite(times.iter().map(|time| of_time(time).ln()));
                Self::separate(&logs(old), &logs(new))
            }
        }
    }

    fn paired(values: &[f64]) -> Self {
        match mean(values) {
            None => Self::Unknown,
            Some(mean) => Estimate::of(values).map_or(Self::Single(mean), Self::Estimated),
        }
    }

    fn separate(old: &[f64], new: &[f64]) -> Self {
        Estimate::difference(old, new)
            .or_else(|| Estimate::difference_knowing(old, new, PROCESS_DEVIATION))
            .map_or(Self::Unknown, Self::Estimated)
    }

    /// The value, if any.
    pub fn mean(&self) -> Option<f64> {
        match self {
            Self::Unknown => None,
            Self::Single(mean) => Some(*mean),
            Self::Estimated(estimate) => Some(estimate.mean),
        }
    }

    /// The interval, if any.
    pub fn bounds(&self) -> Option<Bounds> {
        self.estimate().map(|estimate| estimate.interval())
    }

    /// As a ratio. A comparison file has no word for "unknown": it is 1 without an interval, and a doubt says so.
    pub fn effect(&self) -> Effect {
        let bounds = self.bounds();
        Effect {
            ratio: self.mean().unwrap_or(0.0).exp(),
            low: bounds.map(|bounds| bounds.low.exp()),
            high: bounds.map(|bounds| bounds.high.exp()),
        }
    }

    fn estimate(&self) -> Option<Estimate> {
        match self {
            Self::Estimated(estimate) => Some(*estimate),
            Self::Unknown | Self::Single(_) => None,
        }
    }
}

/// A time of zero, which a clock too coarse may give, has no logarithm and cannot be compared; nor can what only an
/// edited file says.
fn finite(values: impl Iterator<Item = f64>) -> Vec<f64> {
    /// e to the power of this is beyond all times and ratios.
    const LARGEST: f64 = 100.0;
    values.filter(|value| value.abs() < LARGEST).collect()
}

fn odd_rounds(evidence: &Evidence, tolerated: f64) -> Vec<u64> {
    let Evidence::Paired { rounds } = evidence else { return Vec::new() };
    let timed: Vec<&Round> = rounds.iter().filter(|round| round.cpu.is_finite()).collect();
    let values: Vec<f64> = timed.iter().map(|round| round.cpu).collect();
    far_from_median(&values, tolerated).into_iter().map(|place| timed[place].number).collect()
}
