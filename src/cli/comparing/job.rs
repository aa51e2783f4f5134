//! A comparison from the command line to the exit code.

use super::args::{CONFIRM_ROUNDS, ComparingArgs};
use super::contenders::contender;
use super::observer::Watching;
use crate::baseline::{Subject, objections};
use crate::cell::Cell;
use crate::cli::args::Loops;
use crate::cli::exporting::{finish_comparison, open_exports};
use crate::cli::interrupt::Interrupt;
use crate::cli::progress::{Lines, OnStderr};
use crate::cli::selection::{Selection, parse_filters};
use crate::cli::{Color, Ending, Exit};
use crate::compare::{
    Contender, Contest, ContestObserver, DEFAULT_NOISE_FLOOR, EngineMap, Kind, LearnedFloor, SavedContest,
    Settings, Summary, conclude, suspects,
};
use crate::instructions;
use crate::measure::LoopKind;
use crate::render::number::counted;
use crate::results::{Comparability, Comparison, Machine, PlanEntry, Thresholds};
use crate::store::Store;
use crate::suite::{Filter, PartialThresholds};
use crate::worker::Terms;

/// A comparison to be made.
#[derive(Debug)]
pub struct Comparing<'a> {
    /// The side that is compared against, as the command line names it.
    pub old: &'a str,
    /// The side in question.
    pub new: &'a str,
    /// Everything else.
    pub args: &'a ComparingArgs,
    /// What follows.
    pub then: Then,
}

/// What follows a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Nothing: it is shown.
    Show,
    /// Suspects are measured again, and the exit code tells.
    Check {
        /// Whether an open question is a failure.
        strict: bool,
    },
}

impl Then {
    /// How the program ends with a complete comparison. Whether there is anything to compare at all, a shard cannot know.
    pub fn exit(self, comparison: &Comparison) -> Exit {
        let summary = Summary::of(comparison);
        let has = |status| comparison.cells.iter().any(|cell| cell.status == status);
        let is_compared = has(Comparability::Compared) || has(Comparability::Lost);
        match self {
            Self::Check { .. } if summary.has_regression() => Exit::Regression,
            _ if has(Comparability::Error) => Exit::Operational,
            _ if !is_compared && comparison.plan.shard.is_none() => Exit::Nothing,
            Self::Check { strict: true } if summary.has_inconclusive() => Exit::Inconclusive,
            _ => Exit::Ok,
        }
    }
}

/// The suite of who names none.
const DEFAULT_SUITE: &str = "modern";

