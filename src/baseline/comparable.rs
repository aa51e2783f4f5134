//! Whether times of two runs may be compared at all: the same machine, the same plan.

use crate::results::{Document, Machine, PlanEntry};

/// A run, as far as that matters here.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// How messages call it.
    pub name: &'a str,
    /// Where it was measured.
    pub machine: &'a Machine,
    /// What was measured.
    pub plan: &'a PlanEntry,
}

/// What stands against a comparison, each in words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Objections {
    /// The runs must not be compared.
    pub reasons: Vec<String>,
    /// They may, but differences may come from this.
    pub warnings: Vec<String>,
}

/// What stands against comparing the times of two runs; nothing at all if they are alike.
pub fn objections(old: Subject<'_>, new: Subject<'_>) -> Objections {
    let in_words = |differences: Vec<crate::results::Difference>| {
        differences.into_iter().map(|it| it.words(old.name, new.name))
    };
    let mut reasons: Vec<String> = in_words(old.machine.differences(new.machine)).collect();
    if old.plan.hash != new.plan.hash {
        let (one, other) = (old.plan.cells, new.plan.cells);
        reasons.push(format!(
            "not the same cells and loops: {one} cells in {}, {other} in {}, from other suites, flags or filters",
            old.name, new.name
        ));
    } else if old.plan.part() != new.plan.part() {
        let (one, other) = (old.plan.part(), new.plan.part());
        reasons.push(format!("not the same shard: {one} in {}, {other} in {}", old.name, new.name));
    }
    let warnings = in_words(old.machine.lesser_differences(new.machine)).collect();
    Objections { reasons, warnings }
}

impl<'a> Subject<'a> {
    /// A results file.
    pub fn of(name: &'a str, document: &'a Document) -> Self {
        Self { name, machine: &document.machine, plan: &document.plan }
    }
}
