//! The command line of tlspair over Mbed TLS 3.6.

use std::process::ExitCode;

use mbedtls_3_6::MbedTls36;
use tlspair::cli;
use tlspair::engine::Engines;

fn main() -> ExitCode {
    cli::main(&Engines::of(vec![Box::new(MbedTls36)]))
}
