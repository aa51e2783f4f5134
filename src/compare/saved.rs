//! The comparison with saved results. It is weaker evidence: what changed between the runs beside the libraries, nobody
//! knows. A side that is an executable is measured now, in rounds of its own.

use super::contender::{Contender, Kind};
use super::contest::{ContestObserver, Settings, blank, loop_comparison};
use super::engine_map::EngineMap;
use super::explore::cell_comparison;
use super::look::SEPARATE_NOISE_FLOOR;
use super::solo::{Solo, SoloCell};
use crate::campaign::NoNumbers;
use crate::cell::Cell;
use crate::measure::LoopKind;
use crate::results::{
    CellResult, Comparability, Comparison, CountedSide, Design, Document, Evidence, Status, Thresholds,
};
use crate::suite::{EngineNames, cell_of};
use crate::worker::{Executable, Terms};

/// What is to be compared, at least one side of it saved results.
pub struct SavedContest<'a> {
    /// The side that is compared against.
    pub old: &'a Contender,
    /// The side in question.
    pub new: &'a Contender,
    /// Which engines belong together.
    pub map: &'a EngineMap,
    /// Chooses among the cells of the files, by their names on the OLD side, and says what counts as a regression, if the
    /// file says this of the cell.
    pub choose: &'a dyn Fn(&Cell, Option<Thresholds>) -> Option<Thresholds>,
    /// Which of the loops that the files have.
    pub loops: &'a [LoopKind],
    /// How to measure and decide.
    pub settings: Settings,
    /// How workers are employed.
    pub terms: Terms<'a>,
}

/// A cell by its names on both sides.
struct CellPair {
    old: Cell,
    new: Cell,
    thresholds: Thresholds,
}

impl SavedContest<'_> {
    /// Compares the cells that the files have.
    pub fn run(&self, observer: &mut dyn ContestObserver) -> Comparison {
        let document = self.document();
        let plan = document.plan.clone();
        let mut comparison = blank(self.old, self.new, self.map, &self.settings(), Design::Separate, plan);
        comparison.suites.clone_from(&document.suites);
        let pairs = self.pairs(&mut comparison);
        let old_cells: Vec<&Cell> = pairs.iter().map(|pair| &pair.old).collect();
        let new_cells: Vec<&Cell> = pairs.iter().map(|pair| &pair.new).collect();
        let old = self.side(self.old, &old_cells, observer);
        let new = self.side(self.new, &new_cells, observer);
        for ((pair, old), new) in pairs.iter().zip(old).zip(new) {
            if self.terms.stop.requested() {
                break;
            }
            let counted = [old.counted, new.counted];
            let mut cell = cell_comparison(&pair.old, &pair.new, pair.thresholds, counted);
            if cell.status == Comparability::Compared {
                for (kind, old) in old.loops.into_iter().filter(|(kind, _)| self.loops.contains(kind)) {
                    let Some((_, new)) = new.loops.iter().find(|(other, _)| *other == kind) else { continue };
                    let evidence = Evidence::Separate { old, new: new.clone() };
                    *cell.loops.of_mut(kind) = Some(loop_comparison(1, evidence));
                }
            }
            comparison.cells.push(cell);
        }
        comparison.complete = !self.terms.stop.requested();
        comparison
    }

    /// Between runs, less than this says nothing, whatever was learned of comparisons within one.
    fn settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        if settings.noise_floor < SEPARATE_NOISE_FLOOR {
            settings.noise_floor = SEPARATE_NOISE_FLOOR;
            settings.noise_floor_from = "the least with saved results".to_owned();
        }
        settings
    }

    /// The file that says what is compared: OLD's, if both are files.
    fn document(&self) -> &Document {
        match (&self.old.kind, &self.new.kind) {
            (Kind::Saved(document), _) | (_, Kind::Saved(document)) => document,
            _ => unreachable!("two executables are compared elsewhere"),
        }
    }

    /// The cells that both sides can have, in the order of the file. Others are left out, which the comparison says.
    fn pairs(&self, comparison: &mut Comparison) -> Vec<CellPair> {
        let is_old = matches!(self.old.kind, Kind::Saved(_));
        let names = if is_old { self.map.old_names(self.old) } else { self.map.new_names(self.new) };
        let mut pairs = Vec::new();
        for result in &self.document().cells {
            match self.pair(result, is_old, &names) {
                Ok(pair) => pairs.extend(pair),
                Err(why) => comparison.left_out.push(format!("{}: {why}", result.id)),
            }
        }
        pairs
    }

    fn pair(
        &self,
        result: &CellResult,
        is_old: bool,
        names: &EngineNames,
    ) -> Result<Option<CellPair>, String> {
        let cell = cell_of(&result.dims, names.clone())?;
        if cell.id() != result.id {
            return Err(format!("its dimensions are those of {}", cell.id()));
        }
        let other = if is_old { self.map.new_cell(&cell) } else { self.map.old_cell(&cell) };
        let other = other.ok_or("an engine of it is on one side only")?;
        let (old, new) = if is_old { (cell, other) } else { (other, cell) };
        if let Kind::Saved(document) = &self.new.kind
            && document.cell(&new.id()).is_none()
        {
            return Err(format!("it is not in {}", self.new.name));
        }
        Ok((self.choose)(&old, result.thresholds).map(|thresholds| CellPair { old, new, thresholds }))
    }

    fn side(
        &self,
        contender: &Contender,
        cells: &[&Cell],
        observer: &mut dyn ContestObserver,
    ) -> Vec<SoloCell> {
        match &contender.kind {
            Kind::Saved(document) => cells.iter().map(|cell| saved(document, cell)).collect(),
            Kind::Executable(executable, _) => self.measure(executable, cells, observer),
        }
    }

    /// Measures one side by itself, in the loops that the file has.
    fn measure(
        &self,
        executable: &Executable,
        cells: &[&Cell],
        observer: &mut dyn ContestObserver,
    ) -> Vec<SoloCell> {
        let has = |kind| self.document().cells.iter().any(|cell| cell.loops.of(kind).is_some());
        let loops: Vec<LoopKind> = self.loops.iter().copied().filter(|&kind| has(kind)).collect();
        let Settings { rounds, seed, .. } = self.settings;
        Solo { executable, loops: &loops, rounds, seed, terms: self.terms }.measure(cells, observer)
    }
}

fn saved(document: &Document, cell: &Cell) -> SoloCell {
    let Some(result) = document.cell(&cell.id()) else {
        unreachable!("cells that a file lacks are left out before");
    };
    let reason = || result.reason.clone().unwrap_or_else(|| "no reason is on record".to_owned());
    let counted = match result.status {
        Status::Ok => Ok(CountedSide {
            negotiated: result.negotiated.clone(),
            wire: result.wire.clone(),
            heap: result.heap,
        }),
        Status::Unsupported => Err(NoNumbers::Unsupported(reason())),
        Status::Error => Err(NoNumbers::Error(reason())),
    };
    let loops =
        LoopKind::BOTH.into_iter().filter_map(|kind| Some((kind, result.loops.of(kind)?.processes())));
    SoloCell { counted, loops: loops.collect() }
}
