//! Key pairs for exchanges, and agreements with them.

#![allow(unsafe_code)]

use std::ptr;
use std::slice;

use openssl_sys as sys;

use super::owned::Owned;
use super::{Refusal, names, succeeded};
use crate::cell::Group;
use crate::engine::EngineError;
use crate::engine::openssl::ffi;
use crate::primitive::{Input, Operation};

/// The longest secret of an agreement: a number below the prime of ffdhe3072.
const MOST_BYTES: usize = 384;

pub type Key = Owned<sys::EVP_PKEY>;

/// A context that makes keys of a group.
pub struct Generator(Owned<sys::EVP_PKEY_CTX>);

impl Generator {
    pub fn new(group: Group) -> Result<Self, Refusal> {
        let (kind, name) = names::group(group).ok_or(Refusal::Missing)?;
        // SAFETY: the names end in zeros; what is made is null or ours, and lives.
        unsafe {
            let context = sys::EVP_PKEY_CTX_new_from_name(ptr::null_mut(), kind.as_ptr(), ptr::null());
            let context = Owned::new(context, sys::EVP_PKEY_CTX_free).map_err(|_| Refusal::Missing)?;
            succeeded(sys::EVP_PKEY_keygen_init(context.as_ptr()))?;
            if let Some(name) = name {
                succeeded(ffi::EVP_PKEY_CTX_set_group_name(context.as_ptr(), name.as_ptr()))?;
            }
            Ok(Self(context))
        }
    }

    pub fn key(&self) -> Result<Key, EngineError> {
        let mut made = ptr::null_mut();
        // SAFETY: the context is for making keys; what is made is ours.
        unsafe {
            succeeded(sys::EVP_PKEY_generate(self.0.as_ptr(), &mut made))?;
            Owned::new(made, sys::EVP_PKEY_free)
        }
    }
}

/// The public key as it is sent.
fn encoded(key: &Key) -> Vec<u8> {
    let mut public = ptr::null_mut();
    // SAFETY: the key lives; if there is a length, so many bytes were made for us to free, and are copied before.
    unsafe {
        let length = ffi::EVP_PKEY_get1_encoded_public_key(key.as_ptr(), &mut public);
        let copy = if length == 0 { Vec::new() } else { slice::from_raw_parts(public, length).to_vec() };
        sys::OPENSSL_free(public.cast());
        copy
    }
}

/// The peer's key from what it has sent, in the group of `own`, as the library's TLS makes it.
#[inline]
pub fn peer_key(own: &Key, public: &[u8]) -> Result<Key, EngineError> {
    // SAFETY: what is made is null or ours, own and new key live, and what was sent is readable.
    unsafe {
        let peer = Owned::new(sys::EVP_PKEY_new(), sys::EVP_PKEY_free)?;
        succeeded(sys::EVP_PKEY_copy_parameters(peer.as_ptr(), own.as_ptr()))?;
        succeeded(ffi::EVP_PKEY_set1_encoded_public_key(peer.as_ptr(), public.as_ptr(), public.len()))?;
        Ok(peer)
    }
}

pub struct Generating {
    generator: Generator,
    newest: Option<Key>,
}

impl Generating {
    pub fn new(group: Group) -> Result<Self, Refusal> {
        Ok(Self { generator: Generator::new(group)?, newest: None })
    }
}

impl Operation for Generating {
    fn once(&mut self) -> Result<(), EngineError> {
        self.newest = Some(self.generator.key()?);
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.newest.iter().map(encoded).collect()
    }
}

pub struct Agreeing {
    context: Owned<sys::EVP_PKEY_CTX>,
    own: Key,
    public: Vec<u8>,
    secret: [u8; MOST_BYTES],
    length: usize,
}

impl Agreeing {
    pub fn new(group: Group, input: &Input) -> Result<Self, Refusal> {
        let own = Generator::new(group)?.key()?;
        // SAFETY: the key lives, and the context keeps a reference to it; what is made is null or ours, and lives.
        let context = unsafe {
            let context = sys::EVP_PKEY_CTX_new(own.as_ptr(), ptr::null_mut());
            let context = Owned::new(context, sys::EVP_PKEY_CTX_free)?;
            succeeded(sys::EVP_PKEY_derive_init(context.as_ptr()))?;
            if matches!(group, Group::Ffdhe2048 | Group::Ffdhe3072) {
                succeeded(ffi::EVP_PKEY_CTX_set_dh_pad(context.as_ptr(), 1))?;
            }
            context
        };
        Ok(Self { context, own, public: input.public.clone(), secret: [0; MOST_BYTES], length: 0 })
    }
}

impl Operation for Agreeing {
    /// The library checks the peer's key when it is set.
    fn once(&mut self) -> Result<(), EngineError> {
        let peer = peer_key(&self.own, &self.public)?;
        let context = self.context.as_ptr();
        self.length = MOST_BYTES;
        // SAFETY: the context lives and keeps a reference to the peer's key; the library is told how much room there is.
        unsafe {
            succeeded(sys::EVP_PKEY_derive_set_peer(context, peer.as_ptr()))?;
            succeeded(sys::EVP_PKEY_derive(context, self.secret.as_mut_ptr(), &mut self.length))
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret[..self.length].to_vec(), encoded(&self.own)]
    }
}
