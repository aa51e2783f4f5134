//! Ciphers that authenticate nothing.

#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use boring_sys as sys;
use tlspair::engine::EngineError;
use tlspair::primitive::{Input, Operation, SymmetricCipher};

use super::owned::Owned;
use super::{Refusal, names, succeeded};

/// A keyed context, and what every call of it is given. There is no end to be marked: blocks are whole and no padding is
/// wanted.
pub struct Plain {
    context: Owned<sys::EVP_CIPHER_CTX>,
    nonce: Vec<u8>,
    data: Vec<u8>,
    length: c_int,
    made: Vec<u8>,
    made_length: c_int,
}

impl Plain {
    pub fn encrypting(cipher: SymmetricCipher, input: &Input) -> Result<Self, Refusal> {
        Self::new(cipher, input, input.data.clone(), true)
    }

    pub fn decrypting(cipher: SymmetricCipher, input: &Input) -> Result<Self, Refusal> {
        let mut encrypting = Self::encrypting(cipher, input)?;
        encrypting.once()?;
        Self::new(cipher, input, encrypting.made().to_vec(), false)
    }

    fn new(cipher: SymmetricCipher, input: &Input, data: Vec<u8>, encrypts: bool) -> Result<Self, Refusal> {
        let lengths = (input.key.len(), input.nonce.len());
        assert_eq!(lengths, (cipher.key_length(), cipher.nonce_length()), "the library reads as much");
        let algorithm = names::cipher(cipher).ok_or(Refusal::Missing)?;
        let (key, none) = (input.key.as_ptr(), ptr::null_mut());
        // SAFETY: what is made is null or ours, and lives; the key is as long as the cipher's, and copied.
        let context = unsafe {
            let context = Owned::new(sys::EVP_CIPHER_CTX_new(), sys::EVP_CIPHER_CTX_free)?;
            let (raw, encrypts) = (context.as_ptr(), c_int::from(encrypts));
            succeeded(sys::EVP_CipherInit_ex(raw, algorithm, none, key, ptr::null(), encrypts))?;
            succeeded(sys::EVP_CIPHER_CTX_set_padding(raw, 0))?;
            context
        };
        let length = c_int::try_from(data.len()).map_err(EngineError::new)?;
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
        let (context, none) = (self.context.as_ptr(), ptr::null_mut());
        let (made, data) = (self.made.as_mut_ptr(), self.data.as_ptr());
        // SAFETY: the context lives and has cipher and key, which it goes on with where none are given, in the same
        // direction; the nonce is as long as the cipher's, the data is readable, and there is room for it and a block.
        unsafe {
            // A stream has no nonce, and goes on.
            if !self.nonce.is_empty() {
                let nonce = self.nonce.as_ptr();
                succeeded(sys::EVP_CipherInit_ex(context, ptr::null(), none, ptr::null(), nonce, -1))?;
            }
            succeeded(sys::EVP_CipherUpdate(context, made, &mut self.made_length, data, self.length))
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.made().to_vec()]
    }
}
