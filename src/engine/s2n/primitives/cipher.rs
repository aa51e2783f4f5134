//! Ciphers that authenticate nothing, and AES-CCM, which has no interface but theirs.

use std::ffi::c_int;
use std::ptr::{null, null_mut};

use super::object::{Owned, check};
use super::sys;
use crate::engine::EngineError;
use crate::engine::operations::filling;
use crate::primitive::{ADDITIONAL_DATA, Input, Mode, Operation, SymmetricCipher};

const SET_VECTOR_LENGTH: c_int = 9;
const READ_TAG: c_int = 16;
const SET_TAG: c_int = 17;
const TAG: usize = 16;

/// The library's description of a cipher; none if it has no such cipher.
fn description(cipher: SymmetricCipher) -> Option<*const sys::Cipher> {
    // SAFETY: each of these answers with a static object.
    let description = unsafe {
        match cipher {
            SymmetricCipher::Rc4 => sys::EVP_rc4(),
            SymmetricCipher::DesCbc => sys::EVP_des_cbc(),
            SymmetricCipher::DesEde3Cbc => sys::EVP_des_ede3_cbc(),
            SymmetricCipher::Aes128Cbc => sys::EVP_aes_128_cbc(),
            SymmetricCipher::Aes192Cbc => sys::EVP_aes_192_cbc(),
            SymmetricCipher::Aes256Cbc => sys::EVP_aes_256_cbc(),
            SymmetricCipher::Aes128Ctr => sys::EVP_aes_128_ctr(),
            SymmetricCipher::Aes192Ctr => sys::EVP_aes_192_ctr(),
            SymmetricCipher::Aes256Ctr => sys::EVP_aes_256_ctr(),
            SymmetricCipher::Aes128Ccm => sys::EVP_aes_128_ccm(),
            SymmetricCipher::Aes192Ccm => sys::EVP_aes_192_ccm(),
            SymmetricCipher::Aes256Ccm => sys::EVP_aes_256_ccm(),
            SymmetricCipher::Aes256Xts => sys::EVP_aes_256_xts(),
            _ => return None,
        }
    };
    Some(description)
}

/// A cipher with its key, in one direction.
struct Keyed {
    context: Owned<sys::CipherCtx>,
    mode: Mode,
    nonce: Vec<u8>,
    encrypts: c_int,
}

impl Keyed {
    fn new(cipher: SymmetricCipher, input: &Input, encrypts: bool) -> Result<Option<Self>, EngineError> {
        let Some(description) = description(cipher) else { return Ok(None) };
        let (mode, encrypts) = (cipher.mode(), c_int::from(encrypts));
        // SAFETY: what is allocated is ours; each call finds the context alive. The lengths of key and nonce are the
        // cipher's own.
        let context = unsafe {
            let context = Owned::new(sys::EVP_CIPHER_CTX_new())?;
            let raw = context.as_ptr();
            check(sys::EVP_CipherInit_ex(raw, description, null_mut(), null(), null(), encrypts))?;
            if mode == Mode::Ccm {
                check(sys::EVP_CIPHER_CTX_ctrl(
                    raw,
                    SET_VECTOR_LENGTH,
                    input.nonce.len() as c_int,
                    null_mut(),
                ))?;
                check(sys::EVP_CIPHER_CTX_ctrl(raw, SET_TAG, TAG as c_int, null_mut()))?;
            }
            check(sys::EVP_CipherInit_ex(raw, null(), null_mut(), input.key.as_ptr(), null(), encrypts))?;
            check(sys::EVP_CIPHER_CTX_set_padding(raw, 0))?;
            context
        };
        Ok(Some(Self { context, mode, nonce: input.nonce.clone(), encrypts }))
    }

    /// A stream goes on from where it was.
    fn begin(&self) -> Result<(), EngineError> {
        if self.mode == Mode::Stream {
            return Ok(());
        }
        let raw = self.context.as_ptr();
        // SAFETY: the context is alive, and has its key; the nonce has the length that the cipher takes.
        check(unsafe {
            sys::EVP_CipherInit_ex(raw, null(), null_mut(), null(), self.nonce.as_ptr(), self.encrypts)
        })
    }

    /// Turns all of the data into as many bytes.
    fn turn(&self, data: &[u8], into: &mut [u8]) -> Result<(), EngineError> {
        let mut filled = 0;
        // SAFETY: the context is alive; the buffer is as long as the data, and no padding is added.
        check(unsafe {
            let raw = self.context.as_ptr();
            sys::EVP_CipherUpdate(raw, into.as_mut_ptr(), &mut filled, data.as_ptr(), data.len() as c_int)
        })
    }

    /// CCM must know how much there is before it is told what goes with it.
    fn announce(&self, length: usize) -> Result<(), EngineError> {
        let raw = self.context.as_ptr();
        let (additional, mut filled) = (ADDITIONAL_DATA.as_slice(), 0);
        // SAFETY: the context is alive; without a buffer the first call takes no data, and the second writes none.
        unsafe {
            check(sys::EVP_CipherUpdate(raw, null_mut(), &mut filled, null(), length as c_int))?;
            let length = additional.len() as c_int;
            check(sys::EVP_CipherUpdate(raw, null_mut(), &mut filled, additional.as_ptr(), length))
        }
    }

    fn tag(&self, command: c_int, tag: *mut u8) -> Result<(), EngineError> {
        // SAFETY: the context is alive, and the tag has 16 bytes; what is to be set is only read.
        check(unsafe { sys::EVP_CIPHER_CTX_ctrl(self.context.as_ptr(), command, TAG as c_int, tag.cast()) })
    }

    fn encrypt(&self, data: &[u8], into: &mut [u8]) -> Result<(), EngineError> {
        self.begin()?;
        if self.mode != Mode::Ccm {
            return self.turn(data, into);
        }
        self.announce(data.len())?;
        let (into, tag) = into.split_at_mut(data.len());
        self.turn(data, into)?;
        self.tag(READ_TAG, tag.as_mut_ptr())
    }

    /// CCM checks the tag before it gives data away, and so takes it first.
    fn decrypt(&self, data: &[u8], into: &mut [u8]) -> Result<(), EngineError> {
        if self.mode != Mode::Ccm {
            self.begin()?;
            return self.turn(data, into);
        }
        let (data, tag) = data.split_at(into.len());
        self.tag(SET_TAG, tag.as_ptr().cast_mut())?;
        self.begin()?;
        self.announce(data.len())?;
        self.turn(data, into)
    }
}

/// Bytes of the ciphertext.
fn encrypted_length(cipher: SymmetricCipher, input: &Input) -> usize {
    input.data.len() + if cipher.is_aead() { TAG } else { 0 }
}

/// None if the library has no such cipher.
pub(super) fn encrypt(
    cipher: SymmetricCipher,
    input: &Input,
) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(keyed) = Keyed::new(cipher, input, true)? else { return Ok(None) };
    let data = input.data.clone();
    Ok(Some(filling(encrypted_length(cipher, input), move |into| keyed.encrypt(&data, into))))
}

/// None if the library has no such cipher.
pub(super) fn decrypt(
    cipher: SymmetricCipher,
    input: &Input,
) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let (Some(encrypting), Some(keyed)) =
        (Keyed::new(cipher, input, true)?, Keyed::new(cipher, input, false)?)
    else {
        return Ok(None);
    };
    let mut data = vec![0; encrypted_length(cipher, input)];
    encrypting.encrypt(&input.data, &mut data)?;
    Ok(Some(filling(input.data.len(), move |into| keyed.decrypt(&data, into))))
}
