//! The self-test from the first clock reading to what follows from all of it.

use super::clocks::ClockReading;
use super::disturbance::Watch;
use super::noise::{Unlearned, learned};
use super::plan::{Part, Relay, SelftestObserver};
use super::probe::Probe;
use super::report::{FloorEntry, HarnessShare, SelftestKind, SelftestReport};
use super::trust::Trust;
use crate::cell::Cell;
use crate::compare::{
    Contender, Contest, DEFAULT_NOISE_FLOOR, EngineMap, Kind, LearnedFloor, Settings, conclude,
};
use crate::measure::LoopKind;
use crate::results::{Comparison, Document, PlanEntry, SuiteEntry, Thresholds};
use crate::suite::DEFAULT_TIME_THRESHOLD;
use crate::worker::Terms;

/// What to test this machine with.
#[derive(Debug)]
pub struct Selftest<'a> {
    /// The program, an executable, which plays both sides.
    pub itself: &'a Contender,
    /// Each of its engines with itself.
    pub map: &'a EngineMap,
    /// The cells, with what counts as a difference. For times the default threshold holds.
    pub cells: &'a [(Cell, Thresholds)],
    /// Which loops.
    pub loops: &'a [LoopKind],
    /// The suites that the cells come from.
    pub suites: &'a [SuiteEntry],
    /// By how much to slow NEW down, one comparison each: 0.05 is 5 %. There is always one more with nothing slowed
    /// down.
    pub slowdowns: &'a [f64],
    /// Rounds of each comparison.
    pub rounds: u64,
    /// What all random order is made from.
    pub seed: u64,
    /// How workers are employed.
    pub terms: Terms<'a>,
}

/// The share of false alarms among alarms that `compare` allows unless told otherwise.
const ALPHA: f64 = 0.05;

impl Selftest<'_> {
    /// Tests. What was found when told to stop is in the report, which then is not complete. The noise floor is given
    /// to be kept, or why there is none.
    pub fn run(
        &self,
        observer: &mut dyn SelftestObserver,
    ) -> (SelftestReport, Result<LearnedFloor, Unlearned>) {
        let mut report = self.blank();
        report.clocks = ClockReading::all();
        let watch = Watch::begin(report.core);
        let comparison = self.compare(0, (DEFAULT_NOISE_FLOOR, "the default"), observer);
        let same = Probe::of(&comparison, 0.0);
        let floor = self.floor(&same, &report);
        let noise_floor = match &floor {
            Ok(learned) => (learned.noise_floor.max(DEFAULT_NOISE_FLOOR), "learned just now"),
            Err(_) => (DEFAULT_NOISE_FLOOR, "the default"),
        };
        let can_go_on = same.comparisons() > 0;
        report.same = Some(same);
        observer.so_far(&report);
        for (at, &slowdown) in self.slowdowns.iter().enumerate().filter(|_| can_go_on) {
            if self.terms.stop.requested() {
                break;
            }
            let comparison = self.compare(at + 1, noise_floor, observer);
            report.slowed.push(Probe::of(&comparison, slowdown));
            observer.so_far(&report);
        }
        report.disturbance = watch.so_far();
        report.complete = !self.terms.stop.requested();
        if report.complete {
            let cells: Vec<Cell> = self.cells.iter().map(|(cell, _)| cell.clone()).collect();
            report.harness = HarnessShare::of(&comparison, &cells);
            report.trust = report
                .same
                .as_ref()
                .map(|same| Trust::of(same, &report.slowed, self.rounds, DEFAULT_TIME_THRESHOLD));
        }
        let floor = floor.and_then(|learned| report.complete.then_some(learned).ok_or(Unlearned::Incomplete));
        (report, floor)
    }

    /// A report of nothing yet.
    fn blank(&self) -> SelftestReport {
        let Document { schema, tool, machine, plan, .. } = Document::begin(&[], self.plan());
        let core = match &self.itself.kind {
            Kind::Executable(_, hello) => hello.core,
            Kind::Saved(_) => None,
        };
        let mut warnings = Vec::new();
        if core.is_none() {
            warnings.push(
                "the processes could not be bound to one processor: times vary more than they need"
                    .to_owned(),
            );
        }
        SelftestReport {
            schema,
            kind: SelftestKind::Selftest,
            tool,
            machine,
            complete: false,
            suites: self.suites.to_vec(),
            plan,
            side: self.itself.entry(),
            rounds: self.rounds,
            seed: self.seed,
            core,
            alpha: ALPHA,
            threshold: DEFAULT_TIME_THRESHOLD,
            same: None,
            slowed: Vec::new(),
            trust: None,
            floor: FloorEntry::default(),
            harness: None,
            clocks: Vec::new(),
            disturbance: Default::default(),
            warnings,
        }
    }

    fn plan(&self) -> PlanEntry {
        let cells: Vec<Cell> = self.cells.iter().map(|(cell, _)| cell.clone()).collect();
        PlanEntry::whole(&cells, self.loops)
    }

    /// The comparison with this number, 0 for the one in which nothing is slowed down, judged.
    fn compare(
        &self,
        number: usize,
        noise_floor: (f64, &str),
        observer: &mut dyn SelftestObserver,
    ) -> Comparison {
        let slowdown = number.checked_sub(1).map_or(0.0, |at| self.slowdowns[at]);
        let cells: Vec<(Cell, Thresholds)> = self
            .cells
            .iter()
            .map(|(cell, thresholds)| {
                (cell.clone(), Thresholds { time: DEFAULT_TIME_THRESHOLD, ..*thresholds })
            })
            .collect();
        let contest = Contest {
            old: self.itself,
            new: self.itself,
            map: self.map,
            cells: &cells,
            loops: self.loops,
            suites: self.suites,
            plan: self.plan(),
            settings: Settings {
                rounds: self.rounds,
                seed: self.seed.wrapping_add(number as u64),
                alpha: ALPHA,
                noise_floor: noise_floor.0,
                noise_floor_from: noise_floor.1.to_owned(),
                burden: slowdown,
            },
            terms: self.terms,
        };
        let part = Part { number: number + 1, of: 1 + self.slowdowns.len(), slowdown };
        let mut relay = Relay::new(part, &self.slowdowns[number..], observer);
        let mut comparison = contest.run(&mut relay).comparison;
        conclude(&mut comparison);
        comparison
    }

    fn floor(&self, same: &Probe, report: &SelftestReport) -> Result<LearnedFloor, Unlearned> {
        if self.terms.stop.requested() {
            return Err(Unlearned::Incomplete);
        }
        learned(same, self.rounds, &report.machine)
    }
}
