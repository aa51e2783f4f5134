//! A server's cache of sessions, and of the 0-RTT hellos that it has seen: the small store that a program gives the
//! library, which has none of its own.

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::object::{bytes, given_away};
use super::sys;
use crate::engine::SESSION_CACHE_SIZE;

/// The last [`SESSION_CACHE_SIZE`] entries; a new one takes the oldest one's place, and its memory.
#[derive(Debug)]
pub(super) struct Store(Mutex<Entries>);

#[derive(Debug)]
struct Entries {
    all: Vec<Entry>,
    oldest: usize,
}

#[derive(Debug, Default)]
struct Entry {
    key: Vec<u8>,
    value: Vec<u8>,
}

impl Store {
    pub(super) fn new() -> Self {
        Self(Mutex::new(Entries { all: Vec::with_capacity(SESSION_CACHE_SIZE), oldest: 0 }))
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        // Nothing that is done under the lock can leave an entry half-written behind a panic.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For the library's functions; valid as long as `self` stays where it is.
    pub(super) fn at(&self) -> *mut c_void {
        ptr::from_ref(self).cast_mut().cast()
    }
}

impl Entries {
    fn find(&self, key: &[u8]) -> Option<&Entry> {
        self.all.iter().find(|entry| entry.key == key)
    }

    fn put(&mut self, key: &[u8], value: &[u8]) {
        let entry = if self.all.len() < SESSION_CACHE_SIZE {
            self.all.push(Entry::default());
            self.all.last_mut()
        } else {
            let oldest = self.oldest;
            self.oldest = (oldest + 1) % SESSION_CACHE_SIZE;
            self.all.get_mut(oldest)
        };
        let entry = entry.expect("the place of the oldest entry is always within the store");
        entry.key.clear();
        entry.key.extend_from_slice(key);
        entry.value.clear();
        entry.value.extend_from_slice(value);
    }
}

/// The library's way to keep a session.
pub(super) unsafe extern "C" fn put(
    store: *mut c_void,
    key: sys::gnutls_datum_t,
    value: sys::gnutls_datum_t,
) -> c_int {
    // SAFETY: the library passes the store that it was given, and readable bytes.
    unsafe { (*store.cast::<Store>()).entries().put(bytes(key), bytes(value)) };
    0
}

/// The library's way to find a session again. It frees the answer.
pub(super) unsafe extern "C" fn get(store: *mut c_void, key: sys::gnutls_datum_t) -> sys::gnutls_datum_t {
    // SAFETY: as in `put`.
    let (entries, key) = unsafe { ((*store.cast::<Store>()).entries(), bytes(key)) };
    entries
        .find(key)
        .map_or(sys::gnutls_datum_t { data: ptr::null_mut(), size: 0 }, |entry| given_away(&entry.value))
}

/// The library's way to forget a session.
pub(super) unsafe extern "C" fn remove(store: *mut c_void, key: sys::gnutls_datum_t) -> c_int {
    // SAFETY: as in `put`.
    let (mut entries, key) = unsafe { ((*store.cast::<Store>()).entries(), bytes(key)) };
    match entries.all.iter_mut().find(|entry| entry.key == key) {
        Some(entry) => {
            entry.key.clear();
            0
        }
        None => sys::GNUTLS_E_DB_ERROR,
    }
}

/// The library's way to note a 0-RTT hello, and to learn whether it has come before.
pub(super) unsafe extern "C" fn add(
    store: *mut c_void,
    _until: sys::time_t,
    key: *const sys::gnutls_datum_t,
    value: *const sys::gnutls_datum_t,
) -> c_int {
    // SAFETY: as in `put`; both pointers are valid during the call.
    let (mut entries, key, value) =
        unsafe { ((*store.cast::<Store>()).entries(), bytes(*key), bytes(*value)) };
    if entries.find(key).is_some() {
        return sys::GNUTLS_E_DB_ENTRY_EXISTS;
    }
    entries.put(key, value);
    0
}

#[cfg(test)]
mod tests {
    use super::super::object::{Owned, datum};
    use super::*;

    fn keep(store: &Store, key: &[u8], value: &[u8]) {
        // SAFETY: the store and the bytes live.
        assert_eq!(unsafe { put(store.at(), datum(key), datum(value)) }, 0);
    }

    fn found(store: &Store, key: &[u8]) -> Vec<u8> {
        let owned = Owned::made(|at| {
            // SAFETY: the store and the bytes live, and so does the place for the answer.
            unsafe { *at = get(store.at(), datum(key)) };
            0
        });
        let owned = owned.expect("the answer is no error");
        // SAFETY: `owned` lives.
        unsafe { bytes(*owned.datum()) }.to_vec()
    }

    #[test]
    fn the_newest_sessions_are_kept_and_no_more_than_in_other_engines() {
        let store = Store::new();
        let all: Vec<[u8; 2]> = (0..=SESSION_CACHE_SIZE as u16).map(u16::to_be_bytes).collect();
        for key in &all {
            keep(&store, key, &key.repeat(3));
        }
        assert_eq!(found(&store, &all[0]), b"");
        for key in &all[1..] {
            assert_eq!(found(&store, key), key.repeat(3));
        }
        assert_eq!(store.entries().all.len(), SESSION_CACHE_SIZE);
    }

    #[test]
    fn a_removed_session_is_not_found() {
        let store = Store::new();
        keep(&store, b"one", b"1");
        keep(&store, b"two", b"2");
        // SAFETY: the store and the bytes live.
        unsafe {
            assert_eq!(remove(store.at(), datum(b"one")), 0);
            assert_ne!(remove(store.at(), datum(b"one")), 0);
        }
        assert_eq!(
            (found(&store, b"one").as_slice(), found(&store, b"two").as_slice()),
            (&[][..], &b"2"[..])
        );
    }

    #[test]
    fn a_hello_with_0_rtt_data_is_taken_once() {
        let store = Store::new();
        // SAFETY: the store and the bytes live.
        let answers = [(); 2].map(|()| unsafe { add(store.at(), 0, &datum(b"hello"), &datum(b"")) });
        assert_eq!(answers, [0, sys::GNUTLS_E_DB_ENTRY_EXISTS]);
    }
}
