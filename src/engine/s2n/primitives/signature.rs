//! Signatures: of digests, as s2n-tls has the library sign and verify them, and of whole messages where there is no digest.

use std::ffi::c_int;
use std::ptr::{null, null_mut};

use super::digest::md;
use super::object::{Owned, check};
use super::{key, sys};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::engine::operations::{checking, writing};
use crate::primitive::{Hash, Input, Operation};

const PSS: c_int = 6;
/// A salt as long as the digest.
const SALT_OF_DIGEST: c_int = -1;

/// How a kind of key signs.
enum Scheme {
    Digest(Hash),
    Message,
}

/// None if the library has no such keys.
fn scheme(cert: Cert) -> Option<Scheme> {
    match cert {
        Cert::Ed448 => None,
        Cert::Ed25519 | Cert::MlDsa44 | Cert::MlDsa65 | Cert::MlDsa87 => Some(Scheme::Message),
        Cert::P384 => Some(Scheme::Digest(Hash::Sha384)),
        Cert::P521 => Some(Scheme::Digest(Hash::Sha512)),
        _ => Some(Scheme::Digest(Hash::Sha256)),
    }
}

/// None if the library has no such keys.
pub(super) fn sign(cert: Cert, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(scheme) = scheme(cert) else { return Ok(None) };
    let key = key::private(input)?;
    let made = match scheme {
        Scheme::Digest(hash) => sign_digest(cert, hash, &key, input),
        Scheme::Message => sign_message(&key, input),
    };
    made.map(Some)
}

/// None if the library has no such keys.
pub(super) fn verify(cert: Cert, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(scheme) = scheme(cert) else { return Ok(None) };
    let key = key::public(input)?;
    let made = match scheme {
        Scheme::Digest(hash) => verify_digest(cert, hash, &key, input),
        Scheme::Message => verify_message(&key, input),
    };
    made.map(Some)
}

fn sign_digest(
    cert: Cert,
    hash: Hash,
    key: &Owned<sys::Pkey>,
    input: &Input,
) -> Result<Box<dyn Operation>, EngineError> {
    let context = key::context(key, sys::EVP_PKEY_sign_init)?;
    choose(&context, cert, hash)?;
    let data = input.data.clone();
    Ok(writing(key::size(key), move |into| {
        let digest = digest(hash, &data)?;
        let mut filled = into.len();
        // SAFETY: the context is alive; digest and buffer are as long as is said.
        check(unsafe {
            let (raw, length) = (context.as_ptr(), hash.length());
            sys::EVP_PKEY_sign(raw, into.as_mut_ptr(), &mut filled, digest.as_ptr(), length)
        })?;
        Ok(filled)
    }))
}

fn verify_digest(
    cert: Cert,
    hash: Hash,
    key: &Owned<sys::Pkey>,
    input: &Input,
) -> Result<Box<dyn Operation>, EngineError> {
    let context = key::context(key, sys::EVP_PKEY_verify_init)?;
    choose(&context, cert, hash)?;
    let (data, given) = (input.data.clone(), input.given.clone());
    Ok(checking(move || {
        let digest = digest(hash, &data)?;
        // SAFETY: the context is alive; digest and signature are as long as is said.
        check(unsafe {
            let (raw, length) = (context.as_ptr(), hash.length());
            sys::EVP_PKEY_verify(raw, given.as_ptr(), given.len(), digest.as_ptr(), length)
        })
    }))
}

fn choose(context: &Owned<sys::PkeyCtx>, cert: Cert, hash: Hash) -> Result<(), EngineError> {
    let raw = context.as_ptr();
    // SAFETY: the context is alive.
    unsafe {
        check(sys::EVP_PKEY_CTX_set_signature_md(raw, md(hash)))?;
        if cert == Cert::RsaPss {
            check(sys::EVP_PKEY_CTX_set_rsa_padding(raw, PSS))?;
            check(sys::EVP_PKEY_CTX_set_rsa_pss_saltlen(raw, SALT_OF_DIGEST))?;
        }
    }
    Ok(())
}

fn digest(hash: Hash, data: &[u8]) -> Result<[u8; 64], EngineError> {
    let mut digest = [0; 64];
    // SAFETY: the data is as long as is said, and no digest is longer than 64 bytes.
    check(unsafe {
        let into = digest.as_mut_ptr();
        sys::EVP_Digest(data.as_ptr().cast(), data.len(), into, null_mut(), md(hash), null_mut())
    })?;
    Ok(digest)
}

fn sign_message(key: &Owned<sys::Pkey>, input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    // SAFETY: what is allocated is ours; the key is alive, and counted by the context.
    let context = unsafe {
        let context = Owned::new(sys::EVP_MD_CTX_new())?;
        check(sys::EVP_DigestSignInit(context.as_ptr(), null_mut(), null(), null_mut(), key.as_ptr()))?;
        context
    };
    let data = input.data.clone();
    Ok(writing(key::size(key), move |into| {
        let mut filled = into.len();
        // SAFETY: the context is alive; message and buffer are as long as is said.
        check(unsafe {
            let raw = context.as_ptr();
            sys::EVP_DigestSign(raw, into.as_mut_ptr(), &mut filled, data.as_ptr(), data.len())
        })?;
        Ok(filled)
    }))
}

fn verify_message(key: &Owned<sys::Pkey>, input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    // SAFETY: what is allocated is ours; the key is alive, and counted by the context.
    let context = unsafe {
        let context = Owned::new(sys::EVP_MD_CTX_new())?;
        check(sys::EVP_DigestVerifyInit(context.as_ptr(), null_mut(), null(), null_mut(), key.as_ptr()))?;
        context
    };
    let (data, given) = (input.data.clone(), input.given.clone());
    Ok(checking(move || {
        // SAFETY: the context is alive; message and signature are as long as is said.
        check(unsafe {
            let raw = context.as_ptr();
            sys::EVP_DigestVerify(raw, given.as_ptr(), given.len(), data.as_ptr(), data.len())
        })
    }))
}
