//! HMAC and CMAC.

#![allow(unsafe_code)]

use std::ptr;

use boring_sys as sys;
use tlspair::engine::EngineError;
use tlspair::primitive::{Cmac, Hash, Input, Operation};

use super::owned::Owned;
use super::{names, succeeded};

/// The longest MAC there is.
const MOST_BYTES: usize = 64;
/// Bytes of a MAC of AES.
const BLOCK: usize = 16;

pub struct Hmac {
    context: Owned<sys::HMAC_CTX>,
    data: Vec<u8>,
    mac: [u8; MOST_BYTES],
    length: usize,
}

impl Hmac {
    pub fn new(hash: Hash, input: &Input) -> Result<Self, EngineError> {
        let (key, length) = (input.key.as_ptr().cast(), input.key.len());
        // SAFETY: what is made is null or ours, and lives; the key is readable, and copied.
        let context = unsafe {
            let context = Owned::new(sys::HMAC_CTX_new(), sys::HMAC_CTX_free)?;
            let function = names::hash(hash);
            succeeded(sys::HMAC_Init_ex(context.as_ptr(), key, length, function, ptr::null_mut()))?;
            context
        };
        Ok(Self { context, data: input.data.clone(), mac: [0; MOST_BYTES], length: hash.length() })
    }
}

impl Operation for Hmac {
    fn once(&mut self) -> Result<(), EngineError> {
        let context = self.context.as_ptr();
        // SAFETY: the context lives and has hash and key, which it goes on with where none are given; the data is
        // readable, and no MAC is longer than the room for it.
        unsafe {
            succeeded(sys::HMAC_Init_ex(context, ptr::null(), 0, ptr::null(), ptr::null_mut()))?;
            succeeded(sys::HMAC_Update(context, self.data.as_ptr(), self.data.len()))?;
            succeeded(sys::HMAC_Final(context, self.mac.as_mut_ptr(), ptr::null_mut()))
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.mac[..self.length].to_vec()]
    }
}

pub struct AesCmac {
    context: Owned<sys::CMAC_CTX>,
    data: Vec<u8>,
    mac: [u8; BLOCK],
}

impl AesCmac {
    pub fn new(cmac: Cmac, input: &Input) -> Result<Self, EngineError> {
        let (key, length) = (input.key.as_ptr().cast(), input.key.len());
        // SAFETY: what is made is null or ours, and lives; the key is readable, and copied.
        let context = unsafe {
            let context = Owned::new(sys::CMAC_CTX_new(), sys::CMAC_CTX_free)?;
            let cipher = names::cipher_of(cmac);
            succeeded(sys::CMAC_Init(context.as_ptr(), key, length, cipher, ptr::null_mut()))?;
            context
        };
        Ok(Self { context, data: input.data.clone(), mac: [0; BLOCK] })
    }
}

impl Operation for AesCmac {
    fn once(&mut self) -> Result<(), EngineError> {
        let context = self.context.as_ptr();
        let mut length = 0;
        // SAFETY: the context lives and has a key; the data is readable, and the MAC is a block.
        unsafe {
            succeeded(sys::CMAC_Reset(context))?;
            succeeded(sys::CMAC_Update(context, self.data.as_ptr(), self.data.len()))?;
            succeeded(sys::CMAC_Final(context, self.mac.as_mut_ptr(), &mut length))
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.mac.to_vec()]
    }
}
