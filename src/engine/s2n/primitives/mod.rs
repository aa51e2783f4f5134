//! Primitives. s2n-tls shows none of its own: its cryptography is AWS-LC's, by C functions, and those are called here, the
//! same ones of the same build that s2n-tls calls where it has a use for them.

mod aead;
mod cipher;
mod derive;
mod digest;
mod exchange;
mod field;
mod kem;
mod key;
mod object;
mod rsa;
mod signature;
mod sys;

use crate::cell::Group;
use crate::engine::{EngineError, Unsupported};
use crate::primitive::{Input, NoOperation, Operation, Primitive, reading};

pub(super) fn operation(primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
    let made = match primitive {
        Primitive::Hash(hash) => Some(digest::hash(hash, input)?),
        Primitive::Hmac(hash) => Some(digest::hmac(hash, input)?),
        Primitive::Cmac(cmac) => Some(digest::cmac(cmac, input)?),
        Primitive::Encrypt(cipher) => match aead::encrypt(cipher, input)? {
            None => cipher::encrypt(cipher, input)?,
            made => made,
        },
        Primitive::Decrypt(cipher) => match aead::decrypt(cipher, input)? {
            None => cipher::decrypt(cipher, input)?,
            made => made,
        },
        Primitive::Sign(cert) => signature::sign(cert, input)?,
        Primitive::Verify(cert) => signature::verify(cert, input)?,
        Primitive::ReadCertificate(cert) => {
            let given = input.clone();
            reading(signature::verify(cert, input), move || key::public(&given).map(drop))?
        }
        Primitive::RsaEncrypt(_) => Some(rsa::encrypt(input)?),
        Primitive::RsaDecrypt(_) => Some(rsa::decrypt(input)?),
        Primitive::KeyGen(group) => generate(group)?,
        Primitive::Agree(group) => match field::agree(group, input)? {
            None => exchange::agree(group, input)?,
            made => made,
        },
        Primitive::Encapsulate(group) => kem::encapsulate(group, input)?,
        Primitive::Decapsulate(group) => kem::decapsulate(group, input)?,
        Primitive::HkdfExtract(hash) => Some(derive::extract(hash, input)),
        Primitive::HkdfExpand(hash) => Some(derive::expand(hash, input)),
        Primitive::Prf(hash) => Some(derive::prf(hash, input)),
        Primitive::Pbkdf2(hash) => Some(derive::pbkdf2(hash, input)),
    };
    made.ok_or_else(|| {
        Unsupported("AWS-LC, where s2n-tls has its cryptography from, has no such primitive".to_owned())
            .into()
    })
}

fn generate(group: Group) -> Result<Option<Box<dyn Operation>>, EngineError> {
    match group {
        Group::Ffdhe2048 | Group::Ffdhe3072 => field::generate(group),
        Group::MlKem768 => kem::generate().map(Some),
        _ => exchange::generate(group),
    }
}
