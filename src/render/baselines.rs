//! The table of `tlspair baseline list`.

use std::io::{self, Write};
use std::path::Path;

use super::grid::{Align, Column, Grid, Row};
use super::number::{count, counted};
use super::page::Notes;
use super::text::{Style, write_grid, write_notes};
use super::{ABSENT, or_absent};
use crate::baseline::{Contents, Kept};

/// Writes the table of the baselines in a folder.
pub fn write_baselines(
    folder: &Path,
    baselines: &[Kept],
    style: Style,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "Baselines in {}:", folder.display())?;
    let mut notes = Notes::default();
    let rows = baselines.iter().map(|baseline| Row::Cells(values(baseline, &mut notes))).collect();
    write_grid(&Grid { columns: columns(), rows }, style, out)?;
    write_notes(&notes.into_texts(), style, out)
}

fn columns() -> Vec<Column> {
    vec![
        Column::key("name", Align::Left),
        Column::key("date", Align::Left),
        Column::key("tlspair", Align::Left),
        Column::key("cells", Align::Right),
        Column::key("engines", Align::Left),
        Column::key("machine", Align::Left),
    ]
}

fn values(baseline: &Kept, notes: &mut Notes) -> Vec<String> {
    let Some(holds) = &baseline.holds else {
        let reason = baseline.reason.as_deref().unwrap_or("no reason is on record");
        let mut values = vec![baseline.name.clone(), format!("error {}", notes.mark(reason))];
        values.resize(columns().len(), ABSENT.to_owned());
        return values;
    };
    vec![
        baseline.name.clone(),
        holds.machine.date.clone(),
        holds.tool.version.clone(),
        cells(holds, notes),
        holds
            .engines
            .iter()
            .map(|engine| format!("{} {}", engine.id, engine.version))
            .collect::<Vec<_>>()
            .join(", "),
        machine(holds),
    ]
}

/// How many cells there are, and whether they are all.
fn cells(holds: &Contents, notes: &mut Notes) -> String {
    let mut words = vec![count(holds.cells)];
    if let Some(shard) = holds.plan.shard {
        words.push(notes.mark(&format!("shard {shard} of a plan of {}", counted(holds.plan.cells, "cell"))));
    }
    if !holds.complete {
        words.push(notes.mark("not complete: its run was interrupted"));
    }
    words.join(" ")
}

fn machine(holds: &Contents) -> String {
    let cores = or_absent(holds.machine.cores.map(|cores| counted(cores, "core")));
    format!("{}, {cores}", or_absent(holds.machine.cpu.clone()))
}
