//! Derivation of keys.

use std::ffi::c_int;
use std::ptr;

use wolfssl_sys as sys;

use super::object::NO_DEVICE;
use super::{Made, check, declared, length, names};
use crate::primitive::{Act, Hash, Input, PBKDF2_LENGTH, PBKDF2_ROUNDS, PRF_LABEL, PRF_LENGTH, PrfHash};

pub(super) fn hkdf_extract(hash: Hash, input: &Input) -> Made {
    let (kind, salt, material) = (names::hash(hash) as c_int, input.key.clone(), input.data.clone());
    Ok(Some(Act::making(hash.length(), move |key| {
        // SAFETY: the bytes are readable, and there is room for a key as long as the hash.
        check(unsafe {
            let into = key.as_mut_ptr();
            sys::wc_HKDF_Extract(
                kind,
                salt.as_ptr(),
                length(&salt),
                material.as_ptr(),
                length(&material),
                into,
            )
        })?;
        Ok(key.len())
    })))
}

pub(super) fn hkdf_expand(hash: Hash, input: &Input) -> Made {
    let (kind, secret, info) = (names::hash(hash) as c_int, input.key.clone(), input.data.clone());
    Ok(Some(Act::making(hash.length(), move |key| {
        // SAFETY: the bytes are readable, and no more are written than there is room for.
        check(unsafe {
            sys::wc_HKDF_Expand(
                kind,
                secret.as_ptr(),
                length(&secret),
                info.as_ptr(),
                length(&info),
                key.as_mut_ptr(),
                length(key),
            )
        })?;
        Ok(key.len())
    })))
}

pub(super) fn prf(hash: PrfHash, input: &Input) -> Made {
    let kind = match hash {
        PrfHash::Md5Sha1 => return prf_of_old(input),
        PrfHash::Sha256 => sys::wc_MACAlgorithm_sha256_mac,
        PrfHash::Sha384 => sys::wc_MACAlgorithm_sha384_mac,
    } as c_int;
    let (secret, label, seed) = (input.key.clone(), PRF_LABEL.as_bytes(), input.data.clone());
    Ok(Some(Act::making(PRF_LENGTH, move |key| {
        // SAFETY: as in `hkdf_expand`.
        check(unsafe {
            declared::wc_PRF_TLS(
                key.as_mut_ptr(),
                length(key),
                secret.as_ptr(),
                length(&secret),
                label.as_ptr(),
                length(label),
                seed.as_ptr(),
                length(&seed),
                1,
                kind,
                ptr::null_mut(),
                NO_DEVICE,
            )
        })?;
        Ok(key.len())
    })))
}

/// The function of TLS 1.0 and 1.1, which the library keeps for programs although its TLS has no such versions.
fn prf_of_old(input: &Input) -> Made {
    let (secret, label, seed) = (input.key.clone(), PRF_LABEL.as_bytes(), input.data.clone());
    Ok(Some(Act::making(PRF_LENGTH, move |key| {
        // SAFETY: as in `hkdf_expand`.
        check(unsafe {
            declared::wc_PRF_TLSv1(
                key.as_mut_ptr(),
                length(key),
                secret.as_ptr(),
                length(&secret),
                label.as_ptr(),
                length(label),
                seed.as_ptr(),
                length(&seed),
                ptr::null_mut(),
                NO_DEVICE,
            )
        })?;
        Ok(key.len())
    })))
}

pub(super) fn pbkdf2(hash: Hash, input: &Input) -> Made {
    let (kind, password, salt) = (names::hash(hash) as c_int, input.key.clone(), input.data.clone());
    Ok(Some(Act::making(PBKDF2_LENGTH, move |key| {
        // SAFETY: as in `hkdf_expand`.
        check(unsafe {
            sys::wc_PBKDF2(
                key.as_mut_ptr(),
                password.as_ptr(),
                password.len() as c_int,
                salt.as_ptr(),
                salt.len() as c_int,
                PBKDF2_ROUNDS as c_int,
                key.len() as c_int,
                kind,
            )
        })?;
        Ok(key.len())
    })))
}
