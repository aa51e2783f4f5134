//! Primitives through the functions that the library's own TLS code calls: its layers `md`, `cipher` and `pk`, and `ecdh`,
//! `dhm` and the pseudo-random function under their own names.

mod cipher;
mod curve;
mod derivation;
mod digest;
mod finite_field;
mod key;
mod names;
mod rsa;
mod signature;

use crate::cell::{Cert, Group};
use crate::engine::EngineError;
use crate::primitive::{Input, Operation, Primitive, reading};

/// A primitive made ready; none if the library has no such.
type Made = Result<Option<Box<dyn Operation>>, EngineError>;

/// See [`crate::engine::Engine::operation`].
pub(super) fn operation(primitive: Primitive, input: &Input) -> Made {
    match primitive {
        Primitive::Hash(hash) => digest::hash(hash, input),
        Primitive::Hmac(hash) => digest::hmac(hash, input),
        Primitive::Cmac(cmac) => digest::cmac(cmac, input),
        Primitive::Encrypt(cipher) => cipher::encrypt(cipher, input),
        Primitive::Decrypt(cipher) => cipher::decrypt(cipher, input),
        Primitive::Sign(cert) => signature::sign(cert, input),
        Primitive::Verify(cert) => signature::verify(cert, input),
        Primitive::ReadCertificate(Cert::RsaPss) => Ok(None), // nor does its TLS read a key that names PSS alone
        Primitive::ReadCertificate(cert) => {
            let given = input.clone();
            reading(signature::verify(cert, input), move || key::Public::of(cert, &given).map(drop))
        }
        Primitive::RsaEncrypt(cert) => rsa::encrypt(cert, input),
        Primitive::RsaDecrypt(cert) => rsa::decrypt(cert, input),
        Primitive::KeyGen(group @ (Group::Ffdhe2048 | Group::Ffdhe3072)) => finite_field::key_pair(group),
        Primitive::Agree(group @ (Group::Ffdhe2048 | Group::Ffdhe3072)) => finite_field::agree(group, input),
        Primitive::KeyGen(group) => curve::key_pair(group),
        Primitive::Agree(group) => curve::agree(group, input),
        Primitive::Encapsulate(_) | Primitive::Decapsulate(_) => Ok(None),
        Primitive::HkdfExtract(hash) => derivation::hkdf_extract(hash, input),
        Primitive::HkdfExpand(hash) => derivation::hkdf_expand(hash, input),
        Primitive::Prf(hash) => derivation::prf(hash, input),
        Primitive::Pbkdf2(hash) => derivation::pbkdf2(hash, input),
    }
}
