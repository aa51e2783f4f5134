//! The library's descriptions of algorithms, which are static.

#![allow(unsafe_code)]

use std::ffi::c_int;

use boring_sys::{self as sys, EVP_AEAD, EVP_CIPHER, EVP_MD, EVP_PKEY_ALG};
use tlspair::cell::{Cert, Group};
use tlspair::primitive::{Cmac, Hash, PrfHash, SymmetricCipher};

pub fn hash(hash: Hash) -> *const EVP_MD {
    // SAFETY: these answer with static descriptions.
    unsafe {
        match hash {
            Hash::Md5 => sys::EVP_md5(),
            Hash::Sha1 => sys::EVP_sha1(),
            Hash::Sha256 => sys::EVP_sha256(),
            Hash::Sha384 => sys::EVP_sha384(),
            Hash::Sha512 => sys::EVP_sha512(),
        }
    }
}

pub fn prf_hash(prf_hash: PrfHash) -> *const EVP_MD {
    match prf_hash {
        // SAFETY: answers with a static description.
        PrfHash::Md5Sha1 => unsafe { sys::EVP_md5_sha1() },
        PrfHash::Sha256 => hash(Hash::Sha256),
        PrfHash::Sha384 => hash(Hash::Sha384),
    }
}

/// The hash of a key's signatures; none where the scheme takes the message itself.
pub fn signature_hash(cert: Cert) -> Option<Hash> {
    match cert {
        Cert::Ed25519 | Cert::Ed448 | Cert::MlDsa44 | Cert::MlDsa65 | Cert::MlDsa87 => None,
        Cert::P384 => Some(Hash::Sha384),
        Cert::P521 => Some(Hash::Sha512),
        _ => Some(Hash::Sha256),
    }
}

/// The cipher that a MAC is made of.
pub fn cipher_of(cmac: Cmac) -> *const EVP_CIPHER {
    // SAFETY: these answer with static descriptions.
    unsafe {
        match cmac {
            Cmac::Aes128 => sys::EVP_aes_128_cbc(),
            Cmac::Aes192 => sys::EVP_aes_192_cbc(),
            Cmac::Aes256 => sys::EVP_aes_256_cbc(),
        }
    }
}

/// Ciphers that authenticate nothing.
pub fn cipher(cipher: SymmetricCipher) -> Option<*const EVP_CIPHER> {
    // SAFETY: these answer with static descriptions.
    unsafe {
        Some(match cipher {
            SymmetricCipher::Rc4 => sys::EVP_rc4(),
            SymmetricCipher::DesCbc => sys::EVP_des_cbc(),
            SymmetricCipher::DesEde3Cbc => sys::EVP_des_ede3_cbc(),
            SymmetricCipher::Aes128Cbc => sys::EVP_aes_128_cbc(),
            SymmetricCipher::Aes192Cbc => sys::EVP_aes_192_cbc(),
            SymmetricCipher::Aes256Cbc => sys::EVP_aes_256_cbc(),
            SymmetricCipher::Aes128Ctr => sys::EVP_aes_128_ctr(),
            SymmetricCipher::Aes192Ctr => sys::EVP_aes_192_ctr(),
            SymmetricCipher::Aes256Ctr => sys::EVP_aes_256_ctr(),
            _ => return None,
        })
    }
}

/// Those that do. TLS has others of AES-GCM, which are the same but for refusing nonces that do not count up.
pub fn aead(cipher: SymmetricCipher) -> Option<*const EVP_AEAD> {
    // SAFETY: these answer with static descriptions.
    unsafe {
        Some(match cipher {
            SymmetricCipher::Aes128Gcm => sys::EVP_aead_aes_128_gcm(),
            SymmetricCipher::Aes192Gcm => sys::EVP_aead_aes_192_gcm(),
            SymmetricCipher::Aes256Gcm => sys::EVP_aead_aes_256_gcm(),
            SymmetricCipher::ChaCha20Poly1305 => sys::EVP_aead_chacha20_poly1305(),
            _ => return None,
        })
    }
}

/// The library's number of a curve.
pub fn curve(group: Group) -> Option<c_int> {
    match group {
        Group::P256 => Some(sys::NID_X9_62_prime256v1),
        Group::P384 => Some(sys::NID_secp384r1),
        Group::P521 => Some(sys::NID_secp521r1),
        _ => None,
    }
}

/// How a certificate's public key is to be read.
pub fn key_algorithm(cert: Cert) -> Option<*const EVP_PKEY_ALG> {
    // SAFETY: these answer with static descriptions.
    unsafe {
        Some(match cert {
            cert if cert.signs_with_rsa() => sys::EVP_pkey_rsa(),
            Cert::P256 => sys::EVP_pkey_ec_p256(),
            Cert::P384 => sys::EVP_pkey_ec_p384(),
            Cert::P521 => sys::EVP_pkey_ec_p521(),
            Cert::Ed25519 => sys::EVP_pkey_ed25519(),
            Cert::MlDsa44 => sys::EVP_pkey_ml_dsa_44(),
            Cert::MlDsa65 => sys::EVP_pkey_ml_dsa_65(),
            Cert::MlDsa87 => sys::EVP_pkey_ml_dsa_87(),
            _ => return None,
        })
    }
}
