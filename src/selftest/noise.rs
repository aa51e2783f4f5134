//! How much comparisons of the same thing scatter, and the noise floor that follows.

use serde::{Deserialize, Serialize};

use super::probe::Probe;
use crate::compare::LearnedFloor;
use crate::render::number::counted;
use crate::results::{Effect, Machine};
use crate::stats::{median, quantile_of};

/// How much the loops of one comparison scatter.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// Median distance of new/old from 1, to either side: 0.004 is 0.4 %.
    pub median: f64,
    /// Its 95th percentile. Where nothing was slowed down, this is the noise floor that the machine allows.
    pub p95: f64,
    /// Median half-width of the loops' 95 % intervals.
    pub half_width: f64,
}

/// So many comparisons a noise floor rests on at least: of fewer, the 95th percentile is just the largest.
pub const LEAST_COMPARISONS: u64 = 20;

/// Why no noise floor was learned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unlearned {
    /// Interrupted.
    #[error("the program was not compared with itself to the end")]
    Incomplete,
    /// Too little to tell.
    #[error("{} of the program with itself, and it takes {LEAST_COMPARISONS}", counted(*.0, "comparison"))]
    TooFew(u64),
}

impl Noise {
    /// From the effects of loops; none of those without intervals.
    pub fn of(effects: impl Iterator<Item = Effect>) -> Option<Self> {
        let (mut distances, mut half_widths) = (Vec::new(), Vec::new());
        for Effect { ratio, low, high } in effects {
            let (Some(low), Some(high)) = (low, high) else { continue };
            distances.push(ratio.ln().abs());
            half_widths.push((high.ln() - low.ln()) / 2.0);
        }
        // On the scale of logarithms, where twice as long is as far as half as long; then as growth.
        Some(Self {
            median: median(&distances)?.exp_m1(),
            p95: quantile_of(&distances, 0.95)?.exp_m1(),
            half_width: median(&half_widths)?.exp_m1(),
        })
    }
}

/// The noise floor of this machine by a comparison of the program with itself, nothing slowed down.
pub fn learned(same: &Probe, rounds: u64, machine: &Machine) -> Result<LearnedFloor, Unlearned> {
    let comparisons = same.comparisons();
    let noise = same.noise.filter(|_| comparisons >= LEAST_COMPARISONS);
    let noise = noise.ok_or(Unlearned::TooFew(comparisons))?;
    Ok(LearnedFloor { noise_floor: noise.p95, comparisons, rounds, machine: machine.clone() })
}
