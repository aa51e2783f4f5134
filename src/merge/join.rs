//! What merging has in common for results and comparisons: do the files belong together, is anything missing, and
//! where does each cell go.

use std::collections::HashMap;

use super::error::missing_words;
use super::{Allow, MergeError};
use crate::results::{Difference, EngineEntry, Machine, PlanEntry, Shard};

/// A file that may be one shard of several.
pub(super) trait Part: PartialEq {
    type Cell;

    fn plan(&self) -> &PlanEntry;
    fn machine(&self) -> &Machine;
    fn is_complete(&self) -> bool;
    fn cells(&self) -> &[Self::Cell];
    fn take_cells(&mut self) -> Vec<Self::Cell>;
    fn id(cell: &Self::Cell) -> &str;
    /// What all shards have in common beside plan and machine, by name; what decides on the names of others first.
    fn facts(&self) -> Vec<Fact>;
}

/// Something that shards have in common: its name, its value.
pub(super) type Fact = (String, String);

/// Shards that belong together.
pub(super) struct Joined<P: Part> {
    /// Each shard once, by number, its cells taken out; never none.
    pub parts: Vec<(String, P)>,
    /// All cells, in the order of the plan.
    pub cells: Vec<P::Cell>,
    /// Whether nothing is missing.
    pub complete: bool,
    /// What was merged although it need not fit, in words.
    pub warnings: Vec<String>,
}

/// Joins shards, or says why they do not fit.
pub(super) fn join<P: Part>(files: Vec<(String, P)>, allow: Allow) -> Result<Joined<P>, MergeError> {
    let mut warnings = agree(&files, allow)?;
    let mut parts = each_once(files)?;
    let missing = missing_shards(&parts);
    if !missing.is_empty() {
        if !allow.missing {
            return Err(MergeError::Missing { shards: missing });
        }
        warnings.push(format!("{} missing", missing_words(&missing)));
    }
    for (name, part) in &parts {
        check_count(name, part)?;
        if !part.is_complete() {
            if !allow.missing {
                return Err(MergeError::Incomplete { name: name.clone() });
            }
            warnings.push(format!("{name} was interrupted"));
        }
    }
    check_disjoint(&parts)?;
    let complete = missing.is_empty() && parts.iter().all(|(_, part)| part.is_complete());
    Ok(Joined { cells: in_order(&mut parts), parts, complete, warnings })
}

/// The engines as facts. Which there are comes first, because the others are named after them.
pub(super) fn engine_facts(whose: &str, engines: &[EngineEntry]) -> Vec<Fact> {
    let ids: Vec<&str> = engines.iter().map(|engine| engine.id.as_str()).collect();
    let mut facts = vec![(format!("{whose}engines"), ids.join(" "))];
    for EngineEntry { id, library, version, build } in engines {
        facts.push((format!("{whose}{id}"), format!("{library} {version} ({build})")));
    }
    facts
}

/// Adds those lines that are not there yet.
pub(super) fn add_new(lines: &mut Vec<String>, more: Vec<String>) {
    for line in more {
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
}

/// Every file with the first, which is enough, because all of this is transitive.
fn agree<P: Part>(files: &[(String, P)], allow: Allow) -> Result<Vec<String>, MergeError> {
    let Some(((one, first), others)) = files.split_first() else {
        return Err(MergeError::NoFiles);
    };
    let mut warnings = Vec::new();
    for (other, part) in others {
        let in_words = |differences: &[Difference]| {
            let words: Vec<String> = differences.iter().map(|it| it.words(one, other)).collect();
            words.join("; ")
        };
        if let Some(difference) = Difference::between(facts(first), facts(part)).first() {
            let differences = in_words(std::slice::from_ref(difference));
            return Err(MergeError::Differ { one: one.clone(), other: other.clone(), differences });
        }
        let differences = first.machine().differences(part.machine());
        if !differences.is_empty() {
            let differences = in_words(&differences);
            if !allow.other_machines {
                return Err(MergeError::OtherMachine { one: one.clone(), other: other.clone(), differences });
            }
            warnings.push(format!("merged from different machines: {differences}"));
        }
        let lesser = first.machine().lesser_differences(part.machine());
        if !lesser.is_empty() {
            warnings.push(format!("merged from different systems or builds: {}", in_words(&lesser)));
        }
    }
    Ok(warnings)
}

fn facts<P: Part>(part: &P) -> Vec<Fact> {
    let plan = part.plan();
    let mut facts = vec![
        ("plan (suites, filters and loops)".to_owned(), plan.hash.clone()),
        ("cells of the plan".to_owned(), plan.cells.to_string()),
        ("shards".to_owned(), plan.part().of.to_string()),
    ];
    facts.extend(part.facts());
    facts
}

/// The shards by number. A copy of one that is there already adds nothing.
fn each_once<P: Part>(files: Vec<(String, P)>) -> Result<Vec<(String, P)>, MergeError> {
    let mut parts: Vec<(String, P)> = Vec::with_capacity(files.len());
    for (name, part) in files {
        let shard = part.plan().part();
        match parts.iter().find(|(_, known)| known.plan().part() == shard) {
            Some((_, known)) if *known == part => {}
            Some((known, _)) => {
                return Err(MergeError::SameShard { one: known.clone(), other: name, shard });
            }
            None => parts.push((name, part)),
        }
    }
    parts.sort_by_key(|(_, part)| part.plan().part().number);
    Ok(parts)
}

/// More missing shards than this are not listed one by one: a file may claim any number.
const MOST_MISSING: usize = 1000;

/// Those that are not among the parts, which are sorted.
fn missing_shards<P: Part>(parts: &[(String, P)]) -> Vec<Shard> {
    let of = parts.first().map_or(1, |(_, part)| part.plan().part().of);
    let has = |number| parts.binary_search_by_key(&number, |(_, part)| part.plan().part().number).is_ok();
    (1..=of).filter(|&number| !has(number)).map(|number| Shard { number, of }).take(MOST_MISSING).collect()
}

fn check_count<P: Part>(name: &str, part: &P) -> Result<(), MergeError> {
    let (has, wants) = (part.cells().len() as u64, part.plan().share_size());
    let fits = if part.is_complete() { has == wants } else { has <= wants };
    if fits {
        return Ok(());
    }
    Err(MergeError::WrongCount { name: name.to_owned(), has, wants, shard: part.plan().part() })
}

fn check_disjoint<P: Part>(parts: &[(String, P)]) -> Result<(), MergeError> {
    let mut owner: HashMap<&str, &str> = HashMap::new();
    for (name, part) in parts {
        for id in part.cells().iter().map(P::id) {
            if let Some(one) = owner.insert(id, name) {
                let (one, other) = (one.to_owned(), name.clone());
                return Err(MergeError::SameCell { one, other, cell: id.to_owned() });
            }
        }
    }
    Ok(())
}

/// Deals the cells back. An interrupted shard has its first cells, so that they know their places too.
fn in_order<P: Part>(parts: &mut [(String, P)]) -> Vec<P::Cell> {
    let mut placed = Vec::new();
    for (_, part) in parts {
        let shard = part.plan().part();
        let cells = part.take_cells().into_iter().enumerate();
        placed.extend(cells.map(|(index, cell)| (shard.place(index), cell)));
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, cell)| cell).collect()
}
