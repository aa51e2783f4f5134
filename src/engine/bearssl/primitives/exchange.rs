//! Exchanges on curves, with the random numbers that the library's TLS takes: HMAC_DRBG over SHA-256, seeded by the system.

use std::ffi::c_int;
use std::ptr;

use super::super::implementations::Implementations;
use super::super::object::Object;
use super::super::sys;
use super::{Made, function};
use crate::cell::Group;
use crate::engine::EngineError;
use crate::primitive::{Act, Input};

const PRIVATE: usize = sys::BR_EC_KBUF_PRIV_MAX_SIZE as usize;
const PUBLIC: usize = sys::BR_EC_KBUF_PUB_MAX_SIZE as usize;

/// Where key pairs come from.
struct Source {
    curves: &'static sys::br_ec_impl,
    curve: c_int,
    random: Object<sys::br_hmac_drbg_context>,
}

/// A private key, which the library's own points into.
struct PrivateKey {
    bytes: [u8; PRIVATE],
    length: usize,
}

impl Source {
    fn new(with: &Implementations, group: Group) -> Result<Self, EngineError> {
        let random = Object::<sys::br_hmac_drbg_context>::uninit();
        // SAFETY: the first function fills the generator in; the seeder, if the system has one, adds to it.
        let seeded = unsafe {
            sys::br_hmac_drbg_init(random.at(), &raw const sys::br_sha256_vtable, ptr::null(), 0);
            let seed = sys::br_prng_seeder_system(ptr::null_mut());
            seed.is_some_and(|seed| seed(&raw mut (*random.at()).vtable) == 1)
        };
        if !seeded {
            return Err(EngineError::new("the system has no random numbers to seed a generator with"));
        }
        let curve = group.code().unwrap_or(0).into();
        Ok(Self { curves: with.curves, curve, random })
    }

    fn key_pair(&mut self, public: &mut [u8; PUBLIC]) -> Result<(PrivateKey, usize), EngineError> {
        let mut key = PrivateKey { bytes: [0; PRIVATE], length: 0 };
        let mut private = sys::br_ec_private_key { curve: 0, x: ptr::null_mut(), xlen: 0 };
        // SAFETY: the generator is seeded, and there is room for keys on any curve. `private` points to the bytes of `key`,
        // which stay where they are as long as it is used.
        let length = unsafe {
            let random = &raw mut (*self.random.at()).vtable;
            let bytes = key.bytes.as_mut_ptr().cast();
            key.length = sys::br_ec_keygen(random, self.curves, &raw mut private, bytes, self.curve);
            let public = public.as_mut_ptr().cast();
            sys::br_ec_compute_pub(self.curves, ptr::null_mut(), public, &raw const private)
        };
        if key.length == 0 || length == 0 {
            return Err(EngineError::new("no key pair was made"));
        }
        Ok((key, length))
    }
}

pub(super) fn key_pair(with: &Implementations, group: Group) -> Made {
    let mut source = Source::new(with, group)?;
    Ok(Some(Act::making(PUBLIC, move |place| {
        let public = place.first_chunk_mut().ok_or_else(|| EngineError::new("no room for a key"))?;
        source.key_pair(public).map(|(_, length)| length)
    })))
}

pub(super) fn agree(with: &Implementations, group: Group, input: &Input) -> Made {
    let mut source = Source::new(with, group)?;
    let mut own_public = [0; PUBLIC];
    let (key, length) = source.key_pair(&mut own_public)?;
    let (multiply, curve) = (function(source.curves.mul), source.curve);
    let mut coordinate = 0;
    // SAFETY: the function looks two numbers up in a table.
    let offset = unsafe { function(source.curves.xoff)(curve, &raw mut coordinate) };
    let (peer, mut point) = (input.public.clone(), input.public.clone());
    Ok(Some(Act::beside(own_public[..length].to_vec(), coordinate, move |secret| {
        // The library multiplies in place.
        point.copy_from_slice(&peer);
        // SAFETY: the point can be read and written, and the key is readable.
        let done =
            unsafe { multiply(point.as_mut_ptr(), point.len(), key.bytes.as_ptr(), key.length, curve) };
        if done != 1 {
            return Err(EngineError::new("the peer's key is no point of the curve"));
        }
        secret.copy_from_slice(&point[offset..offset + coordinate]);
        Ok(coordinate)
    })))
}
