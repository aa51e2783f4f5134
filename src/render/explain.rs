//! The page of `explain`: every operation of one cell's connections, or a stacked bar a side for many cells.

use super::grid::{Align, Column, Grid, Row};
use super::number::{count, duration, micros, signed_micros, signed_percent, significant};
use super::page::{List, Notes, Page, engine_words, machine_line};
use super::{ABSENT, bars, connection};
use crate::engine::Side;
use crate::results::{CellExplanation, ExplainedOperations, ExplainedSide, Explanation, Status};

pub(super) fn page(explanation: &Explanation) -> Page {
    let mut notes = Notes::default();
    let ids: Vec<&str> = explanation.cells.iter().map(|cell| cell.id.as_str()).collect();
    let is_one = ids.iter().all(|id| *id == ids[0]);
    let grid =
        if is_one { operations(&explanation.cells, &mut notes) } else { many_bars(explanation, &mut notes) };
    let mut lists = Vec::new();
    let has_bars = explanation.cells.iter().any(|cell| cell.sides.is_some());
    if is_one && has_bars {
        lists.push(List { heading: "Of each side's time:".to_owned(), items: one_cell_bars(explanation) });
    }
    lists.extend(rules(explanation));
    let mut footer = vec![machine_line(&explanation.machine, &explanation.tool)];
    footer.extend(explanation.engines.iter().map(|one| format!("{}: {}", one.id, engine_words(one))));
    footer.extend(explanation.warnings.iter().map(|warning| format!("Warning: {warning}.")));
    if !explanation.complete {
        footer.push("Not complete: the run was interrupted.".to_owned());
    }
    Page { caption: caption(&ids, is_one), grid, notes: notes.into_texts(), lists, footer }
}

fn caption(ids: &[&str], is_one: bool) -> Vec<String> {
    let mut caption = vec![
        "Operations are counted by the rules of the protocol from what was negotiated and seen on the wire, and priced with \
         the same library's primitives on this machine. machinery: what a resumed connection (for a full one: \
         one right after a full one) takes beside its operations (state machine, records, copies, allocations), in proportion \
         to the messages of the handshake. not attributed: what \
         is left, negative where operations and machinery come to more than was measured."
            .to_owned(),
        format!("Bars: {}.", bars::legend_line()),
    ];
    if is_one {
        caption.extend(ids.first().map(|id| format!("Cell: {id}.")));
    }
    caption
}

/// Every operation of these connections, side by side.
pub(super) fn operations(cells: &[CellExplanation], notes: &mut Notes) -> Grid {
    let columns = vec![
        Column::key("what for", Align::Left),
        Column::key("operation", Align::Left),
        Column::key("bytes", Align::Right),
        Column::key("times", Align::Right),
        Column::key("µs", Align::Right),
        Column::key("of all", Align::Right),
    ];
    let mut rows = Vec::new();
    for cell in cells {
        let Some(sides) = &cell.sides else {
            rows.push(Row::Cells(refused(cell, columns.len(), notes)));
            continue;
        };
        for (side, explained) in [(Side::Client, &sides.client), (Side::Server, &sides.server)] {
            if !rows.is_empty() {
                rows.push(Row::Gap);
            }
            // A row of its own, so that the table fits a terminal.
            let mut whose = vec![format!("{}, {side}:", connection(&cell.loop_name))];
            whose.resize(columns.len(), String::new());
            rows.push(Row::Cells(whose));
            rows.extend(side_rows(explained));
        }
    }
    Grid { columns, rows }
}

fn refused(cell: &CellExplanation, columns: usize, notes: &mut Notes) -> Vec<String> {
    let reason = cell.reason.as_deref().unwrap_or("no reason is on record");
    let word = if cell.status == Status::Unsupported { "no" } else { "error" };
    let mut cells = vec![connection(&cell.loop_name).to_owned(), format!("{word} {}", notes.mark(reason))];
    cells.resize(columns, ABSENT.to_owned());
    cells
}

