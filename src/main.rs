//! The `tlspair` executable: the command line over the engines built in.

use std::process::ExitCode;

use tlspair::cli;
use tlspair::engine::Engines;

fn main() -> ExitCode {
    cli::main(&Engines::built_in())
}
