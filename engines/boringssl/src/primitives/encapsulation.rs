//! ML-KEM-768. The library reads private keys from their seeds only, and so decapsulates with a key of its own.

#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::ptr;

use boring_sys as sys;
use tlspair::engine::EngineError;
use tlspair::primitive::{Input, Operation};

use super::succeeded;

const PUBLIC: usize = 1184;
const SECRET: usize = 32;
const CIPHERTEXT: usize = 1088;

pub struct Generating {
    public: [u8; PUBLIC],
    private: Box<MaybeUninit<sys::MLKEM768_private_key>>,
}

impl Generating {
    pub fn new() -> Self {
        Self { public: [0; PUBLIC], private: Box::new(MaybeUninit::uninit()) }
    }
}

impl Operation for Generating {
    fn once(&mut self) -> Result<(), EngineError> {
        let public = self.public.as_mut_ptr();
        // SAFETY: there is room for both keys; the seed may be left out.
        unsafe { sys::MLKEM768_generate_key(public, ptr::null_mut(), self.private.as_mut_ptr()) };
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.public.to_vec()]
    }
}

pub struct Encapsulating {
    public: Vec<u8>,
    peer: Box<MaybeUninit<sys::MLKEM768_public_key>>,
    secret: [u8; SECRET],
    ciphertext: [u8; CIPHERTEXT],
}

impl Encapsulating {
    pub fn new(input: &Input) -> Self {
        let (secret, ciphertext) = ([0; SECRET], [0; CIPHERTEXT]);
        Self { public: input.public.clone(), peer: Box::new(MaybeUninit::uninit()), secret, ciphertext }
    }
}

impl Operation for Encapsulating {
    fn once(&mut self) -> Result<(), EngineError> {
        let mut sent = sys::CBS { data: self.public.as_ptr(), len: self.public.len() };
        let (ciphertext, secret) = (self.ciphertext.as_mut_ptr(), self.secret.as_mut_ptr());
        // SAFETY: what was sent is readable, the peer's key is used once it has been read, and there is room for secret
        // and ciphertext.
        unsafe {
            succeeded(sys::MLKEM768_parse_public_key(self.peer.as_mut_ptr(), &mut sent))?;
            sys::MLKEM768_encap(ciphertext, secret, self.peer.as_ptr());
        }
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret.to_vec(), self.ciphertext.to_vec()]
    }
}

pub struct Decapsulating {
    own: Generating,
    wrapped: Vec<u8>,
    ciphertext: [u8; CIPHERTEXT],
    secret: [u8; SECRET],
}

impl Decapsulating {
    pub fn new() -> Self {
        let mut own = Generating::new();
        let mut peer = MaybeUninit::uninit();
        let mut wrapped = vec![0; SECRET];
        let mut ciphertext = [0; CIPHERTEXT];
        let public = own.public.as_mut_ptr();
        // SAFETY: there is room for what each call makes, and keys are used once they have been made.
        unsafe {
            sys::MLKEM768_generate_key(public, ptr::null_mut(), own.private.as_mut_ptr());
            sys::MLKEM768_public_from_private(peer.as_mut_ptr(), own.private.as_ptr());
            sys::MLKEM768_encap(ciphertext.as_mut_ptr(), wrapped.as_mut_ptr(), peer.as_ptr());
        }
        Self { own, wrapped, ciphertext, secret: [0; SECRET] }
    }
}

impl Operation for Decapsulating {
    fn once(&mut self) -> Result<(), EngineError> {
        let (ciphertext, secret) = (self.ciphertext.as_ptr(), self.secret.as_mut_ptr());
        let private = self.own.private.as_ptr();
        // SAFETY: the key was made, the ciphertext is readable, and there is room for a secret.
        succeeded(unsafe { sys::MLKEM768_decap(secret, ciphertext, CIPHERTEXT, private) })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret.to_vec(), self.wrapped.clone()]
    }
}
