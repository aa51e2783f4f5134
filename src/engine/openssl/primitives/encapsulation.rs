//! Key encapsulation.

#![allow(unsafe_code)]

use std::ptr;

use openssl_sys as sys;

use super::exchange::{Generator, Key, peer_key};
use super::owned::Owned;
use super::{Refusal, names, succeeded};
use crate::cell::Group;
use crate::engine::EngineError;
use crate::primitive::{Input, Operation};

const SECRET: usize = 32;
/// Bytes of a ciphertext of ML-KEM-768.
const CIPHERTEXT: usize = 1088;

fn context_of(key: &Key) -> Result<Owned<sys::EVP_PKEY_CTX>, EngineError> {
    // SAFETY: the key lives, and the context keeps a reference to it; what is made is null or ours.
    unsafe { Owned::new(sys::EVP_PKEY_CTX_new(key.as_ptr(), ptr::null_mut()), sys::EVP_PKEY_CTX_free) }
}

pub struct Encapsulating {
    /// Of the same group as the peer's.
    own: Key,
    public: Vec<u8>,
    secret: [u8; SECRET],
    ciphertext: [u8; CIPHERTEXT],
}

impl Encapsulating {
    pub fn new(group: Group, input: &Input) -> Result<Self, Refusal> {
        let own = Generator::new(group)?.key()?;
        let (secret, ciphertext) = ([0; SECRET], [0; CIPHERTEXT]);
        Ok(Self { own, public: input.public.clone(), secret, ciphertext })
    }
}

impl Operation for Encapsulating {
    fn once(&mut self) -> Result<(), EngineError> {
        let peer = peer_key(&self.own, &self.public)?;
        let context = context_of(&peer)?;
        let (mut length, mut secret_length) = (CIPHERTEXT, SECRET);
        let (ciphertext, secret) = (self.ciphertext.as_mut_ptr(), self.secret.as_mut_ptr());
        // SAFETY: the context lives; the library is told how much room there is.
        unsafe {
            succeeded(sys::EVP_PKEY_encapsulate_init(context.as_ptr(), ptr::null()))?;
            succeeded(sys::EVP_PKEY_encapsulate(
                context.as_ptr(),
                ciphertext,
                &mut length,
                secret,
                &mut secret_length,
            ))
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret.to_vec(), self.ciphertext.to_vec()]
    }
}

pub struct Decapsulating {
    context: Owned<sys::EVP_PKEY_CTX>,
    ciphertext: Vec<u8>,
    secret: [u8; SECRET],
}

impl Decapsulating {
    pub fn new(group: Group, input: &Input) -> Result<Self, Refusal> {
        let (kind, _) = names::group(group).ok_or(Refusal::Missing)?;
        let private = &input.private;
        // SAFETY: the name ends in a zero and the key is readable; what is made is null or ours, and lives.
        unsafe {
            let none = ptr::null_mut();
            let (bytes, length) = (private.as_ptr(), private.len());
            let own = sys::EVP_PKEY_new_raw_private_key_ex(none, kind.as_ptr(), ptr::null(), bytes, length);
            let context = context_of(&Owned::new(own, sys::EVP_PKEY_free)?)?;
            succeeded(sys::EVP_PKEY_decapsulate_init(context.as_ptr(), ptr::null()))?;
            Ok(Self { context, ciphertext: input.given.clone(), secret: [0; SECRET] })
        }
    }
}

impl Operation for Decapsulating {
    fn once(&mut self) -> Result<(), EngineError> {
        let mut length = SECRET;
        let (ciphertext, given) = (self.ciphertext.as_ptr(), self.ciphertext.len());
        // SAFETY: the context lives, the ciphertext is readable, and the library is told how much room there is.
        succeeded(unsafe {
            sys::EVP_PKEY_decapsulate(
                self.context.as_ptr(),
                self.secret.as_mut_ptr(),
                &mut length,
                ciphertext,
                given,
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret.to_vec()]
    }
}
