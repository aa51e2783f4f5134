//! What each thread has of one side of a cell for itself.

use std::cell::{Cell as Slot, RefCell};
use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::Arc;

use s2n_tls_sys as sys;

use super::pinned::Pinned;
use crate::pipe::Io;

/// The pinned side, and what its connections on one thread use in turns. It stays in the `Rc` that the connections hold,
/// because they point into it.
pub(super) struct Own {
    pub(super) pinned: Arc<Pinned>,
    /// The pipes, while the library is at work.
    pub(super) pipes: Slot<*mut Io<'static>>,
    /// The ticket that the connection in hand received last, in TLS 1.3; empty if none.
    pub(super) newest: RefCell<Vec<u8>>,
    /// A client's session for the next resumption.
    pub(super) kept: RefCell<Kept>,
}

/// A client's session in the library's own format, in memory that is reused.
#[derive(Default)]
pub(super) struct Kept {
    /// Empty if there is none.
    pub(super) session: Vec<u8>,
    /// Whether a client certificate was shown when the session was made.
    pub(super) client_cert: bool,
}

impl Own {
    pub(super) fn new(pinned: Arc<Pinned>) -> Self {
        Self {
            pinned,
            pipes: Slot::new(ptr::null_mut()),
            newest: RefCell::default(),
            kept: RefCell::default(),
        }
    }
}

/// Called by the library for a ticket in TLS 1.3: keeps it, with the session, for whoever wants it.
pub(super) unsafe extern "C" fn take_ticket(
    connection: *mut sys::s2n_connection,
    _data: *mut c_void,
    ticket: *mut sys::s2n_session_ticket,
) -> c_int {
    // SAFETY: a client's connection has its `Own` for a context, which outlives it. The buffer has as much room as the
    // library has asked for.
    unsafe {
        let own = sys::s2n_connection_get_ctx(connection).cast_const().cast::<Own>();
        let mut newest = (*own).newest.borrow_mut();
        let mut length = 0;
        if sys::s2n_session_ticket_get_data_len(ticket, &mut length) < 0 {
            return -1;
        }
        newest.clear();
        newest.resize(length, 0);
        sys::s2n_session_ticket_get_data(ticket, length, newest.as_mut_ptr())
    }
}
