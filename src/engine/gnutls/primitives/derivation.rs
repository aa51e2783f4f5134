//! Derivation of keys.

use super::super::library::check;
use super::super::object::datum;
use super::super::sys;
use super::{Made, names};
use crate::primitive::{Act, Hash, Input, PBKDF2_LENGTH, PBKDF2_ROUNDS};

pub(super) fn hkdf_extract(hash: Hash, input: &Input) -> Made {
    let (mac, material, salt, length) =
        (names::hmac(hash), input.data.clone(), input.key.clone(), hash.length());
    Ok(Some(Act::making(length, move |key| {
        let (material, salt) = (datum(&material), datum(&salt));
        // SAFETY: the bytes are readable, and there is room for a key as long as the hash.
        check(unsafe { sys::gnutls_hkdf_extract(mac, &material, &salt, key.as_mut_ptr().cast()) })?;
        Ok(length)
    })))
}

pub(super) fn hkdf_expand(hash: Hash, input: &Input) -> Made {
    let (mac, secret, info) = (names::hmac(hash), input.key.clone(), input.data.clone());
    Ok(Some(Act::making(hash.length(), move |key| {
        let (secret, info) = (datum(&secret), datum(&info));
        // SAFETY: the bytes are readable, and no more are written than there is room for.
        check(unsafe { sys::gnutls_hkdf_expand(mac, &secret, &info, key.as_mut_ptr().cast(), key.len()) })?;
        Ok(key.len())
    })))
}

pub(super) fn pbkdf2(hash: Hash, input: &Input) -> Made {
    let (mac, password, salt) = (names::hmac(hash), input.key.clone(), input.data.clone());
    Ok(Some(Act::making(PBKDF2_LENGTH, move |key| {
        let (password, salt) = (datum(&password), datum(&salt));
        // SAFETY: as in `hkdf_expand`.
        check(unsafe {
            sys::gnutls_pbkdf2(mac, &password, &salt, PBKDF2_ROUNDS, key.as_mut_ptr().cast(), key.len())
        })?;
        Ok(key.len())
    })))
}
