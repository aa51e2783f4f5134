//! `tlspair worker`: answers requests of another tlspair. Not for people, so it is hidden.

use std::io;

use super::interrupt::Interrupt;
use super::{Ending, Exit};
use crate::engine::Engines;
use crate::measure::Stop;
use crate::worker::{EngineDesk, serve_stdio};

/// Runs the sub-command.
pub fn run(engines: &Engines) -> Result<Exit, Ending> {
    run_with(|stop| serve_stdio(&mut EngineDesk::new(engines, stop)))
}

/// The same with other work than that of engines; it is handed the wish to stop.
pub fn run_with(work: impl FnOnce(Stop<'_>) -> io::Result<()>) -> Result<Exit, Ending> {
    let interrupt = Interrupt::watch()?;
    end_with_parent();
    work(interrupt.stop()).map_err(Ending::operational)?;
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
