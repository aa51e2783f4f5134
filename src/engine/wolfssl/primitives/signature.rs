//! ECDSA. The library signs and checks what its TLS has hashed before.

use std::ptr;

use wolfssl_sys as sys;

use super::digest::Digest;
use super::exchange::{CurveKey, curve_key};
use super::object::random;
use super::{Made, check, length, names};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::primitive::{Act, Check, Input};

/// Bytes of the longest digest.
const LONGEST_DIGEST: usize = 64;
/// Bytes of the longest signature: two numbers of 66 bytes on the curve of 521 bits, and DER around them.
const LONGEST_SIGNATURE: usize = 139;

pub(super) fn sign(cert: Cert, input: &Input) -> Made {
    let Some(hash) = names::signature_hash(cert) else { return Ok(None) };
    let (key, random, mut digest) = (private_key(input)?, random()?, Digest::new(hash)?);
    let data = input.data.clone();
    Ok(Some(Act::making(LONGEST_SIGNATURE, move |signature| {
        let mut hash = [0; LONGEST_DIGEST];
        let hashed = digest.of(&data, &mut hash)? as u32;
        let mut made = length(signature);
        // SAFETY: key and generator live, and the bytes can be read and written.
        check(unsafe {
            let (into, made) = (signature.as_mut_ptr(), &raw mut made);
            sys::wc_ecc_sign_hash(hash.as_ptr(), hashed, into, made, random.at(), key.at())
        })?;
        Ok(made as usize)
    })))
}

pub(super) fn verify(cert: Cert, input: &Input) -> Made {
    let Some(hash) = names::signature_hash(cert) else { return Ok(None) };
    let (key, mut digest) = (public_key(input)?, Digest::new(hash)?);
    let (data, signature) = (input.data.clone(), input.given.clone());
    Ok(Some(Check::by(move || {
        let mut hash = [0; LONGEST_DIGEST];
        let hashed = digest.of(&data, &mut hash)? as u32;
        let mut is_right = 0;
        // SAFETY: the key lives, the bytes are readable, and a number is written.
        check(unsafe {
            let (from, is_right) = (signature.as_ptr(), &raw mut is_right);
            sys::wc_ecc_verify_hash(from, length(&signature), hash.as_ptr(), hashed, is_right, key.at())
        })?;
        if is_right == 1 { Ok(()) } else { Err(EngineError::new("the signature is wrong")) }
    })))
}

fn private_key(input: &Input) -> Result<CurveKey, EngineError> {
    let (key, mut at) = (curve_key()?, 0);
    let der = input.identity.as_ref().map_or(&[][..], |identity| &identity.key);
    // SAFETY: the key lives, and the bytes are read during the call.
    check(unsafe { sys::wc_EccPrivateKeyDecode(der.as_ptr(), &raw mut at, key.at(), length(der)) })?;
    Ok(key)
}

fn public_key(input: &Input) -> Result<CurveKey, EngineError> {
    let (key, mut at, info) = (curve_key()?, 0, public_key_info(input)?);
    // SAFETY: as in `private_key`.
    check(unsafe { sys::wc_EccPublicKeyDecode(info.as_ptr(), &raw mut at, key.at(), length(&info)) })?;
    Ok(key)
}

/// The public key of the input's certificate, as DER.
pub(super) fn public_key_info(input: &Input) -> Result<Vec<u8>, EngineError> {
    let chain = input.identity.as_ref().and_then(|identity| identity.chain.first());
    let leaf = chain.ok_or_else(|| EngineError::new("a chain of no certificates"))?;
    let mut made = 0;
    let cut_out = sys::wc_GetSubjectPubKeyInfoDerFromCert;
    // SAFETY: reads the certificate, and writes a length where there is no place for the key.
    let asked = unsafe { cut_out(leaf.as_ptr(), length(leaf), ptr::null_mut(), &raw mut made) };
    if made == 0 {
        check(asked)?;
    }
    let mut info = vec![0; made as usize];
    // SAFETY: as above, with room for as many bytes as the function asked for.
    check(unsafe { cut_out(leaf.as_ptr(), length(leaf), info.as_mut_ptr(), &raw mut made) })?;
    info.truncate(made as usize);
    Ok(info)
}
