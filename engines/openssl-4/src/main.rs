//! The command line of tlspair over OpenSSL 4.

use std::process::ExitCode;

use tlspair::cli;
use tlspair::engine::Engines;
use tlspair::engine::openssl::OpenSsl;

fn main() -> ExitCode {
    cli::main(&Engines::of(vec![Box::new(OpenSsl::named("openssl-4"))]))
}
