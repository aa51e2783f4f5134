//! Keys derived from secrets.

use std::ptr::null;

use super::digest::md;
use super::object::check;
use super::sys;
use crate::engine::operations::filling;
use crate::primitive::{
    Hash, Input, Operation, PBKDF2_LENGTH, PBKDF2_ROUNDS, PRF_LABEL, PRF_LENGTH, PrfHash,
};

pub(super) fn extract(hash: Hash, input: &Input) -> Box<dyn Operation> {
    let (md, secret, salt) = (md(hash), input.data.clone(), input.key.clone());
    filling(hash.length(), move |into| {
        let mut filled = 0;
        // SAFETY: the slices are as long as is said, and the buffer as long as a digest.
        check(unsafe {
            sys::HKDF_extract(
                into.as_mut_ptr(),
                &mut filled,
                md,
                secret.as_ptr(),
                secret.len(),
                salt.as_ptr(),
                salt.len(),
            )
        })
    })
}

pub(super) fn expand(hash: Hash, input: &Input) -> Box<dyn Operation> {
    let (md, secret, info) = (md(hash), input.key.clone(), input.data.clone());
    filling(hash.length(), move |into| {
        // SAFETY: the slices are as long as is said.
        check(unsafe {
            sys::HKDF_expand(
                into.as_mut_ptr(),
                into.len(),
                md,
                secret.as_ptr(),
                secret.len(),
                info.as_ptr(),
                info.len(),
            )
        })
    })
}

pub(super) fn prf(hash: PrfHash, input: &Input) -> Box<dyn Operation> {
    let md = match hash {
        // SAFETY: it answers with a static object.
        PrfHash::Md5Sha1 => unsafe { sys::EVP_md5_sha1() },
        PrfHash::Sha256 => md(Hash::Sha256),
        PrfHash::Sha384 => md(Hash::Sha384),
    };
    let (secret, seed) = (input.key.clone(), input.data.clone());
    filling(PRF_LENGTH, move |into| {
        // SAFETY: the slices are as long as is said; there is no second seed.
        check(unsafe {
            sys::CRYPTO_tls1_prf(
                md,
                into.as_mut_ptr(),
                into.len(),
                secret.as_ptr(),
                secret.len(),
                PRF_LABEL.as_ptr().cast(),
                PRF_LABEL.len(),
                seed.as_ptr(),
                seed.len(),
                null(),
                0,
            )
        })
    })
}

pub(super) fn pbkdf2(hash: Hash, input: &Input) -> Box<dyn Operation> {
    let (md, password, salt) = (md(hash), input.key.clone(), input.data.clone());
    filling(PBKDF2_LENGTH, move |into| {
        // SAFETY: the slices are as long as is said.
        check(unsafe {
            sys::PKCS5_PBKDF2_HMAC(
                password.as_ptr().cast(),
                password.len(),
                salt.as_ptr(),
                salt.len(),
                PBKDF2_ROUNDS,
                md,
                into.len(),
                into.as_mut_ptr(),
            )
        })
    })
}
