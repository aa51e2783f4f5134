//! Hashes.

#![allow(unsafe_code)]

use std::ptr;

use openssl_sys as sys;

use super::owned::{self, Owned};
use super::{Refusal, names, succeeded};
use crate::engine::EngineError;
use crate::primitive::{Hash, Input, Operation};

/// The longest digest there is.
const MOST_BYTES: usize = 64;

/// A hash function with a context to run it in.
pub struct Hasher {
    function: Owned<sys::EVP_MD>,
    context: Owned<sys::EVP_MD_CTX>,
    digest: [u8; MOST_BYTES],
    length: usize,
}

impl Hasher {
    pub fn new(name: &'static std::ffi::CStr) -> Result<Self, Refusal> {
        let function = owned::digest(name)?;
        // SAFETY: what is made is null or ours.
        let context = unsafe { Owned::new(sys::EVP_MD_CTX_new(), sys::EVP_MD_CTX_free)? };
        Ok(Self { function, context, digest: [0; MOST_BYTES], length: 0 })
    }

    pub fn function(&self) -> &Owned<sys::EVP_MD> {
        &self.function
    }

    /// Hashes all of `data`.
    #[inline]
    pub fn hash(&mut self, data: &[u8]) -> Result<&[u8], EngineError> {
        let context = self.context.as_ptr();
        let mut length = 0;
        // SAFETY: function and context live, the data is readable, and no digest is longer than the room for it.
        unsafe {
            succeeded(sys::EVP_DigestInit_ex(context, self.function.as_ptr(), ptr::null_mut()))?;
            succeeded(sys::EVP_DigestUpdate(context, data.as_ptr().cast(), data.len()))?;
            succeeded(sys::EVP_DigestFinal_ex(context, self.digest.as_mut_ptr(), &mut length))?;
        }
        self.length = length as usize;
        Ok(self.digest())
    }

    /// What it made last.
    pub fn digest(&self) -> &[u8] {
        &self.digest[..self.length]
    }
}

pub struct Hashing {
    hasher: Hasher,
    data: Vec<u8>,
}

impl Hashing {
    pub fn new(hash: Hash, input: &Input) -> Result<Self, Refusal> {
        Ok(Self { hasher: Hasher::new(names::hash(hash))?, data: input.data.clone() })
    }
}

impl Operation for Hashing {
    fn once(&mut self) -> Result<(), EngineError> {
        self.hasher.hash(&self.data).map(|_digest| ())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.hasher.digest().to_vec()]
    }
}
