//! Ciphers that authenticate, in the order of calls of the library's TLS 1.3.

#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use openssl_sys as sys;

use super::cipher::{Direction, Keyed, count};
use super::{Refusal, succeeded};
use crate::engine::EngineError;
use crate::primitive::{ADDITIONAL_DATA, Input, Mode, Operation, SymmetricCipher};

const TAG: usize = 16;

/// A keyed context, and what every call of it is given.
struct Aead {
    context: Keyed,
    nonce: Vec<u8>,
    data: Vec<u8>,
    length: c_int,
    /// CCM must know how much will come before it begins.
    wants_length: bool,
}

impl Aead {
    fn new(
        cipher: SymmetricCipher,
        input: &Input,
        data: Vec<u8>,
        direction: Direction,
    ) -> Result<Self, Refusal> {
        assert_eq!(input.nonce.len(), cipher.nonce_length(), "the library reads as much");
        let wants_length = cipher.mode() == Mode::Ccm;
        let context = Keyed::new(cipher, &input.key, direction, |context| {
            control(context, sys::EVP_CTRL_GCM_SET_IVLEN, count(&input.nonce)?, ptr::null_mut())?;
            if wants_length {
                control(context, sys::EVP_CTRL_GCM_SET_TAG, TAG as c_int, ptr::null_mut())?;
            }
            Ok(())
        })?;
        let length = count(&data)?;
        Ok(Self { context, nonce: input.nonce.clone(), data, length, wants_length })
    }

    fn begin(&self) -> Result<(), EngineError> {
        // SAFETY: the context was set to a nonce of this length.
        unsafe { self.context.begin(&self.nonce) }
    }

    /// Works on additional data and data, and ends.
    ///
    /// # Safety
    /// There must be room for the data at `into`.
    unsafe fn work(&self, into: *mut u8) -> Result<(), EngineError> {
        let context = self.context.as_ptr();
        let mut length = 0;
        let additional = (ADDITIONAL_DATA.as_ptr(), ADDITIONAL_DATA.len() as c_int);
        // SAFETY: the context lives; data without room for output is additional data, no data at all a length; none of
        // these ciphers has anything left to put out at its end.
        unsafe {
            if self.wants_length {
                let (nowhere, nothing) = (ptr::null_mut(), ptr::null());
                succeeded(sys::EVP_CipherUpdate(context, nowhere, &mut length, nothing, self.length))?;
            }
            let nowhere = ptr::null_mut();
            succeeded(sys::EVP_CipherUpdate(context, nowhere, &mut length, additional.0, additional.1))?;
            succeeded(sys::EVP_CipherUpdate(context, into, &mut length, self.data.as_ptr(), self.length))?;
            succeeded(sys::EVP_CipherFinal(context, into.add(self.data.len()), &mut length))
        }
    }
}

/// A command with a number and, where it takes one, a place for as many bytes.
#[inline]
fn control(context: &Keyed, command: c_int, number: c_int, place: *mut u8) -> Result<(), EngineError> {
    // SAFETY: the context lives; callers give null or a place for as many bytes as they say.
    succeeded(unsafe { sys::EVP_CIPHER_CTX_ctrl(context.as_ptr(), command, number, place.cast()) })
}

pub struct Sealing {
    aead: Aead,
    /// The ciphertext and its tag.
    sealed: Vec<u8>,
}

impl Sealing {
    pub fn new(cipher: SymmetricCipher, input: &Input) -> Result<Self, Refusal> {
        let aead = Aead::new(cipher, input, input.data.clone(), Direction::Encrypt)?;
        Ok(Self { sealed: vec![0; input.data.len() + TAG], aead })
    }
}

impl Operation for Sealing {
    fn once(&mut self) -> Result<(), EngineError> {
        self.aead.begin()?;
        // SAFETY: there is room for the data and a tag.
        unsafe { self.aead.work(self.sealed.as_mut_ptr())? };
        let tag = self.sealed[self.aead.data.len()..].as_mut_ptr();
        control(&self.aead.context, sys::EVP_CTRL_GCM_GET_TAG, TAG as c_int, tag)
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.sealed.clone()]
    }
}

pub struct Opening {
    aead: Aead,
    tag: [u8; TAG],
    opened: Vec<u8>,
}

impl Opening {
    pub fn new(cipher: SymmetricCipher, input: &Input) -> Result<Self, Refusal> {
        let mut sealing = Sealing::new(cipher, input)?;
        sealing.once()?;
        let (ciphertext, tag) = sealing.sealed.split_at(input.data.len());
        let mut own_tag = [0; TAG];
        own_tag.copy_from_slice(tag);
        let aead = Aead::new(cipher, input, ciphertext.to_vec(), Direction::Decrypt)?;
        Ok(Self { aead, tag: own_tag, opened: vec![0; input.data.len()] })
    }
}

impl Operation for Opening {
    fn once(&mut self) -> Result<(), EngineError> {
        self.aead.begin()?;
        let tag = self.tag.as_mut_ptr();
        control(&self.aead.context, sys::EVP_CTRL_GCM_SET_TAG, TAG as c_int, tag)?;
        // SAFETY: there is room for the data.
        unsafe { self.aead.work(self.opened.as_mut_ptr()) }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.opened.clone()]
    }
}
