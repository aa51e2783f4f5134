//! Differences in what was counted, in sentences. The same sentence for several cells is said once.

use super::dims_label;
use crate::render::dims::VaryingDims;
use crate::render::number::count;
use crate::render::page::List;
use crate::results::{Change, Comparability, Comparison};

/// The lists below the table: growth beyond the threshold, then everything else that differs.
pub(super) fn lists(comparison: &Comparison, dims: &VaryingDims<'_>) -> Vec<List> {
    let list = |heading: &str, wanted: fn(&Change) -> bool| {
        let items = sentences(comparison, dims, wanted);
        (!items.is_empty()).then(|| List { heading: heading.to_owned(), items })
    };
    let grew = list("Counted, and grew by more than allowed (regressions):", |change| change.is_regression);
    let other = list("Counted, and differs:", |change| !change.is_regression);
    grew.into_iter().chain(other).collect()
}

fn sentences(comparison: &Comparison, dims: &VaryingDims<'_>, wanted: fn(&Change) -> bool) -> Vec<String> {
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for cell in &comparison.cells {
        for change in cell.changes.iter().filter(|change| wanted(change)) {
            let place = groups.iter().position(|(words, _)| *words == change.words).unwrap_or_else(|| {
                groups.push((&change.words, Vec::new()));
                groups.len() - 1
            });
            groups[place].1.push(dims_label(dims, cell));
        }
    }
    let compared = comparison.cells.iter().filter(|cell| cell.status == Comparability::Compared).count();
    groups.iter().map(|(words, cells)| format!("{}: {words}", place(cells, compared))).collect()
}

/// So many cells are named; of more, these come first.
const NAMED: usize = 3;

/// Where a sentence holds.
fn place(cells: &[String], compared: usize) -> String {
    let number = cells.len();
    match cells {
        [cell] => cell.clone(),
        _ if number == compared => format!("in all {} cells", count(number as u64)),
        _ => {
            let named = cells[..number.min(NAMED)].join("; ");
            let more = number.saturating_sub(NAMED);
            let rest = if more > 0 { format!("; {} more", count(more as u64)) } else { String::new() };
            format!("in {} cells ({named}{rest})", count(number as u64))
        }
    }
}
