//! The library's names of algorithms.

use mbedtls_sys as sys;

use crate::cell::Cert;
use crate::primitive::{Cmac, Hash, PrfHash, SymmetricCipher};

/// Of a hash function.
pub(super) fn hash(hash: Hash) -> sys::md_type_t {
    match hash {
        Hash::Md5 => sys::MD_MD5,
        Hash::Sha1 => sys::MD_SHA1,
        Hash::Sha256 => sys::MD_SHA256,
        Hash::Sha384 => sys::MD_SHA384,
        Hash::Sha512 => sys::MD_SHA512,
    }
}

/// What the library knows of a hash function; null if it was built without.
pub(super) fn hash_info(wanted: Hash) -> *const sys::md_info_t {
    // SAFETY: maps a number to a constant of the library, or to null.
    unsafe { sys::md_info_from_type(hash(wanted)) }
}

/// Of a cipher in a mode, unless the library never had it.
pub(super) fn cipher(cipher: SymmetricCipher) -> Option<sys::cipher_type_t> {
    Some(match cipher {
        SymmetricCipher::IdeaCbc | SymmetricCipher::SeedCbc => return None,
        SymmetricCipher::Rc4 => sys::CIPHER_ARC4_128,
        SymmetricCipher::DesCbc => sys::CIPHER_DES_CBC,
        SymmetricCipher::DesEde3Cbc => sys::CIPHER_DES_EDE3_CBC,
        SymmetricCipher::Camellia128Cbc => sys::CIPHER_CAMELLIA_128_CBC,
        SymmetricCipher::Camellia256Cbc => sys::CIPHER_CAMELLIA_256_CBC,
        SymmetricCipher::Aes128Cbc => sys::CIPHER_AES_128_CBC,
        SymmetricCipher::Aes192Cbc => sys::CIPHER_AES_192_CBC,
        SymmetricCipher::Aes256Cbc => sys::CIPHER_AES_256_CBC,
        SymmetricCipher::Aes128Ctr => sys::CIPHER_AES_128_CTR,
        SymmetricCipher::Aes192Ctr => sys::CIPHER_AES_192_CTR,
        SymmetricCipher::Aes256Ctr => sys::CIPHER_AES_256_CTR,
        SymmetricCipher::Aes128Gcm => sys::CIPHER_AES_128_GCM,
        SymmetricCipher::Aes192Gcm => sys::CIPHER_AES_192_GCM,
        SymmetricCipher::Aes256Gcm => sys::CIPHER_AES_256_GCM,
        SymmetricCipher::Aes128Ccm => sys::CIPHER_AES_128_CCM,
        SymmetricCipher::Aes192Ccm => sys::CIPHER_AES_192_CCM,
        SymmetricCipher::Aes256Ccm => sys::CIPHER_AES_256_CCM,
        SymmetricCipher::Aes128Xts => sys::CIPHER_AES_128_XTS,
        SymmetricCipher::Aes256Xts => sys::CIPHER_AES_256_XTS,
        SymmetricCipher::ChaCha20Poly1305 => sys::CIPHER_CHACHA20_POLY1305,
    })
}

/// Of the block cipher of a MAC.
pub(super) fn cmac(cmac: Cmac) -> sys::cipher_type_t {
    match cmac {
        Cmac::Aes128 => sys::CIPHER_AES_128_ECB,
        Cmac::Aes192 => sys::CIPHER_AES_192_ECB,
        Cmac::Aes256 => sys::CIPHER_AES_256_ECB,
    }
}

/// Of a pseudo-random function.
pub(super) fn prf(hash: PrfHash) -> sys::tls_prf_types {
    match hash {
        PrfHash::Md5Sha1 => sys::SSL_TLS_PRF_TLS1,
        PrfHash::Sha256 => sys::SSL_TLS_PRF_SHA256,
        PrfHash::Sha384 => sys::SSL_TLS_PRF_SHA384,
    }
}

/// What a kind of key signs in and which hash it signs, unless the library has no such keys.
pub(super) fn signature(cert: Cert) -> Option<(sys::pk_type_t, Hash)> {
    match cert {
        Cert::RsaPss => Some((sys::PK_RSASSA_PSS, Hash::Sha256)),
        Cert::P256 => Some((sys::PK_ECDSA, Hash::Sha256)),
        Cert::P384 => Some((sys::PK_ECDSA, Hash::Sha384)),
        Cert::P521 => Some((sys::PK_ECDSA, Hash::Sha512)),
        _ => cert.rsa_bits().map(|_| (sys::PK_RSA, Hash::Sha256)),
    }
}
