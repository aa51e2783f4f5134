//! The schemes of handshake signatures, and which one a key signs in.

use std::fmt;

use super::dims::dimension;
use super::{Cert, Proto, UnknownName};

dimension! {
    /// How a side proves in the handshake that it has its certificate's key, by the names of the TLS registry;
    /// the three schemes before TLS 1.2 have no registered name.
    SignatureScheme is "signature" {
        /// RSA PKCS#1 over MD5 alone, SSL 2.0.
        RsaPkcs1Md5 = "rsa_pkcs1_md5",
        /// RSA PKCS#1 over MD5 and SHA-1 together, TLS 1.0 and 1.1.
        RsaPkcs1Md5Sha1 = "rsa_pkcs1_md5_sha1",
        /// ECDSA over SHA-1, TLS 1.0 and 1.1.
        EcdsaSha1 = "ecdsa_sha1",
        /// RSA PKCS#1 v1.5 over SHA-256.
        RsaPkcs1Sha256 = "rsa_pkcs1_sha256",
        /// RSA-PSS with a plain RSA key over SHA-256.
        RsaPssRsaeSha256 = "rsa_pss_rsae_sha256",
        /// ECDSA with P-256 over SHA-256.
        EcdsaSecp256r1Sha256 = "ecdsa_secp256r1_sha256",
        /// ECDSA with P-384 over SHA-384.
        EcdsaSecp384r1Sha384 = "ecdsa_secp384r1_sha384",
        /// ECDSA with P-521 over SHA-512.
        EcdsaSecp521r1Sha512 = "ecdsa_secp521r1_sha512",
        /// Ed25519.
        Ed25519 = "ed25519",
        /// Ed448.
        Ed448 = "ed448",
        /// RSA-PSS with a key that is bound to it, over SHA-256.
        RsaPssPssSha256 = "rsa_pss_pss_sha256",
        /// ML-DSA-44.
        MlDsa44 = "mldsa44",
        /// ML-DSA-65.
        MlDsa65 = "mldsa65",
        /// ML-DSA-87.
        MlDsa87 = "mldsa87",
    }
}

impl SignatureScheme {
    /// The `SignatureScheme` number of TLS 1.2 and 1.3; none for the schemes before them.
    pub const fn code(self) -> Option<u16> {
        match self {
            Self::RsaPkcs1Md5 | Self::RsaPkcs1Md5Sha1 | Self::EcdsaSha1 => None,
            Self::RsaPkcs1Sha256 => Some(0x0401),
            Self::RsaPssRsaeSha256 => Some(0x0804),
            Self::EcdsaSecp256r1Sha256 => Some(0x0403),
            Self::EcdsaSecp384r1Sha384 => Some(0x0503),
            Self::EcdsaSecp521r1Sha512 => Some(0x0603),
            Self::Ed25519 => Some(0x0807),
            Self::Ed448 => Some(0x0808),
            Self::RsaPssPssSha256 => Some(0x0809),
            Self::MlDsa44 => Some(0x0904),
            Self::MlDsa65 => Some(0x0905),
            Self::MlDsa87 => Some(0x0906),
        }
    }

    /// The scheme with this number.
    pub fn from_code(code: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|scheme| scheme.code() == Some(code))
    }
}

impl Cert {
    /// The scheme in which the key signs handshakes under a version.
    pub fn scheme_in(self, proto: Proto) -> SignatureScheme {
        let before_tls12 = proto < Proto::Tls12;
        match self {
            Self::Ed25519 => SignatureScheme::Ed25519,
            Self::Ed448 => SignatureScheme::Ed448,
            Self::RsaPss => SignatureScheme::RsaPssPssSha256,
            Self::MlDsa44 => SignatureScheme::MlDsa44,
            Self::MlDsa65 => SignatureScheme::MlDsa65,
            Self::MlDsa87 => SignatureScheme::MlDsa87,
            Self::P256 | Self::P384 | Self::P521 if before_tls12 => SignatureScheme::EcdsaSha1,
            Self::P256 => SignatureScheme::EcdsaSecp256r1Sha256,
            Self::P384 => SignatureScheme::EcdsaSecp384r1Sha384,
            Self::P521 => SignatureScheme::EcdsaSecp521r1Sha512,
            _ if proto == Proto::Ssl2 => SignatureScheme::RsaPkcs1Md5,
            _ if before_tls12 => SignatureScheme::RsaPkcs1Md5Sha1,
            _ if proto == Proto::Tls12 => SignatureScheme::RsaPkcs1Sha256,
            _ => SignatureScheme::RsaPssRsaeSha256,
        }
    }
}
