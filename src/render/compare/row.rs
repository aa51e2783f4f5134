//! The rows of a comparison: one a cell and loop, or one a cell that could not be compared.

use std::cmp::Reverse;

use super::words::{effect, percent};
use crate::measure::LoopKind;
use crate::render::loop_name;
use crate::render::number::micros;
use crate::results::{CellComparison, Comparability, Comparison, LoopComparison, Verdict};

/// A cell, and the loop that the row is about.
#[derive(Clone, Copy, Debug)]
pub(in crate::render) struct Row<'a> {
    pub(in crate::render) cell: &'a CellComparison,
    /// None if no times of the cell were compared.
    pub(in crate::render) timed: Option<(LoopKind, &'a LoopComparison)>,
}

/// What a row says in a word. What needs a look comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::render) enum Standing {
    Regression,
    Lost,
    Error,
    Inconclusive,
    Improvement,
    Gained,
    Unchanged,
    /// Compared, but not in time.
    Counted,
    Neither,
}

impl<'a> Row<'a> {
    /// All rows, in the order of the plan.
    pub(in crate::render) fn all(comparison: &'a Comparison) -> Vec<Self> {
        comparison.cells.iter().flat_map(Self::of_cell).collect()
    }

    /// All rows: regressions first, then by what they say; the larger effect first among regressions and among
    /// improvements, else in the order of the plan.
    pub(in crate::render) fn most_important_first(comparison: &'a Comparison) -> Vec<Self> {
        let mut rows = Self::all(comparison);
        rows.sort_by(|a, b| a.weight().cmp(&b.weight()).then(b.size().total_cmp(&a.size())));
        rows
    }

    fn of_cell(cell: &'a CellComparison) -> Vec<Self> {
        let timed = |kind| Some(Self { cell, timed: Some((kind, cell.loops.of(kind)?)) });
        let rows: Vec<Self> = LoopKind::BOTH.into_iter().filter_map(timed).collect();
        if rows.is_empty() { vec![Self { cell, timed: None }] } else { rows }
    }

    fn weight(&self) -> (Reverse<bool>, Standing) {
        (Reverse(self.is_regression()), self.standing())
    }

    fn size(&self) -> f64 {
        match (self.standing(), self.timed) {
            (Standing::Regression | Standing::Improvement, Some((_, times))) => times.cpu.ratio.ln().abs(),
            _ => 0.0,
        }
    }

    /// The cell's id with the loop, which no other row has.
    pub(in crate::render) fn name(&self) -> String {
        match self.timed {
            Some((kind, _)) => loop_name(&self.cell.id, kind),
            None => self.cell.id.clone(),
        }
    }

    pub(in crate::render) fn standing(&self) -> Standing {
        match (self.cell.status, self.timed) {
            (Comparability::Compared, Some((_, times))) => times.verdict.into(),
            (Comparability::Compared, None) => Standing::Counted,
            (Comparability::Lost, _) => Standing::Lost,
            (Comparability::Gained, _) => Standing::Gained,
            (Comparability::Neither, _) => Standing::Neither,
            (Comparability::Error, _) => Standing::Error,
        }
    }

    /// Whether the row is one of those that end a comparison as a regression.
    pub(in crate::render) fn is_regression(&self) -> bool {
        matches!(self.standing(), Standing::Regression | Standing::Lost) || self.grew()
    }

    /// Whether something that was counted grew by more than allowed.
    pub(in crate::render) fn grew(&self) -> bool {
        self.cell.changes.iter().any(|change| change.is_regression)
    }

    /// Why the cell was not compared, in words; none if it was.
    pub(in crate::render) fn reason(&self) -> Option<&'a str> {
        let compared = self.cell.status == Comparability::Compared;
        (!compared).then(|| self.cell.reason.as_deref().unwrap_or("no reason is on record"))
    }

    /// What the row says of the times, or why there are none, in a sentence.
    pub(in crate::render) fn words(&self) -> String {
        let word = self.standing().name();
        if let Some(reason) = self.reason() {
            return format!("{word}: {reason}");
        }
        let Some((_, times)) = self.timed else {
            return word.to_owned();
        };
        let from_to = match (times.old_median(), times.new_median()) {
            (Some(old), Some(new)) => format!(" ({} → {} µs)", micros(old.cpu_ns), micros(new.cpu_ns)),
            _ => String::new(),
        };
        let threshold = percent(self.cell.thresholds.time);
        format!("{word}: CPU time {}{from_to}, threshold {threshold} %", effect(times.cpu))
    }
}

impl Standing {
    /// The word in tables and files.
    pub(in crate::render) const fn name(self) -> &'static str {
        match self {
            Self::Regression => Verdict::Regression.name(),
            Self::Lost => "lost",
            Self::Error => "error",
            Self::Inconclusive => Verdict::Inconclusive.name(),
            Self::Improvement => Verdict::Improvement.name(),
            Self::Gained => "gained",
            Self::Unchanged => Verdict::Unchanged.name(),
            Self::Counted => "counted",
            Self::Neither => "neither",
        }
    }
}

impl From<Verdict> for Standing {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Regression => Self::Regression,
            Verdict::Improvement => Self::Improvement,
            Verdict::Unchanged => Self::Unchanged,
            Verdict::Inconclusive => Self::Inconclusive,
        }
    }
}
