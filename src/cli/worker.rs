//! `tlspair worker`: answers requests of another tlspair. Not for people, so it is hidden.

use std::io::{stdin, stdout};

use super::interrupt::Interrupt;
use super::{Ending, Exit};
use crate::engine::Engines;
use crate::worker::{EngineDesk, serve};

/// Runs the sub-command.
pub fn run(engines: &Engines) -> Result<Exit, Ending> {
    let interrupt = Interrupt::watch()?;
    end_with_parent();
    let mut desk = EngineDesk::new(engines, interrupt.stop());
    serve(&mut desk, stdin().lock(), stdout().lock()).map_err(Ending::operational)?;
    Ok(Exit::Ok)
}

/// A worker that hangs in a library does not see the end of its input.
#[cfg(target_os = "linux")]
fn end_with_parent() {
    // Where that cannot be had, a worker still ends with its input.
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::KILL)).ok();
}

#[cfg(not(target_os = "linux"))]
fn end_with_parent() {}
