//! Signatures.

use graviola::hashing::{Sha256, Sha384};
use graviola::signing::ecdsa::{self, P256, P384};
use graviola::signing::eddsa::{Ed25519SigningKey, Ed25519VerifyingKey};
use graviola::signing::rsa;

use super::super::der::{inner_key, key_bits};
use super::super::{Made, identity, public_key_info, refuse};
use super::error;
use crate::cell::Cert;
use crate::engine::operations::{checking, filling, valued, writing};
use crate::primitive::Input;

/// Bytes that a signature of ECDSA takes on the larger curve, as DER, at most.
const MOST: usize = 104;

pub(super) fn sign(cert: Cert, input: &Input) -> Made {
    let pkcs8 = &identity(input)?.key;
    let data = input.data.clone();
    let made = match cert {
        Cert::Rsa512 | Cert::Rsa1024 => return refuse("Graviola signs with no RSA keys under 2048 bits"),
        Cert::P256 => {
            let key = ecdsa::SigningKey::<P256>::from_pkcs8_der(pkcs8).map_err(error)?;
            writing(MOST, move |into| key.sign_asn1::<Sha256>(&[&data], into).map(<[u8]>::len).map_err(error))
        }
        Cert::P384 => {
            let key = ecdsa::SigningKey::<P384>::from_pkcs8_der(pkcs8).map_err(error)?;
            writing(MOST, move |into| key.sign_asn1::<Sha384>(&[&data], into).map(<[u8]>::len).map_err(error))
        }
        Cert::Ed25519 => {
            let key = Ed25519SigningKey::from_pkcs8_der(pkcs8).map_err(error)?;
            valued(move || Ok(key.sign(&data)))
        }
        Cert::RsaPss => {
            let key = rsa::SigningKey::from_pkcs1_der(inner_key(pkcs8)?).map_err(error)?;
            filling(key.modulus_len_bytes(), move |into| {
                key.sign_pss_sha256(into, &data).map(drop).map_err(error)
            })
        }
        _ if cert.rsa_bits().is_some() => {
            let key = rsa::SigningKey::from_pkcs8_der(pkcs8).map_err(error)?;
            filling(key.modulus_len_bytes(), move |into| {
                key.sign_pkcs1_sha256(into, &data).map(drop).map_err(error)
            })
        }
        _ => return Ok(None),
    };
    Ok(Some(made))
}

pub(super) fn verify(cert: Cert, input: &Input) -> Made {
    let info = public_key_info(identity(input)?)?;
    let bits = key_bits(&info)?;
    let (data, signature) = (input.data.clone(), input.given.clone());
    let made = match cert {
        Cert::Rsa512 | Cert::Rsa1024 => return refuse("Graviola verifies with no RSA keys under 2048 bits"),
        Cert::P256 => {
            let key = ecdsa::VerifyingKey::<P256>::from_x962_uncompressed(bits).map_err(error)?;
            checking(move || key.verify_asn1::<Sha256>(&[&data], &signature).map_err(error))
        }
        Cert::P384 => {
            let key = ecdsa::VerifyingKey::<P384>::from_x962_uncompressed(bits).map_err(error)?;
            checking(move || key.verify_asn1::<Sha384>(&[&data], &signature).map_err(error))
        }
        Cert::Ed25519 => {
            let key = Ed25519VerifyingKey::from_bytes(bits).map_err(error)?;
            checking(move || key.verify(&signature, &data).map_err(error))
        }
        Cert::RsaPss => {
            let key = rsa::VerifyingKey::from_pkcs1_der(bits).map_err(error)?;
            checking(move || key.verify_pss_sha256(&signature, &data).map_err(error))
        }
        _ if cert.rsa_bits().is_some() => {
            let key = rsa::VerifyingKey::from_pkcs1_der(bits).map_err(error)?;
            checking(move || key.verify_pkcs1_sha256(&signature, &data).map_err(error))
        }
        _ => return Ok(None),
    };
    Ok(Some(made))
}
