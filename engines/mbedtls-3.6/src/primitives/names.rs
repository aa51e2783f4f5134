//! The library's names of algorithms.

use tlspair::cell::{Cert, Group};
use tlspair::primitive::{Cmac, Hash, PrfHash, SymmetricCipher};

use crate::sys;

/// Of a hash function.
pub fn hash(hash: Hash) -> sys::mbedtls_md_type_t {
    match hash {
        Hash::Md5 => sys::MBEDTLS_MD_MD5,
        Hash::Sha1 => sys::MBEDTLS_MD_SHA1,
        Hash::Sha256 => sys::MBEDTLS_MD_SHA256,
        Hash::Sha384 => sys::MBEDTLS_MD_SHA384,
        Hash::Sha512 => sys::MBEDTLS_MD_SHA512,
    }
}

/// What the library knows of a hash function; null if it was built without.
pub fn hash_info(wanted: Hash) -> *const sys::mbedtls_md_info_t {
    // SAFETY: maps a number to a constant of the library, or to null.
    unsafe { sys::mbedtls_md_info_from_type(hash(wanted)) }
}

/// Of a cipher in a mode, unless the library does not have it.
pub fn cipher(cipher: SymmetricCipher) -> Option<sys::mbedtls_cipher_type_t> {
    Some(match cipher {
        SymmetricCipher::Rc4 | SymmetricCipher::IdeaCbc | SymmetricCipher::SeedCbc => return None,
        SymmetricCipher::DesCbc => sys::MBEDTLS_CIPHER_DES_CBC,
        SymmetricCipher::DesEde3Cbc => sys::MBEDTLS_CIPHER_DES_EDE3_CBC,
        SymmetricCipher::Camellia128Cbc => sys::MBEDTLS_CIPHER_CAMELLIA_128_CBC,
        SymmetricCipher::Camellia256Cbc => sys::MBEDTLS_CIPHER_CAMELLIA_256_CBC,
        SymmetricCipher::Aes128Cbc => sys::MBEDTLS_CIPHER_AES_128_CBC,
        SymmetricCipher::Aes192Cbc => sys::MBEDTLS_CIPHER_AES_192_CBC,
        SymmetricCipher::Aes256Cbc => sys::MBEDTLS_CIPHER_AES_256_CBC,
        SymmetricCipher::Aes128Ctr => sys::MBEDTLS_CIPHER_AES_128_CTR,
        SymmetricCipher::Aes192Ctr => sys::MBEDTLS_CIPHER_AES_192_CTR,
        SymmetricCipher::Aes256Ctr => sys::MBEDTLS_CIPHER_AES_256_CTR,
        SymmetricCipher::Aes128Gcm => sys::MBEDTLS_CIPHER_AES_128_GCM,
        SymmetricCipher::Aes192Gcm => sys::MBEDTLS_CIPHER_AES_192_GCM,
        SymmetricCipher::Aes256Gcm => sys::MBEDTLS_CIPHER_AES_256_GCM,
        SymmetricCipher::Aes128Ccm => sys::MBEDTLS_CIPHER_AES_128_CCM,
        SymmetricCipher::Aes192Ccm => sys::MBEDTLS_CIPHER_AES_192_CCM,
        SymmetricCipher::Aes256Ccm => sys::MBEDTLS_CIPHER_AES_256_CCM,
        SymmetricCipher::Aes128Xts => sys::MBEDTLS_CIPHER_AES_128_XTS,
        SymmetricCipher::Aes256Xts => sys::MBEDTLS_CIPHER_AES_256_XTS,
        SymmetricCipher::ChaCha20Poly1305 => sys::MBEDTLS_CIPHER_CHACHA20_POLY1305,
    })
}

/// Of the block cipher of a MAC.
pub fn cmac(cmac: Cmac) -> sys::mbedtls_cipher_type_t {
    match cmac {
        Cmac::Aes128 => sys::MBEDTLS_CIPHER_AES_128_ECB,
        Cmac::Aes192 => sys::MBEDTLS_CIPHER_AES_192_ECB,
        Cmac::Aes256 => sys::MBEDTLS_CIPHER_AES_256_ECB,
    }
}

/// Of a pseudo-random function, unless the library does not have it.
pub fn prf(hash: PrfHash) -> Option<sys::mbedtls_tls_prf_types> {
    match hash {
        PrfHash::Md5Sha1 => None,
        PrfHash::Sha256 => Some(sys::MBEDTLS_SSL_TLS_PRF_SHA256),
        PrfHash::Sha384 => Some(sys::MBEDTLS_SSL_TLS_PRF_SHA384),
    }
}

/// What a kind of key signs in and which hash it signs, unless the library has no such keys.
pub fn signature(cert: Cert) -> Option<(sys::mbedtls_pk_type_t, Hash)> {
    match cert {
        Cert::RsaPss => Some((sys::MBEDTLS_PK_RSASSA_PSS, Hash::Sha256)),
        Cert::P256 => Some((sys::MBEDTLS_PK_ECDSA, Hash::Sha256)),
        Cert::P384 => Some((sys::MBEDTLS_PK_ECDSA, Hash::Sha384)),
        Cert::P521 => Some((sys::MBEDTLS_PK_ECDSA, Hash::Sha512)),
        _ => cert.rsa_bits().map(|_| (sys::MBEDTLS_PK_RSA, Hash::Sha256)),
    }
}

/// Of a hash function in HKDF-Extract and in HKDF-Expand, in the PSA interface; both are there for what TLS 1.3 uses.
pub fn hkdf(hash: Hash) -> Option<(sys::psa_algorithm_t, sys::psa_algorithm_t)> {
    match hash {
        Hash::Sha256 => Some((sys::EXTRACT_SHA256, sys::EXPAND_SHA256)),
        Hash::Sha384 => Some((sys::EXTRACT_SHA384, sys::EXPAND_SHA384)),
        _ => None,
    }
}

/// An exchange in the PSA interface: its algorithm, the type of its keys and their bits.
pub fn exchange(group: Group) -> Option<(sys::psa_algorithm_t, sys::psa_key_type_t, u16)> {
    match group {
        Group::X25519 => Some((sys::ECDH, sys::MONTGOMERY, 255)),
        Group::X448 => Some((sys::ECDH, sys::MONTGOMERY, 448)),
        Group::P256 => Some((sys::ECDH, sys::SECP_R1, 256)),
        Group::P384 => Some((sys::ECDH, sys::SECP_R1, 384)),
        Group::P521 => Some((sys::ECDH, sys::SECP_R1, 521)),
        Group::Ffdhe2048 => Some((sys::FFDH, sys::RFC7919, 2048)),
        Group::Ffdhe3072 => Some((sys::FFDH, sys::RFC7919, 3072)),
        _ => None,
    }
}
