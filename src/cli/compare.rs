//! `tlspair compare`: what changed between two builds.

use clap::Args;

use super::comparing::{Comparing, ComparingArgs, Then};
use super::{Color, Ending, Exit};

/// `tlspair compare`.
#[derive(Args, Debug)]
pub struct CompareArgs {
    /// The side that is compared against: exe:PATH, exe:self, a results file, or a baseline's name.
    pub old: String,
    /// The side in question, likewise.
    pub new: String,
    /// What, how and where to.
    #[command(flatten)]
    pub comparing: ComparingArgs,
}

/// Runs the sub-command.
pub fn run(args: &CompareArgs, color: Color) -> Result<Exit, Ending> {
    let CompareArgs { old, new, comparing } = args;
    Comparing { old, new, args: comparing, then: Then::Show }.run(color)
}