impl Comparing<'_> {
    /// Does all of it and says how the program ends.
    pub fn run(&self, color: Color) -> Result<Exit, Ending> {
        let args = self.args;
        let exports = open_exports(&args.export)?;
        let interrupt = Interrupt::watch()?;
        let terms =
            Terms { core: args.measuring.core(), patience: args.worker.patience(), stop: interrupt.stop() };
        let (old, new) = (contender(self.old, terms)?, contender(self.new, terms)?);
        args.measuring.check_core(&[&old, &new])?;
        let map = EngineMap::of(args.engine_map.clone(), &old, &new).map_err(Ending::usage)?;
        let progress = OnStderr::new(args.export.quiet);
        let lines = progress.lines();
        map.left_out().iter().for_each(|note| lines.note(note));
        let mut watching = Watching::new(progress, &exports);
        let is_live = [&old, &new].into_iter().all(|side| matches!(side.kind, Kind::Executable(..)));
        let contenders = Contenders { old: &old, new: &new, map: &map, terms };
        let mut comparison = if is_live {
            self.live(&contenders, &mut watching, color)?
        } else {
            self.saved(&contenders, &mut watching)?
        };
        conclude(&mut comparison);
        drop(watching);
        comparison.warnings.iter().for_each(|warning| lines.warn(&format!("warning: {warning}")));
        if !comparison.complete {
            lines.warn("interrupted: what was measured is shown");
        }
        interrupt.end_at_once();
        let strict = matches!(self.then, Then::Check { strict: true });
        finish_comparison(&exports, color, strict, &comparison)?;
        if !comparison.complete {
            return Ok(Exit::Interrupted);
        }
        let exit = self.then.exit(&comparison);
        if matches!(self.then, Then::Check { .. }) {
            tell(exit, is_live, Summary::of(&comparison).inconclusive, &lines);
        }
        Ok(exit)
    }

    fn live(
        &self,
        contenders: &Contenders<'_>,
        observer: &mut dyn ContestObserver,
        color: Color,
    ) -> Result<Comparison, Ending> {
        let Contenders { old, new, map, terms } = *contenders;
        let selection = self.selection(map, old, color)?;
        if self.args.instructions {
            instructions::available().map_err(Ending::operational)?;
        }
        let loops = self.loops(&selection);
        let cells: Vec<(Cell, Thresholds)> = selection
            .cells
            .iter()
            .zip(&selection.thresholds)
            .map(|(cell, said)| (cell.clone(), self.thresholds(*said, cell)))
            .collect();
        let plan = PlanEntry { shard: self.args.shard.shard, ..PlanEntry::whole(&selection.cells, &loops) };
        let contest = Contest {
            old,
            new,
            map,
            cells: &plan.share(cells),
            loops: &loops,
            suites: &selection.suites,
            plan: plan.clone(),
            settings: self.settings(),
            terms,
        };
        let mut contested = contest.run(observer);
        if self.args.instructions && contested.comparison.complete {
            contest.count_instructions(&mut contested, observer);
        }
        if matches!(self.then, Then::Check { .. }) && contested.comparison.complete {
            conclude(&mut contested.comparison);
            let suspects = suspects(&contested.comparison);
            if !suspects.is_empty() {
                contest.again(&mut contested, &suspects, CONFIRM_ROUNDS, observer);
            }
        }
        Ok(contested.comparison)
    }

    fn selection(&self, map: &EngineMap, old: &Contender, color: Color) -> Result<Selection, Ending> {
        let chosen = Selection::of(map.old_names(old), &self.args.cells.or_suite(DEFAULT_SUITE), color);
        chosen.map_err(|ending| with_left_out(ending, map.left_out()))
    }

    fn loops(&self, selection: &Selection) -> Vec<LoopKind> {
        Loops::or_of_suites(self.args.loops, selection.loops.clone())
    }

    fn thresholds(&self, said: PartialThresholds, cell: &Cell) -> Thresholds {
        self.deciding(Thresholds::of(said, cell))
    }

    /// What the command line says goes before what suites and files say.
    fn deciding(&self, said: Thresholds) -> Thresholds {
        Thresholds { time: self.args.deciding.fail_threshold.unwrap_or(said.time), ..said }
    }

    fn saved(
        &self,
        contenders: &Contenders<'_>,
        observer: &mut dyn ContestObserver,
    ) -> Result<Comparison, Ending> {
        let Contenders { old, new, map, terms } = *contenders;
        let cells = &self.args.cells;
        let named = cells.suites.first().map(|suite| format!("the suite {suite}"));
        let named = named.or_else(|| Some(format!("--{}", cells.dimensions.given().first()?.0)));
        if let Some(named) = named {
            return Err(Ending::usage(format!(
                "saved results have cells of their own, which {named} does not go with; to choose among them use --filter"
            )));
        }
        let live_only =
            [("--shard", self.args.shard.shard.is_some()), ("--instructions", self.args.instructions)];
        if let Some((flag, _)) = live_only.into_iter().find(|(_, is_given)| *is_given) {
            return Err(Ending::usage(format!(
                "{flag} takes two executables, and one side is saved results"
            )));
        }
        let warnings = self.objections(old, new)?;
        let filters = parse_filters(&cells.filters)?;
        let choose = |cell: &Cell, said: Option<Thresholds>| {
            let is_chosen = filters.is_empty() || Filter::any_matches(&filters, cell);
            is_chosen.then(|| self.deciding(said.unwrap_or_else(|| Thresholds::of(Default::default(), cell))))
        };
        let loops = Loops::or_of_suites(self.args.loops, None);
        let contest =
            SavedContest { old, new, map, choose: &choose, loops: &loops, settings: self.settings(), terms };
        let mut comparison = contest.run(observer);
        if comparison.cells.is_empty() && !filters.is_empty() && comparison.complete {
            return Err(Ending::nothing("no cell that both sides have matches the filter"));
        }
        comparison.warnings.extend(warnings);
        Ok(comparison)
    }

    /// What stands against comparing with saved results: an error, or with `--force` warnings.
    fn objections(&self, old: &Contender, new: &Contender) -> Result<Vec<String>, Ending> {
        let here = Machine::this_one();
        let subject = |side: &Contender, other: &Contender| match (&side.kind, &other.kind) {
            (Kind::Saved(document), _) => Some((document.machine.clone(), document.plan.clone())),
            // An executable runs here and now, and whatever cells the other side has.
            (Kind::Executable(..), Kind::Saved(document)) => Some((here.clone(), document.plan.clone())),
            (Kind::Executable(..), Kind::Executable(..)) => None,
        };
        let (Some(one), Some(other)) = (subject(old, new), subject(new, old)) else { return Ok(Vec::new()) };
        let found = objections(
            Subject { name: &old.name, machine: &one.0, plan: &one.1 },
            Subject { name: &new.name, machine: &other.0, plan: &other.1 },
        );
        if !found.reasons.is_empty() && !self.args.force {
            return Err(Ending::usage(format!(
                "{} and {} cannot be compared: {}; --force does it all the same",
                old.name,
                new.name,
                found.reasons.join("; ")
            )));
        }
        Ok(found.reasons.into_iter().chain(found.warnings).collect())
    }

    fn settings(&self) -> Settings {
        let (measuring, deciding) = (&self.args.measuring, &self.args.deciding);
        let (noise_floor, noise_floor_from) = match deciding.noise_floor {
            Some(floor) => (floor, "--noise-floor".to_owned()),
            None => learned_floor().map_or_else(
                || (DEFAULT_NOISE_FLOOR, "the default".to_owned()),
                |learned| {
                    let from = format!("learned here by selftest, {}", learned.machine.date);
                    (learned.noise_floor.max(DEFAULT_NOISE_FLOOR), from)
                },
            ),
        };
        Settings {
            rounds: measuring.rounds(),
            seed: measuring.seed(),
            alpha: deciding.alpha,
            noise_floor,
            noise_floor_from,
            burden: 0.0,
        }
    }
}

