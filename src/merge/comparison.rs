//! Merging comparison files.

use super::join::{Fact, Joined, Part, add_new, engine_facts, join};
use super::{Allow, MergeError};
use crate::results::{CellComparison, Comparison, Design, Machine, Method, PlanEntry, SideEntry};

/// Merges the shards of a comparison, given with their names. Verdicts stay as each shard had them: they depend on how
/// many loops were compared, so the caller has to judge anew.
pub fn comparisons(files: Vec<(String, Comparison)>, allow: Allow) -> Result<Comparison, MergeError> {
    let Joined { parts, cells, complete, warnings } = join(files, allow)?;
    let date = parts.iter().map(|(_, part)| part.machine.date.clone()).min();
    let one_core = parts.windows(2).all(|pair| pair[0].1.method.core == pair[1].1.method.core);
    let mut all_warnings: Vec<String> = Vec::new();
    let mut left_out: Vec<String> = Vec::new();
    let mut whole = None;
    for (_, mut part) in parts {
        add_new(&mut all_warnings, std::mem::take(&mut part.warnings));
        add_new(&mut left_out, std::mem::take(&mut part.left_out));
        whole.get_or_insert(part);
    }
    let first = whole.ok_or(MergeError::NoFiles)?;
    add_new(&mut all_warnings, warnings);
    Ok(Comparison {
        plan: PlanEntry { shard: None, ..first.plan },
        machine: Machine { date: date.unwrap_or(first.machine.date), ..first.machine },
        method: Method { core: first.method.core.filter(|_| one_core), ..first.method },
        complete,
        warnings: all_warnings,
        left_out,
        cells,
        ..first
    })
}

impl Part for Comparison {
    type Cell = CellComparison;

    fn plan(&self) -> &PlanEntry {
        &self.plan
    }

    fn machine(&self) -> &Machine {
        &self.machine
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    fn cells(&self) -> &[CellComparison] {
        &self.cells
    }

    fn take_cells(&mut self) -> Vec<CellComparison> {
        std::mem::take(&mut self.cells)
    }

    fn id(cell: &CellComparison) -> &str {
        &cell.id
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = vec![(self.tool.name.clone(), self.tool.version.clone())];
        facts.extend(side_facts("OLD", &self.old));
        facts.extend(side_facts("NEW", &self.new));
        facts.extend(method_facts(&self.method));
        facts
    }
}

/// The name of an executable is only where it lay; that of a results file is all that there is.
fn side_facts(side: &str, entry: &SideEntry) -> Vec<Fact> {
    let subject = entry.hash.as_ref().unwrap_or(&entry.name);
    let mut facts = vec![
        (side.to_owned(), subject.clone()),
        (format!("version of {side}"), entry.version.clone()),
        (format!("build of {side}"), entry.build.clone()),
    ];
    facts.extend(engine_facts(&format!("{side}'s "), &entry.engines));
    facts
}

/// What decides on verdicts. Seed and processor may be others in each shard.
fn method_facts(method: &Method) -> Vec<Fact> {
    let design = match method.design {
        Design::Paired => "paired",
        Design::Separate => "separate",
    };
    [
        ("design", design.to_owned()),
        ("rounds", method.rounds.to_string()),
        ("pairs of batches", method.pairs.to_string()),
        ("alpha", method.alpha.to_string()),
        ("noise floor", method.noise_floor.to_string()),
    ]
    .map(|(what, value)| (what.to_owned(), value))
    .to_vec()
}
