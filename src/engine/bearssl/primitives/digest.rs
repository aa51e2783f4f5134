//! Hashes and HMAC.

use super::super::implementations::Implementations;
use super::super::object::Object;
use super::super::sys;
use super::function;
use crate::primitive::{Act, Hash, Input, Operation};

/// A hash function with its context.
pub(super) struct Digest {
    pub(super) class: &'static sys::br_hash_class,
    context: Object<sys::br_hash_compat_context>,
    init: unsafe extern "C" fn(*mut *const sys::br_hash_class),
    update: unsafe extern "C" fn(*mut *const sys::br_hash_class, *const std::ffi::c_void, usize),
    out: unsafe extern "C" fn(*const *const sys::br_hash_class, *mut std::ffi::c_void),
}

impl Digest {
    pub(super) fn new(with: &Implementations, hash: Hash) -> Self {
        let class = class(with, hash);
        Self {
            class,
            context: Object::uninit(),
            init: function(class.init),
            update: function(class.update),
            out: function(class.out),
        }
    }

    /// Hashes all of `data`; the digest is as long as the hash's.
    pub(super) fn of(&mut self, data: &[u8], digest: &mut [u8]) {
        let at = self.context.at().cast();
        // SAFETY: the context has room for that of any hash, and the first function fills it in; the callers have room
        // for a digest.
        unsafe {
            (self.init)(at);
            (self.update)(at, data.as_ptr().cast(), data.len());
            (self.out)(at, digest.as_mut_ptr().cast());
        }
    }
}

/// The library's class of a hash.
fn class(with: &Implementations, hash: Hash) -> &'static sys::br_hash_class {
    let number = match hash {
        Hash::Md5 => sys::br_md5_ID,
        Hash::Sha1 => sys::br_sha1_ID,
        Hash::Sha256 => sys::br_sha256_ID,
        Hash::Sha384 => sys::br_sha384_ID,
        Hash::Sha512 => sys::br_sha512_ID,
    };
    with.hashes[number as usize - 1]
}

pub(super) fn hash(with: &Implementations, hash: Hash, input: &Input) -> Box<dyn Operation> {
    let (mut function, data, length) = (Digest::new(with, hash), input.data.clone(), hash.length());
    Act::making(length, move |digest| {
        function.of(&data, digest);
        Ok(length)
    })
}

pub(super) fn hmac(with: &Implementations, hash: Hash, input: &Input) -> Box<dyn Operation> {
    let key = Object::<sys::br_hmac_key_context>::uninit();
    let context = Object::<sys::br_hmac_context>::uninit();
    // SAFETY: the function fills the key in, from readable bytes.
    unsafe {
        sys::br_hmac_key_init(key.at(), class(with, hash), input.key.as_ptr().cast(), input.key.len());
    }
    let data = input.data.clone();
    Act::making(hash.length(), move |tag| {
        // SAFETY: the key is filled in, the first function fills the context in, and there is room for a MAC.
        Ok(unsafe {
            sys::br_hmac_init(context.at(), key.at(), 0);
            sys::br_hmac_update(context.at(), data.as_ptr().cast(), data.len());
            sys::br_hmac_out(context.at(), tag.as_mut_ptr().cast())
        })
    })
}
