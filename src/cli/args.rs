//! What can be said on the command line.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use super::Color;
use super::cells::CellArgs;
use super::check::CheckArgs;
use super::compare::CompareArgs;
use super::count_loop::CountLoopArgs;
use super::explain::ExplainArgs;
use super::link::LinkArgs;
use super::list::ListArgs;
use super::predict::PredictArgs;
use super::report::ReportArgs;
use super::selftest::SelftestArgs;
use super::speed::SpeedArgs;
use super::upgrade::UpgradeArgs;
use super::verify::VerifyArgs;
use super::with::WithArgs;
use crate::baseline::BaselineName;
use crate::campaign::Workload;
use crate::measure::{Contexts, LoopKind};
use crate::results::Shard;

/// What the TLS protocol costs: client and server in one process, over memory, no network.
#[derive(Debug, Parser)]
#[command(name = "tlspair", version, propagate_version = true, max_term_width = 110)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colour; NO_COLOR is honoured.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Color,
}

/// The sub-commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// The SSL-overhead table of 1997, then and now side by side
    Classic(ClassicArgs),
    /// Measure the cells of suites, or the one that the flags describe
    Run(RunArgs),
    /// What changed between two builds, or two engines: time, bytes, records, allocations
    Compare(CompareArgs),
    /// The same for scripts: suspects are measured again, and the exit code says whether anything got worse
    Check(CheckArgs),
    /// The engines of this build (versions, build flags, what each supports and why not) and the built-in suites
    List(ListArgs),
    /// Run each cell once, full and resumed, and check everything that can be checked
    Verify(VerifyArgs),
    /// Whether this machine can be trusted, and to find which slowdowns
    Selftest(SelftestArgs),
    /// What each library's primitives take: hashes, ciphers, signatures, key exchange, key derivation
    Speed(SpeedArgs),
    /// Where the time of a connection goes: operations counted, priced with the library's own primitives, and what is left
    Explain(ExplainArgs),
    /// What connections would take on a device, by the cost of primitives there
    Predict(PredictArgs),
    /// Results, comparisons, speeds, explanations and predictions as one HTML page with charts
    Report(ReportArgs),
    /// Put the results of shards together
    Merge(MergeArgs),
    /// Results kept by `run --save-baseline`: list, show and remove them
    #[command(subcommand)]
    Baseline(BaselineCommand),
    /// Answer the requests of another tlspair
    #[command(hide = true)]
    Worker,
    /// Build this checkout as it is, and with another version of a crate or in another way, to compare the two
    ///
    /// The old build is that of the checkout's own Cargo.lock, which is not touched. The new one is made from a copy of
    /// the sources, in which the crate has VERSION. Both are kept in target/upgrade, so that the next time only what
    /// differs is compiled; that folder can be deleted at any time. cargo is $CARGO, or the one in the path.
    Upgrade(UpgradeArgs),
    /// Print a completion script for a shell
    Completions {
        /// For which shell.
        shell: clap_complete::Shell,
    },
    /// Manual pages: that of the program on stdout, or one for it and each sub-command into a folder
    Man {
        /// The folder, made if need be: tlspair.1, tlspair-run.1 and so on.
        #[arg(value_name = "FOLDER")]
        folder: Option<PathBuf>,
    },
    /// Connections for valgrind to count instructions of
    #[command(hide = true)]
    CountLoop(CountLoopArgs),
}

/// `tlspair classic`.
#[derive(Args, Debug)]
pub struct ClassicArgs {
    /// 50 connections a loop instead of 1000; times are scaled up and marked.
    #[arg(long, conflicts_with = "num")]
    pub quick: bool,
    /// Connections a loop.
    #[arg(short, long, value_name = "N", value_parser = parse_connections)]
    pub num: Option<u64>,
    /// Run every row on this engine instead of the first that can.
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
    /// Whose engines, beside those of this executable.
    #[command(flatten)]
    pub with: WithArgs,
    /// How long to wait for them.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// What is common to all that measures.
    #[command(flatten)]
    pub export: ExportArgs,
}

/// `tlspair run`.
#[derive(Args, Debug)]
pub struct RunArgs {
    /// Which cells.
    #[command(flatten)]
    pub cells: CellArgs,
    /// Whose engines, beside those of this executable.
    #[command(flatten)]
    pub with: WithArgs,
    /// Connections a loop [default: what the suite says, else 1000].
    #[arg(short, long, value_name = "N", value_parser = parse_connections)]
    pub num: Option<u64>,
    /// Which loop.
    #[arg(long = "loop", value_enum, value_name = "LOOP", conflicts_with = "reuse")]
    pub loops: Option<Loops>,
    /// Short for `--loop reuse`.
    #[arg(long)]
    pub reuse: bool,
    /// What else to do with each cell.
    #[command(flatten)]
    pub workloads: WorkloadArgs,
    /// Over which network.
    #[command(flatten)]
    pub link: LinkArgs,
    /// Which part of the cells.
    #[command(flatten)]
    pub shard: ShardArgs,
    /// Also keep the results under this name, to compare later runs with. An interrupted run does not replace a
    /// complete baseline.
    #[arg(long, value_name = "NAME")]
    pub save_baseline: Option<BaselineName>,
    /// With --save-baseline, in how many fresh processes every loop is measured beside: what comparisons rest on.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..=1000), requires = "save_baseline")]
    pub rounds: u64,
    /// Measure in a process of its own, so that a library that crashes costs one row.
    #[arg(long)]
    pub isolate: bool,
    /// How long to wait for it.
    #[command(flatten)]
    pub worker: WorkerArgs,
    /// Where results go beside the table.
    #[command(flatten)]
    pub export: ExportArgs,
}

