//! A page: a caption, a table, numbered notes to its rows, lists, and closing lines. Text and Markdown show the same pages.

use super::grid::Grid;
use super::number::{count, counted, duration};
use crate::results::{Document, EngineEntry, Machine, ToolInfo};

/// What is shown of a report.
#[derive(Clone, Debug)]
pub(super) struct Page {
    /// Sentences above the table.
    pub(super) caption: Vec<String>,
    pub(super) grid: Grid,
    /// Notes that cells point to as `[1]`, `[2]`, …
    pub(super) notes: Vec<String>,
    /// What has no place in the table.
    pub(super) lists: Vec<List>,
    /// Sentences below.
    pub(super) footer: Vec<String>,
}

/// Sentences under a heading.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub(super) heading: String,
    pub(super) items: Vec<String>,
}

/// Notes to rows, each text once.
#[derive(Debug, Default)]
pub(super) struct Notes(Vec<String>);

impl Notes {
    /// The mark that points to `text`, such as `[1]`.
    pub(super) fn mark(&mut self, text: &str) -> String {
        let place = self.0.iter().position(|note| note == text).unwrap_or_else(|| {
            self.0.push(text.to_owned());
            self.0.len() - 1
        });
        format!("[{}]", place + 1)
    }

    pub(super) fn into_texts(self) -> Vec<String> {
        self.0
    }
}

/// What to say of a row whose wall-clock and CPU times part.
pub(super) const DIFFER_NOTE: &str = "wall-clock and CPU time differ by more than 10 %: other work ran on this \
                                      processor meanwhile, so doubt the times and run again on a quiet machine";

/// The lines below every table: machine, engines, harness, and whether the run is whole.
pub(super) fn closing_lines(document: &Document) -> Vec<String> {
    let mut lines = vec![machine_line(&document.machine, &document.tool)];
    lines.extend(document.engines.iter().map(|engine| format!("{}: {}", engine.id, engine_words(engine))));
    lines.extend(harness_line(document));
    lines.extend(document.warnings.iter().map(|warning| format!("Warning: {warning}.")));
    if !document.complete {
        lines.push(format!("Not complete: {} so far.", counted(document.cells.len() as u64, "cell")));
    }
    lines
}

/// Library, version and build of an engine.
pub(super) fn engine_words(engine: &EngineEntry) -> String {
    let build = if engine.build.is_empty() { String::new() } else { format!(" ({})", engine.build) };
    format!("{} {}{build}", engine.library, engine.version)
}

/// Where it was measured, by what, and when.
pub(super) fn machine_line(machine: &Machine, tool: &ToolInfo) -> String {
    let mut parts =
        vec![machine.cpu.clone().unwrap_or_else(|| format!("unknown {} processor", machine.arch))];
    parts.extend(machine.cores.map(|cores| counted(cores, "core")));
    let kernel = machine.kernel.as_deref().unwrap_or_default();
    parts.push(format!("{} {kernel}", machine.os).trim_end().to_owned());
    if !machine.features.is_empty() {
        parts.push(machine.features.join(" "));
    }
    format!(
        "Machine: {}; {} {} for {} at opt-level {}; {}",
        parts.join(", "),
        tool.name,
        tool.version,
        machine.target,
        machine.opt_level,
        machine.date
    )
}

/// What the harness itself costs, if that was measured.
pub(super) fn harness_line(document: &Document) -> Option<String> {
    let costs = document.harness.as_deref().filter(|costs| !costs.is_empty())?;
    let parts: Vec<String> = costs
        .iter()
        .map(|cost| {
            let (time, bytes) = (duration(cost.cpu_ns_per_connection), count(cost.bytes));
            format!("{time} at {bytes} × {} ({})", count(u64::from(cost.chunk)), cost.loop_name)
        })
        .collect();
    Some(format!("The harness itself, CPU time per connection at bytes × chunk: {}.", parts.join(", ")))
}
