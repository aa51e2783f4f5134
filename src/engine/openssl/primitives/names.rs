//! What OpenSSL calls the algorithms.

use std::ffi::CStr;

use crate::cell::{Cert, Group};
use crate::primitive::{Cmac, Hash, PrfHash, SymmetricCipher};

pub fn hash(hash: Hash) -> &'static CStr {
    match hash {
        Hash::Md5 => c"MD5",
        Hash::Sha1 => c"SHA1",
        Hash::Sha256 => c"SHA2-256",
        Hash::Sha384 => c"SHA2-384",
        Hash::Sha512 => c"SHA2-512",
    }
}

pub fn prf_hash(hash: PrfHash) -> &'static CStr {
    match hash {
        PrfHash::Md5Sha1 => c"MD5-SHA1",
        PrfHash::Sha256 => c"SHA2-256",
        PrfHash::Sha384 => c"SHA2-384",
    }
}

/// The cipher that a MAC is made of.
pub fn cipher_of(cmac: Cmac) -> &'static CStr {
    match cmac {
        Cmac::Aes128 => c"AES-128-CBC",
        Cmac::Aes192 => c"AES-192-CBC",
        Cmac::Aes256 => c"AES-256-CBC",
    }
}

pub fn cipher(cipher: SymmetricCipher) -> &'static CStr {
    match cipher {
        SymmetricCipher::Rc4 => c"RC4",
        SymmetricCipher::DesCbc => c"DES-CBC",
        SymmetricCipher::DesEde3Cbc => c"DES-EDE3-CBC",
        SymmetricCipher::IdeaCbc => c"IDEA-CBC",
        SymmetricCipher::SeedCbc => c"SEED-CBC",
        SymmetricCipher::Camellia128Cbc => c"CAMELLIA-128-CBC",
        SymmetricCipher::Camellia256Cbc => c"CAMELLIA-256-CBC",
        SymmetricCipher::Aes128Cbc => c"AES-128-CBC",
        SymmetricCipher::Aes192Cbc => c"AES-192-CBC",
        SymmetricCipher::Aes256Cbc => c"AES-256-CBC",
        SymmetricCipher::Aes128Ctr => c"AES-128-CTR",
        SymmetricCipher::Aes192Ctr => c"AES-192-CTR",
        SymmetricCipher::Aes256Ctr => c"AES-256-CTR",
        SymmetricCipher::Aes128Gcm => c"AES-128-GCM",
        SymmetricCipher::Aes192Gcm => c"AES-192-GCM",
        SymmetricCipher::Aes256Gcm => c"AES-256-GCM",
        SymmetricCipher::Aes128Ccm => c"AES-128-CCM",
        SymmetricCipher::Aes192Ccm => c"AES-192-CCM",
        SymmetricCipher::Aes256Ccm => c"AES-256-CCM",
        SymmetricCipher::Aes128Xts => c"AES-128-XTS",
        SymmetricCipher::Aes256Xts => c"AES-256-XTS",
        SymmetricCipher::ChaCha20Poly1305 => c"ChaCha20-Poly1305",
    }
}

/// What is signed with a key.
pub enum Signed {
    /// A hash of the message.
    Hash(&'static CStr),
    /// The message itself, by the scheme of this name.
    Message(&'static CStr),
}

pub fn signed(cert: Cert) -> Signed {
    match cert {
        Cert::Ed25519 => Signed::Message(c"ED25519"),
        Cert::Ed448 => Signed::Message(c"ED448"),
        Cert::MlDsa44 => Signed::Message(c"ML-DSA-44"),
        Cert::MlDsa65 => Signed::Message(c"ML-DSA-65"),
        Cert::MlDsa87 => Signed::Message(c"ML-DSA-87"),
        Cert::P384 => Signed::Hash(hash(Hash::Sha384)),
        Cert::P521 => Signed::Hash(hash(Hash::Sha512)),
        _ => Signed::Hash(hash(Hash::Sha256)),
    }
}

/// The kind of a group's keys, and the group's name if the kind has several.
pub fn group(group: Group) -> Option<(&'static CStr, Option<&'static CStr>)> {
    match group {
        Group::X25519 => Some((c"X25519", None)),
        Group::X448 => Some((c"X448", None)),
        Group::P256 => Some((c"EC", Some(c"P-256"))),
        Group::P384 => Some((c"EC", Some(c"P-384"))),
        Group::P521 => Some((c"EC", Some(c"P-521"))),
        Group::Ffdhe2048 => Some((c"DH", Some(c"ffdhe2048"))),
        Group::Ffdhe3072 => Some((c"DH", Some(c"ffdhe3072"))),
        Group::MlKem768 => Some((c"ML-KEM-768", None)),
        Group::Rsa | Group::X25519MlKem768 | Group::SecP256r1MlKem768 => None,
    }
}
