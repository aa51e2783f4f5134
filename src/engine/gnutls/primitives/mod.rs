//! The library's cryptography through its own interface: `gnutls/crypto.h`, and `gnutls/abstract.h` for keys.
//!
//! Of 3.7 that interface has no key agreement, no pseudo-random function of TLS without a session, and no counter mode.

mod cipher;
mod derivation;
mod digest;
mod exchange;
mod names;
mod signature;

use super::ability;
use crate::primitive::{Input, NoOperation, Operation, Primitive};

/// What the library has of a primitive, made ready; none if it has no such thing.
pub(super) type Made = Result<Option<Box<dyn Operation>>, NoOperation>;

/// Makes a primitive ready.
pub(super) fn operation(primitive: Primitive, input: &Input) -> Made {
    match primitive {
        Primitive::Hash(hash) => digest::hash(hash, input),
        Primitive::Hmac(hash) => digest::mac(Some(names::hmac(hash)), input),
        Primitive::Cmac(cmac) => digest::mac(names::cmac(cmac), input),
        Primitive::Encrypt(cipher) => cipher::encrypt(cipher, input),
        Primitive::Decrypt(cipher) => cipher::decrypt(cipher, input),
        Primitive::Sign(cert) => signature::sign(cert, input),
        Primitive::Verify(cert) => signature::verify(cert, input),
        Primitive::ReadCertificate(cert) => signature::read(cert, input),
        Primitive::RsaEncrypt(_) => signature::rsa_encrypt(input),
        Primitive::RsaDecrypt(_) => signature::rsa_decrypt(input),
        Primitive::KeyGen(group) => exchange::key_pair(group),
        Primitive::Agree(_) => Err(ability::no_agreement().into()),
        Primitive::Encapsulate(_) | Primitive::Decapsulate(_) => Ok(None),
        Primitive::HkdfExtract(hash) => derivation::hkdf_extract(hash, input),
        Primitive::HkdfExpand(hash) => derivation::hkdf_expand(hash, input),
        Primitive::Prf(_) => Err(ability::no_function_of_tls().into()),
        Primitive::Pbkdf2(hash) => derivation::pbkdf2(hash, input),
    }
}
