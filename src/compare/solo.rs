//! One executable measured by itself in rounds of fresh processes: for a baseline, or beside saved results.

use super::contest::{ContestObserver, Visiting, time_of};
use super::explore::{Explorer, entry};
use super::rounds::{Entry, Rounds, Visit};
use crate::campaign::NoNumbers;
use crate::cell::Cell;
use crate::measure::LoopKind;
use crate::results::{CountedSide, RoundTime};
use crate::worker::{Executable, Terms};

/// What is to be measured.
#[derive(Clone, Copy, Debug)]
pub struct Solo<'a> {
    /// Who measures.
    pub executable: &'a Executable,
    /// Which loops.
    pub loops: &'a [LoopKind],
    /// How many rounds.
    pub rounds: u64,
    /// What all random order is made from.
    pub seed: u64,
    /// How workers are employed.
    pub terms: Terms<'a>,
}

/// What came of one cell.
#[derive(Clone, Debug)]
pub struct SoloCell {
    /// What was counted, or why there are no numbers.
    pub counted: Result<CountedSide, NoNumbers>,
    /// What a connection of each loop took in each process.
    pub loops: Vec<(LoopKind, Vec<RoundTime>)>,
}

impl Solo<'_> {
    /// Measures; one entry a cell, in their order.
    pub fn measure(&self, cells: &[&Cell], observer: &mut dyn ContestObserver) -> Vec<SoloCell> {
        let mut explorer = [Explorer::new(self.executable, self.terms)];
        let mut measured = Vec::new();
        let mut planned: Vec<(usize, Entry)> = Vec::new();
        for (at, cell) in cells.iter().enumerate() {
            observer.exploring(at + 1, cells.len(), cell);
            let mut counted = explorer[0].count(cell);
            if counted.is_ok() {
                for &kind in self.loops {
                    match entry(&mut explorer, &[cell], kind, 0.0) {
                        Ok(entry) => planned.push((at, entry)),
                        Err(why) => counted = Err(why),
                    }
                }
            }
            measured.push(SoloCell { counted, loops: Vec::new() });
        }
        let entries: Vec<Entry> = planned.iter().map(|(_, entry)| entry.clone()).collect();
        observer.planned(cells.len(), entries.len(), time_of(&entries, self.rounds));
        let sides = std::slice::from_ref(self.executable);
        let rounds = Rounds { sides, terms: self.terms, rounds: self.rounds, seed: self.seed };
        let outcomes = rounds.run(&entries, &mut Visiting(observer));
        for ((at, entry), outcome) in planned.into_iter().zip(outcomes) {
            match outcome {
                Ok(visits) => measured[at].loops.push((entry.kind, times(&visits))),
                Err(why) => measured[at].counted = Err(why),
            }
        }
        measured
    }
}

fn times(visits: &[Visit]) -> Vec<RoundTime> {
    visits.iter().filter_map(|visit| RoundTime::of(visit.batches.first()?)).collect()
}
