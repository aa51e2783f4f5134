//! Starting the library, and its errors as text.

use std::ffi::{CStr, c_char, c_int};

use s2n_tls_sys as sys;

use crate::engine::EngineError;

/// The package's version: the library has no call that says its own.
pub(super) const VERSION: &str = env!("TLSPAIR_S2N_TLS_SYS_VERSION");

/// The version of the package of AWS-LC.
pub(super) const CRYPTOGRAPHY_VERSION: &str = env!("TLSPAIR_AWS_LC_SYS_VERSION");

/// Starts the library once and readies it for this thread. The Rust package gives it the program's allocator; left to
/// itself the library would lock every page that it uses into memory.
pub(super) fn start() {
    s2n_tls::init::init();
}

/// Turns the library's answer into a result.
#[inline]
pub(super) fn check(answer: c_int) -> Result<(), EngineError> {
    if answer < 0 { Err(error()) } else { Ok(()) }
}

/// A pointer that the library has allocated.
#[inline]
pub(super) fn allocated<T>(pointer: *mut T) -> Result<*mut T, EngineError> {
    if pointer.is_null() { Err(error()) } else { Ok(pointer) }
}

/// Whether the call that has just failed on this thread may be repeated once the peer has acted.
#[inline]
pub(super) fn is_blocked() -> bool {
    // SAFETY: the error number is the thread's own; its type is computed from the number alone.
    unsafe { sys::s2n_error_get_type(*sys::s2n_errno_location()) == sys::s2n_error_type::BLOCKED as c_int }
}

/// Whether the call that has just failed on this thread failed for an alert that the peer sent.
pub(super) fn is_alert() -> bool {
    // SAFETY: as above.
    unsafe { sys::s2n_error_get_type(*sys::s2n_errno_location()) == sys::s2n_error_type::ALERT as c_int }
}

/// The library's words and name for the error of the call that has just failed on this thread.
#[cold]
pub(super) fn error() -> EngineError {
    // SAFETY: the error number is the thread's own, and for any number the library answers with static C strings.
    let (text, name) = unsafe {
        let number = *sys::s2n_errno_location();
        (sys::s2n_strerror(number, c"EN".as_ptr()), sys::s2n_strerror_name(number))
    };
    EngineError::new(format_args!("{} ({})", text_of(text), text_of(name)))
}

fn text_of(text: *const c_char) -> String {
    if text.is_null() {
        return "unknown".to_owned();
    }
    // SAFETY: not null, so one of the library's static C strings.
    unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
}
