//! What the library calls groups and signature schemes. It tells of them by name alone.

use std::ffi::CStr;

use crate::cell::{Group, SignatureScheme};

/// Groups by the library's names.
const GROUPS: [(Group, &CStr); 6] = [
    (Group::X25519, c"x25519"),
    (Group::P256, c"secp256r1"),
    (Group::P384, c"secp384r1"),
    (Group::P521, c"secp521r1"),
    (Group::X25519MlKem768, c"X25519MLKEM768"),
    (Group::SecP256r1MlKem768, c"SecP256r1MLKEM768"),
];

/// Signature schemes by the library's names: in policies, and where these differ up to TLS 1.2 and in TLS 1.3.
const SIGNATURES: [(SignatureScheme, [&CStr; 3]); 11] = [
    (SignatureScheme::RsaPkcs1Md5Sha1, [c"legacy_rsa_md5_sha1"; 3]),
    (SignatureScheme::EcdsaSha1, [c"ecdsa_sha1"; 3]),
    (SignatureScheme::RsaPkcs1Sha256, [c"rsa_pkcs1_sha256"; 3]),
    (SignatureScheme::RsaPssRsaeSha256, [c"rsa_pss_rsae_sha256"; 3]),
    (SignatureScheme::RsaPssPssSha256, [c"rsa_pss_pss_sha256"; 3]),
    (
        SignatureScheme::EcdsaSecp256r1Sha256,
        [c"ecdsa_sha256", c"legacy_ecdsa_sha256", c"ecdsa_secp256r1_sha256"],
    ),
    (
        SignatureScheme::EcdsaSecp384r1Sha384,
        [c"ecdsa_sha384", c"legacy_ecdsa_sha384", c"ecdsa_secp384r1_sha384"],
    ),
    (
        SignatureScheme::EcdsaSecp521r1Sha512,
        [c"ecdsa_sha512", c"legacy_ecdsa_sha512", c"ecdsa_secp521r1_sha512"],
    ),
    (SignatureScheme::MlDsa44, [c"mldsa44"; 3]),
    (SignatureScheme::MlDsa65, [c"mldsa65"; 3]),
    (SignatureScheme::MlDsa87, [c"mldsa87"; 3]),
];

/// The group of this name.
pub(super) fn group(name: &CStr) -> Option<Group> {
    GROUPS.iter().find(|(_, known)| *known == name).map(|(group, _)| *group)
}

/// The name of a group in policies.
pub(super) fn of_group(group: Group) -> Option<&'static str> {
    GROUPS.iter().find(|(known, _)| *known == group).and_then(|(_, name)| name.to_str().ok())
}

/// The scheme of this name.
pub(super) fn signature(name: &CStr) -> Option<SignatureScheme> {
    SIGNATURES.iter().find(|(_, names)| names.contains(&name)).map(|(scheme, _)| *scheme)
}

/// The name of a scheme in policies.
pub(super) fn of_signature(scheme: SignatureScheme) -> Option<&'static str> {
    SIGNATURES.iter().find(|(known, _)| *known == scheme).and_then(|(_, names)| names[0].to_str().ok())
}
