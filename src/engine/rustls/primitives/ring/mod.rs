//! ring.

#[path = "../alike/aead.rs"]
mod aead;
#[path = "../alike/digest.rs"]
mod digest;
mod exchange;
#[path = "../alike/pbkdf2.rs"]
mod pbkdf2;
#[path = "../alike/signing.rs"]
mod signing;
#[path = "../alike/verifying.rs"]
mod verifying;

use ring as library;
use ring::error::KeyRejected;
use ring::rand::SystemRandom;
use ring::signature::{EcdsaKeyPair, EcdsaSigningAlgorithm, UnparsedPublicKey};

use super::der::key_bits;
use super::{Made, identity, public_key_info, refuse};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::engine::operations::checking;
use crate::primitive::{Input, Primitive, SymmetricCipher};

/// See [`super::Maker`].
pub(in super::super) fn operation(primitive: Primitive, input: &Input) -> Made {
    let made = match primitive {
        Primitive::Hash(hash) => digest::hash(hash, input),
        Primitive::Hmac(hash) => digest::mac(hash, input),
        Primitive::Encrypt(cipher) => {
            aead_of(cipher).map(|algorithm| aead::encrypt(algorithm, input)).transpose()?
        }
        Primitive::Decrypt(cipher) => {
            aead_of(cipher).map(|algorithm| aead::decrypt(algorithm, input)).transpose()?
        }
        Primitive::Sign(cert) => return sign(cert, input),
        Primitive::Verify(cert) => return verify(cert, input),
        Primitive::KeyGen(group) => exchange::generate(group),
        Primitive::Agree(group) => exchange::agree(group, input),
        Primitive::Pbkdf2(hash) => pbkdf2::derive(hash, input),
        _ => None,
    };
    Ok(made)
}

fn aead_of(cipher: SymmetricCipher) -> Option<&'static ring::aead::Algorithm> {
    match cipher {
        SymmetricCipher::Aes128Gcm => Some(&ring::aead::AES_128_GCM),
        SymmetricCipher::Aes256Gcm => Some(&ring::aead::AES_256_GCM),
        SymmetricCipher::ChaCha20Poly1305 => Some(&ring::aead::CHACHA20_POLY1305),
        _ => None,
    }
}

fn sign(cert: Cert, input: &Input) -> Made {
    match cert.rsa_bits() {
        Some(..2048) => refuse("ring signs with no RSA keys under 2048 bits"),
        _ => Ok(signing::sign(cert, input)?),
    }
}

/// ring takes a public key as bytes, and keeps none that has been read.
fn verify(cert: Cert, input: &Input) -> Made {
    if cert == Cert::Rsa512 {
        return refuse("ring verifies with no RSA keys under 1024 bits");
    }
    let Some(algorithm) = verifying::algorithm(cert) else { return Ok(None) };
    let key = UnparsedPublicKey::new(algorithm, key_bits(&public_key_info(identity(input)?)?)?.to_vec());
    let (data, signature) = (input.data.clone(), input.given.clone());
    Ok(Some(checking(move || key.verify(&data, &signature).map_err(EngineError::new))))
}

/// Bytes of a signature.
fn modulus_len(key: &ring::rsa::KeyPair) -> usize {
    key.public().modulus_len()
}

fn ecdsa_key(algorithm: &'static EcdsaSigningAlgorithm, pkcs8: &[u8]) -> Result<EcdsaKeyPair, KeyRejected> {
    EcdsaKeyPair::from_pkcs8(algorithm, pkcs8, &SystemRandom::new())
}
