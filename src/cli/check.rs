//! `tlspair check`: whether anything got worse between two builds, for scripts and CI.

use clap::Args;

use super::comparing::{Comparing, ComparingArgs, Then};
use super::{Color, Ending, Exit};

/// `tlspair check`.
#[derive(Args, Debug)]
pub struct CheckArgs {
    /// The side that is compared against: exe:PATH, exe:self, a results file, or a baseline's name.
    pub old: String,
    /// The side in question, likewise.
    pub new: String,
    /// End with code 5 if a question stays open.
    #[arg(long)]
    pub strict: bool,
    /// What, how and where to.
    #[command(flatten)]
    pub comparing: ComparingArgs,
}

/// Runs the sub-command.
pub fn run(args: &CheckArgs, color: Color) -> Result<Exit, Ending> {
    let CheckArgs { old, new, strict, comparing } = args;
    Comparing { old, new, args: comparing, then: Then::Check { strict: *strict } }.run(color)
}
