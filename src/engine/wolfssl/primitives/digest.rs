//! Hashes and HMAC. Reading one out makes its object ready for the next.

use std::ptr;

use wolfssl_sys as sys;

use super::object::{NO_DEVICE, Object, free};
use super::{Made, check, length, names};
use crate::engine::EngineError;
use crate::primitive::{Act, Hash, Input};

/// A hash function with its context.
pub(super) struct Digest {
    context: Object<sys::wc_HashAlg>,
    kind: sys::wc_HashType,
    length: usize,
}

impl Digest {
    pub(super) fn new(hash: Hash) -> Result<Self, EngineError> {
        let (kind, mut answer) = (names::hash(hash), 0);
        // SAFETY: writes a number, and answers with a new object.
        let at = unsafe { sys::wc_HashNew(kind, ptr::null_mut(), NO_DEVICE, &raw mut answer) };
        check(answer)?;
        // SAFETY: `Object` passes what the library has made, once.
        let context = Object::made(at, |at| unsafe {
            sys::wc_HashDelete(at, ptr::null_mut());
        })?;
        Ok(Self { context, kind, length: hash.length() })
    }

    /// Hashes all of `data`. There is room for the digest, whose length is the answer.
    pub(super) fn of(&mut self, data: &[u8], digest: &mut [u8]) -> Result<usize, EngineError> {
        // SAFETY: the context lives, the data are readable, and there is room for a digest.
        unsafe {
            check(sys::wc_HashUpdate(self.context.at(), self.kind, data.as_ptr(), length(data)))?;
            check(sys::wc_HashFinal(self.context.at(), self.kind, digest.as_mut_ptr()))?;
        }
        Ok(self.length)
    }
}

pub(super) fn hash(hash: Hash, input: &Input) -> Made {
    let (mut function, data) = (Digest::new(hash)?, input.data.clone());
    Ok(Some(Act::making(hash.length(), move |digest| function.of(&data, digest))))
}

pub(super) fn hmac(hash: Hash, input: &Input) -> Made {
    // SAFETY: there is room for the context, which is filled in.
    let init = |at| unsafe { sys::wc_HmacInit(at, ptr::null_mut(), NO_DEVICE) };
    let hmac = Object::<sys::Hmac>::filled(init, release_hmac)?;
    // SAFETY: the context lives, and the key is read during the call.
    check(unsafe {
        sys::wc_HmacSetKey(hmac.at(), names::hash(hash) as i32, input.key.as_ptr(), length(&input.key))
    })?;
    let data = input.data.clone();
    Ok(Some(Act::making(hash.length(), move |tag| {
        // SAFETY: the context lives, the data are readable, and there is room for a MAC.
        unsafe {
            check(sys::wc_HmacUpdate(hmac.at(), data.as_ptr(), length(&data)))?;
            check(sys::wc_HmacFinal(hmac.at(), tag.as_mut_ptr()))?;
        }
        Ok(hash.length())
    })))
}

unsafe fn release_hmac(at: *mut sys::Hmac) {
    // SAFETY: `Object` passes what `filled` has made, once.
    unsafe {
        sys::wc_HmacFree(at);
        free(at);
    }
}
