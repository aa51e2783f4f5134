//! Primitives through the functions that the library's own TLS code calls. It has two interfaces. Configured as it comes, it
//! uses the classic one (its layers `md`, `cipher` and `pk`) for all of TLS 1.2, and in TLS 1.3 for records, transcripts and
//! signatures; so that is what is measured. Exchanges and HKDF are measured through the other, PSA, because TLS 1.3 uses no
//! other for its exchanges and its key schedule.

mod cipher;
mod derivation;
mod digest;
mod exchange;
mod hkdf;
mod key;
mod names;
mod rsa;
mod signature;

use tlspair::cell::Cert;
use tlspair::engine::EngineError;
use tlspair::primitive::{Input, Operation, Primitive, reading};

/// A primitive made ready; none if the library has no such.
type Made = Result<Option<Box<dyn Operation>>, EngineError>;

/// See [`tlspair::engine::Engine::operation`].
pub fn operation(primitive: Primitive, input: &Input) -> Made {
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
        Primitive::KeyGen(group) => exchange::key_pair(group),
        Primitive::Agree(group) => exchange::agree(group, input),
        Primitive::Encapsulate(_) | Primitive::Decapsulate(_) => Ok(None),
        Primitive::HkdfExtract(hash) => hkdf::extract(hash, input),
        Primitive::HkdfExpand(hash) => hkdf::expand(hash, input),
        Primitive::Prf(hash) => derivation::prf(hash, input),
        Primitive::Pbkdf2(hash) => derivation::pbkdf2(hash, input),
    }
}
