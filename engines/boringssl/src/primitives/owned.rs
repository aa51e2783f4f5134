//! Objects of the library that are freed with their owner.

#![allow(unsafe_code)]

use std::ptr::NonNull;

use tlspair::engine::EngineError;

use super::failed;

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
        NonNull::new(made).map(|object| Self { object, free }).ok_or_else(failed)
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
