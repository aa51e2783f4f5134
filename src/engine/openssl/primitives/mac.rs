//! HMAC and CMAC.

#![allow(unsafe_code)]

use std::ffi::CStr;
use std::ptr;

use openssl_sys::{self as sys, OSSL_PARAM};

use super::owned::{self, Owned};
use super::{Refusal, names, parameters, succeeded};
use crate::engine::EngineError;
use crate::primitive::{Cmac, Hash, Input, Operation};

/// The longest MAC there is.
const MOST_BYTES: usize = 64;

pub struct Mac {
    context: Owned<sys::EVP_MAC_CTX>,
    data: Vec<u8>,
    mac: [u8; MOST_BYTES],
    length: usize,
}

impl Mac {
    pub fn of_hash(hash: Hash, input: &Input) -> Result<Self, Refusal> {
        Self::new(c"HMAC", parameters::text(c"digest", names::hash(hash)), input)
    }

    pub fn of_cipher(cmac: Cmac, input: &Input) -> Result<Self, Refusal> {
        Self::new(c"CMAC", parameters::text(c"cipher", names::cipher_of(cmac)), input)
    }

    fn new(name: &CStr, made_of: OSSL_PARAM, input: &Input) -> Result<Self, Refusal> {
        let algorithm = owned::mac(name)?;
        let parameters = [made_of, parameters::end()];
        // SAFETY: the algorithm lives, and the context keeps a reference to it; key and parameters are readable, and
        // copied.
        let context = unsafe {
            let context = Owned::new(sys::EVP_MAC_CTX_new(algorithm.as_ptr()), sys::EVP_MAC_CTX_free)?;
            let (key, length) = (input.key.as_ptr(), input.key.len());
            succeeded(sys::EVP_MAC_init(context.as_ptr(), key, length, parameters.as_ptr()))?;
            context
        };
        Ok(Self { context, data: input.data.clone(), mac: [0; MOST_BYTES], length: 0 })
    }
}

impl Operation for Mac {
    fn once(&mut self) -> Result<(), EngineError> {
        let context = self.context.as_ptr();
        // SAFETY: the context lives and has a key, which it goes on with where none is given; the data is readable, and
        // the library is told how much room there is.
        unsafe {
            succeeded(sys::EVP_MAC_init(context, ptr::null(), 0, ptr::null()))?;
            succeeded(sys::EVP_MAC_update(context, self.data.as_ptr(), self.data.len()))?;
            succeeded(sys::EVP_MAC_final(context, self.mac.as_mut_ptr(), &mut self.length, MOST_BYTES))
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.mac[..self.length].to_vec()]
    }
}
