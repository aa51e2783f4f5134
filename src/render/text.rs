//! Pages as text tables.

use std::env;
use std::io::{self, IsTerminal, Write};

use comfy_table::{Attribute, Cell, CellAlignment, Color, ContentArrangement, LineStyle, Table, TableStyle};

use super::Report;
use super::grid::{Align, Column, Grid, Row};
use super::page::Page;
use super::visible;

/// How text may look where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns there are; none where lines may be of any length.
    pub width: Option<u16>,
    /// Whether to colour.
    pub color: bool,
}

impl Style {
    /// For files and pipes: lines that a wide screen still takes whole, no colour.
    pub const PLAIN: Self = Self { width: Some(160), color: false };

    /// For standard output: a terminal's width and colour, unless `NO_COLOR` is set; plain if it is no terminal.
    pub fn for_stdout() -> Self {
        if !io::stdout().is_terminal() {
            return Self::PLAIN;
        }
        let wanted = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self { width: Table::new().width().filter(|&width| width > 0), color: wanted && !dumb }
    }
}

/// Writes a report as text.
pub fn write_text(report: &Report<'_>, style: Style, out: &mut dyn Write) -> io::Result<()> {
    write_page(&report.page(), style, out)
}

/// Writes a page as text.
pub(super) fn write_page(page: &Page, style: Style, out: &mut dyn Write) -> io::Result<()> {
    for line in &page.caption {
        write_wrapped(line, style, out)?;
    }
    write_grid(&page.grid, style, out)?;
    write_notes(&page.notes, style, out)?;
    for list in &page.lists {
        writeln!(out)?;
        write_wrapped(&list.heading, style, out)?;
        list.items.iter().try_for_each(|item| write_wrapped(&format!("- {item}"), style, out))?;
    }
    writeln!(out)?;
    page.footer.iter().try_for_each(|line| write_wrapped(line, style, out))
}

/// Writes the notes below a table, if there are any.
pub(super) fn write_notes(notes: &[String], style: Style, out: &mut dyn Write) -> io::Result<()> {
    if !notes.is_empty() {
        writeln!(out)?;
    }
    for (index, note) in notes.iter().enumerate() {
        write_wrapped(&format!("[{}] {note}", index + 1), style, out)?;
    }
    Ok(())
}

/// Writes a table whole if it fits; else cut between groups of columns, the key columns in each part; else with
/// numbers for keys, below a list of what the numbers stand for.
pub(super) fn write_grid(grid: &Grid, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let Some(width) = style.width.map(usize::from) else {
        return write_parts(grid, &[(0..grid.columns.len()).collect()], style, out);
    };
    let (keys, groups) = grid.groups();
    let parts = packed(grid, &keys, &groups, width);
    if parts.iter().all(|part| natural_width(&grid.part(part), NARROW_GAP) <= width) {
        return write_parts(grid, &parts, style, out);
    }
    writeln!(out)?;
    let mut number = 0;
    for row in &grid.rows {
        if let Row::Cells(cells) = row {
            number += 1;
            write_wrapped(&format!("{number}: {}", described(grid, &keys, cells)), style, out)?;
        }
    }
    let numbered = grid.numbered();
    let (keys, groups) = numbered.groups();
    if groups.is_empty() {
        return Ok(());
    }
    let fits = |group: &[usize]| natural_width(&numbered.part(&[&keys, group].concat()), NARROW_GAP) <= width;
    let units: Vec<Vec<usize>> = groups
        .into_iter()
        .flat_map(
            |group| if fits(&group) { vec![group] } else { group.into_iter().map(|at| vec![at]).collect() },
        )
        .collect();
    write_parts(&numbered, &packed(&numbered, &keys, &units, width), style, out)
}

fn write_parts(grid: &Grid, parts: &[Vec<usize>], style: Style, out: &mut dyn Write) -> io::Result<()> {
    parts.iter().try_for_each(|part| writeln!(out, "\n{}", table(&grid.part(part), style)))
}

/// As many groups a part as the width takes, one at least.
fn packed(grid: &Grid, keys: &[usize], groups: &[Vec<usize>], width: usize) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = vec![keys.to_vec()];
    for group in groups {
        let last = parts.last_mut().expect("there is one from the start");
        let wider = [last.as_slice(), group].concat();
        if last.len() == keys.len() || natural_width(&grid.part(&wider), NARROW_GAP) <= width {
            *last = wider;
        } else {
            parts.push([keys, group].concat());
        }
    }
    parts
}

