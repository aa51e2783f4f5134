//! X25519, and exchanges on the curves of NIST.

#![allow(unsafe_code)]

use std::ptr;

use boring_sys as sys;
use tlspair::cell::Group;
use tlspair::engine::EngineError;
use tlspair::primitive::{Input, Operation};

use super::owned::Owned;
use super::{Refusal, failed, names, succeeded};

/// Bytes of keys and secrets of X25519.
const X25519: usize = 32;
/// The longest uncompressed point and the longest coordinate: those of P-521.
const POINT: usize = 133;
const COORDINATE: usize = 66;

pub struct GeneratingX25519 {
    private: [u8; X25519],
    public: [u8; X25519],
}

impl GeneratingX25519 {
    pub fn new() -> Self {
        Self { private: [0; X25519], public: [0; X25519] }
    }
}

impl Operation for GeneratingX25519 {
    fn once(&mut self) -> Result<(), EngineError> {
        // SAFETY: there is room for both keys.
        unsafe { sys::X25519_keypair(self.public.as_mut_ptr(), self.private.as_mut_ptr()) };
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.public.to_vec()]
    }
}

pub struct AgreeingX25519 {
    own: GeneratingX25519,
    peer: [u8; X25519],
    secret: [u8; X25519],
}

impl AgreeingX25519 {
    pub fn new(input: &Input) -> Result<Self, EngineError> {
        let mut own = GeneratingX25519::new();
        own.once()?;
        let peer = input.public.as_slice().try_into().map_err(EngineError::new)?;
        Ok(Self { own, peer, secret: [0; X25519] })
    }
}

impl Operation for AgreeingX25519 {
    fn once(&mut self) -> Result<(), EngineError> {
        let (private, peer) = (self.own.private.as_ptr(), self.peer.as_ptr());
        // SAFETY: both keys are readable, and there is room for a secret.
        succeeded(unsafe { sys::X25519(self.secret.as_mut_ptr(), private, peer) })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret.to_vec(), self.own.public.to_vec()]
    }
}

pub struct GeneratingOnCurve(Owned<sys::EC_KEY>);

impl GeneratingOnCurve {
    pub fn new(group: Group) -> Result<Self, Refusal> {
        let curve = names::curve(group).ok_or(Refusal::Missing)?;
        // SAFETY: what is made is null or ours.
        let key = unsafe { Owned::new(sys::EC_KEY_new_by_curve_name(curve), sys::EC_KEY_free)? };
        Ok(Self(key))
    }

    fn public(&self) -> Vec<u8> {
        let mut point = [0; POINT];
        let form = sys::point_conversion_form_t::POINT_CONVERSION_UNCOMPRESSED;
        // SAFETY: the key lives, and so do curve and point in it; the library is told how much room there is.
        let length = unsafe {
            let curve = sys::EC_KEY_get0_group(self.0.as_ptr());
            let public = sys::EC_KEY_get0_public_key(self.0.as_ptr());
            sys::EC_POINT_point2oct(curve, public, form, point.as_mut_ptr(), POINT, ptr::null_mut())
        };
        point[..length].to_vec()
    }
}

impl Operation for GeneratingOnCurve {
    fn once(&mut self) -> Result<(), EngineError> {
        // SAFETY: the key lives and has a curve; what was made before is replaced.
        succeeded(unsafe { sys::EC_KEY_generate_key(self.0.as_ptr()) })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.public()]
    }
}

pub struct AgreeingOnCurve {
    own: GeneratingOnCurve,
    public: Vec<u8>,
    peer: Owned<sys::EC_POINT>,
    secret: [u8; COORDINATE],
    length: usize,
}

impl AgreeingOnCurve {
    pub fn new(group: Group, input: &Input) -> Result<Self, Refusal> {
        let mut own = GeneratingOnCurve::new(group)?;
        own.once()?;
        // SAFETY: the key lives, and so does the curve in it; what is made is null or ours.
        let peer = unsafe {
            Owned::new(sys::EC_POINT_new(sys::EC_KEY_get0_group(own.0.as_ptr())), sys::EC_POINT_free)?
        };
        Ok(Self { own, public: input.public.clone(), peer, secret: [0; COORDINATE], length: 0 })
    }
}

impl Operation for AgreeingOnCurve {
    fn once(&mut self) -> Result<(), EngineError> {
        let (own, peer) = (self.own.0.as_ptr(), self.peer.as_ptr());
        let (public, count) = (self.public.as_ptr(), self.public.len());
        let secret = self.secret.as_mut_ptr().cast();
        // SAFETY: key, curve and point live, what was sent is readable, and the library is told how much room there is.
        let length = unsafe {
            let (curve, none) = (sys::EC_KEY_get0_group(own), ptr::null_mut());
            succeeded(sys::EC_POINT_oct2point(curve, peer, public, count, none))?;
            sys::ECDH_compute_key(secret, COORDINATE, peer, own, None)
        };
        self.length = usize::try_from(length).map_err(|_| failed())?;
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret[..self.length].to_vec(), self.own.public()]
    }
}
