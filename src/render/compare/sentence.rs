//! What came out of a comparison, in one sentence.

use super::row::{Row, Standing};
use crate::render::number::{count, counted};
use crate::results::Comparison;

/// The sentence: how many of each verdict, what could not be compared, what was counted.
pub(super) fn sentence(comparison: &Comparison) -> String {
    let rows = Row::all(comparison);
    let number = |standing| rows.iter().filter(|row| row.standing() == standing).count() as u64;
    let compared = rows.iter().filter(|row| row.reason().is_none()).count() as u64;
    let mut parts = vec![counted(number(Standing::Regression), "regression")];
    parts.push(counted(number(Standing::Improvement), "improvement"));
    for standing in [Standing::Unchanged, Standing::Inconclusive] {
        parts.push(format!("{} {}", count(number(standing)), standing.name()));
    }
    let mut words = format!("{}: {}", counted(compared, "comparison"), parts.join(", "));
    for standing in [Standing::Lost, Standing::Gained, Standing::Error, Standing::Neither] {
        if number(standing) > 0 {
            words.push_str(&format!("; {}: {}", standing.name(), counted(number(standing), "cell")));
        }
    }
    let changes = || comparison.cells.iter().flat_map(|cell| &cell.changes);
    if changes().next().is_some() {
        let grew = changes().filter(|change| change.is_regression).count() as u64;
        let all = counted(changes().count() as u64, "difference");
        words.push_str(&format!("; {all} in what was counted, of which {} too large", count(grew)));
    }
    words + "."
}
