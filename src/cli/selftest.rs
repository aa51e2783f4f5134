//! `tlspair selftest`: whether this machine can be trusted, and to find which slowdowns.

use std::str::FromStr;
use std::time::Duration;

use clap::Args;

use super::args::{ExportArgs, Loops, WorkerArgs};
use super::cells::CellArgs;
use super::comparing::{MeasuringArgs, RoundsOnStderr, contender, parse_percent};
use super::exporting::{finish_selftest, open_exports};
use super::interrupt::Interrupt;
use super::progress::{OnStderr, Trouble, plan};
use super::selection::Selection;
use super::{Color, Ending, Exit};
use crate::cell::Cell;
use crate::compare::{Contender, Done, EngineMap, LearnedFloor};
use crate::render::export::Exports;
use crate::render::number::{counted, percent_short};
use crate::results::{Thresholds, write_json};
use crate::selftest::{FloorEntry, Part, Plan, Selftest, SelftestObserver, SelftestReport, Unlearned};
use crate::store::Store;
use crate::worker::Terms;

/// `tlspair selftest`.
#[derive(Args, Debug)]
pub struct SelftestArgs {
    /// Which cells [default: the suite `selftest`].
    #[command(flatten)]
    pub cells: CellArgs,
    /// Which loop.
    #[arg(long = "loop", value_enum, value_name = "LOOP")]
    pub loops: Option<Loops>,
    /// By how much to slow the program down, with commas; none for just comparing it with itself.
    #[arg(long, value_name = "PERCENT", default_value = "2,3,5,10")]
    pub burden: Slowdowns,
    /// How to measure.
    #[command(flatten)]
    pub measuring: MeasuringArgs,
    /// Do not keep the noise floor for later comparisons.
    #[arg(long)]
    pub no_save: bool,
    /// How to deal with the processes that measure.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// Where results go beside the table; of the formats only json.
    #[command(flatten)]
    pub export: ExportArgs,
}

/// Slowdowns to try, the smallest first: 0.05 is 5 %.
#[derive(Clone, Debug, PartialEq)]
pub struct Slowdowns(Vec<f64>);

/// The cells of who names none.
const DEFAULT_SUITE: &str = "selftest";

/// Runs the sub-command.
pub fn run(args: &SelftestArgs, color: Color) -> Result<Exit, Ending> {
    let exports = open_exports(&args.export)?;
    if let Some(format) = exports.formats().find(|&format| format != "json") {
        return Err(Ending::usage(format!("a self-test is exported as json only, not as {format}")));
    }
    let store = if args.no_save { None } else { Some(open_store()?) };
    let interrupt = Interrupt::watch()?;
    let terms =
        Terms { core: args.measuring.core(), patience: args.worker.patience(), stop: interrupt.stop() };
    let itself = contender("exe:self", terms)?;
    let map = EngineMap::of(Vec::new(), &itself, &itself).map_err(Ending::usage)?;
    let selection = Selection::of(map.old_names(&itself), &args.cells.or_suite(DEFAULT_SUITE), color)?;
    let progress = OnStderr::new(args.export.quiet);
    let lines = progress.lines();
    selection.notes.iter().for_each(|note| lines.note(note));
    let mut watching =
        Watching { rounds: RoundsOnStderr(progress), exports: &exports, trouble: Trouble::default() };
    let (mut report, floor) = measure(args, &selection, &itself, &map, terms, &mut watching);
    drop(watching);
    report.warnings.iter().for_each(|warning| lines.warn(&format!("warning: {warning}")));
    if !report.complete {
        lines.warn("interrupted: what was measured is shown, and nothing is kept");
    }
    interrupt.end_at_once();
    let kept = keep(floor, store.as_ref(), &mut report.floor);
    finish_selftest(&exports, color, &report)?;
    kept?;
    Ok(exit(&report))
}

fn open_store() -> Result<Store, Ending> {
    let store = Store::open().map_err(Ending::operational)?;
    LearnedFloor::can_be_kept(&store).map_err(|error| {
        Ending::operational(format!("the noise floor cannot be kept: {error}; --no-save does without"))
    })?;
    Ok(store)
}

