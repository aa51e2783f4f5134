//! Hashes.

#![allow(unsafe_code)]

use std::ptr;

use boring_sys as sys;
use tlspair::engine::EngineError;
use tlspair::primitive::{Hash, Input, Operation};

use super::owned::Owned;
use super::{names, succeeded};

/// The longest digest there is.
const MOST_BYTES: usize = 64;

/// A hash function with a context to run it in.
pub struct Hasher {
    hash: Hash,
    context: Owned<sys::EVP_MD_CTX>,
    digest: [u8; MOST_BYTES],
}

impl Hasher {
    pub fn new(hash: Hash) -> Result<Self, EngineError> {
        // SAFETY: what is made is null or ours.
        let context = unsafe { Owned::new(sys::EVP_MD_CTX_new(), sys::EVP_MD_CTX_free)? };
        Ok(Self { hash, context, digest: [0; MOST_BYTES] })
    }

    /// Hashes all of `data`.
    #[inline]
    pub fn hash(&mut self, data: &[u8]) -> Result<&[u8], EngineError> {
        let context = self.context.as_ptr();
        // SAFETY: the context lives, the data is readable, and no digest is longer than the room for it.
        unsafe {
            succeeded(sys::EVP_DigestInit_ex(context, names::hash(self.hash), ptr::null_mut()))?;
            succeeded(sys::EVP_DigestUpdate(context, data.as_ptr().cast(), data.len()))?;
            succeeded(sys::EVP_DigestFinal_ex(context, self.digest.as_mut_ptr(), ptr::null_mut()))?;
        }
        Ok(self.digest())
    }

    /// What it made last.
    pub fn digest(&self) -> &[u8] {
        &self.digest[..self.hash.length()]
    }
}

pub struct Hashing {
    hasher: Hasher,
    data: Vec<u8>,
}

impl Hashing {
    pub fn new(hash: Hash, input: &Input) -> Result<Self, EngineError> {
        Ok(Self { hasher: Hasher::new(hash)?, data: input.data.clone() })
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
