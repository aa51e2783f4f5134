//! AES in the modes that authenticate nothing, in place.

use aws_lc_rs::cipher::{
    AES_128, AES_192, AES_256, Algorithm, DecryptingKey, DecryptionContext, EncryptingKey, EncryptionContext,
    UnboundCipherKey,
};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::iv::FixedLength;

use super::super::array;
use crate::engine::EngineError;
use crate::engine::operations::{in_place, repeated};
use crate::primitive::{Input, Mode, Operation, SymmetricCipher};

/// AES with a key of this length; the interface has no other cipher here.
fn algorithm(cipher: SymmetricCipher) -> Option<&'static Algorithm> {
    let is_aes = matches!(
        cipher,
        SymmetricCipher::Aes128Cbc
            | SymmetricCipher::Aes192Cbc
            | SymmetricCipher::Aes256Cbc
            | SymmetricCipher::Aes128Ctr
            | SymmetricCipher::Aes192Ctr
            | SymmetricCipher::Aes256Ctr
    );
    match cipher.key_length() {
        16 if is_aes => Some(&AES_128),
        24 if is_aes => Some(&AES_192),
        32 if is_aes => Some(&AES_256),
        _ => None,
    }
}

/// None if the library has no such cipher. From the second time on it encrypts what it has made: it costs the same.
pub(super) fn encrypt(
    cipher: SymmetricCipher,
    input: &Input,
) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(algorithm) = algorithm(cipher) else { return Ok(None) };
    let (key, vector) = (encrypting(algorithm, cipher, input)?, array(&input.nonce)?);
    Ok(Some(repeated(
        input.data.clone(),
        move |data| encrypted(&key, vector, data),
        |data| vec![data.clone()],
    )))
}

/// None if the library has no such cipher.
pub(super) fn decrypt(
    cipher: SymmetricCipher,
    input: &Input,
) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(algorithm) = algorithm(cipher) else { return Ok(None) };
    let vector = array(&input.nonce)?;
    let mut data = input.data.clone();
    encrypted(&encrypting(algorithm, cipher, input)?, vector, &mut data)?;
    let key = UnboundCipherKey::new(algorithm, &input.key)
        .and_then(
            |key| if cipher.mode() == Mode::Cbc { DecryptingKey::cbc(key) } else { DecryptingKey::ctr(key) },
        )
        .map_err(EngineError::new)?;
    Ok(Some(in_place(data, move |data| {
        let context = DecryptionContext::Iv128(FixedLength::from(vector));
        key.decrypt(data, context).map(|plain| plain.len()).map_err(EngineError::new)
    })))
}

fn encrypting(
    algorithm: &'static Algorithm,
    cipher: SymmetricCipher,
    input: &Input,
) -> Result<EncryptingKey, EngineError> {
    UnboundCipherKey::new(algorithm, &input.key)
        .and_then(
            |key| if cipher.mode() == Mode::Cbc { EncryptingKey::cbc(key) } else { EncryptingKey::ctr(key) },
        )
        .map_err(EngineError::new)
}

fn encrypted(key: &EncryptingKey, vector: [u8; 16], data: &mut [u8]) -> Result<(), EngineError> {
    let context = EncryptionContext::Iv128(FixedLength::from(vector));
    key.less_safe_encrypt(data, context).map(drop).map_err(|error: Unspecified| EngineError::new(error))
}
