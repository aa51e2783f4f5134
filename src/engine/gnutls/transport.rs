//! The library's way to our pipes.

use std::cell::Cell as Slot;
use std::ffi::{c_int, c_uint, c_void};
use std::ptr;
use std::slice;

use super::sys;
use crate::pipe::Io;

/// Where the library's callbacks find the pipes of the call that is under way. One serves all connections of a side,
/// since one of them works at a time.
#[derive(Debug)]
pub(super) struct Transport(Slot<*mut c_void>);

impl Transport {
    pub(super) fn new() -> Self {
        Self(Slot::new(ptr::null_mut()))
    }

    /// Makes a session send and receive over this transport, which must outlive it.
    ///
    /// # Safety
    /// The session lives, and does not outlive `self`, which does not move.
    pub(super) unsafe fn attach_to(&self, session: sys::gnutls_session_t) {
        // SAFETY: stores pointers; the functions have the types that the library calls.
        unsafe {
            sys::gnutls_transport_set_ptr(session, ptr::from_ref(self).cast_mut().cast());
            sys::gnutls_transport_set_vec_push_function(session, Some(send));
            sys::gnutls_transport_set_pull_function(session, Some(receive));
            sys::gnutls_transport_set_pull_timeout_function(session, Some(is_readable));
            sys::gnutls_transport_set_errno_function(session, Some(reason));
        }
    }

    /// Gives the library the pipes for as long as `work` lasts.
    #[inline]
    pub(super) fn with_pipes<R>(&self, io: &mut Io<'_>, work: impl FnOnce() -> R) -> R {
        self.0.set(ptr::from_mut(io).cast());
        let result = work();
        self.0.set(ptr::null_mut());
        result
    }
}

/// The pipes that [`Transport::with_pipes`] has lent, if any.
///
/// # Safety
/// `transport` is what `attach_to` has set; the answer is not used beyond the callback.
unsafe fn pipes<'a>(transport: sys::gnutls_transport_ptr_t) -> Option<&'a mut Io<'a>> {
    // SAFETY: by `attach_to` this is a living transport. Its pipes are lent for the call that leads here, and nobody
    // else uses them meanwhile.
    unsafe { (*transport.cast::<Transport>()).0.get().cast::<Io<'a>>().as_mut() }
}

/// Everything goes into the pipe at once.
unsafe extern "C" fn send(
    transport: sys::gnutls_transport_ptr_t,
    parts: *const sys::giovec_t,
    count: c_int,
) -> isize {
    // SAFETY: the library passes what it was given, and `count` parts that are each readable for their length.
    let (pipes, parts) = unsafe { (pipes(transport), slice::from_raw_parts(parts, count as usize)) };
    let Some(pipes) = pipes else { return -1 };
    let mut sent = 0;
    for part in parts.iter().filter(|part| part.iov_len > 0) {
        // SAFETY: see above.
        pipes.outbound.write(unsafe { slice::from_raw_parts(part.iov_base.cast(), part.iov_len) });
        sent += part.iov_len;
    }
    sent as isize
}

/// As many bytes as the library wants and the pipe holds.
unsafe extern "C" fn receive(
    transport: sys::gnutls_transport_ptr_t,
    into: *mut c_void,
    length: usize,
) -> isize {
    // SAFETY: the library passes what it was given, and `length` bytes that it will only read after this has
    // written them.
    let (pipes, into) = unsafe { (pipes(transport), slice::from_raw_parts_mut(into.cast(), length)) };
    match pipes.map(|pipes| pipes.inbound.read(into)) {
        None | Some(0) => -1,
        Some(count) => count as isize,
    }
}

/// Whether there is something to read; nothing will come while we wait.
unsafe extern "C" fn is_readable(transport: sys::gnutls_transport_ptr_t, _milliseconds: c_uint) -> c_int {
    // SAFETY: the library passes what it was given.
    unsafe { pipes(transport) }.is_some_and(|pipes| !pipes.inbound.is_empty()).into()
}

/// Why a callback answered -1: there is nothing to read yet, or there are no pipes to write to outside a call.
unsafe extern "C" fn reason(transport: sys::gnutls_transport_ptr_t) -> c_int {
    // SAFETY: the library passes what it was given.
    if unsafe { pipes(transport) }.is_some() { libc::EAGAIN } else { libc::EPIPE }
}
