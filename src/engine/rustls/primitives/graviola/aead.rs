//! AEADs, in place.

use graviola::aead::{AesGcm, ChaCha20Poly1305};

use super::super::array;
use super::error;
use crate::engine::EngineError;
use crate::engine::operations::{in_place, repeated};
use crate::primitive::{ADDITIONAL_DATA, Input, Operation, SymmetricCipher};

const TAG: usize = 16;

/// What both types do under the same names.
trait Aead: 'static {
    fn seal(&self, nonce: &[u8; 12], data: &mut [u8], tag: &mut [u8; TAG]);
    fn open(&self, nonce: &[u8; 12], data: &mut [u8], tag: &[u8]) -> Result<(), graviola::Error>;
}

impl Aead for AesGcm {
    fn seal(&self, nonce: &[u8; 12], data: &mut [u8], tag: &mut [u8; TAG]) {
        self.encrypt(nonce, &ADDITIONAL_DATA, data, tag);
    }

    fn open(&self, nonce: &[u8; 12], data: &mut [u8], tag: &[u8]) -> Result<(), graviola::Error> {
        self.decrypt(nonce, &ADDITIONAL_DATA, data, tag)
    }
}

impl Aead for ChaCha20Poly1305 {
    fn seal(&self, nonce: &[u8; 12], data: &mut [u8], tag: &mut [u8; TAG]) {
        self.encrypt(nonce, &ADDITIONAL_DATA, data, tag);
    }

    fn open(&self, nonce: &[u8; 12], data: &mut [u8], tag: &[u8]) -> Result<(), graviola::Error> {
        self.decrypt(nonce, &ADDITIONAL_DATA, data, tag)
    }
}

/// None if the library has no such cipher.
pub(super) fn encrypt(
    cipher: SymmetricCipher,
    input: &Input,
) -> Result<Option<Box<dyn Operation>>, EngineError> {
    match cipher {
        SymmetricCipher::Aes128Gcm | SymmetricCipher::Aes256Gcm => {
            sealing(AesGcm::new(&input.key), input).map(Some)
        }
        SymmetricCipher::ChaCha20Poly1305 => {
            sealing(ChaCha20Poly1305::new(array(&input.key)?), input).map(Some)
        }
        _ => Ok(None),
    }
}

/// None if the library has no such cipher.
pub(super) fn decrypt(
    cipher: SymmetricCipher,
    input: &Input,
) -> Result<Option<Box<dyn Operation>>, EngineError> {
    match cipher {
        SymmetricCipher::Aes128Gcm | SymmetricCipher::Aes256Gcm => {
            opening(AesGcm::new(&input.key), input).map(Some)
        }
        SymmetricCipher::ChaCha20Poly1305 => {
            opening(ChaCha20Poly1305::new(array(&input.key)?), input).map(Some)
        }
        _ => Ok(None),
    }
}

/// From the second time on it encrypts what it has made: it costs the same.
fn sealing(key: impl Aead, input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    let nonce = array(&input.nonce)?;
    let made = (input.data.clone(), [0; TAG]);
    Ok(repeated(
        made,
        move |(data, tag)| {
            key.seal(&nonce, data, tag);
            Ok(())
        },
        |(data, tag)| vec![[data.as_slice(), tag].concat()],
    ))
}

fn opening(key: impl Aead, input: &Input) -> Result<Box<dyn Operation>, EngineError> {
    let nonce = array(&input.nonce)?;
    let (mut data, mut tag) = (input.data.clone(), [0; TAG]);
    key.seal(&nonce, &mut data, &mut tag);
    Ok(in_place(data, move |data| key.open(&nonce, data, &tag).map(|()| data.len()).map_err(error)))
}
