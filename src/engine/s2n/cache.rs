//! The server's session cache: the library calls for one and has none of its own. What it gives us is sealed.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::ptr;
use std::slice;
use std::sync::{Mutex, MutexGuard, PoisonError};

use s2n_tls_sys as sys;

use crate::engine::SESSION_CACHE_SIZE;

/// The longest session id of the protocol, in bytes.
const ID_LENGTH: usize = 32;

const FOUND: c_int = 0;
const NOT_FOUND: c_int = -1;

type Id = [u8; ID_LENGTH];

/// The newest sessions, as many as every engine keeps. Its memory is reused, and threads may share it.
#[derive(Default)]
pub(super) struct SessionCache(Mutex<Slots>);

impl SessionCache {
    fn slots(&self) -> MutexGuard<'_, Slots> {
        // Nothing panics while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default)]
struct Slots {
    places: HashMap<Id, usize>,
    slots: Vec<(Id, Vec<u8>)>,
    next: usize,
}

impl Slots {
    fn store(&mut self, id: Id, session: &[u8]) {
        if let Some(&place) = self.places.get(&id) {
            self.slots[place].1.clear();
            self.slots[place].1.extend_from_slice(session);
            return;
        }
        let place = self.next;
        self.next = (place + 1) % SESSION_CACHE_SIZE;
        match self.slots.get_mut(place) {
            Some((old, bytes)) => {
                // A deleted id may have come back, in another place.
                if self.places.get(old) == Some(&place) {
                    self.places.remove(old);
                }
                *old = id;
                bytes.clear();
                bytes.extend_from_slice(session);
            }
            None => self.slots.push((id, session.to_vec())),
        }
        self.places.insert(id, place);
    }

    fn find(&self, id: &Id) -> Option<&[u8]> {
        self.places.get(id).map(|&place| self.slots[place].1.as_slice())
    }

    /// Empties the place but leaves it to be used in its turn.
    fn delete(&mut self, id: &Id) {
        self.places.remove(id);
    }
}

/// Makes `config` use `cache`.
///
/// # Safety
/// `config` must be a living configuration, which `cache` outlives at the same address.
pub(super) unsafe fn attach(config: *mut sys::s2n_config, cache: &SessionCache) -> c_int {
    let data = ptr::from_ref(cache).cast_mut().cast::<c_void>();
    // SAFETY: the caller's promise; the functions match the types that the library calls.
    unsafe {
        sys::s2n_config_set_cache_store_callback(config, Some(store), data)
            | sys::s2n_config_set_cache_retrieve_callback(config, Some(retrieve), data)
            | sys::s2n_config_set_cache_delete_callback(config, Some(delete), data)
            | sys::s2n_config_set_session_cache_onoff(config, 1)
    }
}

/// The id that the library shows, filled up with zeros; none if it is longer than the protocol allows.
///
/// # Safety
/// `key` must point to `length` readable bytes.
unsafe fn id(key: *const c_void, length: u64) -> Option<Id> {
    let mut id = [0; ID_LENGTH];
    let length = usize::try_from(length).ok()?;
    // SAFETY: the caller's promise.
    id.get_mut(..length)?.copy_from_slice(unsafe { slice::from_raw_parts(key.cast(), length) });
    Some(id)
}

unsafe extern "C" fn store(
    _connection: *mut sys::s2n_connection,
    cache: *mut c_void,
    _seconds: u64,
    key: *const c_void,
    key_length: u64,
    value: *const c_void,
    value_length: u64,
) -> c_int {
    // SAFETY: `attach` has set `cache`, which outlives its configuration; the library shows readable bytes.
    unsafe {
        let (Some(id), Ok(length)) = (id(key, key_length), usize::try_from(value_length)) else {
            return NOT_FOUND;
        };
        let session = slice::from_raw_parts(value.cast(), length);
        (*cache.cast::<SessionCache>()).slots().store(id, session);
    }
    FOUND
}

unsafe extern "C" fn retrieve(
    _connection: *mut sys::s2n_connection,
    cache: *mut c_void,
    key: *const c_void,
    key_length: u64,
    value: *mut c_void,
    value_length: *mut u64,
) -> c_int {
    // SAFETY: as in `store`; `value` has as much room as `value_length` says, and is written no further.
    unsafe {
        let slots = (*cache.cast::<SessionCache>()).slots();
        match id(key, key_length).as_ref().and_then(|id| slots.find(id)) {
            Some(session) if session.len() as u64 <= *value_length => {
                ptr::copy_nonoverlapping(session.as_ptr(), value.cast(), session.len());
                *value_length = session.len() as u64;
                FOUND
            }
            _ => NOT_FOUND,
        }
    }
}

unsafe extern "C" fn delete(
    _connection: *mut sys::s2n_connection,
    cache: *mut c_void,
    key: *const c_void,
    key_length: u64,
) -> c_int {
    // SAFETY: as in `store`.
    unsafe {
        if let Some(id) = id(key, key_length) {
            (*cache.cast::<SessionCache>()).slots().delete(&id);
        }
    }
    FOUND
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id_of(number: usize) -> Id {
        let mut id = [0; ID_LENGTH];
        id[..8].copy_from_slice(&number.to_be_bytes());
        id
    }

    #[test]
    fn the_oldest_session_makes_room() {
        let mut slots = Slots::default();
        for number in 0..=SESSION_CACHE_SIZE {
            slots.store(id_of(number), &[number as u8]);
        }
        assert_eq!(slots.find(&id_of(0)), None);
        assert_eq!(slots.find(&id_of(1)), Some(&[1][..]));
        assert_eq!(slots.find(&id_of(SESSION_CACHE_SIZE)), Some(&[SESSION_CACHE_SIZE as u8][..]));
        assert_eq!(slots.slots.len(), SESSION_CACHE_SIZE);
    }

    #[test]
    fn a_session_is_replaced_and_deleted() {
        let mut slots = Slots::default();
        slots.store(id_of(1), b"old");
        slots.store(id_of(1), b"new");
        assert_eq!((slots.find(&id_of(1)), slots.slots.len()), (Some(&b"new"[..]), 1));
        slots.delete(&id_of(1));
        assert_eq!(slots.find(&id_of(1)), None);
        // The place of a deleted session is overwritten in its turn, whoever has taken its id since.
        slots.store(id_of(1), b"again");
        for number in 2..=SESSION_CACHE_SIZE {
            slots.store(id_of(number), b"other");
        }
        assert_eq!(slots.find(&id_of(1)), Some(&b"again"[..]));
    }
}
