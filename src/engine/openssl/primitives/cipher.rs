//! Ciphers, and those of them that authenticate nothing.

#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use openssl_sys as sys;

use super::owned::{self, Owned};
use super::{Refusal, names, succeeded};
use crate::engine::EngineError;
use crate::primitive::{Input, Mode, Operation, SymmetricCipher};

/// Which way a context works.
#[derive(Clone, Copy)]
pub enum Direction {
    Encrypt,
    Decrypt,
}

/// A cipher's context with its key set.
pub struct Keyed(Owned<sys::EVP_CIPHER_CTX>);

impl Keyed {
    /// `adjust` sets what the cipher must know before its key.
    pub fn new(
        cipher: SymmetricCipher,
        key: &[u8],
        direction: Direction,
        adjust: impl FnOnce(&Self) -> Result<(), EngineError>,
    ) -> Result<Self, Refusal> {
        assert_eq!(key.len(), cipher.key_length(), "the library reads as much");
        let algorithm = owned::cipher(names::cipher(cipher))?;
        let encrypts = c_int::from(matches!(direction, Direction::Encrypt));
        let none = ptr::null_mut();
        // SAFETY: what is made is null or ours; the context keeps a reference to the algorithm and a copy of the key,
        // which is as long as the cipher's.
        unsafe {
            let context = Self(Owned::new(sys::EVP_CIPHER_CTX_new(), sys::EVP_CIPHER_CTX_free)?);
            let (raw, algorithm) = (context.as_ptr(), algorithm.as_ptr());
            succeeded(sys::EVP_CipherInit_ex(raw, algorithm, none, ptr::null(), ptr::null(), encrypts))?;
            adjust(&context)?;
            succeeded(sys::EVP_CipherInit_ex(raw, ptr::null(), none, key.as_ptr(), ptr::null(), encrypts))?;
            Ok(context)
        }
    }

    pub fn as_ptr(&self) -> *mut sys::EVP_CIPHER_CTX {
        self.0.as_ptr()
    }

    /// Begins anew with this nonce, under the same key.
    ///
    /// # Safety
    /// `nonce` must be as long as the context expects.
    #[inline]
    pub unsafe fn begin(&self, nonce: &[u8]) -> Result<(), EngineError> {
        let none = ptr::null_mut();
        // SAFETY: the context lives and has cipher and key, which it goes on with where none is given, in the same
        // direction; the nonce is long enough.
        succeeded(unsafe {
            sys::EVP_CipherInit_ex(self.as_ptr(), ptr::null(), none, ptr::null(), nonce.as_ptr(), -1)
        })
    }
}

/// The library counts bytes in `int`.
pub fn count(data: &[u8]) -> Result<c_int, EngineError> {
    c_int::try_from(data.len()).map_err(EngineError::new)
}

/// A cipher that authenticates nothing. There is no end to be marked: blocks are whole and no padding is wanted.
pub struct Plain {
    context: Keyed,
    nonce: Vec<u8>,
    data: Vec<u8>,
    length: c_int,
    made: Vec<u8>,
    made_length: c_int,
}

impl Plain {
    pub fn encrypting(cipher: SymmetricCipher, input: &Input) -> Result<Self, Refusal> {
        Self::new(cipher, input, input.data.clone(), Direction::Encrypt)
    }

    pub fn decrypting(cipher: SymmetricCipher, input: &Input) -> Result<Self, Refusal> {
        let mut encrypting = Self::encrypting(cipher, input)?;
        encrypting.once()?;
        Self::new(cipher, input, encrypting.made().to_vec(), Direction::Decrypt)
    }

    fn new(
        cipher: SymmetricCipher,
        input: &Input,
        data: Vec<u8>,
        direction: Direction,
    ) -> Result<Self, Refusal> {
        assert_eq!(input.nonce.len(), cipher.nonce_length(), "the library reads as much");
        let context = Keyed::new(cipher, &input.key, direction, |context| {
            if cipher.mode() != Mode::Cbc {
                return Ok(());
            }
            // SAFETY: the context lives.
            succeeded(unsafe { sys::EVP_CIPHER_CTX_set_padding(context.as_ptr(), 0) })
        })?;
        let length = count(&data)?;
        // The library may want room for a block more than it is given.
        let made = vec![0; data.len() + cipher.block()];
        Ok(Self { context, nonce: input.nonce.clone(), data, length, made, made_length: 0 })
    }

    fn made(&self) -> &[u8] {
        &self.made[..self.made_length as usize]
    }
}

impl Operation for Plain {
    fn once(&mut self) -> Result<(), EngineError> {
        let made = self.made.as_mut_ptr();
        // SAFETY: the nonce is as long as the cipher's, the data is readable, and there is room for it and a block.
        unsafe {
            // A stream has no nonce, and goes on.
            if !self.nonce.is_empty() {
                self.context.begin(&self.nonce)?;
            }
            let (context, data) = (self.context.as_ptr(), self.data.as_ptr());
            succeeded(sys::EVP_CipherUpdate(context, made, &mut self.made_length, data, self.length))
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.made().to_vec()]
    }
}
