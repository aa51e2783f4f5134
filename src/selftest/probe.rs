//! One comparison of the program with itself, in numbers.

use serde::{Deserialize, Serialize};

use super::noise::Noise;
use super::share::Share;
use crate::measure::LoopKind;
use crate::results::{CellComparison, Comparability, Comparison, Effect, Verdict};
use crate::stats::median;

/// What a comparison of the program with itself came to, NEW slowed down by a known amount or not at all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    /// The part of a connection's time by which NEW was slowed down: 0.05 is 5 %, 0 is not at all.
    pub slowdown: f64,
    /// How much slower counted as not slower.
    pub noise_floor: f64,
    /// Loops called slower: found, or false alarms where nothing was slowed down.
    pub regressions: Share,
    /// Loops called faster: always false alarms.
    pub improvements: Share,
    /// Loops surely slower than the noise floor, whether or not by as much as the threshold.
    pub slower: Share,
    /// Loops called as fast as before.
    pub unchanged: u64,
    /// Loops of which one cannot say.
    pub inconclusive: u64,
    /// Median of new/old over the loops; null without loops.
    pub median_ratio: Option<f64>,
    /// How much the loops scatter; null without loops.
    pub noise: Option<Noise>,
    /// Every loop.
    pub loops: Vec<LoopOutcome>,
    /// Differences in what was counted that `check` would call regressions, as `cell: words`: false alarms.
    pub differences: Vec<String>,
    /// Cells in which something failed, as `cell: reason`.
    pub failures: Vec<String>,
    /// Cells that this build does not run, as `cell: reason`.
    pub unsupported: Vec<String>,
}

/// What the comparison says of one loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoopOutcome {
    /// The cell's id.
    pub id: String,
    /// Which loop.
    #[serde(rename = "loop")]
    pub kind: LoopKind,
    /// New/old, CPU time, with its interval.
    pub cpu: Effect,
    /// One-sided p against "not slower by more than the noise floor", adjusted for all loops; null where there is none.
    pub p_slower: Option<f64>,
    /// What follows.
    pub verdict: Verdict,
}

impl Probe {
    /// Counts what a judged comparison says. Loops without an interval, which have fewer than two rounds, say nothing.
    pub fn of(comparison: &Comparison, slowdown: f64) -> Self {
        let loops = outcomes(comparison);
        let alpha = comparison.method.alpha;
        let number = |verdict| loops.iter().filter(|one| one.verdict == verdict).count() as u64;
        let ratios: Vec<f64> = loops.iter().map(|one| one.cpu.ratio).collect();
        Self {
            slowdown,
            noise_floor: comparison.method.noise_floor,
            regressions: Share::of(&loops, |one| one.verdict == Verdict::Regression),
            improvements: Share::of(&loops, |one| one.verdict == Verdict::Improvement),
            slower: Share::of(&loops, |one| one.p_slower.is_some_and(|p| p <= alpha)),
            unchanged: number(Verdict::Unchanged),
            inconclusive: number(Verdict::Inconclusive),
            median_ratio: median(&ratios),
            noise: Noise::of(loops.iter().map(|one| one.cpu)),
            differences: differences(comparison),
            failures: cells(comparison, |status| {
                use Comparability::{Compared, Error, Gained, Lost, Neither};
                match status {
                    // The same program on both sides: what only one of them runs has failed on the other.
                    Error | Lost | Gained => true,
                    Compared | Neither => false,
                }
            }),
            unsupported: cells(comparison, |status| status == Comparability::Neither),
            loops,
        }
    }

    /// How many loops say something.
    pub fn comparisons(&self) -> u64 {
        self.loops.len() as u64
    }

    /// Whether something was called worse although nothing was slowed down.
    pub fn has_false_regression(&self) -> bool {
        self.slowdown == 0.0 && (self.regressions.count > 0 || !self.differences.is_empty())
    }

    /// How many of its loops were found out. A slowdown up to the threshold cannot be a regression in most of its loops,
    /// whatever the machine: it is found where it is surely slower than the noise floor.
    pub fn found(&self, threshold: f64) -> &Share {
        if self.slowdown > threshold { &self.regressions } else { &self.slower }
    }
}

fn outcomes(comparison: &Comparison) -> Vec<LoopOutcome> {
    let of_cell = |cell: &CellComparison| {
        let outcome = |kind| {
            let one = cell.loops.of(kind).filter(|one| one.cpu.low.is_some())?;
            let (id, cpu) = (cell.id.clone(), one.cpu);
            Some(LoopOutcome { id, kind, cpu, p_slower: one.p_slower, verdict: one.verdict })
        };
        LoopKind::BOTH.into_iter().filter_map(outcome).collect::<Vec<_>>()
    };
    comparison.cells.iter().flat_map(of_cell).collect()
}

fn differences(comparison: &Comparison) -> Vec<String> {
    let of_cell = |cell: &CellComparison| {
        let worse = cell.changes.iter().filter(|change| change.is_regression);
        worse.map(|change| format!("{}: {}", cell.id, change.words)).collect::<Vec<_>>()
    };
    comparison.cells.iter().flat_map(of_cell).collect()
}

fn cells(comparison: &Comparison, is_wanted: impl Fn(Comparability) -> bool) -> Vec<String> {
    let wanted = comparison.cells.iter().filter(|cell| is_wanted(cell.status));
    wanted
        .map(|cell| {
            let reason = cell.reason.as_deref().unwrap_or("no reason is on record");
            format!("{}: {reason}", cell.id)
        })
        .collect()
}
