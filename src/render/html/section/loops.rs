//! Times of the cells: the table, and full handshakes against resumed ones.

use super::{NamedCell, NamedCells, part_of};
use crate::measure::LoopKind;
use crate::render::ABSENT;
use crate::render::html::block::{Block, Figure, Section};
use crate::render::html::chart::{Bar, Bars, Group};
use crate::render::html::patterns::Fill;
use crate::render::html::table::Table;
use crate::render::number::micros;
use crate::render::page::Page;
use crate::results::{CellResult, LoopResult, Status};

pub(super) fn section(page: &Page, named: &NamedCells<'_>) -> Option<Section> {
    if named.cells.is_empty() {
        return None;
    }
    let grid = part_of(page, &["full", "reuse"]);
    let caption = "Time of one connection in µs, and how many fill a second".to_owned();
    let mut blocks = vec![Block::Table(Table { caption, grid, notes: page.notes.clone() })];
    let figures = figures(named);
    if !figures.is_empty() {
        blocks.push(Block::Figures(figures));
    }
    let lead = vec![
        "Bars are the median time of one connection, in both libraries' hands; the thin line over an end is its 95 % \
         interval. Shorter is faster. Each chart has a scale of its own."
            .to_owned(),
    ];
    Some(Section { title: "Full handshakes and resumed ones".to_owned(), lead, blocks })
}

/// One an engine; long ones are cut.
fn figures(named: &NamedCells<'_>) -> Vec<Figure> {
    let timed: Vec<&NamedCell<'_>> = named.cells.iter().filter(|cell| has_times(cell.cell)).collect();
    let mut engines: Vec<&str> = Vec::new();
    for cell in &timed {
        if !engines.contains(&cell.engines.as_str()) {
            engines.push(&cell.engines);
        }
    }
    let mut figures = Vec::new();
    for engine in engines {
        let cells: Vec<&NamedCell<'_>> =
            timed.iter().copied().filter(|cell| cell.engines == engine).collect();
        for (index, cells) in cells.chunks(CELLS).enumerate() {
            let title = if index == 0 { engine.to_owned() } else { format!("{engine}, part {}", index + 1) };
            let groups = cells.iter().map(|cell| group(cell)).collect();
            figures.push(bars(title, groups).figure());
        }
    }
    figures
}

/// Cells in one chart.
const CELLS: usize = 10;

fn bars(title: String, groups: Vec<Group>) -> Bars {
    let about = "The median time of one connection, full and resumed; shorter is faster.";
    Bars { title, about, names: ["cell", "loop"], unit: "µs", groups }
}

fn group(cell: &NamedCell<'_>) -> Group {
    let kinds = LoopKind::BOTH.into_iter().zip([Fill::FIRST, Fill::SECOND]);
    let bars = kinds.map(|(kind, fill)| bar(cell.cell, kind, kind.name().to_owned(), fill));
    Group { label: cell.rest_or(&cell.cell.id).to_owned(), bars: bars.collect() }
}

/// The median of a loop, or why there is none.
pub(super) fn bar(cell: &CellResult, kind: LoopKind, label: String, fill: Fill) -> Bar {
    let result = cell.loops.of(kind);
    let each = result.map(|result| &result.per_connection_ns);
    let interval =
        each.and_then(|each| Some((each.median_low? as f64 / 1e3, each.median_high? as f64 / 1e3)));
    let absent = match cell.status {
        Status::Ok => ABSENT,
        Status::Unsupported => "not supported",
        Status::Error => "error",
    };
    Bar {
        label,
        value: each.map(|each| each.median / 1e3),
        interval,
        shown: result.map_or_else(|| absent.to_owned(), shown),
        fill,
    }
}

fn shown(result: &LoopResult) -> String {
    micros(result.per_connection_ns.median)
}

fn has_times(cell: &CellResult) -> bool {
    LoopKind::BOTH.iter().any(|&kind| cell.loops.of(kind).is_some())
}
