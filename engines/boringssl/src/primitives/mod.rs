//! BoringSSL's primitives, through the interfaces that its TLS code uses where it has several: `EVP_AEAD`, the functions
//! of X25519, of curves and of ML-KEM themselves, and EVP for the rest. Contexts are made and keys set in the
//! preparation. What comes from a peer in an exchange of keys is read in the operation, since a new one comes each time.

mod aead;
mod cipher;
mod derivation;
mod encapsulation;
mod exchange;
mod finite_field;
mod hash;
mod key;
mod mac;
mod names;
mod owned;
mod rsa;
mod signature;

use boring::error::ErrorStack;
use tlspair::cell::Group;
use tlspair::engine::EngineError;
use tlspair::primitive::{Check, Input, Mode, Operation, Primitive};

use crate::library;

/// Why there is no operation.
pub enum Refusal {
    /// The library has no such algorithm.
    Missing,
    /// It has something like it, but not this: in words that follow its name.
    Other(&'static str),
    /// It has, and failed.
    Failed(EngineError),
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        Self::Failed(error)
    }
}

/// Makes a primitive ready.
pub fn operation(primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, Refusal> {
    Ok(match primitive {
        Primitive::Hash(hash) => Box::new(hash::Hashing::new(hash, input)?),
        Primitive::Hmac(hash) => Box::new(mac::Hmac::new(hash, input)?),
        Primitive::Cmac(cmac) => Box::new(mac::AesCmac::new(cmac, input)?),
        Primitive::Encrypt(cipher) | Primitive::Decrypt(cipher) if cipher.mode() == Mode::Ccm => {
            return Err(Refusal::Other("has AES-CCM with nonces of 13 bytes only, not with the 12 of TLS"));
        }
        Primitive::Encrypt(cipher) | Primitive::Decrypt(cipher) if cipher.mode() == Mode::Xts => {
            return Err(Refusal::Other("has AES-XTS only in libdecrepit, which boring-sys does not build"));
        }
        Primitive::Encrypt(cipher) if cipher.is_aead() => Box::new(aead::Sealing::new(cipher, input)?),
        Primitive::Decrypt(cipher) if cipher.is_aead() => Box::new(aead::Opening::new(cipher, input)?),
        Primitive::Encrypt(cipher) => Box::new(cipher::Plain::encrypting(cipher, input)?),
        Primitive::Decrypt(cipher) => Box::new(cipher::Plain::decrypting(cipher, input)?),
        Primitive::Sign(cert) => Box::new(signature::Signing::new(cert, input)?),
        Primitive::Verify(cert) => Box::new(signature::Verifying::new(cert, input)?),
        Primitive::ReadCertificate(cert) => {
            signature::Verifying::new(cert, input)?;
            let input = input.clone();
            Check::by(move || match key::public_key(cert, &input) {
                Ok(_) => Ok(()),
                Err(Refusal::Failed(error)) => Err(error),
                Err(_) => Err(EngineError::new("a key that the library has not")),
            })
        }
        Primitive::RsaEncrypt(cert) => Box::new(rsa::Encrypting::new(cert, input)?),
        Primitive::RsaDecrypt(cert) => Box::new(rsa::Decrypting::new(cert, input)?),
        Primitive::KeyGen(Group::MlKem768) => Box::new(encapsulation::Generating::new()),
        Primitive::KeyGen(Group::X25519) => Box::new(exchange::GeneratingX25519::new()),
        Primitive::KeyGen(Group::Ffdhe2048) => Box::new(finite_field::Generating::new()),
        Primitive::KeyGen(group) => Box::new(exchange::GeneratingOnCurve::new(group)?),
        Primitive::Agree(Group::X25519) => Box::new(exchange::AgreeingX25519::new(input)?),
        Primitive::Agree(Group::Ffdhe2048) => Box::new(finite_field::Agreeing::new(input)?),
        Primitive::Agree(group) => Box::new(exchange::AgreeingOnCurve::new(group, input)?),
        Primitive::Encapsulate(_) => Box::new(encapsulation::Encapsulating::new(input)),
        Primitive::Decapsulate(_) => Box::new(encapsulation::Decapsulating::new()),
        Primitive::HkdfExtract(hash) => Box::new(derivation::Extracting::new(hash, input)),
        Primitive::HkdfExpand(hash) => Box::new(derivation::Expanding::new(hash, input)),
        Primitive::Prf(hash) => Box::new(derivation::Prf::new(hash, input)),
        Primitive::Pbkdf2(hash) => Box::new(derivation::Pbkdf2::new(hash, input)),
    })
}

/// A call that answers 1 for success.
fn succeeded(answer: i32) -> Result<(), EngineError> {
    if answer == 1 { Ok(()) } else { Err(failed()) }
}

/// The library's reasons.
#[cold]
fn failed() -> EngineError {
    library::words(&ErrorStack::get())
}
