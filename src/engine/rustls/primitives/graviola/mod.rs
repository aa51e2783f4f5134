//! Graviola.

mod aead;
mod exchange;
mod signature;

use graviola::hashing::hmac::Hmac;
use graviola::hashing::{Hash as Algorithm, Sha256, Sha384, Sha512};

use super::Made;
use crate::engine::EngineError;
use crate::engine::operations::valued;
use crate::primitive::{Hash, Input, Operation, Primitive};

/// See [`super::Maker`].
pub(in super::super) fn operation(primitive: Primitive, input: &Input) -> Made {
    let made = match primitive {
        Primitive::Hash(hash) => digest(hash, input),
        Primitive::Hmac(hash) => mac(hash, input),
        Primitive::Encrypt(cipher) => aead::encrypt(cipher, input)?,
        Primitive::Decrypt(cipher) => aead::decrypt(cipher, input)?,
        Primitive::Sign(cert) => return signature::sign(cert, input),
        Primitive::Verify(cert) => return signature::verify(cert, input),
        Primitive::KeyGen(group) => exchange::generate(group),
        Primitive::Agree(group) => exchange::agree(group, input)?,
        Primitive::Encapsulate(group) => exchange::encapsulate(group, input)?,
        Primitive::Decapsulate(group) => exchange::decapsulate(group),
        _ => None,
    };
    Ok(made)
}

fn digest(hash: Hash, input: &Input) -> Option<Box<dyn Operation>> {
    let hash = match hash {
        Hash::Md5 | Hash::Sha1 => return None,
        Hash::Sha256 => Sha256::hash,
        Hash::Sha384 => Sha384::hash,
        Hash::Sha512 => Sha512::hash,
    };
    let data = input.data.clone();
    Some(valued(move || Ok(hash(&data))))
}

fn mac(hash: Hash, input: &Input) -> Option<Box<dyn Operation>> {
    match hash {
        Hash::Md5 | Hash::Sha1 => None,
        Hash::Sha256 => Some(mac_of::<Sha256>(input)),
        Hash::Sha384 => Some(mac_of::<Sha384>(input)),
        Hash::Sha512 => Some(mac_of::<Sha512>(input)),
    }
}

/// A copy of the keyed state is what keeps the key, here as in rustls.
fn mac_of<H: Algorithm + 'static>(input: &Input) -> Box<dyn Operation>
where
    Hmac<H>: Clone,
{
    let keyed = Hmac::<H>::new(&input.key);
    let data = input.data.clone();
    valued(move || {
        let mut mac = keyed.clone();
        mac.update(&data);
        Ok(mac.finish())
    })
}

/// The library's errors have names, and no words.
fn error(error: graviola::Error) -> EngineError {
    EngineError::new(format_args!("{error:?}"))
}
