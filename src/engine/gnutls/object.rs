//! The library's objects, released when dropped.

use std::ffi::{c_int, c_uchar};
use std::ptr;
use std::slice;

use super::library::check;
use super::sys;
use crate::engine::EngineError;

/// A pointer to an object of the library with the function that releases it.
#[derive(Debug)]
pub(super) struct Object<T> {
    at: *mut T,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Object<T> {
    /// Takes over what `make` leaves in the place that it is given.
    pub(super) fn made(
        make: impl FnOnce(*mut *mut T) -> c_int,
        free: unsafe extern "C" fn(*mut T),
    ) -> Result<Self, EngineError> {
        let mut at = ptr::null_mut();
        check(make(&raw mut at))?;
        Ok(Self { at, free })
    }

    /// For the library's functions; valid no longer than `self`.
    pub(super) fn at(&self) -> *mut T {
        self.at
    }
}

impl<T> Drop for Object<T> {
    fn drop(&mut self) {
        // SAFETY: the object was made for `self` alone, and is released here only.
        unsafe { (self.free)(self.at) };
    }
}

/// Bytes that the library has allocated.
#[derive(Debug)]
pub(super) struct Owned(sys::gnutls_datum_t);

impl Owned {
    /// Takes over what `make` leaves in the place that it is given.
    pub(super) fn made(make: impl FnOnce(*mut sys::gnutls_datum_t) -> c_int) -> Result<Self, EngineError> {
        let mut datum = sys::gnutls_datum_t { data: ptr::null_mut(), size: 0 };
        check(make(&raw mut datum))?;
        Ok(Self(datum))
    }

    /// For the library's functions; valid no longer than `self`.
    pub(super) fn datum(&self) -> &sys::gnutls_datum_t {
        &self.0
    }

    /// The bytes as text, without the zero and the spaces at its end.
    pub(super) fn text(&self) -> String {
        // SAFETY: as long as `self` lives, so do its bytes.
        let bytes = unsafe { bytes(self.0) };
        String::from_utf8_lossy(bytes).trim_end_matches(['\0', ' ']).to_owned()
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // SAFETY: reads a pointer to a function that nobody here changes, and hands it bytes that came from the
        // library's allocator and are used no more.
        unsafe {
            if let Some(free) = sys::gnutls_free {
                free(self.0.data.cast());
            }
        }
    }
}

/// Bytes for the library to read, valid as long as they are borrowed.
pub(super) fn datum(bytes: &[u8]) -> sys::gnutls_datum_t {
    sys::gnutls_datum_t { data: bytes.as_ptr().cast_mut(), size: bytes.len() as u32 }
}

/// The bytes that the library points to.
///
/// # Safety
/// The datum is valid, and stays so for `'a`.
pub(super) unsafe fn bytes<'a>(datum: sys::gnutls_datum_t) -> &'a [u8] {
    if datum.data.is_null() {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { slice::from_raw_parts(datum.data, datum.size as usize) }
}

/// A copy of `from` in memory of the library's allocator, for the library to free; an empty datum if there is no room.
pub(super) fn given_away(from: &[u8]) -> sys::gnutls_datum_t {
    let nothing = sys::gnutls_datum_t { data: ptr::null_mut(), size: 0 };
    // SAFETY: reads a pointer to a function that nobody here changes; the function is the library's malloc.
    let Some(data) = (unsafe { sys::gnutls_malloc.map(|malloc| malloc(from.len()).cast::<c_uchar>()) })
    else {
        return nothing;
    };
    if data.is_null() {
        return nothing;
    }
    // SAFETY: `data` is new and as long as `from`.
    unsafe { ptr::copy_nonoverlapping(from.as_ptr(), data, from.len()) };
    sys::gnutls_datum_t { data, size: from.len() as u32 }
}
