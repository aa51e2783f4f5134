//! The library's C structs as owned values, and its error codes as text.

use std::ffi::{CStr, c_char, c_int};
use std::ptr::NonNull;

use mbedtls_sys as sys;

use crate::engine::EngineError;

/// A C struct that goes with a pair of functions which make and release it.
///
/// # Safety
/// `INIT` must make a valid object of any memory, and `FREE` must release what such an object came to own.
pub(super) unsafe trait Kind: Default {
    const INIT: unsafe extern "C" fn(*mut Self);
    const FREE: unsafe extern "C" fn(*mut Self);
}

macro_rules! kinds {
    ($($type:ident: $init:ident, $free:ident;)+) => {
        $(
            // SAFETY: the library documents the two functions as this type's own.
            unsafe impl Kind for sys::$type {
                const INIT: unsafe extern "C" fn(*mut Self) = sys::$init;
                const FREE: unsafe extern "C" fn(*mut Self) = sys::$free;
            }
        )+
    };
}

kinds! {
    cipher_context_t: cipher_init, cipher_free;
    ctr_drbg_context: ctr_drbg_init, ctr_drbg_free;
    dhm_context: dhm_init, dhm_free;
    ecdh_context: ecdh_init, ecdh_free;
    entropy_context: entropy_init, entropy_free;
    md_context_t: md_init, md_free;
    mpi: mpi_init, mpi_free;
    pk_context: pk_init, pk_free;
    ssl_cache_context: ssl_cache_init, ssl_cache_free;
    ssl_config: ssl_config_init, ssl_config_free;
    ssl_session: ssl_session_init, ssl_session_free;
    ssl_ticket_context: ssl_ticket_init, ssl_ticket_free;
    x509_crt: x509_crt_init, x509_crt_free;
}

/// A C struct of the library at an address that never changes, released when dropped.
pub(super) struct Object<T: Kind>(NonNull<T>);

impl<T: Kind> Object<T> {
    pub(super) fn new() -> Self {
        let at = NonNull::from(Box::leak(Box::<T>::default()));
        // SAFETY: `at` is memory for a `T` that nobody else has, which is what `INIT` asks for.
        unsafe { T::INIT(at.as_ptr()) };
        Self(at)
    }

    /// Where it is: for the library's functions, and to be valid no longer than `self`.
    pub(super) fn at(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Kind> Drop for Object<T> {
    fn drop(&mut self) {
        // SAFETY: `new` made it with `INIT` in a box that it leaked, and it is released only here.
        unsafe {
            T::FREE(self.0.as_ptr());
            drop(Box::from_raw(self.0.as_ptr()));
        }
    }
}

/// Turns the library's answer into a result: 0 is success.
#[inline]
pub(super) fn check(code: c_int) -> Result<(), EngineError> {
    if code == 0 { Ok(()) } else { Err(error(code)) }
}

/// The library's words for an error code, and the code as the library prints it.
#[cold]
pub(super) fn error(code: c_int) -> EngineError {
    let mut text: [c_char; 512] = [0; 512];
    // SAFETY: the function writes a C string of at most the length it is given.
    unsafe { sys::strerror(code, text.as_mut_ptr(), text.len()) };
    EngineError::new(format_args!("{} (-0x{:04X})", text_of(&text), code.unsigned_abs()))
}

/// The library's words for what is wrong with a certificate, on one line.
#[cold]
pub(super) fn certificate_faults(flags: u32) -> String {
    let mut text: [c_char; 1024] = [0; 1024];
    // SAFETY: the function writes a C string of at most the length it is given; the prefix is an empty one.
    let written =
        unsafe { sys::x509_crt_verify_info(text.as_mut_ptr(), text.len() - 1, c"".as_ptr(), flags) };
    let text = if written < 0 { String::new() } else { text_of(&text) };
    text.lines().collect::<Vec<_>>().join("; ")
}

fn text_of(buffer: &[c_char]) -> String {
    // SAFETY: the callers' buffers were all zeros and the library leaves the last byte zero.
    unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_string_lossy().into_owned()
}
