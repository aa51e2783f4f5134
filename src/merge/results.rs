//! Merging results files.

use super::join::{Fact, Joined, Part, add_new, engine_facts, join};
use super::{Allow, MergeError};
use crate::measure::LoopKind;
use crate::results::{CellResult, Document, HarnessCost, Machine, PlanEntry};

/// Merges the shards of a run, given with their names.
pub fn results(files: Vec<(String, Document)>, allow: Allow) -> Result<Document, MergeError> {
    check_connections(&files)?;
    check_links(&files)?;
    let Joined { parts, cells, complete, warnings } = join(files, allow)?;
    let names: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    let names = names.join(", ");
    let date = parts.iter().map(|(_, part)| part.machine.date.clone()).min();
    let mut all_warnings = Vec::new();
    let mut harness = None;
    let mut whole = None;
    for (_, mut part) in parts {
        add_new(&mut all_warnings, std::mem::take(&mut part.warnings));
        harness = cheaper(harness, part.harness.take());
        whole.get_or_insert(part);
    }
    add_new(&mut all_warnings, warnings);
    let first = whole.ok_or(MergeError::NoFiles)?;
    let plan = PlanEntry { shard: None, ..first.plan };
    if complete && !plan.is_of(cells.iter().map(|cell| cell.id.as_str())) {
        return Err(MergeError::OtherCells { names });
    }
    let machine = Machine { date: date.unwrap_or(first.machine.date), ..first.machine };
    Ok(Document { plan, machine, complete, harness, warnings: all_warnings, cells, ..first })
}

/// Loops of one length, as far as can be told: an interrupted run has a shorter one.
fn check_connections(files: &[(String, Document)]) -> Result<(), MergeError> {
    let mut known: Option<(&str, u64)> = None;
    for (name, document) in files.iter().filter(|(_, document)| document.complete) {
        let Some(connections) = connections(document) else { continue };
        let (one, expected) = *known.get_or_insert((name, connections));
        if connections != expected {
            return Err(MergeError::Differ {
                one: one.to_owned(),
                other: name.clone(),
                differences: format!("connections a loop: {expected} in {one}, {connections} in {name}"),
            });
        }
    }
    Ok(())
}

/// Answers that arrive over one link, if over any.
fn check_links(files: &[(String, Document)]) -> Result<(), MergeError> {
    let words =
        |document: &Document| document.link.map_or_else(|| "none".to_owned(), |link| link.to_string());
    let Some((one, first)) = files.first() else { return Ok(()) };
    match files.iter().find(|(_, document)| document.link != first.link) {
        None => Ok(()),
        Some((other, document)) => Err(MergeError::Differ {
            one: one.clone(),
            other: other.clone(),
            differences: format!("link: {} in {one}, {} in {other}", words(first), words(document)),
        }),
    }
}

fn connections(document: &Document) -> Option<u64> {
    let loops = document.cells.iter().flat_map(|cell| LoopKind::BOTH.map(|kind| cell.loops.of(kind)));
    loops.flatten().map(|run| run.connections).next()
}

/// What the harness costs is told for the cheapest cell of a run: of several runs, what costs least.
fn cheaper(one: Option<Vec<HarnessCost>>, other: Option<Vec<HarnessCost>>) -> Option<Vec<HarnessCost>> {
    let total = |costs: &Option<Vec<HarnessCost>>| {
        costs.iter().flatten().map(|cost| cost.cpu_ns_per_connection).sum::<f64>()
    };
    match (&one, &other) {
        (Some(_), Some(_)) if total(&other) < total(&one) => other,
        (None, _) => other,
        _ => one,
    }
}

impl Part for Document {
    type Cell = CellResult;

    fn plan(&self) -> &PlanEntry {
        &self.plan
    }

    fn machine(&self) -> &Machine {
        &self.machine
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    fn cells(&self) -> &[CellResult] {
        &self.cells
    }

    fn take_cells(&mut self) -> Vec<CellResult> {
        std::mem::take(&mut self.cells)
    }

    fn id(cell: &CellResult) -> &str {
        &cell.id
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![(self.tool.name.clone(), self.tool.version.clone())];
        facts.extend(engine_facts("", &self.engines));
        facts
    }
}
