//! OpenSSL's primitives, through its EVP interface. Algorithms are fetched once, contexts made and keys set in the
//! preparation, and an operation starts its context anew in the way of OpenSSL's own TLS code. What comes from a peer in
//! an exchange of keys is read in the operation, since a new one comes each time.

mod aead;
mod cipher;
mod derivation;
mod encapsulation;
mod exchange;
mod hash;
mod mac;
mod names;
mod owned;
mod parameters;
mod rsa;
mod signature;

use openssl::error::ErrorStack;

use super::library;
use crate::engine::EngineError;
use crate::primitive::{Check, Input, Operation, Primitive};

/// Why there is no operation.
pub enum Refusal {
    /// This build of the library has no such algorithm.
    Missing,
    /// It has, and failed.
    Failed(EngineError),
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        Self::Failed(error)
    }
}

impl From<ErrorStack> for Refusal {
    fn from(stack: ErrorStack) -> Self {
        Self::Failed(library::words(&stack))
    }
}

/// Makes a primitive ready.
pub fn operation(primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, Refusal> {
    Ok(match primitive {
        Primitive::Hash(hash) => Box::new(hash::Hashing::new(hash, input)?),
        Primitive::Hmac(hash) => Box::new(mac::Mac::of_hash(hash, input)?),
        Primitive::Cmac(cmac) => Box::new(mac::Mac::of_cipher(cmac, input)?),
        Primitive::Encrypt(cipher) if cipher.is_aead() => Box::new(aead::Sealing::new(cipher, input)?),
        Primitive::Decrypt(cipher) if cipher.is_aead() => Box::new(aead::Opening::new(cipher, input)?),
        Primitive::Encrypt(cipher) => Box::new(cipher::Plain::encrypting(cipher, input)?),
        Primitive::Decrypt(cipher) => Box::new(cipher::Plain::decrypting(cipher, input)?),
        Primitive::Sign(cert) => Box::new(signature::Signing::new(cert, input)?),
        Primitive::Verify(cert) => Box::new(signature::Verifying::new(cert, input)?),
        Primitive::ReadCertificate(cert) => {
            signature::Verifying::new(cert, input)?;
            let input = input.clone();
            Check::by(move || signature::public_key(&input).map(drop))
        }
        Primitive::RsaEncrypt(_) => Box::new(rsa::Encrypting::new(input)?),
        Primitive::RsaDecrypt(_) => Box::new(rsa::Decrypting::new(input)?),
        Primitive::KeyGen(group) => Box::new(exchange::Generating::new(group)?),
        Primitive::Agree(group) => Box::new(exchange::Agreeing::new(group, input)?),
        Primitive::Encapsulate(group) => Box::new(encapsulation::Encapsulating::new(group, input)?),
        Primitive::Decapsulate(group) => Box::new(encapsulation::Decapsulating::new(group, input)?),
        Primitive::HkdfExtract(hash) => Box::new(derivation::Derivation::extract(hash, input)?),
        Primitive::HkdfExpand(hash) => Box::new(derivation::Derivation::expand(hash, input)?),
        Primitive::Prf(hash) => Box::new(derivation::Derivation::prf(hash, input)?),
        Primitive::Pbkdf2(hash) => Box::new(derivation::Derivation::pbkdf2(hash, input)?),
    })
}

/// A call that answers 1 for success.
fn succeeded(answer: i32) -> Result<(), EngineError> {
    if answer == 1 { Ok(()) } else { Err(library::words(&ErrorStack::get())) }
}

/// What the Rust crate answered, with the library's reasons if it failed.
fn told<T>(outcome: Result<T, ErrorStack>) -> Result<T, EngineError> {
    outcome.map_err(|stack| library::words(&stack))
}
