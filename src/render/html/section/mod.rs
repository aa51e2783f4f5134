//! What the page shows of each kind of report, each section only if there is something to show.

mod classic;
mod comparison;
mod counted;
mod explanation;
mod libraries;
mod loops;
mod prediction;
mod speed;
mod spreads;

use super::block::{Block, Section};
use super::table::Table;
use crate::render::Report;
use crate::render::classic::ClassicRow;
use crate::render::dims::VaryingDims;
use crate::render::grid::Grid;
use crate::render::page::Page;
use crate::results::{CellResult, Document};
use crate::suite::history::table_1997;

/// What a report is, in a word or two.
pub(super) fn kind(report: &Report<'_>) -> &'static str {
    match report {
        Report::Cells(_) | Report::Classic { .. } => "results",
        Report::Comparison(_) => "comparison",
        Report::Speed(_) => "speed of primitives",
        Report::Explanation(_) => "where the time goes",
        Report::Prediction(_) => "another device",
    }
}

/// All sections of a report.
pub(super) fn all(report: &Report<'_>) -> Vec<Section> {
    match report {
        Report::Cells(document) => {
            let table = table_1997();
            let rows = ClassicRow::of_document(&table, document).unwrap_or_default();
            of_document(document, &rows)
        }
        Report::Classic { document, rows } => of_document(document, rows),
        Report::Comparison(comparison) => comparison::sections(comparison),
        Report::Speed(speed) => speed::sections(speed),
        Report::Explanation(explanation) => explanation::sections(explanation),
        Report::Prediction(prediction) => prediction::sections(prediction),
    }
}

fn of_document(document: &Document, rows: &[ClassicRow<'_>]) -> Vec<Section> {
    let named = NamedCells::of(document);
    let page = Report::Cells(document).page();
    let sections = [
        classic::section(document, rows),
        loops::section(&page, &named),
        libraries::section(&named),
        spreads::section(&named),
        counted::wire(&named),
        counted::heap(&named),
        counted::workloads(document, &page),
        counted::arrivals(document, &page),
    ];
    sections.into_iter().flatten().collect()
}

/// The cells of a document with names that tell them apart.
struct NamedCells<'a> {
    cells: Vec<NamedCell<'a>>,
}

/// A cell, its engines, and what else tells it apart from the others.
struct NamedCell<'a> {
    cell: &'a CellResult,
    engines: String,
    rest: String,
}

impl<'a> NamedCells<'a> {
    fn of(document: &'a Document) -> Self {
        let dims = VaryingDims::of(document.cells.iter().map(|cell| &cell.dims));
        let cells = document.cells.iter().map(|cell| {
            let mut values = dims.labels(&cell.dims);
            let engines = values.remove(0);
            NamedCell { cell, engines, rest: values.join(" ") }
        });
        Self { cells: cells.collect() }
    }
}

impl NamedCell<'_> {
    /// Engines and all.
    fn name(&self) -> String {
        format!("{} {}", self.engines, self.rest).trim_end().to_owned()
    }

    /// What is the same on every engine.
    fn rest_or<'b>(&'b self, other: &'b str) -> &'b str {
        if self.rest.is_empty() { other } else { &self.rest }
    }
}

/// The columns of a page's table whose group is one of these, after those that name the row.
fn part_of(page: &Page, groups: &[&str]) -> Grid {
    let wanted = |index: &usize| {
        let column = &page.grid.columns[*index];
        column.is_key() || groups.contains(&column.group)
    };
    page.grid.part(&(0..page.grid.columns.len()).filter(wanted).collect::<Vec<_>>())
}

/// A section with one table and nothing else.
fn table_section(title: &str, lead: Vec<String>, table: Table) -> Section {
    Section { title: title.to_owned(), lead, blocks: vec![Block::Table(table)] }
}