fn side_rows(explained: &ExplainedSide) -> Vec<Row> {
    let all = explained.measured_ns();
    let row = |what: &str, operation: &str, bytes: String, times: String, ns: Option<f64>| {
        Row::Cells(vec![
            what.to_owned(),
            operation.to_owned(),
            bytes,
            times,
            ns.map_or_else(|| ABSENT.to_owned(), signed_micros),
            ns.map_or_else(|| ABSENT.to_owned(), |ns| signed_percent(ns / all)),
        ])
    };
    let empty = String::new;
    let mut rows: Vec<Row> = explained
        .operations
        .iter()
        .map(|one| {
            let bytes = one.bytes.map(count).unwrap_or_default();
            row(&one.purpose, &one.primitive, bytes, times(one), one.ns)
        })
        .collect();
    rows.push(row("operations together", "", empty(), empty(), Some(explained.operations_ns())));
    match explained.machinery_ns.zip(explained.unattributed_ns()) {
        Some((machinery, rest)) => {
            rows.push(row("machinery", "", empty(), empty(), Some(machinery)));
            rows.push(row("not attributed", "", empty(), empty(), Some(rest)));
        }
        None => {
            rows.push(row("machinery and not attributed", "", empty(), empty(), Some(explained.rest_ns())));
        }
    }
    rows.push(row("measured", "", empty(), empty(), Some(all)));
    rows
}

/// The count, with what each counts where that is not one measured operation.
fn times(one: &ExplainedOperations) -> String {
    if one.share == 1.0 {
        count(one.count)
    } else {
        format!("{} × {}", count(one.count), significant(one.share, 2))
    }
}

fn one_cell_bars(explanation: &Explanation) -> Vec<String> {
    let bars = explanation.cells.iter().filter_map(|cell| Some((cell, cell.sides.as_ref()?)));
    bars.flat_map(|(cell, sides)| {
        [(Side::Client, &sides.client), (Side::Server, &sides.server)].map(|(side, explained)| {
            let (connection, measured) = (connection(&cell.loop_name), duration(explained.measured_ns()));
            format!("{connection} {side} {measured}: {}", bars::draw(&bars::shares(explained)))
        })
    })
    .collect()
}

fn many_bars(explanation: &Explanation, notes: &mut Notes) -> Grid {
    let columns = vec![
        Column::key("cell", Align::Left),
        Column::key("connection", Align::Left),
        Column::key("side", Align::Left),
        Column::number("explained", "µs"),
        Column::number("explained", "operations"),
        Column::number("explained", "machinery"),
        Column::number("explained", "not attributed"),
        Column { align: Align::Left, ..Column::number("bar", "") },
    ];
    let mut rows = Vec::new();
    for cell in &explanation.cells {
        let Some(sides) = &cell.sides else {
            let mut cells = vec![cell.id.clone()];
            cells.extend(refused(cell, columns.len() - 1, notes));
            rows.push(Row::Cells(cells));
            continue;
        };
        for (side, explained) in [(Side::Client, &sides.client), (Side::Server, &sides.server)] {
            let all = explained.measured_ns();
            let share = |ns: Option<f64>| ns.map_or_else(|| ABSENT.to_owned(), |ns| signed_percent(ns / all));
            rows.push(Row::Cells(vec![
                cell.id.clone(),
                connection(&cell.loop_name).to_owned(),
                side.to_string(),
                micros(all),
                share(Some(explained.operations_ns())),
                share(explained.machinery_ns),
                share(explained.unattributed_ns()),
                bars::draw(&bars::shares(explained)),
            ]));
        }
    }
    Grid { columns, rows }
}

/// Prices that nobody measured, and the rules that stand for them.
fn rules(explanation: &Explanation) -> Option<List> {
    let mut items: Vec<String> = Vec::new();
    let sides = explanation.cells.iter().filter_map(|cell| Some((cell, cell.sides.as_ref()?)));
    let operations = sides.flat_map(|(cell, sides)| {
        sides.client.operations.iter().chain(&sides.server.operations).map(move |one| (cell, one))
    });
    for (cell, one) in operations {
        let engines = cell.dims.engines().unwrap_or_default();
        let item = match (&one.rule, one.ns) {
            (Some(rule), _) => format!("{}: {rule}", one.primitive),
            (None, None) => format!("{engines}: no {} in its interface", one.primitive),
            (None, Some(_)) => continue,
        };
        if !items.contains(&item) {
            items.push(item);
        }
    }
    (!items.is_empty()).then(|| List { heading: "Priced by a rule, or not at all:".to_owned(), items })
}
