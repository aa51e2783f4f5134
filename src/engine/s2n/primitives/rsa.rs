//! RSA encryption by PKCS #1 v1.5, with the padding checked by AWS-LC; s2n-tls takes it off itself.

use std::ffi::c_int;

use super::object::{Owned, check};
use super::{key, sys};
use crate::engine::EngineError;
use crate::engine::operations::writing;
use crate::primitive::{Input, Operation};

const PKCS1: c_int = 1;

pub(super) fn encrypt(input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    let key = key::public(input)?;
    let context = padded(key::context(&key, sys::EVP_PKEY_encrypt_init)?)?;
    let secret = input.data.clone();
    Ok(writing(key::size(&key), move |into| {
        let mut filled = into.len();
        // SAFETY: the context is alive; secret and buffer are as long as is said.
        check(unsafe {
            let raw = context.as_ptr();
            sys::EVP_PKEY_encrypt(raw, into.as_mut_ptr(), &mut filled, secret.as_ptr(), secret.len())
        })?;
        Ok(filled)
    }))
}

pub(super) fn decrypt(input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    let key = key::private(input)?;
    let context = padded(key::context(&key, sys::EVP_PKEY_decrypt_init)?)?;
    let given = input.given.clone();
    Ok(writing(key::size(&key), move |into| {
        let mut filled = into.len();
        // SAFETY: the context is alive; ciphertext and buffer are as long as is said.
        check(unsafe {
            let raw = context.as_ptr();
            sys::EVP_PKEY_decrypt(raw, into.as_mut_ptr(), &mut filled, given.as_ptr(), given.len())
        })?;
        Ok(filled)
    }))
}

fn padded(context: Owned<sys::PkeyCtx>) -> Result<Owned<sys::PkeyCtx>, EngineError> {
    // SAFETY: the context is alive.
    check(unsafe { sys::EVP_PKEY_CTX_set_rsa_padding(context.as_ptr(), PKCS1) })?;
    Ok(context)
}
