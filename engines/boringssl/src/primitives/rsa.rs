//! RSA encryption of a premaster secret.

#![allow(unsafe_code)]

use std::ptr;

use boring_sys as sys;
use foreign_types_shared::ForeignType;
use tlspair::cell::Cert;
use tlspair::engine::EngineError;
use tlspair::primitive::{Input, Operation};

use super::key::{private_key, public_key};
use super::owned::Owned;
use super::{Refusal, succeeded};

/// # Safety
/// `key` must live.
unsafe fn context_of(key: *mut sys::EVP_PKEY) -> Result<Owned<sys::EVP_PKEY_CTX>, EngineError> {
    // SAFETY: what is made is null or ours; it keeps a reference to the key.
    unsafe { Owned::new(sys::EVP_PKEY_CTX_new(key, ptr::null_mut()), sys::EVP_PKEY_CTX_free) }
}

pub struct Encrypting {
    context: Owned<sys::EVP_PKEY_CTX>,
    data: Vec<u8>,
    encrypted: Vec<u8>,
}

impl Encrypting {
    pub fn new(cert: Cert, input: &Input) -> Result<Self, Refusal> {
        let key = public_key(cert, input)?;
        // SAFETY: key and context live.
        let context = unsafe {
            let context = context_of(key.as_ptr())?;
            succeeded(sys::EVP_PKEY_encrypt_init(context.as_ptr()))?;
            succeeded(sys::EVP_PKEY_CTX_set_rsa_padding(context.as_ptr(), sys::RSA_PKCS1_PADDING))?;
            context
        };
        Ok(Self { context, data: input.data.clone(), encrypted: vec![0; key.size()] })
    }
}

impl Operation for Encrypting {
    fn once(&mut self) -> Result<(), EngineError> {
        let mut length = self.encrypted.len();
        let (context, made) = (self.context.as_ptr(), self.encrypted.as_mut_ptr());
        let (data, count) = (self.data.as_ptr(), self.data.len());
        // SAFETY: the context lives, the data is readable, and the library is told how much room there is.
        succeeded(unsafe { sys::EVP_PKEY_encrypt(context, made, &mut length, data, count) })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.encrypted.clone()]
    }
}

pub struct Decrypting {
    context: Owned<sys::EVP_PKEY_CTX>,
    encrypted: Vec<u8>,
    secret: Vec<u8>,
    length: usize,
}

impl Decrypting {
    pub fn new(cert: Cert, input: &Input) -> Result<Self, Refusal> {
        let key = private_key(cert, input)?;
        // SAFETY: key and context live.
        let context = unsafe {
            let context = context_of(key.as_ptr())?;
            succeeded(sys::EVP_PKEY_decrypt_init(context.as_ptr()))?;
            succeeded(sys::EVP_PKEY_CTX_set_rsa_padding(context.as_ptr(), sys::RSA_PKCS1_PADDING))?;
            context
        };
        Ok(Self { context, encrypted: input.given.clone(), secret: vec![0; key.size()], length: 0 })
    }
}

impl Operation for Decrypting {
    fn once(&mut self) -> Result<(), EngineError> {
        self.length = self.secret.len();
        let (context, made) = (self.context.as_ptr(), self.secret.as_mut_ptr());
        let (encrypted, count) = (self.encrypted.as_ptr(), self.encrypted.len());
        // SAFETY: the context lives, the ciphertext is readable, and the library is told how much room there is.
        succeeded(unsafe { sys::EVP_PKEY_decrypt(context, made, &mut self.length, encrypted, count) })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret[..self.length].to_vec()]
    }
}
