//! Ciphers that authenticate.

#![allow(unsafe_code)]

use boring_sys as sys;
use tlspair::engine::EngineError;
use tlspair::primitive::{ADDITIONAL_DATA, Input, Operation, SymmetricCipher};

use super::owned::Owned;
use super::{Refusal, names, succeeded};

const TAG: usize = 16;

fn keyed(cipher: SymmetricCipher, key: &[u8]) -> Result<Owned<sys::EVP_AEAD_CTX>, Refusal> {
    let aead = names::aead(cipher).ok_or(Refusal::Missing)?;
    // SAFETY: the key is readable, and copied; what is made is null or ours.
    let context = unsafe {
        Owned::new(sys::EVP_AEAD_CTX_new(aead, key.as_ptr(), key.len(), TAG), sys::EVP_AEAD_CTX_free)?
    };
    Ok(context)
}

pub struct Sealing {
    context: Owned<sys::EVP_AEAD_CTX>,
    nonce: Vec<u8>,
    data: Vec<u8>,
    /// The ciphertext and its tag.
    sealed: Vec<u8>,
}

impl Sealing {
    pub fn new(cipher: SymmetricCipher, input: &Input) -> Result<Self, Refusal> {
        let context = keyed(cipher, &input.key)?;
        let (nonce, data) = (input.nonce.clone(), input.data.clone());
        Ok(Self { context, nonce, sealed: vec![0; data.len() + TAG], data })
    }
}

impl Operation for Sealing {
    fn once(&mut self) -> Result<(), EngineError> {
        let mut length = 0;
        // SAFETY: the context lives, what goes in is readable, and the library is told how much room there is.
        succeeded(unsafe {
            sys::EVP_AEAD_CTX_seal(
                self.context.as_ptr(),
                self.sealed.as_mut_ptr(),
                &mut length,
                self.sealed.len(),
                self.nonce.as_ptr(),
                self.nonce.len(),
                self.data.as_ptr(),
                self.data.len(),
                ADDITIONAL_DATA.as_ptr(),
                ADDITIONAL_DATA.len(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.sealed.clone()]
    }
}

pub struct Opening {
    context: Owned<sys::EVP_AEAD_CTX>,
    nonce: Vec<u8>,
    sealed: Vec<u8>,
    opened: Vec<u8>,
}

impl Opening {
    pub fn new(cipher: SymmetricCipher, input: &Input) -> Result<Self, Refusal> {
        let mut sealing = Sealing::new(cipher, input)?;
        sealing.once()?;
        let Sealing { context, nonce, data, sealed } = sealing;
        Ok(Self { context, nonce, sealed, opened: vec![0; data.len()] })
    }
}

impl Operation for Opening {
    fn once(&mut self) -> Result<(), EngineError> {
        let mut length = 0;
        // SAFETY: the context lives, what goes in is readable, and the library is told how much room there is.
        succeeded(unsafe {
            sys::EVP_AEAD_CTX_open(
                self.context.as_ptr(),
                self.opened.as_mut_ptr(),
                &mut length,
                self.opened.len(),
                self.nonce.as_ptr(),
                self.nonce.len(),
                self.sealed.as_ptr(),
                self.sealed.len(),
                ADDITIONAL_DATA.as_ptr(),
                ADDITIONAL_DATA.len(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.opened.clone()]
    }
}
