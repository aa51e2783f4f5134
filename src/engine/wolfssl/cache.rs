//! What a server remembers of sessions. To resume by id, each context keeps its own, by the functions that the library has
//! for a cache of the program's: the library's own cache is one for the whole process, eleven rows of three sessions
//! each, in which cells would push out each other's.

use std::ffi::{c_int, c_uchar, c_void};
use std::ptr;
use std::slice;

use wolfssl_sys as sys;

use super::context::Context;
use super::library::{SUCCESS, check};
use super::session::{Id, Recent, Session, id_of};
use crate::engine::EngineError;

/// The sessions of one context. It stays in the box that it is made in, because the context points to it.
pub(super) struct Cache(Recent<(Id, Session)>);

impl Cache {
    /// A cache that `context` uses from now on.
    ///
    /// # Safety
    /// The cache must outlive the context.
    pub(super) unsafe fn of(context: &Context) -> Result<Box<Self>, EngineError> {
        let cache = Box::new(Self(Recent::new()));
        let at: *mut c_void = ptr::from_ref(&*cache).cast_mut().cast();
        // SAFETY: the context lives; the two functions have the types that the library calls.
        unsafe {
            check(sys::wolfSSL_CTX_set_ex_data(context.at(), 0, at))?;
            sys::wolfSSL_CTX_sess_set_new_cb(context.at(), Some(keep));
            sys::wolfSSL_CTX_sess_set_get_cb(context.at(), Some(find));
        }
        Ok(cache)
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
    // SAFETY: the library calls this for connections of contexts that have it, with a living session.
    let (Some(cache), Some(id)) = (unsafe { (cache_of(ssl), id_of(session)) }) else {
        return 0;
    };
    // SAFETY: the library leaves the reference to whoever answers 1.
    let Some(session) = (unsafe { Session::owned(session) }) else {
        return 0;
    };
    cache.0.lock().put((id, session));
    1
}

/// Called by the library with the id that a client offers. The answer is a reference of its own, which the library gives
/// back: the cache's own might go while another thread adds a session.
unsafe extern "C" fn find(
    ssl: *mut sys::WOLFSSL,
    id: *const c_uchar,
    length: c_int,
    copy: *mut c_int,
) -> *mut sys::WOLFSSL_SESSION {
    // SAFETY: the library calls this for connections of contexts that have it, with an id of that many bytes and a
    // place to say whose the reference is.
    let (cache, id) = unsafe {
        *copy = 0;
        (cache_of(ssl), slice::from_raw_parts(id, usize::try_from(length).unwrap_or(0)))
    };
    let Some(cache) = cache else {
        return ptr::null_mut();
    };
    let sessions = cache.0.lock();
    let found = sessions.iter().rev().find(|(kept, _)| kept[..] == *id);
    let session = found.map_or(ptr::null_mut(), |(_, session)| session.at());
    // SAFETY: the session is null, which the function refuses, or lives as long as the lock is held.
    if unsafe { sys::wolfSSL_SESSION_up_ref(session) } == SUCCESS { session } else { ptr::null_mut() }
}

/// The sessions in which clients have shown a certificate. The library forgets it when a session is resumed, but every
/// resumption has the id of the handshake in which the session was made.
pub(super) struct Shown(Recent<Id>);

impl Shown {
    pub(super) fn new() -> Self {
        Self(Recent::new())
    }

    /// Remembers that the client has shown a certificate in `session`'s handshake.
    pub(super) fn note(&self, session: Id) {
        self.0.lock().put(session);
    }

    /// Whether the client has shown one when `session` was made.
    pub(super) fn has(&self, session: Id) -> bool {
        self.0.lock().iter().any(|shown| *shown == session)
    }
}
