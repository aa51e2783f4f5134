//! The command line of tlspair over BoringSSL.

use std::process::ExitCode;

use boringssl::BoringSsl;
use tlspair::cli;
use tlspair::engine::Engines;

fn main() -> ExitCode {
    cli::main(&Engines::of(vec![Box::new(BoringSsl::new())]))
}
