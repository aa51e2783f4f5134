//! The library's C structs as owned values, and its error codes as text.

use std::ffi::{CStr, c_char, c_int};
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use tlspair::engine::EngineError;

use crate::sys;

/// A C struct that goes with a pair of functions which make and release it.
///
/// # Safety
/// `INIT` must make a valid object of any memory, and `FREE` must release what such an object came to own.
pub unsafe trait Kind {
    /// Makes an object.
    const INIT: unsafe extern "C" fn(*mut Self);
    /// Releases what it owns.
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
    mbedtls_cipher_context_t: mbedtls_cipher_init, mbedtls_cipher_free;
    mbedtls_ctr_drbg_context: mbedtls_ctr_drbg_init, mbedtls_ctr_drbg_free;
    mbedtls_entropy_context: mbedtls_entropy_init, mbedtls_entropy_free;
    mbedtls_md_context_t: mbedtls_md_init, mbedtls_md_free;
    mbedtls_pk_context: mbedtls_pk_init, mbedtls_pk_free;
    mbedtls_ssl_cache_context: mbedtls_ssl_cache_init, mbedtls_ssl_cache_free;
    mbedtls_ssl_config: mbedtls_ssl_config_init, mbedtls_ssl_config_free;
    mbedtls_ssl_session: mbedtls_ssl_session_init, mbedtls_ssl_session_free;
    mbedtls_ssl_ticket_context: mbedtls_ssl_ticket_init, mbedtls_ssl_ticket_free;
    mbedtls_x509_crt: mbedtls_x509_crt_init, mbedtls_x509_crt_free;
}

/// A C struct of the library at an address that never changes, released when dropped.
pub struct Object<T: Kind>(NonNull<T>);

impl<T: Kind> Object<T> {
    /// A new object.
    pub fn new() -> Self {
        let at: NonNull<T> = NonNull::from(Box::leak(Box::new(MaybeUninit::<T>::uninit()))).cast();
        // SAFETY: `at` is memory for a `T` that nobody else has, which is what `INIT` asks for.
        unsafe { T::INIT(at.as_ptr()) };
        Self(at)
    }

    /// Where it is: for the library's functions, and to be valid no longer than `self`.
    pub fn at(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Kind> Drop for Object<T> {
    fn drop(&mut self) {
        // SAFETY: `new` made it with `INIT` in a box that it leaked, and it is released only here.
        unsafe {
            T::FREE(self.0.as_ptr());
            drop(Box::from_raw(self.0.cast::<MaybeUninit<T>>().as_ptr()));
        }
    }
}

/// Turns the library's answer into a result: 0 is success.
#[inline]
pub fn check(code: c_int) -> Result<(), EngineError> {
    if code == 0 { Ok(()) } else { Err(error(code)) }
}

/// The library's words for an error code, and the code as the library prints it.
#[cold]
pub fn error(code: c_int) -> EngineError {
    let mut text: [c_char; 512] = [0; 512];
    // SAFETY: the function writes a C string of at most the length it is given.
    unsafe { sys::mbedtls_strerror(code, text.as_mut_ptr(), text.len()) };
    EngineError::new(format_args!("{} (-0x{:04X})", text_of(&text), code.unsigned_abs()))
}

/// The library's words for what is wrong with a certificate, on one line.
#[cold]
pub fn certificate_faults(flags: u32) -> String {
    let mut text: [c_char; 1024] = [0; 1024];
    // SAFETY: the function writes a C string of at most the length it is given; the prefix is an empty one.
    let written =
        unsafe { sys::mbedtls_x509_crt_verify_info(text.as_mut_ptr(), text.len() - 1, c"".as_ptr(), flags) };
    let text = if written < 0 { String::new() } else { text_of(&text) };
    text.lines().collect::<Vec<_>>().join("; ")
}

fn text_of(buffer: &[c_char]) -> String {
    // SAFETY: the callers' buffers were all zeros and the library leaves the last byte zero.
    unsafe { CStr::from_ptr(buffer.as_ptr()) }.to_string_lossy().into_owned()
}
