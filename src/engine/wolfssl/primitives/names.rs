//! What the library calls algorithms; none of what it does not have.

use std::ffi::c_int;

use wolfssl_sys as sys;

use crate::cell::{Cert, Group};
use crate::primitive::Hash;

pub(super) fn hash(hash: Hash) -> sys::wc_HashType {
    match hash {
        Hash::Md5 => sys::wc_HashType_WC_HASH_TYPE_MD5,
        Hash::Sha1 => sys::wc_HashType_WC_HASH_TYPE_SHA,
        Hash::Sha256 => sys::wc_HashType_WC_HASH_TYPE_SHA256,
        Hash::Sha384 => sys::wc_HashType_WC_HASH_TYPE_SHA384,
        Hash::Sha512 => sys::wc_HashType_WC_HASH_TYPE_SHA512,
    }
}

/// A curve of NIST's, and the bytes of its coordinates.
pub(super) fn curve(group: Group) -> Option<(c_int, usize)> {
    let (number, bytes) = match group {
        Group::P256 => (sys::ecc_curve_ids_ECC_SECP256R1, 32),
        Group::P384 => (sys::ecc_curve_ids_ECC_SECP384R1, 48),
        Group::P521 => (sys::ecc_curve_ids_ECC_SECP521R1, 66),
        _ => return None,
    };
    Some((number as c_int, bytes))
}

/// With which hash an ECDSA key signs.
pub(super) fn signature_hash(cert: Cert) -> Option<Hash> {
    match cert {
        Cert::P256 => Some(Hash::Sha256),
        Cert::P384 => Some(Hash::Sha384),
        Cert::P521 => Some(Hash::Sha512),
        _ => None,
    }
}
