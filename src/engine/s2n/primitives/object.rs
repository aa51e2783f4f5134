//! Objects of AWS-LC that free themselves, its answers as results, and its errors as text.

use std::ffi::{CStr, c_char, c_int};
use std::ptr::NonNull;

use super::sys;
use crate::engine::EngineError;

/// An object that the library allocates and frees.
pub(super) trait Object: Sized {
    /// The library's function that frees it.
    const FREE: unsafe extern "C" fn(*mut Self);
}

macro_rules! objects {
    ($($type:ident by $free:ident),* $(,)?) => {
        $(impl Object for sys::$type {
            const FREE: unsafe extern "C" fn(*mut Self) = sys::$free;
        })*
    };
}

objects! {
    AeadCtx by EVP_AEAD_CTX_free,
    BigNum by BN_free,
    CipherCtx by EVP_CIPHER_CTX_free,
    CmacCtx by CMAC_CTX_free,
    Dh by DH_free,
    HmacCtx by HMAC_CTX_free,
    MdCtx by EVP_MD_CTX_free,
    Pkey by EVP_PKEY_free,
    PkeyCtx by EVP_PKEY_CTX_free,
    X509 by X509_free,
}

/// An object of ours.
pub(super) struct Owned<T: Object>(NonNull<T>);

impl<T: Object> Owned<T> {
    /// What the library has just allocated; if it has not, its error.
    ///
    /// # Safety
    ///
    /// The pointer is null or to an object that nobody else frees.
    pub(super) unsafe fn new(pointer: *mut T) -> Result<Self, EngineError> {
        NonNull::new(pointer).map(Self).ok_or_else(error)
    }

    pub(super) fn as_ptr(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Object> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: the object is ours, and nobody uses it after us.
        unsafe { T::FREE(self.0.as_ptr()) }
    }
}

/// Turns the library's answer, 1 for success, into a result.
#[inline]
pub(super) fn check(answer: c_int) -> Result<(), EngineError> {
    if answer == 1 { Ok(()) } else { Err(error()) }
}

/// The library's words for the error of the call that has just failed on this thread; those before it are forgotten.
#[cold]
pub(super) fn error() -> EngineError {
    let mut text: [c_char; 160] = [0; 160];
    // SAFETY: the errors are the thread's own; the text is written into the array, and ended with a zero.
    let words = unsafe {
        let number = sys::ERR_get_error();
        sys::ERR_clear_error();
        sys::ERR_error_string_n(number, text.as_mut_ptr(), text.len());
        CStr::from_ptr(text.as_ptr()).to_string_lossy().into_owned()
    };
    EngineError::new(format_args!("AWS-LC: {words}"))
}
