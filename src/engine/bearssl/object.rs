//! Memory for the library, which allocates none, and its error codes as text.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr::NonNull;

use super::sys;
use crate::engine::EngineError;

/// Memory for one C struct, or buffer, of the library, at an address that never changes. Nobody clears it: each kind of
/// struct has a function of the library that fills it in first.
///
/// `T` is plain data without anything to release.
pub(super) struct Object<T: Copy>(NonNull<T>);

impl<T: Copy> Object<T> {
    pub(super) fn uninit() -> Self {
        Self(NonNull::from(Box::leak(Box::<T>::new_uninit())).cast())
    }

    /// Where it is: for the library's functions, and to be valid no longer than `self`.
    pub(super) fn at(&self) -> *mut T {
        self.0.as_ptr()
    }
}

impl<T: Copy> Drop for Object<T> {
    fn drop(&mut self) {
        // SAFETY: `uninit` made it as a box of this type and leaked it, and it is released only here.
        drop(unsafe { Box::from_raw(self.0.as_ptr().cast::<MaybeUninit<T>>()) });
    }
}

/// Number, name and meaning of every error, from the library's header.
static ERRORS: &[(u16, &str, &str)] = include!(concat!(env!("OUT_DIR"), "/bearssl_errors.rs"));

/// The library's words for an error code.
#[cold]
pub(super) fn error(code: c_int) -> EngineError {
    let (base, alert) = match code.cast_unsigned() {
        code @ 256..512 => (sys::BR_ERR_RECV_FATAL_ALERT, code - sys::BR_ERR_RECV_FATAL_ALERT),
        code @ 512..768 => (sys::BR_ERR_SEND_FATAL_ALERT, code - sys::BR_ERR_SEND_FATAL_ALERT),
        code => (code, 0),
    };
    let Some((_, name, meaning)) = ERRORS.iter().find(|(number, ..)| u32::from(*number) == base) else {
        return EngineError::new(format_args!("error {code}"));
    };
    match base {
        sys::BR_ERR_RECV_FATAL_ALERT => {
            EngineError::new(format_args!("received fatal alert {alert} ({name})"))
        }
        sys::BR_ERR_SEND_FATAL_ALERT => EngineError::new(format_args!("sent fatal alert {alert} ({name})")),
        _ => EngineError::new(format_args!("{meaning} ({name})")),
    }
}
