//! The library's cryptography, each algorithm in the implementation that its TLS uses on this machine.

mod aead;
mod cipher;
mod derivation;
mod digest;
mod exchange;
mod in_place;
mod rsa;
mod signature;

use super::library::{Library, version};
use crate::engine::Unsupported;
use crate::primitive::{Input, Mode, NoOperation, Operation, Primitive};

/// What the library has of a primitive, made ready; none if it has no such thing.
type Made = Result<Option<Box<dyn Operation>>, NoOperation>;

/// Makes a primitive ready.
pub(super) fn operation(library: &Library, primitive: Primitive, input: &Input) -> Made {
    let with = &library.implementations;
    match primitive {
        Primitive::Hash(hash) => Ok(Some(digest::hash(with, hash, input))),
        Primitive::Hmac(hash) => Ok(Some(digest::hmac(with, hash, input))),
        Primitive::Cmac(_) => Ok(None),
        Primitive::Encrypt(cipher) if cipher.mode() == Mode::Cbc => cipher::cbc_encrypt(with, cipher, input),
        Primitive::Decrypt(cipher) if cipher.mode() == Mode::Cbc => cipher::cbc_decrypt(with, cipher, input),
        Primitive::Encrypt(cipher) if cipher.is_aead() => aead::seal(with, cipher, input),
        Primitive::Decrypt(cipher) if cipher.is_aead() => aead::open(with, cipher, input),
        Primitive::Encrypt(cipher) => cipher::ctr_encrypt(with, cipher, input),
        Primitive::Decrypt(cipher) => cipher::ctr_decrypt(with, cipher, input),
        Primitive::Sign(cert) if library.has_key_kind(cert) => signature::sign(with, cert, input),
        Primitive::Verify(cert) if library.has_key_kind(cert) => signature::verify(with, cert, input),
        Primitive::ReadCertificate(cert) if library.has_key_kind(cert) => signature::read(with, cert, input),
        Primitive::Sign(_) | Primitive::Verify(_) | Primitive::ReadCertificate(_) => Ok(None),
        Primitive::RsaEncrypt(_) => {
            lacks("pads what RSA is to encrypt (PKCS #1 v1.5) inside its TLS client only")
        }
        Primitive::RsaDecrypt(_) => rsa::decrypt(with, input),
        Primitive::KeyGen(group) if library.curve_bit(group) != 0 => exchange::key_pair(with, group),
        Primitive::Agree(group) if library.curve_bit(group) != 0 => exchange::agree(with, group, input),
        Primitive::KeyGen(_) | Primitive::Agree(_) => Ok(None),
        Primitive::Encapsulate(_) | Primitive::Decapsulate(_) => Ok(None),
        Primitive::HkdfExtract(_) | Primitive::HkdfExpand(_) => {
            lacks("gives away no secret between HKDF's two steps, and takes none")
        }
        Primitive::Prf(hash) => derivation::prf(with, hash, input),
        Primitive::Pbkdf2(_) => Ok(None),
    }
}

fn lacks(what: &str) -> Made {
    Err(Unsupported(format!("BearSSL {} {what}", version())).into())
}

/// A function of one of the library's tables.
fn function<F>(entry: Option<F>) -> F {
    entry.expect("the library leaves no entry of its tables empty")
}
