//! aws-lc-rs.

#[path = "../alike/aead.rs"]
mod aead;
mod cipher;
#[path = "../alike/digest.rs"]
mod digest;
mod exchange;
mod kem;
#[path = "../alike/pbkdf2.rs"]
mod pbkdf2;
mod record;
mod rsa;
mod signature;
#[path = "../alike/signing.rs"]
mod signing;
#[path = "../alike/verifying.rs"]
mod verifying;

use aws_lc_rs as library;
use aws_lc_rs::cmac;
use aws_lc_rs::error::KeyRejected;
use aws_lc_rs::signature::{EcdsaKeyPair, EcdsaSigningAlgorithm};

use super::{Made, refuse};
use crate::engine::EngineError;
use crate::engine::operations::writing;
use crate::primitive::{Cmac, Input, Operation, Primitive, SymmetricCipher};

/// See [`super::Maker`].
pub(in super::super) fn operation(primitive: Primitive, input: &Input) -> Made {
    let made = match primitive {
        Primitive::Hash(hash) => digest::hash(hash, input),
        Primitive::Hmac(hash) => digest::mac(hash, input),
        Primitive::Cmac(cmac) => Some(mac(cmac, input)?),
        Primitive::Encrypt(cipher) => return encrypt(cipher, input),
        Primitive::Decrypt(cipher) => return decrypt(cipher, input),
        Primitive::Sign(cert) => return signature::sign(cert, input),
        Primitive::Verify(cert) => return signature::verify(cert, input),
        Primitive::RsaEncrypt(cert) => return rsa::encrypt(cert, input),
        Primitive::RsaDecrypt(cert) => return rsa::decrypt(cert, input),
        Primitive::KeyGen(group) => exchange::generate(group).or_else(|| kem::generate(group)),
        Primitive::Agree(group) => exchange::agree(group, input)?,
        Primitive::Encapsulate(group) => kem::encapsulate(group, input)?,
        Primitive::Decapsulate(group) => kem::decapsulate(group, input)?,
        Primitive::Pbkdf2(hash) => pbkdf2::derive(hash, input),
        // rustls answers for these.
        Primitive::ReadCertificate(_)
        | Primitive::HkdfExtract(_)
        | Primitive::HkdfExpand(_)
        | Primitive::Prf(_) => None,
    };
    Ok(made)
}

fn mac(cmac: Cmac, input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    let algorithm = match cmac {
        Cmac::Aes128 => cmac::AES_128,
        Cmac::Aes192 => cmac::AES_192,
        Cmac::Aes256 => cmac::AES_256,
    };
    let key = cmac::Key::new(algorithm, &input.key).map_err(EngineError::new)?;
    let data = input.data.clone();
    Ok(writing(algorithm.tag_len(), move |into| {
        cmac::sign_to_buffer(&key, &data, into).map(|tag| tag.len()).map_err(EngineError::new)
    }))
}

fn encrypt(cipher: SymmetricCipher, input: &Input) -> Made {
    let made = match cipher {
        SymmetricCipher::Aes128Gcm => record::encrypt(&library::aead::AES_128_GCM, input),
        SymmetricCipher::Aes256Gcm => record::encrypt(&library::aead::AES_256_GCM, input),
        SymmetricCipher::Aes192Gcm => aead::encrypt(&library::aead::AES_192_GCM, input),
        SymmetricCipher::ChaCha20Poly1305 => aead::encrypt(&library::aead::CHACHA20_POLY1305, input),
        _ if is_des(cipher) => return refuse(NO_DES),
        _ => return Ok(cipher::encrypt(cipher, input)?),
    };
    Ok(Some(made?))
}

fn decrypt(cipher: SymmetricCipher, input: &Input) -> Made {
    let made = match cipher {
        SymmetricCipher::Aes128Gcm => record::decrypt(&library::aead::AES_128_GCM, input),
        SymmetricCipher::Aes256Gcm => record::decrypt(&library::aead::AES_256_GCM, input),
        SymmetricCipher::Aes192Gcm => aead::decrypt(&library::aead::AES_192_GCM, input),
        SymmetricCipher::ChaCha20Poly1305 => aead::decrypt(&library::aead::CHACHA20_POLY1305, input),
        _ if is_des(cipher) => return refuse(NO_DES),
        _ => return Ok(cipher::decrypt(cipher, input)?),
    };
    Ok(Some(made?))
}

const NO_DES: &str = "aws-lc-rs has DES in its feature legacy-des alone, which is not part of this build";

fn is_des(cipher: SymmetricCipher) -> bool {
    matches!(cipher, SymmetricCipher::DesCbc | SymmetricCipher::DesEde3Cbc)
}

/// Bytes of a signature.
fn modulus_len(key: &aws_lc_rs::rsa::KeyPair) -> usize {
    key.public_modulus_len()
}

fn ecdsa_key(algorithm: &'static EcdsaSigningAlgorithm, pkcs8: &[u8]) -> Result<EcdsaKeyPair, KeyRejected> {
    EcdsaKeyPair::from_pkcs8(algorithm, pkcs8)
}
