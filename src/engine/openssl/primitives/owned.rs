//! Objects of the library that are freed with their owner.

#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr::{self, NonNull};

use openssl::error::ErrorStack;
use openssl_sys as sys;

use super::Refusal;
use crate::engine::EngineError;
use crate::engine::openssl::library;

/// The one reference to an object, or one of several.
pub struct Owned<T> {
    object: NonNull<T>,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Owned<T> {
    /// Takes over what the library has made; null is its way to fail.
    ///
    /// # Safety
    /// `made` must be null or a reference that passes to the owner, and `free` what gives it back.
    pub unsafe fn new(made: *mut T, free: unsafe extern "C" fn(*mut T)) -> Result<Self, EngineError> {
        NonNull::new(made)
            .map(|object| Self { object, free })
            .ok_or_else(|| library::words(&ErrorStack::get()))
    }

    pub fn as_ptr(&self) -> *mut T {
        self.object.as_ptr()
    }
}

impl<T> Drop for Owned<T> {
    fn drop(&mut self) {
        // SAFETY: gives back the reference that `new` was promised, by the function that it was promised.
        unsafe { (self.free)(self.as_ptr()) };
    }
}

/// The library's call that looks an algorithm up: by library context, name and properties.
type Fetch<T> =
    unsafe extern "C" fn(*mut sys::OSSL_LIB_CTX, *const libc::c_char, *const libc::c_char) -> *mut T;

fn fetched<T>(fetch: Fetch<T>, free: unsafe extern "C" fn(*mut T), name: &CStr) -> Result<Owned<T>, Refusal> {
    // SAFETY: the name ends in a zero; the two pointers may be null; what is answered is null or a reference of ours.
    let made = unsafe { Owned::new(fetch(ptr::null_mut(), name.as_ptr(), ptr::null()), free) };
    made.map_err(|_| Refusal::Missing)
}

pub fn digest(name: &CStr) -> Result<Owned<sys::EVP_MD>, Refusal> {
    fetched(sys::EVP_MD_fetch, sys::EVP_MD_free, name)
}

pub fn cipher(name: &CStr) -> Result<Owned<sys::EVP_CIPHER>, Refusal> {
    fetched(sys::EVP_CIPHER_fetch, sys::EVP_CIPHER_free, name)
}

pub fn mac(name: &CStr) -> Result<Owned<sys::EVP_MAC>, Refusal> {
    fetched(sys::EVP_MAC_fetch, sys::EVP_MAC_free, name)
}

pub fn derivation(name: &CStr) -> Result<Owned<sys::EVP_KDF>, Refusal> {
    fetched(sys::EVP_KDF_fetch, sys::EVP_KDF_free, name)
}
