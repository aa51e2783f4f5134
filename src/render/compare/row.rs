//! The rows of a comparison: one a cell and loop, or one a cell that could not be compared.

use super::words::{effect, percent};
use crate::compare::order;
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

/// What a row says in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// All rows by what they ask for: regressions first, then what failed, what may differ, what is new, what is as it
    /// was. Within that, loops are in the order that their times matter in, and cells in the order of the plan.
    pub(in crate::render) fn most_important_first(comparison: &'a Comparison) -> Vec<Self> {
        let mut rows: Vec<Self> = order(comparison)
            .into_iter()
            .filter_map(|(place, kind)| Self::of_loop(&comparison.cells[place], kind))
            .collect();
        rows.extend(Self::all(comparison).into_iter().filter(|row| row.timed.is_none()));
        // The sort is stable, so equal ones stay as they are.
        rows.sort_by_key(Self::weight);
        rows
    }

    fn of_cell(cell: &'a CellComparison) -> Vec<Self> {
        let rows: Vec<Self> =
            LoopKind::BOTH.into_iter().filter_map(|kind| Self::of_loop(cell, kind)).collect();
        if rows.is_empty() { vec![Self { cell, timed: None }] } else { rows }
    }

    fn of_loop(cell: &'a CellComparison, kind: LoopKind) -> Option<Self> {
        Some(Self { cell, timed: Some((kind, cell.loops.of(kind)?)) })
    }

    fn weight(&self) -> u8 {
        match self.standing() {
            _ if self.grew() => 0,
            Standing::Regression | Standing::Lost => 0,
            Standing::Error => 1,
            Standing::Improvement | Standing::Inconclusive => 2,
            Standing::Gained => 3,
            Standing::Unchanged | Standing::Counted => 4,
            Standing::Neither => 5,
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
