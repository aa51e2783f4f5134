//! AES in CBC mode: this build of the library has no other cipher without authentication.

use std::ffi::c_int;
use std::ptr;

use wolfssl_sys as sys;

use super::object::{NO_DEVICE, Object};
use super::{Made, check, length};
use crate::engine::EngineError;
use crate::primitive::{Act, Input, SymmetricCipher};

/// An AES without a key.
pub(super) fn aes() -> Result<Object<sys::Aes>, EngineError> {
    let mut answer = 0;
    // SAFETY: writes a number, and answers with a new object.
    let at = unsafe { sys::wc_AesNew(ptr::null_mut(), NO_DEVICE, &raw mut answer) };
    check(answer)?;
    // SAFETY: `Object` passes what the library has made, once.
    Object::made(at, |at| unsafe {
        sys::wc_AesDelete(at, ptr::null_mut());
    })
}

const ENCRYPT: c_int = sys::AES_ENCRYPTION as c_int;
const DECRYPT: c_int = sys::AES_DECRYPTION as c_int;

/// AES with a key for one direction.
struct Cbc {
    aes: Object<sys::Aes>,
    vector: Vec<u8>,
}

impl Cbc {
    fn new(input: &Input, direction: c_int) -> Result<Self, EngineError> {
        let (aes, key, vector) = (aes()?, &input.key, input.nonce.clone());
        // SAFETY: the object lives; key and vector are copied.
        check(unsafe { sys::wc_AesSetKey(aes.at(), key.as_ptr(), length(key), vector.as_ptr(), direction) })?;
        Ok(Self { aes, vector })
    }

    fn encrypt(&mut self, from: &[u8], to: &mut [u8]) -> Result<usize, EngineError> {
        // SAFETY: the object lives, and the bytes can be read and written.
        unsafe {
            check(sys::wc_AesSetIV(self.aes.at(), self.vector.as_ptr()))?;
            check(sys::wc_AesCbcEncrypt(self.aes.at(), to.as_mut_ptr(), from.as_ptr(), length(from)))?;
        }
        Ok(from.len())
    }

    fn decrypt(&mut self, from: &[u8], to: &mut [u8]) -> Result<usize, EngineError> {
        // SAFETY: as in `encrypt`.
        unsafe {
            check(sys::wc_AesSetIV(self.aes.at(), self.vector.as_ptr()))?;
            check(sys::wc_AesCbcDecrypt(self.aes.at(), to.as_mut_ptr(), from.as_ptr(), length(from)))?;
        }
        Ok(from.len())
    }
}

fn is_aes(cipher: SymmetricCipher) -> bool {
    use SymmetricCipher as Ours;
    matches!(cipher, Ours::Aes128Cbc | Ours::Aes192Cbc | Ours::Aes256Cbc)
}

pub(super) fn encrypt(cipher: SymmetricCipher, input: &Input) -> Made {
    if !is_aes(cipher) {
        return Ok(None);
    }
    let (mut cbc, data) = (Cbc::new(input, ENCRYPT)?, input.data.clone());
    Ok(Some(Act::making(data.len(), move |encrypted| cbc.encrypt(&data, encrypted))))
}

pub(super) fn decrypt(cipher: SymmetricCipher, input: &Input) -> Made {
    if !is_aes(cipher) {
        return Ok(None);
    }
    let mut encrypted = vec![0; input.data.len()];
    Cbc::new(input, ENCRYPT)?.encrypt(&input.data, &mut encrypted)?;
    let mut cbc = Cbc::new(input, DECRYPT)?;
    Ok(Some(Act::making(encrypted.len(), move |data| cbc.decrypt(&encrypted, data))))
}
