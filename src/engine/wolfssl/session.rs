//! Sessions of the library, what tells them apart, and room for the last of them.

use std::ffi::c_uint;
use std::ptr::NonNull;
use std::slice;
use std::sync::{Mutex, MutexGuard, PoisonError};

use wolfssl_sys as sys;

use crate::engine::SESSION_CACHE_SIZE;

/// Bytes of a session's id.
const ID_LENGTH: usize = 32;

/// What tells sessions apart: the id of TLS 1.2, or what the library made up for a session with a ticket.
pub(super) type Id = [u8; ID_LENGTH];

/// The id of a session. On a server all tickets of a session come with one id, sealed in them; on a client it is the end
/// of the newest ticket, if the session has one.
///
/// # Safety
/// `session` must be null or live.
pub(super) unsafe fn id_of(session: *const sys::WOLFSSL_SESSION) -> Option<Id> {
    let mut length: c_uint = 0;
    // SAFETY: the session is null or lives; the answer is null or points to `length` bytes inside it.
    unsafe {
        let id = sys::wolfSSL_SESSION_get_id(session, &raw mut length);
        if id.is_null() {
            return None;
        }
        slice::from_raw_parts(id, length as usize).try_into().ok()
    }
}

/// A reference to a session of the library, given back when dropped.
#[derive(Debug)]
pub(super) struct Session(NonNull<sys::WOLFSSL_SESSION>);

impl Session {
    /// Takes a reference over.
    ///
    /// # Safety
    /// `session` must be null, or a reference that nobody else gives back.
    pub(super) unsafe fn owned(session: *mut sys::WOLFSSL_SESSION) -> Option<Self> {
        NonNull::new(session).map(Self)
    }

    /// For the library's functions; valid as long as `self`.
    pub(super) fn at(&self) -> *mut sys::WOLFSSL_SESSION {
        self.0.as_ptr()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: the reference is this object's, and is given back only here.
        unsafe { sys::wolfSSL_SESSION_free(self.0.as_ptr()) };
    }
}

// SAFETY: the library counts references for several threads at a time, and nothing else of a session is changed by
// those that hold one.
unsafe impl Send for Session {}

/// The last [`SESSION_CACHE_SIZE`] of something, for the connections of several threads.
pub(super) struct Recent<T>(Mutex<Ring<T>>);

pub(super) struct Ring<T> {
    kept: Vec<T>,
    /// The place of the next one once all places are taken.
    next: usize,
}

impl<T> Recent<T> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Ring { kept: Vec::with_capacity(SESSION_CACHE_SIZE), next: 0 }))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Ring<T>> {
        // Nothing that is done under the lock can leave a place half-written behind a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Ring<T> {
    /// Keeps one more, in place of the oldest if all places are taken.
    pub(super) fn put(&mut self, item: T) {
        if self.kept.len() < SESSION_CACHE_SIZE {
            self.kept.push(item);
        } else {
            self.kept[self.next] = item;
            self.next = (self.next + 1) % SESSION_CACHE_SIZE;
        }
    }

    /// All that are kept, in no order that matters.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.kept.iter()
    }
}