/// Where there is nothing to compare, engines that only one side has may be the reason.
fn with_left_out(ending: Ending, left_out: &[String]) -> Ending {
    if ending.exit != Exit::Nothing || left_out.is_empty() {
        return ending;
    }
    let left_out = left_out.join("; ");
    Ending::nothing(format!(
        "no cell that both sides could run: {left_out}; --engine-map compares engines of different names"
    ))
}

/// The answer in words.
fn tell(exit: Exit, is_live: bool, open: usize, lines: &Lines) {
    let code = exit as i32;
    match exit {
        Exit::Ok if open > 0 => lines.note(&format!(
            "check: nothing is known to have got worse; {} of times {} open",
            counted(open as u64, "question"),
            if open == 1 { "stays" } else { "stay" },
        )),
        Exit::Ok => lines.note("check: nothing got worse"),
        Exit::Regression if is_live => lines.warn(&format!("check: something got worse (exit code {code})")),
        Exit::Regression => lines.warn(&format!(
            "check: something got worse (exit code {code}); saved results cannot be measured again to make sure"
        )),
        Exit::Inconclusive => lines.warn(&format!("check: a question stays open (exit code {code})")),
        _ => {}
    }
}

/// What a comparison needs of its sides.
#[derive(Clone, Copy)]
struct Contenders<'a> {
    old: &'a Contender,
    new: &'a Contender,
    map: &'a EngineMap,
    terms: Terms<'a>,
}

fn learned_floor() -> Option<LearnedFloor> {
    LearnedFloor::of(&Store::open().ok()?, &Machine::this_one())
}
