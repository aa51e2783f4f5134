//! How the sessions of a context are resumed.

use std::ffi::{c_int, c_long};

use wolfssl_sys as sys;

use super::cache::Cache;
use super::context::Context;
use super::library::check;
use crate::cell::{Cell, Proto, Resume};
use crate::engine::{EngineError, Side};

/// How long a session may be resumed: the library's own 500 seconds could end within a slow cell's loop.
const SESSION_SECONDS: u32 = 86_400;

/// How long a ticket may be used. The library changes its key every hour, and hands out no tickets that would be good
/// for half of that or longer.
const TICKET_SECONDS: c_int = 1799;

/// A client's session is kept by the harness, a server's by its own [`Cache`] or by the client in a ticket; the library's
/// cache for the process is never used.
///
/// # Safety
/// The cache must outlive the context.
pub(super) unsafe fn pin_resumption(
    context: &Context,
    side: Side,
    cell: &Cell,
) -> Result<Option<Box<Cache>>, EngineError> {
    let is_server = side == Side::Server;
    let by_id = is_server && cell.resume == Resume::SessionId;
    let mode = if by_id { sys::WOLFSSL_SESS_CACHE_NO_INTERNAL } else { sys::WOLFSSL_SESS_CACHE_OFF };
    // SAFETY: the context lives; the functions take numbers.
    unsafe {
        check(sys::wolfSSL_CTX_set_session_cache_mode(context.at(), c_long::from(mode)) as c_int)?;
        check(sys::wolfSSL_CTX_set_timeout(context.at(), SESSION_SECONDS))?;
        if is_server {
            // The function before has set this too.
            check(sys::wolfSSL_CTX_set_TicketHint(context.at(), TICKET_SECONDS))?;
        }
        match cell.resume {
            Resume::SessionId if is_server => check(sys::wolfSSL_CTX_NoTicketTLSv12(context.at()))?,
            Resume::Ticket if !is_server => check(sys::wolfSSL_CTX_UseSessionTicket(context.at()))?,
            Resume::PskDhe => check_zero(sys::wolfSSL_CTX_only_dhe_psk(context.at()))?,
            Resume::Psk => check_zero(sys::wolfSSL_CTX_no_dhe_psk(context.at()))?,
            _ => {}
        }
        if is_server && cell.proto == Proto::Tls13 {
            check(sys::wolfSSL_CTX_set_num_tickets(context.at(), 1))?;
            pin_early_data(context, cell)?;
        }
    }
    // SAFETY: the caller sees to it.
    if by_id { unsafe { Cache::of(context) }.map(Some) } else { Ok(None) }
}

/// A server takes 0-RTT data only of sessions that it finds in a cache and removes from it, so that nobody sends the data
/// again. Of a cache of the program's it takes for granted that the session was there. Here is none, and so no guard:
/// otherwise what runs would be neither tickets alone nor a cache alone.
fn pin_early_data(context: &Context, cell: &Cell) -> Result<(), EngineError> {
    if cell.early_data == 0 {
        return Ok(());
    }
    // SAFETY: the context lives; the callback has the type that the library calls.
    unsafe {
        check(sys::wolfSSL_CTX_set_max_early_data(context.at(), cell.early_data))?;
        sys::wolfSSL_CTX_sess_set_remove_cb(context.at(), Some(forget));
    }
    Ok(())
}

/// Called by the library with a session to remove from the program's cache.
unsafe extern "C" fn forget(_context: *mut sys::WOLFSSL_CTX, _session: *mut sys::WOLFSSL_SESSION) {}

/// Turns the answer of a function that answers zero when it succeeds into a result.
fn check_zero(answer: c_int) -> Result<(), EngineError> {
    if answer == 0 { Ok(()) } else { check(answer) }
}
