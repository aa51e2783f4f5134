//! ML-KEM.

use std::ffi::c_int;
use std::ptr::null_mut;

use super::exchange::pair;
use super::object::{Owned, check};
use super::sys;
use crate::cell::Group;
use crate::engine::EngineError;
use crate::engine::operations::{filling, repeated};
use crate::primitive::{Input, Operation};

const KEM: c_int = 970;
const ML_KEM_768: c_int = 989;
const PUBLIC: usize = 1184;
const CIPHERTEXT: usize = 1088;
const SECRET: usize = 32;

pub(super) fn generate() -> Result<Box<dyn Operation>, EngineError> {
    // SAFETY: what is allocated is ours, and alive.
    let generator = unsafe {
        let context = Owned::new(sys::EVP_PKEY_CTX_new_id(KEM, null_mut()))?;
        check(sys::EVP_PKEY_CTX_kem_set_params(context.as_ptr(), ML_KEM_768))?;
        check(sys::EVP_PKEY_keygen_init(context.as_ptr()))?;
        context
    };
    Ok(repeated(
        None,
        move |last| {
            *last = Some(pair(&generator)?);
            Ok(())
        },
        |last| last.iter().map(public).collect(),
    ))
}

/// Nothing if the library does not say it.
fn public(pair: &Owned<sys::Pkey>) -> Vec<u8> {
    let (mut public, mut length) = (vec![0; PUBLIC], PUBLIC);
    // SAFETY: the key is alive, and the buffer as long as is said.
    let answer = unsafe { sys::EVP_PKEY_get_raw_public_key(pair.as_ptr(), public.as_mut_ptr(), &mut length) };
    if answer == 1 { public } else { Vec::new() }
}

/// None if the group is no KEM of the library.
pub(super) fn encapsulate(group: Group, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    if group != Group::MlKem768 {
        return Ok(None);
    }
    let given = &input.public;
    // SAFETY: the bytes are as many as is said; what is allocated is ours.
    let key =
        unsafe { Owned::new(sys::EVP_PKEY_kem_new_raw_public_key(ML_KEM_768, given.as_ptr(), given.len())) }?;
    let context = context(&key)?;
    Ok(Some(repeated(
        (vec![0; SECRET], vec![0; CIPHERTEXT]),
        move |(secret, ciphertext)| {
            let (mut secret_length, mut length) = (secret.len(), ciphertext.len());
            // SAFETY: the context is alive; the buffers are as long as is said.
            check(unsafe {
                sys::EVP_PKEY_encapsulate(
                    context.as_ptr(),
                    ciphertext.as_mut_ptr(),
                    &mut length,
                    secret.as_mut_ptr(),
                    &mut secret_length,
                )
            })
        },
        |(secret, ciphertext)| vec![secret.clone(), ciphertext.clone()],
    )))
}

/// None if the group is no KEM of the library.
pub(super) fn decapsulate(group: Group, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    if group != Group::MlKem768 {
        return Ok(None);
    }
    let private = &input.private;
    // SAFETY: the bytes are as many as is said; what is allocated is ours.
    let key = unsafe {
        Owned::new(sys::EVP_PKEY_kem_new_raw_secret_key(ML_KEM_768, private.as_ptr(), private.len()))
    }?;
    let context = context(&key)?;
    let given = input.given.clone();
    Ok(Some(filling(SECRET, move |secret| {
        let mut length = secret.len();
        // SAFETY: the context is alive; ciphertext and buffer are as long as is said.
        check(unsafe {
            let raw = context.as_ptr();
            sys::EVP_PKEY_decapsulate(raw, secret.as_mut_ptr(), &mut length, given.as_ptr(), given.len())
        })
    })))
}

fn context(key: &Owned<sys::Pkey>) -> Result<Owned<sys::PkeyCtx>, EngineError> {
    // SAFETY: the key is alive, and counted by the context; what is allocated is ours.
    unsafe { Owned::new(sys::EVP_PKEY_CTX_new(key.as_ptr(), null_mut())) }
}
