//! The comparison of two executables that measure now: explored first, then visited in rounds.

use std::time::Duration;

use super::contender::{Contender, Kind};
use super::engine_map::EngineMap;
use super::explore::{Explorer, cell_comparison, entry, words};
use super::judge::confirm;
use super::rounds::{Done, Entry, PAIRS, Rounds, RoundsObserver, Visit};
use crate::campaign::NoNumbers;
use crate::cell::Cell;
use crate::measure::LoopKind;
use crate::results::{
    CellComparison, Comparability, Comparison, ComparisonKind, Design, Document, Effect, Evidence,
    LoopComparison, Method, PlanEntry, Round, SuiteEntry, Thresholds, Verdict,
};
use crate::worker::{Executable, Terms};

/// What is to be compared, and how.
#[derive(Debug)]
pub struct Contest<'a> {
    /// The side that is compared against, an executable.
    pub old: &'a Contender,
    /// The side in question, an executable.
    pub new: &'a Contender,
    /// Which engines belong together.
    pub map: &'a EngineMap,
    /// The cells by their names on the OLD side, in the order of the results, with what counts as a regression.
    pub cells: &'a [(Cell, Thresholds)],
    /// What to compare.
    pub loops: &'a [LoopKind],
    /// The suites that the cells come from.
    pub suites: &'a [SuiteEntry],
    /// The whole plan, of which the cells may be a shard.
    pub plan: PlanEntry,
    /// How to measure and decide.
    pub settings: Settings,
    /// How workers are employed.
    pub terms: Terms<'a>,
}

/// How to measure and decide.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Rounds.
    pub rounds: u64,
    /// What all random order is made from.
    pub seed: u64,
    /// The share of false alarms among alarms that is allowed.
    pub alpha: f64,
    /// How much slower counts as not slower.
    pub noise_floor: f64,
    /// Where the noise floor comes from, in words.
    pub noise_floor_from: String,
    /// The part of a connection's time by which NEW is slowed down on purpose, by real work. 0 but in `selftest`.
    pub burden: f64,
}

/// Told of progress, outside all timers.
pub trait ContestObserver {
    /// A cell is being explored, 1 for the first.
    fn exploring(&mut self, number: usize, of: usize, cell: &Cell) {
        _ = (number, of, cell);
    }

    /// So many loops will be compared, in about this time.
    fn planned(&mut self, cells: usize, loops: usize, estimate: Duration) {
        _ = (cells, loops, estimate);
    }

    /// So many suspects will be measured again, in about this time.
    fn checking_again(&mut self, loops: usize, estimate: Duration) {
        _ = (loops, estimate);
    }

    /// A loop is being visited; about so much time is left.
    fn visiting(&mut self, done: Done, left: Duration) {
        _ = (done, left);
    }

    /// The instructions of a loop are being counted, 1 for the first; about so much time is left, if that is known.
    fn counting(&mut self, number: usize, of: usize, left: Option<Duration>) {
        _ = (number, of, left);
    }

    /// A round has ended: what is known so far.
    fn so_far(&mut self, comparison: &Comparison) {
        _ = comparison;
    }
}

/// What a contest came to.
#[derive(Debug)]
pub struct Contested {
    /// What was measured, not yet judged.
    pub comparison: Comparison,
    pub(super) planned: Vec<Planned>,
}

/// A loop that is visited: which cell's, and what each side runs.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) cell: usize,
    pub(super) entry: Entry,
}

