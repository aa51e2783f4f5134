//! The page of a comparison: one row a cell and loop, regressions first.

mod changes;
pub(super) mod closing;
mod row;
pub(super) mod words;

pub(super) use row::{Row, Standing};

use super::dims::VaryingDims;
use super::grid::{self, Align, Column, Grid};
use super::number::micros;
use super::or_absent;
use super::page::{Notes, Page};
use crate::results::{CellComparison, Comparison, Design, FirstLook, LoopComparison, RoundTime};
use words::{change, effect};

/// The page of a comparison.
pub(super) fn page(comparison: &Comparison) -> Page {
    let dims = VaryingDims::of(comparison.cells.iter().map(|cell| &cell.dims));
    let rows = Row::most_important_first(comparison);
    let has_times = rows.iter().any(|row| row.timed.is_some());
    let has_instructions =
        rows.iter().any(|row| row.timed.is_some_and(|(_, times)| times.instructions.is_some()));
    let mut notes = Notes::default();

    let mut columns = dims.columns();
    columns.push(Column::key("loop", Align::Left));
    columns.push(Column { group: "verdict", title: String::new(), align: Align::Left });
    columns.extend(has_times.then(time_columns).into_iter().flatten());
    columns.extend(has_instructions.then(|| Column::number("%", "instr.")));
    let grid_rows = rows.iter().map(|row| {
        let mut values = cell_values(&dims, row.cell);
        let times = row.timed.map(|(_, times)| times);
        values.push(or_absent(row.timed.map(|(kind, _)| kind.name().to_owned())));
        values.push(verdict(row, &mut notes));
        values.extend(has_times.then(|| time_values(times)).into_iter().flatten());
        values.extend(has_instructions.then(|| instructions(times)));
        grid::Row::Cells(values)
    });
    let grid = Grid { rows: grid_rows.collect(), columns };
    Page {
        caption: caption(comparison, &dims, has_times.then(|| legend(has_instructions))),
        grid,
        notes: notes.into_texts(),
        lists: changes::lists(comparison, &dims),
        footer: closing::lines(comparison),
    }
}

fn caption(comparison: &Comparison, dims: &VaryingDims<'_>, legend: Option<String>) -> Vec<String> {
    let mut caption = vec![format!("Old: {}; new: {}.", comparison.old.name, comparison.new.name)];
    caption.extend(comparison.suites.iter().map(|suite| format!("{}: {}", suite.title, suite.about)));
    caption.extend(dims.caption());
    if comparison.method.design == Design::Separate {
        caption.push(WEAKER.to_owned());
    }
    if comparison.cells.iter().any(|cell| cell.new_engines.is_some()) {
        caption.push("engine: old ⇒ new, where other engines play the new side.".to_owned());
    }
    caption.extend(legend);
    caption
}

const WEAKER: &str = "Weaker evidence: the sides were measured at different times, so that whatever changed on the \
                      machine in between looks like a difference between them.";

const LEGEND: &str = "µs: CPU time of one connection, median over the processes of a side. CPU: how much longer the new \
                      side takes, with the 95 % interval; this decides. %: the same of wall-clock time, and of the \
                      client's and the server's part of the CPU time";

fn legend(has_instructions: bool) -> String {
    format!("{LEGEND}{}.", if has_instructions { ", and of all instructions" } else { "" })
}

/// The engines and the other dimensions that tell rows apart.
fn cell_values(dims: &VaryingDims<'_>, cell: &CellComparison) -> Vec<String> {
    let mut values = dims.values(&cell.dims);
    if let Some(new) = &cell.new_engines {
        values[0] = format!("{} ⇒ {new}", values[0]);
    }
    values
}

/// The name of each cell among the others, where no column says what a value is of.
pub(super) fn labels(comparison: &Comparison) -> Vec<String> {
    let dims = VaryingDims::of(comparison.cells.iter().map(|cell| &cell.dims));
    let label = |cell: &CellComparison| {
        let mut labels = dims.labels(&cell.dims);
        if let Some(new) = &cell.new_engines {
            labels[0] = format!("{} ⇒ {new}", labels[0]);
        }
        labels.join(" ")
    };
    comparison.cells.iter().map(label).collect()
}

/// A cell's name among the others.
fn dims_label(dims: &VaryingDims<'_>, cell: &CellComparison) -> String {
    cell_values(dims, cell).join(", ")
}

/// The verdict, with marks for what is to be said about it.
fn verdict(row: &Row<'_>, notes: &mut Notes) -> String {
    let mut words = vec![row.standing().name().to_owned()];
    words.extend(row.reason().map(|reason| notes.mark(reason)));
    words.extend(row.grew().then(|| notes.mark(GREW)));
    if let Some((_, times)) = row.timed {
        words.extend(times.doubts.iter().map(|doubt| notes.mark(doubt)));
        // A judged comparison has this among its doubts; one that was put together by other means may not.
        let odd = odd_rounds(&times.odd_rounds).filter(|text| !times.doubts.contains(text));
        words.extend(odd.map(|text| notes.mark(&text)));
        words.extend(times.first_look.as_ref().map(|look| notes.mark(&first_look(look))));
    }
    words.join(" ")
}

const GREW: &str = "what was counted grew by more than allowed, which is a regression too: see below";

fn odd_rounds(numbers: &[u64]) -> Option<String> {
    let (last, others) = numbers.split_last()?;
    if others.is_empty() {
        return Some(format!("round {last} is far from the others; it counts all the same"));
    }
    let others: Vec<String> = others.iter().map(u64::to_string).collect();
    Some(format!("rounds {} and {last} are far from the others; they count all the same", others.join(", ")))
}

fn first_look(look: &FirstLook) -> String {
    format!(
        "measured again, and only the second measurement counts; the first said {}, {}",
        look.verdict.name(),
        effect(look.cpu)
    )
}

fn time_columns() -> [Column; 6] {
    [
        Column::number("µs", "old"),
        Column::number("µs", "new"),
        Column::number("CPU", "change [95 %]"),
        Column::number("%", "wall"),
        Column::number("%", "client"),
        Column::number("%", "server"),
    ]
}

fn time_values(times: Option<&LoopComparison>) -> [String; 6] {
    let shown = |value: Option<String>| or_absent(value);
    let cpu = |median: Option<RoundTime>| shown(median.map(|time| micros(time.cpu_ns)));
    [
        cpu(times.and_then(LoopComparison::old_median)),
        cpu(times.and_then(LoopComparison::new_median)),
        shown(times.map(|times| effect(times.cpu))),
        shown(times.map(|times| change(times.wall.ratio, 1))),
        shown(times.map(|times| change(times.client.ratio, 1))),
        shown(times.map(|times| change(times.server.ratio, 1))),
    ]
}

/// Instructions vary so little that a tenth of a percent may matter.
fn instructions(times: Option<&LoopComparison>) -> String {
    let counts = times.and_then(|times| times.instructions).filter(|counts| counts.old.total() > 0.0);
    or_absent(counts.map(|counts| change(counts.new.total() / counts.old.total(), 2)))
}
