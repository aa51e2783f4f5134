//! What the library calls algorithms; none of what it does not have.

use super::super::sys;
use crate::cell::Group;
use crate::primitive::{Cmac, Hash, SymmetricCipher};

pub(super) fn digest(hash: Hash) -> sys::gnutls_digest_algorithm_t {
    match hash {
        Hash::Md5 => sys::GNUTLS_DIG_MD5,
        Hash::Sha1 => sys::GNUTLS_DIG_SHA1,
        Hash::Sha256 => sys::GNUTLS_DIG_SHA256,
        Hash::Sha384 => sys::GNUTLS_DIG_SHA384,
        Hash::Sha512 => sys::GNUTLS_DIG_SHA512,
    }
}

pub(super) fn hmac(hash: Hash) -> sys::gnutls_mac_algorithm_t {
    match hash {
        Hash::Md5 => sys::GNUTLS_MAC_MD5,
        Hash::Sha1 => sys::GNUTLS_MAC_SHA1,
        Hash::Sha256 => sys::GNUTLS_MAC_SHA256,
        Hash::Sha384 => sys::GNUTLS_MAC_SHA384,
        Hash::Sha512 => sys::GNUTLS_MAC_SHA512,
    }
}

pub(super) fn cmac(cmac: Cmac) -> Option<sys::gnutls_mac_algorithm_t> {
    match cmac {
        Cmac::Aes128 => Some(sys::GNUTLS_MAC_AES_CMAC_128),
        Cmac::Aes192 => None,
        Cmac::Aes256 => Some(sys::GNUTLS_MAC_AES_CMAC_256),
    }
}

pub(super) fn cipher(cipher: SymmetricCipher) -> Option<sys::gnutls_cipher_algorithm_t> {
    use SymmetricCipher as Ours;
    Some(match cipher {
        Ours::Rc4 => sys::GNUTLS_CIPHER_ARCFOUR_128,
        Ours::DesCbc => sys::GNUTLS_CIPHER_DES_CBC,
        Ours::DesEde3Cbc => sys::GNUTLS_CIPHER_3DES_CBC,
        Ours::Camellia128Cbc => sys::GNUTLS_CIPHER_CAMELLIA_128_CBC,
        Ours::Camellia256Cbc => sys::GNUTLS_CIPHER_CAMELLIA_256_CBC,
        Ours::Aes128Cbc => sys::GNUTLS_CIPHER_AES_128_CBC,
        Ours::Aes192Cbc => sys::GNUTLS_CIPHER_AES_192_CBC,
        Ours::Aes256Cbc => sys::GNUTLS_CIPHER_AES_256_CBC,
        Ours::Aes128Gcm => sys::GNUTLS_CIPHER_AES_128_GCM,
        Ours::Aes192Gcm => sys::GNUTLS_CIPHER_AES_192_GCM,
        Ours::Aes256Gcm => sys::GNUTLS_CIPHER_AES_256_GCM,
        Ours::Aes128Ccm => sys::GNUTLS_CIPHER_AES_128_CCM,
        Ours::Aes256Ccm => sys::GNUTLS_CIPHER_AES_256_CCM,
        Ours::Aes128Xts => sys::GNUTLS_CIPHER_AES_128_XTS,
        Ours::Aes256Xts => sys::GNUTLS_CIPHER_AES_256_XTS,
        Ours::ChaCha20Poly1305 => sys::GNUTLS_CIPHER_CHACHA20_POLY1305,
        Ours::IdeaCbc | Ours::SeedCbc => return None,
        Ours::Aes128Ctr | Ours::Aes192Ctr | Ours::Aes256Ctr | Ours::Aes192Ccm => return None,
    })
}

/// The kind of key, its curve, and the bytes of a coordinate.
pub(super) fn curve(group: Group) -> Option<(sys::gnutls_pk_algorithm_t, sys::gnutls_ecc_curve_t, usize)> {
    match group {
        Group::X25519 => Some((sys::GNUTLS_PK_ECDH_X25519, sys::GNUTLS_ECC_CURVE_X25519, 32)),
        Group::X448 => Some((sys::GNUTLS_PK_ECDH_X448, sys::GNUTLS_ECC_CURVE_X448, 56)),
        Group::P256 => Some((sys::GNUTLS_PK_ECDSA, sys::GNUTLS_ECC_CURVE_SECP256R1, 32)),
        Group::P384 => Some((sys::GNUTLS_PK_ECDSA, sys::GNUTLS_ECC_CURVE_SECP384R1, 48)),
        Group::P521 => Some((sys::GNUTLS_PK_ECDSA, sys::GNUTLS_ECC_CURVE_SECP521R1, 66)),
        _ => None,
    }
}
