//! How signatures are verified.

use super::library::signature::{self, VerificationAlgorithm};
use crate::cell::Cert;

/// Of the keys that both libraries know; none of others.
pub(super) fn algorithm(cert: Cert) -> Option<&'static dyn VerificationAlgorithm> {
    match cert {
        Cert::P256 => Some(&signature::ECDSA_P256_SHA256_ASN1),
        Cert::P384 => Some(&signature::ECDSA_P384_SHA384_ASN1),
        Cert::Ed25519 => Some(&signature::ED25519),
        Cert::RsaPss => Some(&signature::RSA_PSS_2048_8192_SHA256),
        Cert::Rsa1024 => Some(&signature::RSA_PKCS1_1024_8192_SHA256_FOR_LEGACY_USE_ONLY),
        Cert::Rsa2048 | Cert::Rsa3072 | Cert::Rsa4096 => Some(&signature::RSA_PKCS1_2048_8192_SHA256),
        _ => None,
    }
}
