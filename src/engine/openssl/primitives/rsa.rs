//! RSA encryption of a premaster secret.

#![allow(unsafe_code)]

use std::ffi::c_uint;

use foreign_types_shared::ForeignType;
use openssl::pkey::{Private, Public};
use openssl::pkey_ctx::PkeyCtx;
use openssl::rsa::Padding;
use openssl_sys as sys;

use super::signature::{private_key, public_key};
use super::{Refusal, parameters, succeeded, told};
use crate::engine::EngineError;
use crate::engine::openssl::ffi;
use crate::primitive::{Input, Operation, PREMASTER_SECRET};

pub struct Encrypting {
    context: PkeyCtx<Public>,
    data: Vec<u8>,
    encrypted: Vec<u8>,
    length: usize,
}

impl Encrypting {
    pub fn new(input: &Input) -> Result<Self, Refusal> {
        let key = public_key(input)?;
        let mut context = PkeyCtx::new(&key)?;
        context.encrypt_init()?;
        context.set_rsa_padding(Padding::PKCS1)?;
        Ok(Self { context, data: input.data.clone(), encrypted: vec![0; key.size()], length: 0 })
    }
}

impl Operation for Encrypting {
    fn once(&mut self) -> Result<(), EngineError> {
        self.length = told(self.context.encrypt(&self.data, Some(&mut self.encrypted)))?;
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.encrypted[..self.length].to_vec()]
    }
}

/// Decrypts as the library's TLS server does: what is padded wrongly, or holds another version than the client's, comes out
/// as random bytes, and takes as long.
pub struct Decrypting {
    context: PkeyCtx<Private>,
    encrypted: Vec<u8>,
    secret: Vec<u8>,
    length: usize,
}

impl Decrypting {
    pub fn new(input: &Input) -> Result<Self, Refusal> {
        let key = private_key(input)?;
        let mut context = PkeyCtx::new(&key)?;
        context.decrypt_init()?;
        let version = c_uint::from(u16::from_be_bytes([PREMASTER_SECRET[0], PREMASTER_SECRET[1]]));
        let parameters = [parameters::number(c"tls-client-version", &version), parameters::end()];
        // SAFETY: the context lives, and copies the one number.
        unsafe {
            let padding = ffi::RSA_PKCS1_WITH_TLS_PADDING;
            succeeded(sys::EVP_PKEY_CTX_set_rsa_padding(context.as_ptr(), padding))?;
            succeeded(sys::EVP_PKEY_CTX_set_params(context.as_ptr(), parameters.as_ptr()))?;
        }
        Ok(Self { context, encrypted: input.given.clone(), secret: vec![0; key.size()], length: 0 })
    }
}

impl Operation for Decrypting {
    fn once(&mut self) -> Result<(), EngineError> {
        self.length = told(self.context.decrypt(&self.encrypted, Some(&mut self.secret)))?;
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret[..self.length].to_vec()]
    }
}
