//! Ctrl-C: the connection in hand is finished, then what there is gets written.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::{Ending, Exit};

/// A flag that Ctrl-C (or a polite kill) sets; a second Ctrl-C ends the program at once.
pub fn flag() -> Result<Arc<AtomicBool>, Ending> {
    let requested = Arc::new(AtomicBool::new(false));
    let ends_next_time = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // They act in this order. The request comes first, so that no signal is lost while the others are registered.
        flag::register(signal, Arc::clone(&requested))
            .and_then(|_| {
                let code = Exit::Interrupted as i32;
                flag::register_conditional_shutdown(signal, code, Arc::clone(&ends_next_time))
            })
            .and_then(|_| flag::register(signal, Arc::clone(&ends_next_time)))
            .map_err(|error| Ending::operational(format!("cannot watch for signal {signal}: {error}")))?;
    }
    Ok(requested)
}