/// What cells are put to beside their loops.
#[derive(Args, Clone, Copy, Debug)]
pub struct WorkloadArgs {
    /// Also hold so many connections open at once, and count the heap that each and all of them take, and what is left.
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=Workload::MOST_OPEN))]
    pub open: Option<u64>,
    /// Also run each loop on so many threads at once, each with a pair of its own.
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=i64::from(Workload::MOST_THREADS)))]
    pub threads: Option<u32>,
    /// Whether these threads have the libraries' contexts in common: session caches, ticket keys.
    #[arg(long, value_enum, value_name = "HOW", default_value_t, requires = "threads")]
    pub contexts: ContextsArg,
}

/// Contexts of several threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ContextsArg {
    /// Every thread has its own.
    #[default]
    Separate,
    /// All threads use the same.
    Shared,
}

impl From<ContextsArg> for Contexts {
    fn from(contexts: ContextsArg) -> Self {
        match contexts {
            ContextsArg::Separate => Self::Separate,
            ContextsArg::Shared => Self::Shared,
        }
    }
}

/// How to deal with processes that work for this one.
#[derive(Args, Clone, Copy, Debug)]
pub struct WorkerArgs {
    /// Give a process up that is silent so many seconds longer than its work should take.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub worker_timeout: u64,
}

impl WorkerArgs {
    /// The same as a duration.
    pub fn patience(self) -> Duration {
        Duration::from_secs(self.worker_timeout)
    }
}

/// `tlspair merge`.
#[derive(Args, Debug)]
pub struct MergeArgs {
    /// The files that `run`, `compare` or `check` wrote with `--shard … --export json=FILE`.
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,
    /// Merge although shards are missing or were interrupted; the result is then not complete.
    #[arg(long)]
    pub partial: bool,
    /// Merge although the shards come from different machines; the result then carries a warning.
    #[arg(long)]
    pub force: bool,
    /// End as `check` does: code 3 if anything got worse in the comparisons that are merged.
    #[arg(long, conflicts_with = "partial")]
    pub check: bool,
    /// With --check, end with code 5 if a question stays open.
    #[arg(long, requires = "check")]
    pub strict: bool,
    /// Where results go beside the table.
    #[command(flatten)]
    pub export: ExportArgs,
}

/// `tlspair baseline`.
#[derive(Debug, Subcommand)]
pub enum BaselineCommand {
    /// What baselines there are
    List {
        /// As JSON.
        #[arg(long)]
        json: bool,
    },
    /// The results of a baseline
    Show {
        /// Its name.
        name: String,
        /// Where results go beside the table.
        #[command(flatten)]
        export: ExportArgs,
    },
    /// Remove baselines
    Rm {
        /// Their names.
        #[arg(value_name = "NAME", required = true)]
        names: Vec<String>,
    },
}

/// Which part of the cells.
#[derive(Args, Clone, Copy, Debug)]
pub struct ShardArgs {
    /// Only one part of the cells, such as 1/3 for the first of three; `tlspair merge` puts the parts together.
    #[arg(long, value_name = "NUMBER/OF")]
    pub shard: Option<Shard>,
}

/// Where results go, and how much is said meanwhile.
#[derive(Args, Debug)]
pub struct ExportArgs {
    /// Also write results as json, csv, md, html, table, bmf, gha, junit, gobench, openmetrics or, of `speed`, device, to a file or to stdout (-); may be given
    /// several times.
    #[arg(long = "export", value_name = "FORMAT=FILE")]
    pub exports: Vec<String>,
    /// Short for `--export json=-`.
    #[arg(long)]
    pub json: bool,
    /// No progress.
    #[arg(short, long)]
    pub quiet: bool,
}

/// The loops to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Loops {
    /// Full handshakes only.
    Full,
    /// One full handshake, the rest resumed.
    Reuse,
    /// Both.
    Both,
}

impl Loops {
    /// Those asked for; else those that suites ask for; else both.
    pub fn or_of_suites(asked: Option<Self>, of_suites: Option<Vec<LoopKind>>) -> Vec<LoopKind> {
        asked.map(Self::kinds).or(of_suites).unwrap_or_else(|| Self::Both.kinds())
    }

    /// The same as a list.
    pub fn kinds(self) -> Vec<LoopKind> {
        match self {
            Self::Full => vec![LoopKind::Full],
            Self::Reuse => vec![LoopKind::Reuse],
            Self::Both => LoopKind::BOTH.to_vec(),
        }
    }
}

/// The most connections a loop may have: each leaves a sample in memory and in results.
const MAX_CONNECTIONS: u64 = 10_000_000;

fn parse_connections(text: &str) -> Result<u64, String> {
    let range = || format!("must be a number from 1 to {MAX_CONNECTIONS}");
    let number: u64 = text.parse().map_err(|_| range())?;
    if (1..=MAX_CONNECTIONS).contains(&number) { Ok(number) } else { Err(range()) }
}