fn measure(
    args: &SelftestArgs,
    selection: &Selection,
    itself: &Contender,
    map: &EngineMap,
    terms: Terms<'_>,
    watching: &mut Watching<'_>,
) -> (SelftestReport, Result<LearnedFloor, Unlearned>) {
    let cells: Vec<(Cell, Thresholds)> = selection
        .cells
        .iter()
        .zip(&selection.thresholds)
        .map(|(cell, said)| (cell.clone(), Thresholds::of(*said, cell)))
        .collect();
    Selftest {
        itself,
        map,
        cells: &cells,
        loops: &Loops::or_of_suites(args.loops, selection.loops.clone()),
        suites: &selection.suites,
        slowdowns: &args.burden.0,
        rounds: args.measuring.rounds(),
        seed: args.measuring.seed(),
        terms,
    }
    .run(watching)
}

/// Keeps the noise floor if there are a floor and a store to keep it in, and says so in the report.
fn keep(
    floor: Result<LearnedFloor, Unlearned>,
    store: Option<&Store>,
    entry: &mut FloorEntry,
) -> Result<(), Ending> {
    let because = |reason: String| FloorEntry { file: None, reason: Some(reason) };
    let Some(store) = store else {
        *entry = because("--no-save was given".to_owned());
        return Ok(());
    };
    match floor.map(|floor| floor.keep(store)) {
        Ok(Ok(file)) => *entry = FloorEntry { file: Some(file.display().to_string()), reason: None },
        Ok(Err(error)) => {
            *entry = because(error.to_string());
            return Err(Ending::operational(error));
        }
        Err(unlearned) => *entry = because(unlearned.to_string()),
    }
    Ok(())
}

fn exit(report: &SelftestReport) -> Exit {
    if !report.complete {
        Exit::Interrupted
    } else if report.has_false_regression() {
        Exit::VerificationFailed
    } else if report.has_failure() {
        Exit::Operational
    } else if !report.has_comparisons() {
        Exit::Nothing
    } else {
        Exit::Ok
    }
}

impl FromStr for Slowdowns {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim() == "none" {
            return Ok(Self(Vec::new()));
        }
        let wrong = || {
            "must be `none`, or numbers of percent from 0.1 to 100 with commas, such as 2,3,5,10".to_owned()
        };
        let of_percent = |part: &str| {
            let slowdown = parse_percent(part.trim()).map_err(|_| wrong())?;
            if (0.001..=1.0).contains(&slowdown) { Ok(slowdown) } else { Err(wrong()) }
        };
        let mut slowdowns: Vec<f64> = text.split(',').map(of_percent).collect::<Result<_, _>>()?;
        slowdowns.sort_by(f64::total_cmp);
        slowdowns.dedup();
        Ok(Self(slowdowns))
    }
}

/// Progress on stderr, and the exports kept up to date.
struct Watching<'a> {
    rounds: RoundsOnStderr,
    exports: &'a Exports,
    trouble: Trouble,
}

impl SelftestObserver for Watching<'_> {
    fn exploring(&mut self, part: Part, number: usize, of: usize, cell: &Cell) {
        self.rounds.trying(&about(part), number, of, cell);
    }

    fn planned(&mut self, whole: Plan) {
        let Plan { parts, cells, loops, estimate } = whole;
        let what = format!(
            "{} of {}, {}",
            counted(parts as u64, "comparison"),
            counted(cells as u64, "cell"),
            counted(loops as u64, "loop")
        );
        self.rounds.0.lines().note(&plan(loops, &what, estimate));
    }

    fn visiting(&mut self, part: Part, done: Done, left: Duration) {
        self.rounds.visit(&about(part), done, left);
    }

    fn so_far(&mut self, report: &SelftestReport) {
        let written = self.exports.update_by(|_, out| write_json(report, out));
        self.trouble.tell(written, "comparison", &self.rounds.0.lines());
    }
}

/// What comes first in a line of progress.
fn about(part: Part) -> String {
    let Part { number, of, slowdown } = part;
    let slowed = if slowdown == 0.0 {
        "nothing slowed down".to_owned()
    } else {
        format!("slowed down by {}", percent_short(slowdown))
    };
    format!("comparison {number} of {of} ({slowed}): ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slowdowns_are_percents_in_order_or_none() {
        let parsed = |text: &str| text.parse::<Slowdowns>().map(|slowdowns| slowdowns.0);
        assert_eq!(parsed("10, 2%,3,2"), Ok(vec![0.02, 0.03, 0.1]));
        assert_eq!(parsed("none"), Ok(Vec::new()));
        for wrong in ["", "0", "5,", "none,5", "101", "-1", "x"] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
