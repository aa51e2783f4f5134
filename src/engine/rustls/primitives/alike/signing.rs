//! Signatures, by key pairs of PKCS #8.

use super::super::der::inner_key;
use super::super::identity;
use super::library::rand::SystemRandom;
use super::library::rsa;
use super::library::signature::{self, EcdsaSigningAlgorithm, Ed25519KeyPair, RsaEncoding};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::engine::operations::{filling, valued};
use crate::primitive::{Input, Operation};

/// Of the keys that both libraries know; none of others.
pub(super) fn sign(cert: Cert, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let made = match cert {
        Cert::P256 => ecdsa(&signature::ECDSA_P256_SHA256_ASN1_SIGNING, input),
        Cert::P384 => ecdsa(&signature::ECDSA_P384_SHA384_ASN1_SIGNING, input),
        Cert::Ed25519 => ed25519(input),
        Cert::RsaPss => by_rsa(&signature::RSA_PSS_SHA256, input),
        _ if cert.rsa_bits().is_some() => by_rsa(&signature::RSA_PKCS1_SHA256, input),
        _ => return Ok(None),
    };
    made.map(Some)
}

pub(super) fn ecdsa(
    algorithm: &'static EcdsaSigningAlgorithm,
    input: &Input,
) -> Result<Box<dyn Operation>, EngineError> {
    let key = super::ecdsa_key(algorithm, &identity(input)?.key).map_err(EngineError::new)?;
    let (random, data) = (SystemRandom::new(), input.data.clone());
    Ok(valued(move || key.sign(&random, &data).map_err(EngineError::new)))
}

fn ed25519(input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    let key = Ed25519KeyPair::from_pkcs8_maybe_unchecked(&identity(input)?.key).map_err(EngineError::new)?;
    let data = input.data.clone();
    Ok(valued(move || Ok(key.sign(&data))))
}

/// The bare key is taken out of PKCS #8: keys that are bound to PSS by their identifier are known by neither library.
fn by_rsa(encoding: &'static dyn RsaEncoding, input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    let key = rsa::KeyPair::from_der(inner_key(&identity(input)?.key)?).map_err(EngineError::new)?;
    let (random, data) = (SystemRandom::new(), input.data.clone());
    Ok(filling(super::modulus_len(&key), move |into| {
        key.sign(encoding, &random, &data, into).map_err(EngineError::new)
    }))
}