impl Contest<'_> {
    /// Compares. What was measured when told to stop is in the comparison, which then is not complete.
    pub fn run(&self, observer: &mut dyn ContestObserver) -> Contested {
        let sides = self.sides();
        let mut comparison =
            blank(self.old, self.new, self.map, &self.settings, Design::Paired, self.plan.clone());
        comparison.suites = self.suites.to_vec();
        let planned = self.explore(&sides, &mut comparison, observer);
        let entries: Vec<Entry> = planned.iter().map(|planned| planned.entry.clone()).collect();
        if !self.terms.stop.requested() {
            let cells = comparison.cells.iter().filter(|cell| cell.status == Comparability::Compared).count();
            observer.planned(cells, entries.len(), time_of(&entries, self.settings.rounds));
        }
        let Settings { rounds, seed, .. } = self.settings;
        let rounds = Rounds { sides: &sides, terms: self.terms, rounds, seed };
        let mut watch = Watch { planned: &planned, comparison: comparison.clone(), observer };
        let outcomes = rounds.run(&entries, &mut watch);
        fill(&mut comparison, &planned, &outcomes);
        comparison.complete = !self.terms.stop.requested();
        Contested { comparison, planned }
    }

    /// Measures some loops once more, in so many rounds of fresh processes in another order, and puts what came out in
    /// place of what they had. A loop that fails now makes its cell an error.
    pub fn again(
        &self,
        contested: &mut Contested,
        suspects: &[(usize, LoopKind)],
        rounds: u64,
        observer: &mut dyn ContestObserver,
    ) {
        let Contested { comparison, planned } = contested;
        let is_suspect = |planned: &&Planned| suspects.contains(&(planned.cell, planned.entry.kind));
        let suspects: Vec<&Planned> = planned.iter().filter(is_suspect).collect();
        let entries: Vec<Entry> = suspects.iter().map(|planned| planned.entry.clone()).collect();
        observer.checking_again(entries.len(), time_of(&entries, rounds));
        let sides = self.sides();
        let seed = self.settings.seed.wrapping_add(1);
        let fresh = Rounds { sides: &sides, terms: self.terms, rounds, seed };
        let outcomes = fresh.run(&entries, &mut Visiting(observer));
        comparison.complete = !self.terms.stop.requested();
        for (suspect, outcome) in suspects.iter().zip(outcomes) {
            match outcome {
                Ok(visits) if visits.is_empty() => {} // told to stop: the first look has to do
                Ok(visits) => match paired(&visits) {
                    Ok(evidence) => confirm(comparison, suspect.cell, suspect.entry.kind, evidence),
                    Err(why) => failed(&mut comparison.cells[suspect.cell], why),
                },
                Err(why) => failed(&mut comparison.cells[suspect.cell], why),
            }
        }
    }

    pub(super) fn sides(&self) -> [Executable; 2] {
        [self.old, self.new].map(|contender| match &contender.kind {
            Kind::Executable(executable, _) => executable.clone(),
            Kind::Saved(_) => unreachable!("saved results are compared elsewhere"),
        })
    }

    fn explore(
        &self,
        sides: &[Executable; 2],
        comparison: &mut Comparison,
        observer: &mut dyn ContestObserver,
    ) -> Vec<Planned> {
        let mut explorers = sides.each_ref().map(|side| Explorer::new(side, self.terms));
        let mut planned = Vec::new();
        for (at, (old, thresholds)) in self.cells.iter().enumerate() {
            let Some(new) = self.map.new_cell(old) else { continue };
            observer.exploring(at + 1, self.cells.len(), old);
            let counted = [explorers[0].count(old), explorers[1].count(&new)];
            if self.terms.stop.requested() {
                break;
            }
            let mut cell = cell_comparison(old, &new, *thresholds, counted);
            if cell.status == Comparability::Compared {
                let entries: Result<Vec<Entry>, NoNumbers> = self
                    .loops
                    .iter()
                    .map(|&kind| entry(&mut explorers, &[old, &new], kind, self.settings.burden))
                    .collect();
                let cell_at = comparison.cells.len();
                match entries {
                    Ok(entries) => {
                        planned.extend(entries.into_iter().map(|entry| Planned { cell: cell_at, entry }));
                    }
                    Err(NoNumbers::NotReached) => break,
                    Err(why) => failed(&mut cell, why),
                }
            }
            comparison.cells.push(cell);
        }
        planned
    }
}

