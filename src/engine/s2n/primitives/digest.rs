//! Hashes and MACs. A context and its key are made once, and begin anew each time.

use std::ptr::{null, null_mut};

use super::object::{Owned, check};
use super::sys;
use crate::engine::EngineError;
use crate::engine::operations::filling;
use crate::primitive::{Cmac, Hash, Input, Operation};

/// The library's description of a hash.
pub(super) fn md(hash: Hash) -> *const sys::Md {
    // SAFETY: each of these answers with a static object.
    unsafe {
        match hash {
            Hash::Md5 => sys::EVP_md5(),
            Hash::Sha1 => sys::EVP_sha1(),
            Hash::Sha256 => sys::EVP_sha256(),
            Hash::Sha384 => sys::EVP_sha384(),
            Hash::Sha512 => sys::EVP_sha512(),
        }
    }
}

pub(super) fn hash(hash: Hash, input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    // SAFETY: what is allocated is ours.
    let context = unsafe { Owned::new(sys::EVP_MD_CTX_new()) }?;
    let (md, data) = (md(hash), input.data.clone());
    Ok(filling(hash.length(), move |into| {
        // SAFETY: the context is alive; the data is as long as is said, and the buffer as long as a digest.
        unsafe {
            check(sys::EVP_DigestInit_ex(context.as_ptr(), md, null_mut()))?;
            check(sys::EVP_DigestUpdate(context.as_ptr(), data.as_ptr().cast(), data.len()))?;
            check(sys::EVP_DigestFinal_ex(context.as_ptr(), into.as_mut_ptr(), null_mut()))
        }
    }))
}

pub(super) fn hmac(hash: Hash, input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    // SAFETY: what is allocated is ours; the key is as long as is said, and copied.
    let context = unsafe {
        let context = Owned::new(sys::HMAC_CTX_new())?;
        let key = &input.key;
        check(sys::HMAC_Init_ex(context.as_ptr(), key.as_ptr().cast(), key.len(), md(hash), null_mut()))?;
        context
    };
    let data = input.data.clone();
    Ok(filling(hash.length(), move |into| {
        let mut length = 0;
        // SAFETY: the context is alive, and has a key; the data is as long as is said, and the buffer as long as a MAC.
        unsafe {
            check(sys::HMAC_Init_ex(context.as_ptr(), null(), 0, null(), null_mut()))?;
            check(sys::HMAC_Update(context.as_ptr(), data.as_ptr(), data.len()))?;
            check(sys::HMAC_Final(context.as_ptr(), into.as_mut_ptr(), &mut length))
        }
    }))
}

pub(super) fn cmac(cmac: Cmac, input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    // SAFETY: each answers with a static object; what is allocated is ours; the key is as long as is said, and copied.
    let context = unsafe {
        let cipher = match cmac {
            Cmac::Aes128 => sys::EVP_aes_128_cbc(),
            Cmac::Aes192 => sys::EVP_aes_192_cbc(),
            Cmac::Aes256 => sys::EVP_aes_256_cbc(),
        };
        let context = Owned::new(sys::CMAC_CTX_new())?;
        let key = &input.key;
        check(sys::CMAC_Init(context.as_ptr(), key.as_ptr().cast(), key.len(), cipher, null_mut()))?;
        context
    };
    let data = input.data.clone();
    Ok(filling(16, move |into| {
        let mut length = 0;
        // SAFETY: the context is alive, and has a key; the data is as long as is said, and the buffer as long as a MAC.
        unsafe {
            check(sys::CMAC_Reset(context.as_ptr()))?;
            check(sys::CMAC_Update(context.as_ptr(), data.as_ptr(), data.len()))?;
            check(sys::CMAC_Final(context.as_ptr(), into.as_mut_ptr(), &mut length))
        }
    }))
}
