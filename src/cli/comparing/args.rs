//! The flags that comparisons have in common.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;

use clap::Args;

use super::percent::{parse_alpha, parse_percent};
use crate::cli::args::{CellArgs, ExportArgs, Loops, ShardArgs, WorkerArgs};
use crate::compare::EnginePair;
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
    /// Compare an engine of OLD with another one of NEW, such as openssl=rustls-ring; may be given several times.
    #[arg(long = "engine-map", value_name = "OLD=NEW")]
    pub engine_map: Vec<EnginePair>,
    /// Also count instructions, by valgrind.
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
    /// Rounds, each a fresh process of either side [default: 10].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=1000), conflicts_with_all = ["quick", "confirm"])]
    pub rounds: Option<u64>,
    /// 5 rounds: half the time, half as sure again.
    #[arg(long, conflicts_with = "confirm")]
    pub quick: bool,
    /// 20 rounds: twice the time, surer.
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

    /// The processor to stay on.
    pub fn core(&self) -> Option<u64> {
        self.core.or_else(last_core)
    }
}
