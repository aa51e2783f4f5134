//! A server's sessions, to resume by id. The library's own cache is one for the whole process: eleven rows of three
//! sessions each, in which cells would push out each other's. So each context keeps its own, by the functions that the
//! library has for a cache of the program's.

use std::cell::RefCell;
use std::ffi::{c_int, c_uchar, c_uint, c_void};
use std::ptr::{self, NonNull};
use std::slice;

use wolfssl_sys as sys;

use super::context::Context;
use super::library::check;
use crate::engine::{EngineError, SESSION_CACHE_SIZE};

/// Bytes of a session's id.
const ID_LENGTH: usize = 32;

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

type Id = [u8; ID_LENGTH];

struct Entry {
    id: Id,
    session: Session,
    /// Whether the client showed a certificate when the session was made.
    client_cert: bool,
}

/// The sessions of one context. It stays in the box that it is made in, because the context points to it.
pub(super) struct Cache(RefCell<Entries>);

struct Entries {
    kept: Vec<Entry>,
    /// The place of the next session once all are taken.
    next: usize,
}

impl Cache {
    /// A cache that `context` uses from now on.
    ///
    /// # Safety
    /// The cache must outlive the context.
    pub(super) unsafe fn of(context: &Context) -> Result<Box<Self>, EngineError> {
        let entries = Entries { kept: Vec::with_capacity(SESSION_CACHE_SIZE), next: 0 };
        let cache = Box::new(Self(RefCell::new(entries)));
        let at: *mut c_void = ptr::from_ref(&*cache).cast_mut().cast();
        // SAFETY: the context lives; the two functions have the types that the library calls.
        unsafe {
            check(sys::wolfSSL_CTX_set_ex_data(context.at(), 0, at))?;
            sys::wolfSSL_CTX_sess_set_new_cb(context.at(), Some(keep));
            sys::wolfSSL_CTX_sess_set_get_cb(context.at(), Some(find));
        }
        Ok(cache)
    }

    /// Remembers whether the client showed a certificate in `session`'s handshake, which the library forgets.
    pub(super) fn note_client_cert(&self, session: *const sys::WOLFSSL_SESSION, shown: bool) {
        let Some(id) = id_of(session) else { return };
        if let Some(entry) = self.0.borrow_mut().kept.iter_mut().find(|entry| entry.id == id) {
            entry.client_cert = shown;
        }
    }

    /// What was remembered of a session.
    pub(super) fn client_cert(&self, session: *const sys::WOLFSSL_SESSION) -> bool {
        let id = id_of(session);
        self.0.borrow().kept.iter().any(|entry| Some(entry.id) == id && entry.client_cert)
    }

    fn put(&self, id: Id, session: Session) {
        let Entries { kept, next } = &mut *self.0.borrow_mut();
        let entry = Entry { id, session, client_cert: false };
        if kept.len() < SESSION_CACHE_SIZE {
            kept.push(entry);
        } else {
            kept[*next] = entry;
            *next = (*next + 1) % SESSION_CACHE_SIZE;
        }
    }
}

fn id_of(session: *const sys::WOLFSSL_SESSION) -> Option<Id> {
    let mut length: c_uint = 0;
    // SAFETY: the callers' session is null or lives; the answer is null or points to `length` bytes inside it.
    unsafe {
        let id = sys::wolfSSL_SESSION_get_id(session, &raw mut length);
        if id.is_null() {
            return None;
        }
        slice::from_raw_parts(id, length as usize).try_into().ok()
    }
}

/// # Safety
/// `ssl` must be a connection of a context that [`Cache::of`] was called with.
unsafe fn cache_of<'a>(ssl: *mut sys::WOLFSSL) -> Option<&'a Cache> {
    // SAFETY: the data is the cache, which outlives the context and so its connections.
    unsafe { sys::wolfSSL_CTX_get_ex_data(sys::wolfSSL_get_SSL_CTX(ssl), 0).cast::<Cache>().as_ref() }
}

/// Called by the library with a new session: 1 keeps the reference that comes with it.
unsafe extern "C" fn keep(ssl: *mut sys::WOLFSSL, session: *mut sys::WOLFSSL_SESSION) -> c_int {
    // SAFETY: the library calls this for connections of contexts that have it.
    let (Some(cache), Some(id)) = (unsafe { cache_of(ssl) }, id_of(session)) else {
        return 0;
    };
    // SAFETY: the library leaves the reference to whoever answers 1.
    let Some(session) = (unsafe { Session::owned(session) }) else {
        return 0;
    };
    cache.put(id, session);
    1
}

/// Called by the library with the id that a client offers.
unsafe extern "C" fn find(
    ssl: *mut sys::WOLFSSL,
    id: *const c_uchar,
    length: c_int,
    copy: *mut c_int,
) -> *mut sys::WOLFSSL_SESSION {
    // SAFETY: the library calls this for connections of contexts that have it, with an id of that many bytes and a
    // place to say that the reference stays the cache's.
    let (cache, id) = unsafe {
        *copy = 1;
        (cache_of(ssl), slice::from_raw_parts(id, usize::try_from(length).unwrap_or(0)))
    };
    let Some(cache) = cache else {
        return ptr::null_mut();
    };
    let entries = cache.0.borrow();
    let found = entries.kept.iter().rev().find(|entry| entry.id[..] == *id);
    found.map_or(ptr::null_mut(), |entry| entry.session.at())
}
