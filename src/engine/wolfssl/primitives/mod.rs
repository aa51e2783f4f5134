//! The library's cryptography, wolfCrypt, through its own functions (`wc_*`).
//!
//! Its structs are the library's to lay out: where there is a function that makes one, it is used, and elsewhere one is
//! allocated here as large as the bindings say and touched by the library alone.

mod aead;
mod cipher;
mod declared;
mod derivation;
mod digest;
mod exchange;
mod field;
mod kem;
mod names;
mod object;
mod rsa;
mod signature;

use std::ffi::c_int;

use super::library::{self, NAME};
use crate::cell::{Cert, Group};
use crate::engine::{EngineError, Unsupported};
use crate::primitive::{Input, Mode, NoOperation, Operation, Primitive, SymmetricCipher, reading};

/// What the library has of a primitive, made ready; none if it has no such thing.
type Made = Result<Option<Box<dyn Operation>>, NoOperation>;

/// Makes a primitive ready.
pub(super) fn operation(primitive: Primitive, input: &Input) -> Made {
    library::start()?;
    match primitive {
        Primitive::Hash(hash) => digest::hash(hash, input),
        Primitive::Hmac(hash) => digest::hmac(hash, input),
        Primitive::Cmac(_) => Ok(None),
        Primitive::Encrypt(cipher) if cipher.is_aead() => aead::seal(cipher, input),
        Primitive::Decrypt(cipher) if cipher.is_aead() => aead::open(cipher, input),
        Primitive::Encrypt(cipher) if cipher.mode() == Mode::Cbc => cipher::encrypt(cipher, input),
        Primitive::Decrypt(cipher) if cipher.mode() == Mode::Cbc => cipher::decrypt(cipher, input),
        Primitive::Encrypt(_) | Primitive::Decrypt(_) => Ok(None),
        Primitive::Sign(Cert::RsaPss) => rsa::sign_pss(input),
        Primitive::Verify(Cert::RsaPss) => rsa::verify_pss(input),
        Primitive::Sign(cert) if cert.signs_with_rsa() => rsa::sign(input),
        Primitive::Verify(cert) if cert.signs_with_rsa() => rsa::verify(input),
        Primitive::Sign(cert) => signature::sign(cert, input),
        Primitive::Verify(cert) => signature::verify(cert, input),
        Primitive::ReadCertificate(cert) if cert.signs_with_rsa() => {
            let (given, length) = (input.clone(), signature::public_key_info(input)?.len());
            reading(rsa::verify(input), move || rsa::read(&given, length))
        }
        Primitive::ReadCertificate(cert) => signature::read(cert, input),
        Primitive::RsaEncrypt(_) => rsa::encrypt(input),
        Primitive::RsaDecrypt(_) => rsa::decrypt(input),
        Primitive::KeyGen(Group::X25519) => exchange::x25519_key_pair(),
        Primitive::Agree(Group::X25519) => exchange::x25519_agree(input),
        Primitive::KeyGen(Group::Ffdhe2048) => field::key_pair(),
        Primitive::Agree(Group::Ffdhe2048) => field::agree(input),
        Primitive::KeyGen(Group::MlKem768) => kem::key_pair(),
        Primitive::Encapsulate(Group::MlKem768) => kem::encapsulate(input),
        Primitive::Decapsulate(Group::MlKem768) => kem::decapsulate(input),
        Primitive::KeyGen(group) => exchange::curve_key_pair(group),
        Primitive::Agree(group) => exchange::curve_agree(group, input),
        Primitive::Encapsulate(_) | Primitive::Decapsulate(_) => Ok(None),
        Primitive::HkdfExtract(hash) => derivation::hkdf_extract(hash, input),
        Primitive::HkdfExpand(hash) => derivation::hkdf_expand(hash, input),
        Primitive::Prf(hash) => derivation::prf(hash, input),
        Primitive::Pbkdf2(hash) => derivation::pbkdf2(hash, input),
    }
}

/// Why there is none: most of what is missing wolfSSL has, and this build of it leaves out.
pub(super) fn refusal(primitive: Primitive) -> Option<Unsupported> {
    match primitive {
        Primitive::Encrypt(SymmetricCipher::IdeaCbc | SymmetricCipher::SeedCbc) => None,
        Primitive::Decrypt(SymmetricCipher::IdeaCbc | SymmetricCipher::SeedCbc) => None,
        _ => Some(Unsupported(format!("{NAME} {} was built without it", library::version()))),
    }
}

/// Turns wolfCrypt's answer into a result: negative numbers are errors, others often lengths.
#[inline]
fn check(answer: c_int) -> Result<usize, EngineError> {
    usize::try_from(answer).map_err(|_| library::error(answer))
}

/// A length as the library counts.
fn length(bytes: &[u8]) -> u32 {
    bytes.len() as u32
}
