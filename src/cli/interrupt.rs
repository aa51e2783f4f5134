//! Ctrl-C: the connection in hand is finished, then what there is gets written.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::{Ending, Exit};

/// A flag that Ctrl-C (or a polite kill) sets; a second Ctrl-C ends the program at once.
pub fn flag() -> Result<Arc<AtomicBool>, Ending> {
    let requested = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first signal finds the flag unset and sets it, the second one exits.
        flag::register_conditional_shutdown(signal, Exit::Interrupted as i32, Arc::clone(&requested))
            .and_then(|_| flag::register(signal, Arc::clone(&requested)))
            .map_err(|error| Ending::operational(format!("cannot watch for signal {signal}: {error}")))?;
    }
    Ok(requested)
}
