//! The primitives of rustls' cryptography providers, through the interfaces that rustls itself uses. What the schedules of
//! TLS derive is asked of rustls, for it is rustls that makes HKDF and the PRF out of what some providers have.
//!
//! aws-lc-rs has the interface of ring, and more. What is written alike for both stands in `alike`, once for all, and is a
//! module of each, where `library` is one or the other.

#![allow(clippy::duplicate_mod)]

#[cfg(feature = "rustls-aws-lc")]
pub(super) mod aws_lc;
mod der;
#[cfg(feature = "rustls-graviola")]
pub(super) mod graviola;
#[cfg(feature = "rustls-ring")]
pub(super) mod ring;
mod schedule;

use rustls::crypto::CryptoProvider;
use rustls::pki_types::CertificateDer;
use rustls::server::ParsedCertificate;

use super::super::{EngineError, Unsupported};
use crate::fixtures::Identity;
use crate::primitive::{Input, NoOperation, Operation, Primitive, reading};

/// An operation, or none if the provider's interface has none.
pub(super) type Made = Result<Option<Box<dyn Operation>>, NoOperation>;

/// What makes the operations of a provider.
pub(super) type Maker = fn(Primitive, &Input) -> Made;

/// An operation of the provider, or of rustls over it.
pub(super) fn operation(provider: &CryptoProvider, make: Maker, primitive: Primitive, input: &Input) -> Made {
    match primitive {
        Primitive::HkdfExtract(_) => refuse("rustls keeps what HKDF extracts to itself, and only expands it"),
        Primitive::HkdfExpand(hash) => Ok(schedule::expand(provider, hash, input)),
        Primitive::Prf(hash) => Ok(schedule::prf(provider, hash, input)),
        Primitive::ReadCertificate(cert) => {
            let identity = identity(input)?.clone();
            reading(make(Primitive::Verify(cert), input), move || public_key_info(&identity).map(drop))
        }
        _ => make(primitive, input),
    }
}

fn refuse(why: &str) -> Made {
    Err(Unsupported(why.to_owned()).into())
}

/// The key and certificate of an input that has them.
fn identity(input: &Input) -> Result<&Identity, EngineError> {
    input.identity.as_ref().ok_or_else(|| EngineError::new("the input has no key"))
}

/// The `SubjectPublicKeyInfo` of the certificate.
fn public_key_info(identity: &Identity) -> Result<Vec<u8>, EngineError> {
    let leaf = identity.chain.first().ok_or_else(|| EngineError::new("the input has no certificate"))?;
    let leaf = CertificateDer::from(leaf.as_slice());
    let parsed = ParsedCertificate::try_from(&leaf).map_err(EngineError::new)?;
    Ok(parsed.subject_public_key_info().to_vec())
}

/// An input's bytes as an array, for interfaces that want one.
fn array<const N: usize>(bytes: &[u8]) -> Result<[u8; N], EngineError> {
    bytes.try_into().map_err(|_| EngineError::new(format_args!("{} bytes in place of {N}", bytes.len())))
}
