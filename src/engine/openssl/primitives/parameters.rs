//! Parameters as the library takes them: lists of names and of pointers to values.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_uint};

use openssl_sys::{self as sys, OSSL_PARAM};

use crate::engine::openssl::ffi;

/// A name. What is made points to both, which must live as long as it is used.
pub fn text(key: &'static CStr, value: &'static CStr) -> OSSL_PARAM {
    // SAFETY: only the pointers are kept, which are for ever; with size 0 the value ends at its zero.
    unsafe { ffi::OSSL_PARAM_construct_utf8_string(key.as_ptr(), value.as_ptr().cast_mut(), 0) }
}

/// Bytes. What is made points to `value`, which must live as long as it is used.
pub fn bytes(key: &'static CStr, value: &[u8]) -> OSSL_PARAM {
    // SAFETY: only the pointers are kept; the library reads from what it is given to set.
    unsafe {
        sys::OSSL_PARAM_construct_octet_string(key.as_ptr(), value.as_ptr().cast_mut().cast(), value.len())
    }
}

/// A number. What is made points to `value`, which must live as long as it is used.
pub fn number(key: &'static CStr, value: &c_uint) -> OSSL_PARAM {
    // SAFETY: as above.
    unsafe { sys::OSSL_PARAM_construct_uint(key.as_ptr(), std::ptr::from_ref(value).cast_mut()) }
}

/// What ends a list.
pub fn end() -> OSSL_PARAM {
    // SAFETY: answers with a constant.
    unsafe { sys::OSSL_PARAM_construct_end() }
}