/// The keys of a row in one sentence; numbers with their names, which names do not need.
fn described(grid: &Grid, keys: &[usize], cells: &[String]) -> String {
    let there = keys.iter().filter(|&&key| !cells[key].is_empty());
    let parts = there.map(|&key| match grid.columns[key].align {
        Align::Left => cells[key].clone(),
        Align::Right => format!("{} {}", grid.columns[key].title, cells[key]),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Spaces between columns where there is room, and where there is not.
const WIDE_GAP: usize = 2;
const NARROW_GAP: usize = 1;

/// The width of a table that nothing is wrapped in. Between groups there is one more space.
fn natural_width(grid: &Grid, gap: usize) -> usize {
    let columns = grid.columns.iter().enumerate().map(|(index, column)| {
        let before = if index == 0 { 0 } else { gap + usize::from(starts_group(grid, index)) };
        let titles = [column.title.as_str(), if starts_group(grid, index) { column.group } else { "" }];
        let cells = grid.rows.iter().map(|row| match row {
            Row::Cells(cells) => cells[index].as_str(),
            Row::Gap => "",
        });
        let widest = cells.chain(titles).map(|text| text.chars().count()).max();
        before + widest.unwrap_or_default()
    });
    columns.sum()
}

fn starts_group(grid: &Grid, index: usize) -> bool {
    index > 0 && grid.columns[index].group != grid.columns[index - 1].group
}

fn table(grid: &Grid, style: Style) -> String {
    let fits = |gap| style.width.is_none_or(|width| natural_width(grid, gap) <= usize::from(width));
    let gap = if fits(WIDE_GAP) { WIDE_GAP } else { NARROW_GAP };
    let mut table = Table::new();
    table.force_no_tty();
    table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')));
    if style.color {
        table.enforce_styling();
    }
    match style.width.filter(|_| !fits(NARROW_GAP)) {
        Some(width) => table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width),
        None => table.set_content_arrangement(ContentArrangement::Disabled),
    };
    let has_groups = grid.columns.iter().any(|column| !column.is_key());
    table.set_header(grid.columns.iter().enumerate().map(|(index, column)| {
        let group = if starts_group(grid, index) { column.group } else { "" };
        let title = if has_groups { format!("{group}\n{}", column.title) } else { column.title.clone() };
        Cell::new(title).add_attribute(Attribute::Bold).set_alignment(alignment(column))
    }));
    for row in &grid.rows {
        table.add_row(match row {
            Row::Cells(cells) => cells.iter().map(|text| painted(text)).collect(),
            Row::Gap => grid.columns.iter().map(|_| Cell::new("")).collect::<Vec<_>>(),
        });
    }
    for (index, column) in grid.columns.iter().enumerate() {
        let left = if index == 0 { 0 } else { gap + usize::from(starts_group(grid, index)) };
        let drawn = table.column_mut(index).expect("the header made one a column");
        drawn.set_padding((left as u16, 0)).set_cell_alignment(alignment(column));
    }
    table.trim_fmt()
}

fn alignment(column: &Column) -> CellAlignment {
    match column.align {
        Align::Left => CellAlignment::Left,
        Align::Right => CellAlignment::Right,
    }
}

/// What went wrong in colour, and verdicts, everything else plain. A mark follows what went wrong, unlike a dimension
/// whose value is `none`.
fn painted(text: &str) -> Cell {
    let text = visible(text);
    let text = text.as_str();
    let cell = Cell::new(text);
    let (word, marked) = text.split_once(" [").map_or((text, false), |(word, _)| (word, true));
    match word {
        "regression" => cell.fg(Color::Red),
        "improvement" => cell.fg(Color::Green),
        "inconclusive" => cell.fg(Color::Yellow),
        "error" | "lost" if marked => cell.fg(Color::Red),
        "no" | "none" | "neither" if marked => cell.fg(Color::Yellow),
        _ => cell,
    }
}

/// Writes a sentence, its lines broken between words where the width asks for it, and nowhere else.
fn write_wrapped(sentence: &str, style: Style, out: &mut dyn Write) -> io::Result<()> {
    let width = style.width.map_or(usize::MAX, usize::from);
    let mut length = 0;
    for word in sentence.split_whitespace().map(visible) {
        let word_length = word.chars().count();
        if length > 0 && length + 1 + word_length > width {
            writeln!(out)?;
            length = 0;
        } else if length > 0 {
            write!(out, " ")?;
            length += 1;
        }
        write!(out, "{word}")?;
        length += word_length;
    }
    writeln!(out)
}
