//! RSA: signatures by PKCS #1 v1.5, and what a server does with a premaster secret.

use super::super::identity::decoded;
use super::super::implementations::Implementations;
use super::super::sys;
use super::digest::Digest;
use super::in_place::InPlace;
use super::signature::PublicKey;
use super::{Made, function};
use crate::engine::EngineError;
use crate::fixtures::Identity;
use crate::primitive::{Act, Check, Hash, Input, PREMASTER_SECRET};

/// The object identifier of SHA-256, 2.16.840.1.101.3.4.2.1, behind its length: what the library's header has as
/// `BR_HASH_OID_SHA256`.
const SHA256: [u8; 10] = [9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];
const DIGEST: usize = Hash::Sha256.length();

pub(super) fn sign(with: &Implementations, identity: &Identity, data: &[u8]) -> Made {
    let (mut digest, data, key) = (Digest::new(with, Hash::Sha256), data.to_vec(), decoded(&identity.key)?);
    let sign = function(with.rsa_sign);
    // SAFETY: the decoder is filled in, from an RSA key.
    let length = unsafe { (*key.at()).key.rsa.n_bitlen }.div_ceil(8) as usize;
    Ok(Some(Act::making(length, move |signature| {
        let mut hash = [0; DIGEST];
        digest.of(&data, &mut hash);
        // SAFETY: the key is one of RSA, the bytes are readable, and there is room for as many as the modulus has.
        let signed = unsafe {
            let key = &raw const (*key.at()).key.rsa;
            sign(SHA256.as_ptr(), hash.as_ptr(), DIGEST, key, signature.as_mut_ptr())
        };
        if signed == 1 { Ok(length) } else { Err(EngineError::new("the hash was not signed")) }
    })))
}

pub(super) fn verify(with: &Implementations, identity: &Identity, data: &[u8], given: &[u8]) -> Made {
    let (mut digest, data, signature) = (Digest::new(with, Hash::Sha256), data.to_vec(), given.to_vec());
    let (verify, key) = (function(with.rsa_verify), PublicKey::of(identity)?);
    Ok(Some(Check::by(move || {
        let (mut hash, mut signed) = ([0; DIGEST], [0; DIGEST]);
        digest.of(&data, &mut hash);
        // SAFETY: the key is one of RSA, the bytes are readable, and there is room for the signed hash.
        let is_whole = unsafe {
            let (at, length) = (signature.as_ptr(), signature.len());
            verify(at, length, SHA256.as_ptr(), DIGEST, key.rsa(), signed.as_mut_ptr())
        };
        if is_whole == 1 && signed == hash { Ok(()) } else { Err(EngineError::new("the signature is wrong")) }
    })))
}

pub(super) fn decrypt(with: &Implementations, input: &Input) -> Made {
    let Some(identity) = &input.identity else { return Ok(None) };
    let (key, private) = (decoded(&identity.key)?, with.rsa_private);
    Ok(Some(InPlace::on(input.given.clone(), move |data| {
        // SAFETY: the key is one of RSA, and the bytes can be read and written.
        let is_right = unsafe {
            let key = &raw const (*key.at()).key.rsa;
            sys::br_rsa_ssl_decrypt(private, key, data.as_mut_ptr(), data.len())
        };
        let wrong = || EngineError::new("what was decrypted is no premaster secret");
        if is_right == 1 { Ok(PREMASTER_SECRET.len()) } else { Err(wrong()) }
    })))
}
