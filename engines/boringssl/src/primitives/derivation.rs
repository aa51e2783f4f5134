//! Keys from keys: HKDF, the pseudo-random function of TLS 1.0 to 1.2, and PBKDF2.

#![allow(unsafe_code)]

use std::ptr;

use boring_sys::{self as sys, EVP_MD};
use tlspair::engine::EngineError;
use tlspair::primitive::{
    Hash, Input, Operation, PBKDF2_LENGTH, PBKDF2_ROUNDS, PRF_LABEL, PRF_LENGTH, PrfHash,
};

use super::{names, succeeded};

/// What every function here takes, and what it makes.
struct Given {
    hash: *const EVP_MD,
    key: Vec<u8>,
    data: Vec<u8>,
    derived: Vec<u8>,
}

impl Given {
    fn new(hash: *const EVP_MD, input: &Input, length: usize) -> Self {
        Self { hash, key: input.key.clone(), data: input.data.clone(), derived: vec![0; length] }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.derived.clone()]
    }
}

pub struct Extracting {
    given: Given,
}

impl Extracting {
    pub fn new(hash: Hash, input: &Input) -> Self {
        Self { given: Given::new(names::hash(hash), input, hash.length()) }
    }
}

impl Operation for Extracting {
    fn once(&mut self) -> Result<(), EngineError> {
        let Given { hash, key, data, derived } = &mut self.given;
        let mut length = 0;
        // SAFETY: hash functions are static, what goes in is readable, and there is room for a digest.
        succeeded(unsafe {
            sys::HKDF_extract(
                derived.as_mut_ptr(),
                &mut length,
                *hash,
                data.as_ptr(),
                data.len(),
                key.as_ptr(),
                key.len(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.given.output()
    }
}

pub struct Expanding {
    given: Given,
}

impl Expanding {
    pub fn new(hash: Hash, input: &Input) -> Self {
        Self { given: Given::new(names::hash(hash), input, hash.length()) }
    }
}

impl Operation for Expanding {
    fn once(&mut self) -> Result<(), EngineError> {
        let Given { hash, key, data, derived } = &mut self.given;
        // SAFETY: hash functions are static, what goes in is readable, and the library is told how much to write.
        succeeded(unsafe {
            sys::HKDF_expand(
                derived.as_mut_ptr(),
                derived.len(),
                *hash,
                key.as_ptr(),
                key.len(),
                data.as_ptr(),
                data.len(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.given.output()
    }
}

pub struct Prf {
    given: Given,
}

impl Prf {
    pub fn new(hash: PrfHash, input: &Input) -> Self {
        Self { given: Given::new(names::prf_hash(hash), input, PRF_LENGTH) }
    }
}

impl Operation for Prf {
    fn once(&mut self) -> Result<(), EngineError> {
        let Given { hash, key, data, derived } = &mut self.given;
        // SAFETY: hash functions are static, what goes in is readable, the second seed is empty, and the library is told
        // how much to write.
        succeeded(unsafe {
            sys::internal::CRYPTO_tls1_prf(
                *hash,
                derived.as_mut_ptr(),
                derived.len(),
                key.as_ptr(),
                key.len(),
                PRF_LABEL.as_ptr().cast(),
                PRF_LABEL.len(),
                data.as_ptr(),
                data.len(),
                ptr::null(),
                0,
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.given.output()
    }
}

pub struct Pbkdf2 {
    given: Given,
}

impl Pbkdf2 {
    pub fn new(hash: Hash, input: &Input) -> Self {
        Self { given: Given::new(names::hash(hash), input, PBKDF2_LENGTH) }
    }
}

impl Operation for Pbkdf2 {
    fn once(&mut self) -> Result<(), EngineError> {
        let Given { hash, key, data, derived } = &mut self.given;
        // SAFETY: hash functions are static, what goes in is readable, and the library is told how much to write.
        succeeded(unsafe {
            sys::PKCS5_PBKDF2_HMAC(
                key.as_ptr().cast(),
                key.len(),
                data.as_ptr(),
                data.len(),
                PBKDF2_ROUNDS,
                *hash,
                derived.len(),
                derived.as_mut_ptr(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.given.output()
    }
}
