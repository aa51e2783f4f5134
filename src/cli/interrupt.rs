//! Ctrl-C: the connection in hand is finished, then what there is gets written.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

use super::{Ending, Exit};
use crate::measure::Stop;

/// The watch for signals that ask to end.
pub struct Interrupt {
    requested: Arc<AtomicBool>,
    ends_at_once: Arc<AtomicBool>,
}

impl Interrupt {
    /// Watches from now on: the first Ctrl-C (or polite kill) asks to stop, the second ends the program.
    pub fn watch() -> Result<Self, Ending> {
        let watch = Self { requested: Arc::default(), ends_at_once: Arc::default() };
        for signal in [SIGINT, SIGTERM] {
            // They act in this order. The request comes first, so that no signal is lost while the others are
            // registered.
            flag::register(signal, Arc::clone(&watch.requested))
                .and_then(|_| {
                    let code = Exit::Interrupted as i32;
                    flag::register_conditional_shutdown(signal, code, Arc::clone(&watch.ends_at_once))
                })
                .and_then(|_| flag::register(signal, Arc::clone(&watch.ends_at_once)))
                .map_err(|error| failed(signal, &error))?;
        }
        // A file that outgrows its limit is to be an error of the write, like a full disk, and not the end.
        flag::register(SIGXFSZ, Arc::default()).map_err(|error| failed(SIGXFSZ, &error))?;
        Ok(watch)
    }

    /// The request to stop, for loops.
    pub fn stop(&self) -> Stop<'_> {
        Stop::when(&self.requested)
    }

    /// Nothing is left to finish but writing, which may wait for ever: from now on the first signal ends the program.
    pub fn end_at_once(&self) {
        self.ends_at_once.store(true, Ordering::Relaxed);
    }
}

fn failed(signal: i32, error: &std::io::Error) -> Ending {
    Ending::operational(format!("cannot watch for signal {signal}: {error}"))
}