/// A comparison without cells.
pub(super) fn blank(
    old: &Contender,
    new: &Contender,
    map: &EngineMap,
    settings: &Settings,
    design: Design,
    plan: PlanEntry,
) -> Comparison {
    let Settings { rounds, seed, alpha, noise_floor, noise_floor_from, .. } = settings.clone();
    let Document { schema, tool, machine, plan, .. } = Document::begin(&[], plan);
    let (old_core, new_core) = (core(old), core(new));
    Comparison {
        schema,
        kind: ComparisonKind::Comparison,
        tool,
        machine,
        complete: false,
        suites: Vec::new(),
        plan,
        old: old.entry(),
        new: new.entry(),
        method: Method {
            design,
            rounds,
            pairs: PAIRS,
            seed,
            alpha,
            noise_floor,
            noise_floor_from,
            core: old_core.filter(|_| old_core == new_core),
        },
        warnings: Vec::new(),
        left_out: map.left_out().to_vec(),
        cells: Vec::new(),
    }
}

/// The processor that a side said it stays on.
fn core(contender: &Contender) -> Option<u64> {
    match &contender.kind {
        Kind::Executable(_, hello) => hello.core,
        Kind::Saved(_) => None,
    }
}

fn failed(cell: &mut CellComparison, why: NoNumbers) {
    cell.status = Comparability::Error;
    cell.reason = Some(words(why));
}

/// Puts what was measured into the comparison.
fn fill(comparison: &mut Comparison, planned: &[Planned], outcomes: &[Result<Vec<Visit>, NoNumbers>]) {
    for (Planned { cell, entry }, outcome) in planned.iter().zip(outcomes) {
        let cell = &mut comparison.cells[*cell];
        match outcome {
            Ok(visits) if visits.is_empty() => {}
            Ok(visits) => match paired(visits) {
                Ok(evidence) => {
                    *cell.loops.of_mut(entry.kind) = Some(loop_comparison(entry.batch, evidence));
                }
                Err(why) => failed(cell, why),
            },
            Err(why) => failed(cell, why.clone()),
        }
    }
}

/// A round whose clocks saw no time pass must not be left out quietly.
fn paired(visits: &[Visit]) -> Result<Evidence, NoNumbers> {
    let rounds = visits.iter().map(Round::of).collect::<Option<_>>();
    let no_time = || NoNumbers::Error("a clock saw no time pass in a batch".to_owned());
    Ok(Evidence::Paired { rounds: rounds.ok_or_else(no_time)? })
}

/// What so many rounds of all entries should take.
pub(super) fn time_of(entries: &[Entry], rounds: u64) -> Duration {
    entries.iter().map(Entry::time).sum::<Duration>() * u32::try_from(rounds).unwrap_or(u32::MAX)
}

/// A loop with its evidence, not yet judged.
pub(super) fn loop_comparison(batch: u64, evidence: Evidence) -> LoopComparison {
    let unknown = Effect { ratio: 1.0, low: None, high: None };
    LoopComparison {
        batch,
        evidence,
        cpu: unknown,
        wall: unknown,
        client: unknown,
        server: unknown,
        p_slower: None,
        p_faster: None,
        verdict: Verdict::Inconclusive,
        odd_rounds: Vec::new(),
        doubts: Vec::new(),
        first_look: None,
        instructions: None,
    }
}

/// Passes on which visit it is.
pub(super) struct Visiting<'a>(pub(super) &'a mut dyn ContestObserver);

impl RoundsObserver for Visiting<'_> {
    fn visiting(&mut self, done: Done, left: Duration) {
        self.0.visiting(done, left);
    }

    fn round_ended(&mut self, _round: u64, _outcomes: &[Result<Vec<Visit>, NoNumbers>]) {}
}

/// Passes progress on, and after each round what is known so far.
struct Watch<'a> {
    planned: &'a [Planned],
    comparison: Comparison,
    observer: &'a mut dyn ContestObserver,
}

impl RoundsObserver for Watch<'_> {
    fn visiting(&mut self, done: Done, left: Duration) {
        self.observer.visiting(done, left);
    }

    fn round_ended(&mut self, _round: u64, outcomes: &[Result<Vec<Visit>, NoNumbers>]) {
        fill(&mut self.comparison, self.planned, outcomes);
        self.observer.so_far(&self.comparison);
    }
}
