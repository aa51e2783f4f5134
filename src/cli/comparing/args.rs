//! The flags that comparisons have in common.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use clap::Args;

use super::percent::{parse_alpha, parse_percent};
use crate::cli::Ending;
use crate::cli::args::{ExportArgs, Loops, ShardArgs, WorkerArgs};
use crate::cli::cells::CellArgs;
use crate::compare::{Contender, EnginePair, Kind};
use crate::worker::last_core;

/// What to compare, how to measure and decide, and where the outcome goes.
#[derive(Args, Debug)]
pub struct ComparingArgs {
    /// Which cells [default: the suite `modern`].
    #[command(flatten)]
    pub cells: CellArgs,
    /// Which loop.
    #[arg(long = "loop", value_enum, value_name = "LOOP")]
    pub loops: Option<Loops>,
    /// Compare an engine of OLD with another one of NEW, such as openssl=rustls-ring; may be given several times. Engines that it
    /// does not name are left out.
    #[arg(long = "engine-map", value_name = "OLD=NEW")]
    pub engine_map: Vec<EnginePair>,
    /// Also count instructions, by valgrind: some seconds a loop.
    #[arg(long)]
    pub instructions: bool,
    /// How to measure.
    #[command(flatten)]
    pub measuring: MeasuringArgs,
    /// How to decide.
    #[command(flatten)]
    pub deciding: DecidingArgs,
    /// Only one part of the cells.
    #[command(flatten)]
    pub shard: ShardArgs,
    /// Compare saved results although they come from another machine or suite; the outcome then carries a warning.
    #[arg(long)]
    pub force: bool,
    /// How to deal with the processes that measure.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// Where results go beside the table.
    #[command(flatten)]
    pub export: ExportArgs,
}

/// How to measure.
#[derive(Args, Clone, Copy, Debug)]
pub struct MeasuringArgs {
    /// Rounds, each a fresh process of either side; 2 at least [default: 10].
    ///
    /// About a second for each loop and ten rounds: the suite `modern`, which is taken if no cells are named, needs 7 minutes.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=1000), conflicts_with_all = ["quick", "confirm"])]
    pub rounds: Option<u64>,
    /// 5 rounds: half the time, intervals half as wide again.
    #[arg(long, conflicts_with = "confirm")]
    pub quick: bool,
    /// 20 rounds: twice the time, intervals a third narrower.
    #[arg(long)]
    pub confirm: bool,
    /// What the random order is made from [default: another one each time, which the outcome names].
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// The processor that both sides stay on [default: the last one that may be used].
    #[arg(long, value_name = "NUMBER")]
    pub core: Option<u64>,
}

/// How to decide.
#[derive(Args, Clone, Copy, Debug)]
pub struct DecidingArgs {
    /// From how much more CPU time on a loop has got slower [default: what the suite says, else 3%].
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub fail_threshold: Option<f64>,
    /// How much slower counts as not slower [default: what `tlspair selftest` learned of this machine, else 1%].
    #[arg(long, value_name = "PERCENT", value_parser = parse_percent)]
    pub noise_floor: Option<f64>,
    /// How many false alarms are allowed among alarms.
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = parse_alpha)]
    pub alpha: f64,
}

/// Rounds unless told otherwise.
const DEFAULT_ROUNDS: u64 = 10;
const QUICK_ROUNDS: u64 = 5;
/// Rounds that settle a doubt.
pub const CONFIRM_ROUNDS: u64 = 20;

impl MeasuringArgs {
    /// How many rounds.
    pub fn rounds(&self) -> u64 {
        match (self.rounds, self.quick, self.confirm) {
            (Some(rounds), ..) => rounds,
            (None, true, _) => QUICK_ROUNDS,
            (None, false, true) => CONFIRM_ROUNDS,
            (None, false, false) => DEFAULT_ROUNDS,
        }
    }

    /// What the random order is made from: another number each time, short enough to be typed again.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or_else(|| RandomState::new().hash_one("seed") >> 32)
    }

    /// Whether the processor that the user chose can be had.
    pub fn check_core(&self, sides: &[&Contender]) -> Result<(), Ending> {
        let Some(core) = self.core else { return Ok(()) };
        let stays = |side: &&&Contender| match &side.kind {
            Kind::Executable(_, hello) => hello.core == Some(core),
            Kind::Saved(_) => true,
        };
        match sides.iter().find(|side| !stays(side)) {
            None => Ok(()),
            Some(side) => {
                let least = last_core()
                    .map_or_else(String::new, |last| format!("; the last that may be used is {last}"));
                Err(Ending::usage(format!(
                    "--core {core}: {} cannot stay on that processor{least}",
                    side.name
                )))
            }
        }
    }

    /// The processor to stay on.
    pub fn core(&self) -> Option<u64> {
        self.core.or_else(last_core)
    }
}
