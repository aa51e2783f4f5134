//! A comparison in numbers, and the order in which its loops matter.

use std::cmp::Ordering;

use super::look::LogRatio;
use super::words::{list, pace};
use crate::measure::LoopKind;
use crate::render::number::{count, counted};
use crate::results::{CellComparison, Comparability, Comparison, LoopComparison, Verdict};
use crate::stats::mean;

/// A comparison in numbers. Verdicts count loops, lost, gained and failed ones are cells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    /// Loops that are slower.
    pub regressions: usize,
    /// Loops that are faster.
    pub improvements: usize,
    /// Loops that take as long as before.
    pub unchanged: usize,
    /// Loops of which one cannot say.
    pub inconclusive: usize,
    /// Differences in what was counted.
    pub exact_changes: usize,
    /// Those of them that are beyond their thresholds.
    pub exact_regressions: usize,
    /// Cells that only OLD runs.
    pub lost: usize,
    /// Cells that only NEW runs.
    pub gained: usize,
    /// Cells in which something failed.
    pub errors: usize,
    /// One entry an engine and kind of loop, in the order of the plan; none for what has no times.
    pub engines: Vec<EngineMean>,
}

/// What the loops of one engine have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineMean {
    /// The engine, or `client→server`; and if NEW plays with another one, `NEW against OLD`.
    pub engine: String,
    /// Which loops.
    pub kind: LoopKind,
    /// Geometric mean of new/old, CPU time, over these loops; 1.05 is 5 % slower. It has no interval: the loops are
    /// not samples of anything, and share the processes that they were measured in.
    pub ratio: f64,
    /// How many loops.
    pub loops: usize,
}

impl Summary {
    /// Counts what a judged comparison says.
    pub fn of(comparison: &Comparison) -> Self {
        let loops = |verdict| sound_loops(comparison).filter(|(_, _, one)| one.verdict == verdict).count();
        let cells = |status| comparison.cells.iter().filter(|cell| cell.status == status).count();
        let changes = || comparison.cells.iter().flat_map(|cell| &cell.changes);
        Self {
            regressions: loops(Verdict::Regression),
            improvements: loops(Verdict::Improvement),
            unchanged: loops(Verdict::Unchanged),
            inconclusive: loops(Verdict::Inconclusive),
            exact_changes: changes().count(),
            exact_regressions: changes().filter(|change| change.is_regression).count(),
            lost: cells(Comparability::Lost),
            gained: cells(Comparability::Gained),
            errors: cells(Comparability::Error),
            engines: engine_means(comparison),
        }
    }

    /// Whether anything got worse: a loop slower, a count beyond its threshold, a cell lost.
    pub fn has_regression(&self) -> bool {
        self.regressions + self.exact_regressions + self.lost > 0
    }

    /// Whether there is a loop of which one cannot say.
    pub fn has_inconclusive(&self) -> bool {
        self.inconclusive > 0
    }

    /// All of it in one sentence.
    pub fn sentence(&self) -> String {
        let mut parts = vec![self.verdicts()];
        parts.extend(self.exact());
        parts.extend(self.cells());
        parts.extend(self.means());
        format!("{}.", parts.join("; "))
    }

    fn verdicts(&self) -> String {
        let all = self.regressions + self.improvements + self.unchanged + self.inconclusive;
        if all == 0 {
            return "No loop was compared".to_owned();
        }
        let verdicts = [
            (self.regressions, "slower"),
            (self.improvements, "faster"),
            (self.unchanged, "unchanged"),
            (self.inconclusive, "inconclusive"),
        ];
        format!("{}: {}", counted(all as u64, "loop"), counts_of(&verdicts))
    }

    fn exact(&self) -> Option<String> {
        (self.exact_changes > 0).then(|| {
            let changes = counted(self.exact_changes as u64, "difference");
            format!("{changes} in what was counted, {} for the worse", self.none_or(self.exact_regressions))
        })
    }

    fn none_or(&self, number: usize) -> String {
        if number == 0 { "none".to_owned() } else { count(number as u64) }
    }

    fn cells(&self) -> Option<String> {
        let counts = [(self.lost, "lost"), (self.gained, "gained"), (self.errors, "failed")];
        let words = counts_of(&counts);
        (!words.is_empty()).then(|| format!("cells: {words}"))
    }

    fn means(&self) -> Option<String> {
        let means: Vec<String> = self
            .engines
            .iter()
            .map(|one| format!("{} {} {}", one.engine, one.kind.name(), pace(one.ratio.ln())))
            .collect();
        (!means.is_empty()).then(|| format!("CPU time by geometric mean: {}", means.join(", ")))
    }
}

/// Places of all loops, cell and kind, by what matters: regressions first, the largest at the top, then improvements
/// likewise, then inconclusive ones likewise, then unchanged ones in the order of the plan.
pub fn order(comparison: &Comparison) -> Vec<(usize, LoopKind)> {
    let mut places: Vec<_> = loops(comparison).collect();
    // The sort is stable, so equal ones stay in the order of the plan.
    places.sort_by(|(_, _, one), (_, _, other)| by_weight(one, other));
    places.into_iter().map(|(place, kind, _)| (place, kind)).collect()
}

fn by_weight(one: &LoopComparison, other: &LoopComparison) -> Ordering {
    let size = |of: &LoopComparison| match of.verdict {
        Verdict::Unchanged => 0.0,
        _ => of.cpu.ratio.ln().abs(),
    };
    rank(one.verdict).cmp(&rank(other.verdict)).then(size(other).total_cmp(&size(one)))
}

fn rank(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Regression => 0,
        Verdict::Improvement => 1,
        Verdict::Inconclusive => 2,
        Verdict::Unchanged => 3,
    }
}

fn loops(comparison: &Comparison) -> impl Iterator<Item = (usize, LoopKind, &LoopComparison)> {
    comparison.cells.iter().enumerate().flat_map(|(place, cell)| {
        LoopKind::BOTH.into_iter().filter_map(move |kind| Some((place, kind, cell.loops.of(kind)?)))
    })
}

/// Those of cells in which nothing failed: what is left of the others counts as an error only.
fn sound_loops(comparison: &Comparison) -> impl Iterator<Item = (usize, LoopKind, &LoopComparison)> {
    loops(comparison).filter(|(place, _, _)| comparison.cells[*place].status == Comparability::Compared)
}

fn engine_means(comparison: &Comparison) -> Vec<EngineMean> {
    let mut means: Vec<(String, LoopKind, Vec<f64>)> = Vec::new();
    for (place, kind, one) in sound_loops(comparison) {
        let Some(log_ratio) = LogRatio::cpu(&one.evidence).mean() else { continue };
        let engine = engine_name(&comparison.cells[place]);
        match means.iter_mut().find(|(name, of, _)| *name == engine && *of == kind) {
            Some((_, _, logs)) => logs.push(log_ratio),
            None => means.push((engine, kind, vec![log_ratio])),
        }
    }
    means
        .into_iter()
        .filter_map(|(engine, kind, logs)| {
            Some(EngineMean { engine, kind, ratio: mean(&logs)?.exp(), loops: logs.len() })
        })
        .collect()
}

fn engine_name(cell: &CellComparison) -> String {
    let old = cell.dims.engines().unwrap_or_else(|| cell.id.clone());
    match &cell.new_engines {
        Some(new) => format!("{new} against {old}"),
        None => old,
    }
}

/// `3 slower, 1 faster and 170 unchanged`, without what there is none of.
fn counts_of(counts: &[(usize, &str)]) -> String {
    let words: Vec<String> = counts
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, word)| format!("{} {word}", count(*number as u64)))
        .collect();
    list(&words)
}
