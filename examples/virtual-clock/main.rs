//! tlspair with a clock that can be set, for whole-program tests: every number of a comparison is known beforehand.
//!
//! It is the whole command line over engines that do no cryptography. As a worker (`virtual-clock worker`, which is how
//! `compare`, `check` and `run --isolate` start it) it tries cells for real, but its times are made up. Variables of the
//! environment set them, and let the worker fail in many ways; `settings.rs` explains each.

mod clock;
mod desk;
mod engines;
mod fault;
mod settings;

use std::env;
use std::process::ExitCode;

use tlspair::cli;
use tlspair::worker::serve_stdio;

use desk::VirtualDesk;
use settings::Settings;

#[expect(clippy::print_stderr, reason = "a mistake in the settings is for the one who wrote the test")]
fn main() -> ExitCode {
    let settings = match Settings::of_environment() {
        Ok(settings) => settings,
        Err(why) => {
            eprintln!("virtual-clock: {why}");
            return ExitCode::FAILURE;
        }
    };
    let engines = engines::named(&settings.engines);
    if env::args().nth(1).as_deref() != Some("worker") {
        return cli::main(&engines);
    }
    if settings.speaks_another_protocol {
        return fault::speak_another_protocol();
    }
    cli::work(|stop| serve_stdio(&mut VirtualDesk::new(&engines, &settings, stop)))
}
