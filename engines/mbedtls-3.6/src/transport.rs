//! The pipes as the library reads and writes them.

use std::ffi::{c_int, c_uchar, c_void};
use std::slice;

use tlspair::pipe::Io;

use crate::sys;

/// The library's way to send: everything goes into the pipe at once.
///
/// # Safety
/// For the library to call, with an [`Io`] in its place.
pub unsafe extern "C" fn send(io: *mut c_void, bytes: *const c_uchar, length: usize) -> c_int {
    // SAFETY: the connection has set `io`, and the library owns `length` readable bytes: a record at most.
    let (io, bytes) = unsafe { (&mut *io.cast::<Io<'_>>(), slice::from_raw_parts(bytes, length)) };
    io.outbound.write(bytes);
    length as c_int
}

/// The library's way to receive: what is in the pipe, or word that there is nothing.
///
/// # Safety
/// For the library to call, with an [`Io`] in its place.
pub unsafe extern "C" fn receive(io: *mut c_void, into: *mut c_uchar, length: usize) -> c_int {
    // SAFETY: the connection has set `io`, and the library owns `length` initialised bytes of its input buffer.
    let (io, into) = unsafe { (&mut *io.cast::<Io<'_>>(), slice::from_raw_parts_mut(into, length)) };
    match io.inbound.read(into) {
        0 => sys::MBEDTLS_ERR_SSL_WANT_READ,
        count => count as c_int,
    }
}
