//! ECDSA. The library signs and checks what its TLS has hashed before.

use std::ptr;

use wolfssl_sys as sys;

use super::digest::Digest;
use super::exchange::{CurveKey, curve_key};
use super::object::random;
use super::{Made, check, length, names};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::primitive::{Act, Check, Input, reading};

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
    let (key, mut digest) = (public_key(&public_key_info(input)?)?, Digest::new(hash)?);
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

fn public_key(info: &[u8]) -> Result<CurveKey, EngineError> {
    let (key, mut at) = (curve_key()?, 0);
    // SAFETY: as in `private_key`.
    check(unsafe { sys::wc_EccPublicKeyDecode(info.as_ptr(), &raw mut at, key.at(), length(info)) })?;
    Ok(key)
}

pub(super) fn read(cert: Cert, input: &Input) -> Made {
    let (given, room) = (input.clone(), public_key_info(input)?.len());
    reading(verify(cert, input), move || public_key(&cut_out(&given, room)?).map(drop))
}

/// The public key of the input's certificate, as DER.
pub(super) fn public_key_info(input: &Input) -> Result<Vec<u8>, EngineError> {
    let (leaf, mut made) = (leaf(input)?, 0);
    let ask = sys::wc_GetSubjectPubKeyInfoDerFromCert;
    // SAFETY: reads the certificate, and writes a length where there is no place for the key.
    let asked = unsafe { ask(leaf.as_ptr(), length(leaf), ptr::null_mut(), &raw mut made) };
    if made == 0 {
        check(asked)?;
    }
    cut_out(input, made as usize)
}

/// The same, for which there must be as much room.
pub(super) fn cut_out(input: &Input, room: usize) -> Result<Vec<u8>, EngineError> {
    let leaf = leaf(input)?;
    let (mut info, mut made) = (vec![0; room], room as u32);
    // SAFETY: reads the certificate, and writes no more than there is room for.
    check(unsafe {
        let info = info.as_mut_ptr();
        sys::wc_GetSubjectPubKeyInfoDerFromCert(leaf.as_ptr(), length(leaf), info, &raw mut made)
    })?;
    info.truncate(made as usize);
    Ok(info)
}

fn leaf(input: &Input) -> Result<&[u8], EngineError> {
    let chain = input.identity.as_ref().and_then(|identity| identity.chain.first());
    chain.map(Vec::as_slice).ok_or_else(|| EngineError::new("a chain of no certificates"))
}
