//! Tables: a caption, headings with their scope, and notes below.

use maud::{Markup, html};

use crate::render::grid::{Align, Column, Grid, Row};
use crate::render::number::counted;
use crate::render::visible;

/// A table with its notes.
pub(super) struct Table {
    pub(super) caption: String,
    pub(super) grid: Grid,
    /// What cells point to as `[1]`, `[2]`, …
    pub(super) notes: Vec<String>,
}

/// A table of more rows is folded.
const OPEN_ROWS: usize = 40;

impl Table {
    /// The table, folded if it is long.
    pub(super) fn render(&self) -> Markup {
        let rows = self.grid.rows.iter().filter(|row| matches!(row, Row::Cells(_))).count();
        let table = plain(&self.caption, &self.grid);
        html! {
            @if rows > OPEN_ROWS {
                details {
                    summary { (visible(&self.caption)) " (" (counted(rows as u64, "row")) ")" }
                    (table)
                    (notes(&self.notes))
                }
            } @else {
                (table)
                (notes(&self.notes))
            }
        }
    }
}

/// The notes that marks such as `[1]` point to.
fn notes(notes: &[String]) -> Markup {
    html! {
        @if !notes.is_empty() {
            ul.notes {
                @for (index, note) in notes.iter().enumerate() { li { "[" (index + 1) "] " (visible(note)) } }
            }
        }
    }
}

/// A grid as a table, which scrolls by itself where it is wider than the page.
pub(super) fn plain(caption: &str, grid: &Grid) -> Markup {
    html! {
        div.scroll role="region" tabindex="0" aria-label=(visible(caption)) {
            table {
                caption { (visible(caption)) }
                thead { (heading(&grid.columns)) }
                @for rows in grid.rows.split(|row| matches!(row, Row::Gap)) {
                    @if !rows.is_empty() {
                        tbody { @for row in rows { (body_row(&grid.columns, row)) } }
                    }
                }
            }
        }
    }
}

/// One line of headings, or two if columns share one.
fn heading(columns: &[Column]) -> Markup {
    let has_groups = columns.iter().any(|column| !column.is_key() && !column.title.is_empty());
    if !has_groups {
        return html! {
            tr { @for column in columns { th scope="col" class=[class(column)] { (visible(&column.full_title())) } } }
        };
    }
    let groups: Vec<&[Column]> =
        columns.chunk_by(|one, next| !one.is_key() && one.group == next.group).collect();
    let stands_alone = |columns: &[Column]| columns.iter().all(|one| one.is_key() || one.title.is_empty());
    html! {
        tr {
            @for group in &groups {
                @if stands_alone(group) {
                    @for column in *group {
                        th scope="col" rowspan="2" class=[class(column)] { (visible(&column.full_title())) }
                    }
                } @else {
                    th scope="colgroup" colspan=(group.len()) { (visible(group[0].group)) }
                }
            }
        }
        tr {
            @for group in groups.iter().filter(|group| !stands_alone(group)) {
                @for column in *group { th scope="col" class=[class(column)] { (visible(&column.title)) } }
            }
        }
    }
}

fn body_row(columns: &[Column], row: &Row) -> Markup {
    let Row::Cells(cells) = row else { return Markup::default() };
    html! {
        tr {
            @for (index, (column, cell)) in columns.iter().zip(cells).enumerate() {
                @if index == 0 {
                    th scope="row" class=[class(column)] { (visible(cell)) }
                } @else {
                    td class=[class(column)] { (visible(cell)) }
                }
            }
        }
    }
}

fn class(column: &Column) -> Option<&'static str> {
    (column.align == Align::Right).then_some("n")
}
