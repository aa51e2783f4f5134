//! Pages as Markdown tables.

use std::io::{self, Write};

use super::Report;
use super::grid::{Align, Row};

/// Writes a report as Markdown.
pub fn write_markdown(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let page = report.page();
    for line in &page.caption {
        writeln!(out, "{}\n", escaped(line))?;
    }
    write_row(page.grid.columns.iter().map(|column| column.full_title()), out)?;
    let rule = page.grid.columns.iter().map(|column| match column.align {
        Align::Left => ":--",
        Align::Right => "--:",
    });
    writeln!(out, "|{}|", rule.collect::<Vec<_>>().join("|"))?;
    for row in &page.grid.rows {
        // Markdown has no space between rows: the key columns have to part the groups.
        if let Row::Cells(cells) = row {
            write_row(cells.iter().cloned(), out)?;
        }
    }
    writeln!(out)?;
    for (index, note) in page.notes.iter().enumerate() {
        writeln!(out, "{}\n", escaped(&format!("[{}] {note}", index + 1)))?;
    }
    for list in &page.lists {
        writeln!(out, "{}\n", escaped(&list.heading))?;
        list.items.iter().try_for_each(|item| writeln!(out, "- {}", escaped(item)))?;
        writeln!(out)?;
    }
    page.footer.iter().try_for_each(|line| writeln!(out, "- {}", escaped(line)))
}

fn write_row(cells: impl Iterator<Item = String>, out: &mut dyn Write) -> io::Result<()> {
    let cells: Vec<String> = cells.map(|cell| escaped(&cell)).collect();
    writeln!(out, "| {} |", cells.join(" | "))
}

/// Keeps what a library or a file name says from being read as markup.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '|' | '*' | '_' | '`' | '\\' | '<' | '[' => out.extend(['\\', letter]),
            '\n' | '\r' => out.push(' '),
            letter if letter.is_control() => out.extend(letter.escape_debug()),
            _ => out.push(letter),
        }
    }
    out
}
