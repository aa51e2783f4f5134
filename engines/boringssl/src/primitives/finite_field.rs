//! Exchanges in the one field of RFC 7919 that the library has, ffdhe2048.

#![allow(unsafe_code)]

use std::ptr;

use boring_sys as sys;
use tlspair::engine::EngineError;
use tlspair::primitive::{Input, Operation};

use super::owned::Owned;
use super::{failed, succeeded};

/// Bytes of the prime.
const PRIME: usize = 256;

/// Each key in parameters of its own: a key that is there would be kept.
fn key() -> Result<Owned<sys::DH>, EngineError> {
    // SAFETY: what is made is null or ours, and lives.
    unsafe {
        let key = Owned::new(sys::DH_get_rfc7919_2048(), sys::DH_free)?;
        succeeded(sys::DH_generate_key(key.as_ptr()))?;
        Ok(key)
    }
}

fn public(key: &Owned<sys::DH>) -> Vec<u8> {
    let mut public = vec![0; PRIME];
    // SAFETY: the key lives, and so does the number in it, which is below the prime.
    unsafe { sys::BN_bn2bin_padded(public.as_mut_ptr(), PRIME, sys::DH_get0_pub_key(key.as_ptr())) };
    public
}

pub struct Generating(Option<Owned<sys::DH>>);

impl Generating {
    pub fn new() -> Self {
        Self(None)
    }
}

impl Operation for Generating {
    fn once(&mut self) -> Result<(), EngineError> {
        self.0 = Some(key()?);
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.0.iter().map(public).collect()
    }
}

pub struct Agreeing {
    own: Owned<sys::DH>,
    public: Vec<u8>,
    peer: Owned<sys::BIGNUM>,
    secret: [u8; PRIME],
}

impl Agreeing {
    pub fn new(input: &Input) -> Result<Self, EngineError> {
        // SAFETY: what is made is null or ours.
        let peer = unsafe { Owned::new(sys::BN_new(), sys::BN_free)? };
        Ok(Self { own: key()?, public: input.public.clone(), peer, secret: [0; PRIME] })
    }
}

impl Operation for Agreeing {
    fn once(&mut self) -> Result<(), EngineError> {
        let (public, count) = (self.public.as_ptr(), self.public.len());
        let (own, peer) = (self.own.as_ptr(), self.peer.as_ptr());
        // SAFETY: key and number live, what was sent is readable, and a secret is as long as the prime.
        let length = unsafe {
            if ptr::eq(sys::BN_bin2bn(public, count, peer), ptr::null()) {
                return Err(failed());
            }
            sys::DH_compute_key_padded(self.secret.as_mut_ptr(), peer, own)
        };
        if length == PRIME as i32 { Ok(()) } else { Err(failed()) }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret.to_vec(), public(&self.own)]
    }
}
