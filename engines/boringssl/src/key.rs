//! Private keys, as the test files have them.

#![allow(unsafe_code)]

use boring::error::ErrorStack;
use boring::pkey::{PKey, Private};
use boring_sys as sys;
use foreign_types_shared::ForeignType;
use tlspair::cell::Cert;

const INTEGER: u8 = 0x02;
const OCTET_STRING: u8 = 0x04;
const SEQUENCE: u8 = 0x30;

/// The key in a PKCS#8 file. The files of ML-DSA hold the seed and what it expands to, and BoringSSL, which expands
/// seeds itself, takes files with the seed alone.
pub fn private_key(cert: Cert, pkcs8: &[u8]) -> Result<PKey<Private>, ErrorStack> {
    // SAFETY: these answer with static descriptions of algorithms.
    let algorithm = unsafe {
        match cert {
            Cert::MlDsa44 => sys::EVP_pkey_ml_dsa_44(),
            Cert::MlDsa65 => sys::EVP_pkey_ml_dsa_65(),
            Cert::MlDsa87 => sys::EVP_pkey_ml_dsa_87(),
            _ => return PKey::private_key_from_pkcs8(pkcs8),
        }
    };
    let seed = seed_in(pkcs8).unwrap_or_default();
    // SAFETY: the algorithm is static and the seed readable for its length; the pointer is checked and owned by the
    // key from here on.
    unsafe {
        let key = sys::EVP_PKEY_from_private_seed(algorithm, seed.as_ptr(), seed.len());
        if key.is_null() { Err(ErrorStack::get()) } else { Ok(PKey::from_ptr(key)) }
    }
}

/// The seed in a key of the form `both` of RFC 9881: PKCS#8 around a sequence of the seed and the expanded key.
fn seed_in(pkcs8: &[u8]) -> Option<&[u8]> {
    let (both, _) = der(SEQUENCE, wrapped_in(pkcs8)?)?;
    der(OCTET_STRING, both).map(|(seed, _)| seed)
}

/// The key that PKCS#8 wraps, in the form of its own kind.
pub fn wrapped_in(pkcs8: &[u8]) -> Option<&[u8]> {
    let (info, _) = der(SEQUENCE, pkcs8)?;
    let (_version, info) = der(INTEGER, info)?;
    let (_algorithm, info) = der(SEQUENCE, info)?;
    der(OCTET_STRING, info).map(|(key, _)| key)
}

/// The contents of the first element, which must have this tag, and what follows it.
fn der(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (&[found, first], bytes) = bytes.split_first_chunk::<2>()?;
    let (length, bytes) = match first {
        0..0x80 => (usize::from(first), bytes),
        _ => {
            let (digits, bytes) = bytes.split_at_checked(usize::from(first & 0x7f))?;
            (digits.iter().fold(0, |length, &digit| (length << 8) | usize::from(digit)), bytes)
        }
    };
    if found == tag { bytes.split_at_checked(length) } else { None }
}
