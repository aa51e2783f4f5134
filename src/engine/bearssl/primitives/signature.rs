//! Signatures: the library signs and checks hashes, which its TLS makes beforehand.

use std::ffi::c_int;

use super::super::identity::decoded;
use super::super::implementations::Implementations;
use super::super::object::{Object, error};
use super::super::sys;
use super::digest::Digest;
use super::{Made, function, rsa};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::fixtures::Identity;
use crate::primitive::{Act, Check, Hash, Input, reading};

/// Bytes of the longest signature of ECDSA, which the library documents as 139 on the curve of 521 bits.
const LONGEST_ECDSA: usize = 139;
/// Bytes of the longest digest.
pub(super) const LONGEST_DIGEST: usize = 64;

pub(super) fn sign(with: &Implementations, cert: Cert, input: &Input) -> Made {
    let Some(identity) = &input.identity else { return Ok(None) };
    if cert.signs_with_rsa() {
        return rsa::sign(with, identity, &input.data);
    }
    let (mut digest, data, key) = (digest(with, cert), input.data.clone(), decoded(&identity.key)?);
    let (curves, sign) = (with.curves, function(with.ecdsa_sign));
    Ok(Some(Act::making(LONGEST_ECDSA, move |signature| {
        let mut hash = [0; LONGEST_DIGEST];
        digest.of(&data, &mut hash);
        // SAFETY: the key is one of the curve's kind, the hash as long as its class says, and there is room for a signature.
        let length = unsafe {
            let key = &raw const (*key.at()).key.ec;
            sign(curves, digest.class, hash.as_ptr().cast(), key, signature.as_mut_ptr().cast())
        };
        if length == 0 { Err(EngineError::new("the hash was not signed")) } else { Ok(length) }
    })))
}

pub(super) fn verify(with: &Implementations, cert: Cert, input: &Input) -> Made {
    let Some(identity) = &input.identity else { return Ok(None) };
    if cert.signs_with_rsa() {
        return rsa::verify(with, identity, &input.data, &input.given);
    }
    let (mut digest, data, signature) = (digest(with, cert), input.data.clone(), input.given.clone());
    let length = hash_of(cert).length();
    let (curves, verify, key) = (with.curves, function(with.ecdsa_verify), PublicKey::of(identity)?);
    Ok(Some(Check::by(move || {
        let mut hash = [0; LONGEST_DIGEST];
        digest.of(&data, &mut hash);
        // SAFETY: the key is one of a curve, and the bytes are readable.
        let is_right = unsafe {
            verify(curves, hash.as_ptr().cast(), length, key.ec(), signature.as_ptr().cast(), signature.len())
        };
        if is_right == 1 { Ok(()) } else { Err(EngineError::new("the signature is wrong")) }
    })))
}

pub(super) fn read(with: &Implementations, cert: Cert, input: &Input) -> Made {
    let Some(identity) = input.identity.clone() else { return Ok(None) };
    reading(verify(with, cert, input), move || PublicKey::of(&identity).map(drop))
}

/// With which hash an ECDSA key signs.
fn hash_of(cert: Cert) -> Hash {
    match cert {
        Cert::P384 => Hash::Sha384,
        Cert::P521 => Hash::Sha512,
        _ => Hash::Sha256,
    }
}

fn digest(with: &Implementations, cert: Cert) -> Digest {
    Digest::new(with, hash_of(cert))
}

const TRUNCATED: c_int = sys::BR_ERR_X509_TRUNCATED.cast_signed();

/// The key of a certificate, in the decoder that holds its parts.
pub(super) struct PublicKey(Object<sys::br_x509_decoder_context>);

impl PublicKey {
    pub(super) fn of(identity: &Identity) -> Result<Self, EngineError> {
        let decoder = Object::<sys::br_x509_decoder_context>::uninit();
        let leaf = identity.chain.first().ok_or_else(|| EngineError::new("a chain of no certificates"))?;
        // SAFETY: the first function fills the decoder in, the second copies what it needs of the certificate.
        let fault = unsafe {
            sys::br_x509_decoder_init(decoder.at(), None, std::ptr::null_mut());
            sys::br_x509_decoder_push(decoder.at(), leaf.as_ptr().cast(), leaf.len());
            let decoder = &*decoder.at();
            // Half a certificate is no fault yet: more might be pushed.
            if decoder.err == 0 && decoder.decoded == 0 { TRUNCATED } else { decoder.err }
        };
        if fault == 0 { Ok(Self(decoder)) } else { Err(error(fault)) }
    }

    /// The key, which is one of RSA.
    pub(super) fn rsa(&self) -> *const sys::br_rsa_public_key {
        // SAFETY: only an address is taken.
        unsafe { &raw const (*self.0.at()).pkey.key.rsa }
    }

    /// The key, which is one of a curve.
    fn ec(&self) -> *const sys::br_ec_public_key {
        // SAFETY: only an address is taken.
        unsafe { &raw const (*self.0.at()).pkey.key.ec }
    }
}
