//! A BIO over our pipes: OpenSSL's way to read and write. A side makes one, and all of its connections use it in turn,
//! because it is the harness's, and so must cost a connection nothing to make.

#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_long, c_void};
use std::ptr;
use std::slice;
use std::sync::OnceLock;

use openssl::error::ErrorStack;
use openssl_sys::{
    BIO, BIO_CTRL_FLUSH, BIO_FLAGS_READ, BIO_FLAGS_RWS, BIO_FLAGS_SHOULD_RETRY, BIO_METHOD, BIO_TYPE_NONE,
    BIO_clear_flags, BIO_free_all, BIO_get_data, BIO_meth_new, BIO_new, BIO_set_data, BIO_set_flags,
    BIO_set_init, SSL, SSL_set_bio,
};

use super::ffi;
use crate::pipe::Io;

const NAME: &[u8] = b"tlspair pipes\0";

/// A BIO that has pipes only while the library is at work.
pub struct PipeBio(*mut BIO);

impl PipeBio {
    pub fn new() -> Result<Self, ErrorStack> {
        let method = method();
        if method.is_null() {
            return Err(ErrorStack::get());
        }
        // SAFETY: the method was made whole by `method` and is never freed.
        let bio = unsafe { BIO_new(method) };
        if bio.is_null() { Err(ErrorStack::get()) } else { Ok(Self(bio)) }
    }

    /// Makes `ssl` read from and write to it.
    ///
    /// # Safety
    /// `ssl` must be a living connection without a BIO.
    pub unsafe fn attach_to(&self, ssl: *mut SSL) {
        // SAFETY: the reference that is added passes to `ssl`, which takes it for both directions.
        unsafe {
            ffi::BIO_up_ref(self.0);
            SSL_set_bio(ssl, self.0, self.0);
        }
    }

    /// Lends `io` to the connections while `work` runs.
    #[inline]
    pub fn with_pipes<T>(&self, io: &mut Io<'_>, work: impl FnOnce() -> T) -> T {
        // SAFETY: the BIO lives as long as `self`, which no other thread can have. The pointer is taken back before `io`
        // can end; `work` calls into C, which does not unwind.
        unsafe {
            BIO_set_data(self.0, ptr::from_mut(io).cast());
            let outcome = work();
            BIO_set_data(self.0, ptr::null_mut());
            outcome
        }
    }
}

impl Drop for PipeBio {
    fn drop(&mut self) {
        // SAFETY: gives the own reference back; connections have theirs.
        unsafe { BIO_free_all(self.0) };
    }
}

/// A pointer that the library only reads from once the method is made.
struct Method(*mut BIO_METHOD);
// SAFETY: nobody writes to the method after `OnceLock` has published it.
unsafe impl Send for Method {}
// SAFETY: as above.
unsafe impl Sync for Method {}

fn method() -> *mut BIO_METHOD {
    static METHOD: OnceLock<Method> = OnceLock::new();
    METHOD.get_or_init(|| Method(new_method())).0
}

fn new_method() -> *mut BIO_METHOD {
    // SAFETY: NAME ends in a zero and is static; the functions match the types that the library calls.
    unsafe {
        let method = BIO_meth_new(BIO_TYPE_NONE, NAME.as_ptr().cast::<c_char>());
        if !method.is_null() {
            ffi::BIO_meth_set_read_ex(method, Some(read));
            ffi::BIO_meth_set_write_ex(method, Some(write));
            openssl_sys::BIO_meth_set_ctrl__fixed_rust(method, Some(control));
            openssl_sys::BIO_meth_set_create__fixed_rust(method, Some(create));
        }
        method
    }
}

unsafe extern "C" fn create(bio: *mut BIO) -> c_int {
    // SAFETY: the library passes the BIO that it is making.
    unsafe { BIO_set_init(bio, 1) };
    1
}

unsafe extern "C" fn read(bio: *mut BIO, into: *mut u8, room: usize, count: *mut usize) -> c_int {
    // SAFETY: the library passes a BIO of this method, `room` writable bytes and a place for the count. The data is
    // null or the `Io` that `with_pipes` borrows for as long as this call can last.
    unsafe {
        BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
        let Some(io) = BIO_get_data(bio).cast::<Io<'_>>().as_mut() else {
            return -1;
        };
        let unread = io.inbound.unread();
        if unread.is_empty() {
            BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY);
            return -1;
        }
        // Copied without a slice over `into`, which need not be initialised.
        let length = unread.len().min(room);
        ptr::copy_nonoverlapping(unread.as_ptr(), into, length);
        io.inbound.consume(length);
        *count = length;
    }
    1
}

unsafe extern "C" fn write(bio: *mut BIO, from: *const u8, length: usize, count: *mut usize) -> c_int {
    // SAFETY: as in `read`, with `length` readable bytes.
    unsafe {
        BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
        let Some(io) = BIO_get_data(bio).cast::<Io<'_>>().as_mut() else {
            return -1;
        };
        io.outbound.write(slice::from_raw_parts(from, length));
        *count = length;
    }
    1
}

/// A pipe has nothing to flush, and knows no other command.
unsafe extern "C" fn control(_bio: *mut BIO, command: c_int, _long: c_long, _pointer: *mut c_void) -> c_long {
    c_long::from(command == BIO_CTRL_FLUSH)
}
