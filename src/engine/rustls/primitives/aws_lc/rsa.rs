//! RSA encryption, which rustls has no use for.

use aws_lc_rs::rsa::{
    Pkcs1PrivateDecryptingKey, Pkcs1PublicEncryptingKey, PrivateDecryptingKey, PublicEncryptingKey,
};

use super::super::{Made, identity, public_key_info, refuse};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::engine::operations::writing;
use crate::primitive::Input;

fn is_too_small(cert: Cert) -> bool {
    matches!(cert.rsa_bits(), Some(..2048))
}

pub(super) fn encrypt(cert: Cert, input: &Input) -> Made {
    if is_too_small(cert) {
        return refuse("aws-lc-rs encrypts to no RSA keys under 2048 bits");
    }
    let info = public_key_info(identity(input)?)?;
    let key = PublicEncryptingKey::from_der(&info).map_err(EngineError::new)?;
    let key = Pkcs1PublicEncryptingKey::new(key).map_err(EngineError::new)?;
    let secret = input.data.clone();
    Ok(Some(writing(key.ciphertext_size(), move |into| {
        key.encrypt(&secret, into).map(|made| made.len()).map_err(EngineError::new)
    })))
}

pub(super) fn decrypt(cert: Cert, input: &Input) -> Made {
    if is_too_small(cert) {
        return refuse("aws-lc-rs decrypts with no RSA keys under 2048 bits");
    }
    let key = PrivateDecryptingKey::from_pkcs8(&identity(input)?.key).map_err(EngineError::new)?;
    let key = Pkcs1PrivateDecryptingKey::new(key).map_err(EngineError::new)?;
    let given = input.given.clone();
    Ok(Some(writing(key.min_output_size(), move |into| {
        key.decrypt(&given, into).map(|made| made.len()).map_err(EngineError::new)
    })))
}
