//! `tlspair count-loop`: what `--instructions` runs under valgrind. Not for people, and so not in the help.

use clap::Args;

use super::{Ending, Exit, output};
use crate::engine::Engines;
use crate::instructions::{Reply, count_loop};
use crate::measure::LoopKind;
use crate::results::Dims;

/// `tlspair count-loop`.
#[derive(Args, Debug)]
pub struct CountLoopArgs {
    /// The cell's dimensions, a JSON object as in results.
    #[arg(value_name = "DIMS", value_parser = parse_dims)]
    dims: Dims,
    /// Only full connections, or only resumed ones.
    #[arg(long = "loop", value_name = "LOOP", value_parser = parse_kind)]
    kind: LoopKind,
    /// How many connections to count.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    connections: u64,
}

/// Runs the sub-command. Failures are in the reply, for the program that started this one.
pub fn run(engines: &Engines, args: &CountLoopArgs) -> Result<Exit, Ending> {
    let reply = Reply::from(count_loop(engines, &args.dims, args.kind, args.connections));
    let line = serde_json::to_string(&reply).map_err(Ending::operational)? + "\n";
    output::print(line.as_bytes())?;
    Ok(match reply {
        Reply::Counted { .. } => Exit::Ok,
        Reply::Failed(_) => Exit::Operational,
    })
}

fn parse_dims(text: &str) -> Result<Dims, String> {
    serde_json::from_str(text).map_err(|error| format!("must be a JSON object of dimensions: {error}"))
}

fn parse_kind(text: &str) -> Result<LoopKind, String> {
    let [full, reuse] = LoopKind::BOTH.map(LoopKind::name);
    LoopKind::BOTH
        .into_iter()
        .find(|kind| kind.name() == text)
        .ok_or_else(|| format!("must be {full} or {reuse}"))
}
