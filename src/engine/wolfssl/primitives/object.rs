//! The library's objects, released when dropped.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;

use wolfssl_sys as sys;

use super::check;
use crate::engine::EngineError;

/// "No device": cryptography is done by the library itself.
pub(super) const NO_DEVICE: c_int = sys::INVALID_DEVID;

/// A pointer to an object of the library with the function that releases it.
pub(super) struct Object<T> {
    at: *mut T,
    release: unsafe fn(*mut T),
}

impl<T> Object<T> {
    /// Takes over what the library has made, which is null if there was no memory for it.
    pub(super) fn made(at: *mut T, release: unsafe fn(*mut T)) -> Result<Self, EngineError> {
        if at.is_null() {
            Err(EngineError::new("the library made no object"))
        } else {
            Ok(Self { at, release })
        }
    }

    /// Memory for an object that `init` fills in; `release` has to give it back by [`free`].
    pub(super) fn filled(
        init: impl FnOnce(*mut T) -> c_int,
        release: unsafe fn(*mut T),
    ) -> Result<Self, EngineError> {
        let at = Box::into_raw(Box::new(MaybeUninit::<T>::zeroed())).cast::<T>();
        let object = Self { at, release };
        check(init(at))?;
        Ok(object)
    }

    /// For the library's functions; valid no longer than `self`.
    pub(super) fn at(&self) -> *mut T {
        self.at
    }
}

impl<T> Drop for Object<T> {
    fn drop(&mut self) {
        // SAFETY: the object was made for `self` alone, and is released here only.
        unsafe { (self.release)(self.at) };
    }
}

/// Gives the memory of [`Object::filled`] back.
///
/// # Safety
/// It comes from there, and nobody uses it any more.
pub(super) unsafe fn free<T>(at: *mut T) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(at.cast::<MaybeUninit<T>>()) });
}

/// The library's random numbers: a generator of its own for each operation, as each connection has one.
pub(super) type Random = Object<sys::WC_RNG>;

pub(super) fn random() -> Result<Random, EngineError> {
    let mut at = ptr::null_mut();
    // SAFETY: writes a pointer; without a nonce there is nothing to be read.
    check(unsafe { sys::wc_rng_new_ex(&raw mut at, ptr::null_mut(), 0, ptr::null_mut(), NO_DEVICE) })?;
    // SAFETY: `Object` passes what the library has made, once.
    Object::made(at, |at| unsafe { sys::wc_rng_free(at) })
}
