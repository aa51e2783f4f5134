//! Keys from keys: HKDF, the pseudo-random function of TLS 1.0 to 1.2, and PBKDF2.

#![allow(unsafe_code)]

use std::ffi::{CStr, c_uint};

use openssl_sys::{self as sys, OSSL_PARAM};

use super::owned::{self, Owned};
use super::parameters::{bytes, end, number, text};
use super::{Refusal, names, succeeded};
use crate::engine::EngineError;
use crate::engine::openssl::ffi;
use crate::primitive::{
    Hash, Input, Operation, PBKDF2_LENGTH, PBKDF2_ROUNDS, PRF_LABEL, PRF_LENGTH, PrfHash,
};

const ROUNDS: c_uint = PBKDF2_ROUNDS;

/// What the key and the data of an input are to a function.
#[derive(Clone, Copy)]
struct Roles {
    key: &'static CStr,
    /// None where data can only be added to what the context has, so that it is set once.
    data: Option<&'static CStr>,
}

/// A context with all that does not change, and what each call sets.
pub struct Derivation {
    context: Owned<sys::EVP_KDF_CTX>,
    roles: Roles,
    key: Vec<u8>,
    data: Vec<u8>,
    derived: Vec<u8>,
}

impl Derivation {
    pub fn extract(hash: Hash, input: &Input) -> Result<Self, Refusal> {
        let fixed = [text(c"mode", c"EXTRACT_ONLY"), text(c"digest", names::hash(hash)), end()];
        let roles = Roles { key: c"salt", data: Some(c"key") };
        Self::new(c"HKDF", &fixed, roles, input, hash.length())
    }

    pub fn expand(hash: Hash, input: &Input) -> Result<Self, Refusal> {
        let fixed = [text(c"mode", c"EXPAND_ONLY"), text(c"digest", names::hash(hash)), end()];
        let roles = Roles { key: c"key", data: Some(c"info") };
        Self::new(c"HKDF", &fixed, roles, input, hash.length())
    }

    pub fn prf(hash: PrfHash, input: &Input) -> Result<Self, Refusal> {
        let fixed = [
            text(c"digest", names::prf_hash(hash)),
            bytes(c"seed", PRF_LABEL.as_bytes()),
            bytes(c"seed", &input.data),
            end(),
        ];
        Self::new(c"TLS1-PRF", &fixed, Roles { key: c"secret", data: None }, input, PRF_LENGTH)
    }

    pub fn pbkdf2(hash: Hash, input: &Input) -> Result<Self, Refusal> {
        let fixed = [text(c"digest", names::hash(hash)), number(c"iter", &ROUNDS), end()];
        let roles = Roles { key: c"pass", data: Some(c"salt") };
        Self::new(c"PBKDF2", &fixed, roles, input, PBKDF2_LENGTH)
    }

    fn new(
        function: &'static CStr,
        fixed: &[OSSL_PARAM],
        roles: Roles,
        input: &Input,
        length: usize,
    ) -> Result<Self, Refusal> {
        let function = owned::derivation(function)?;
        // SAFETY: the function lives, and the context keeps a reference to it; what is made is null or ours. The
        // parameters have an end, and what they point to lives and is copied.
        let context = unsafe {
            let context = Owned::new(sys::EVP_KDF_CTX_new(function.as_ptr()), sys::EVP_KDF_CTX_free)?;
            succeeded(ffi::EVP_KDF_CTX_set_params(context.as_ptr(), fixed.as_ptr()))?;
            context
        };
        let (key, data) = (input.key.clone(), input.data.clone());
        Ok(Self { context, roles, key, data, derived: vec![0; length] })
    }
}

impl Operation for Derivation {
    fn once(&mut self) -> Result<(), EngineError> {
        let key = bytes(self.roles.key, &self.key);
        let data = self.roles.data.map_or_else(end, |name| bytes(name, &self.data));
        let parameters = [key, data, end()];
        let (derived, length) = (self.derived.as_mut_ptr(), self.derived.len());
        // SAFETY: the context lives, the library is told how much room there is, and the parameters point to what
        // lives and have an end.
        succeeded(unsafe { sys::EVP_KDF_derive(self.context.as_ptr(), derived, length, parameters.as_ptr()) })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.derived.clone()]
    }
}
