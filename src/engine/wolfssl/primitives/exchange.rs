//! Exchanges on curves. A key pair is a new object of the library, as for each connection.

use std::ffi::c_int;
use std::ptr;

use wolfssl_sys as sys;

use super::declared::{
    Curve25519Key, LITTLE_ENDIAN, wc_curve25519_check_public, wc_curve25519_delete,
    wc_curve25519_export_public_ex, wc_curve25519_import_public_ex, wc_curve25519_make_key,
    wc_curve25519_new, wc_curve25519_shared_secret_ex,
};
use super::object::{NO_DEVICE, Object, Random, random};
use super::{Made, check, length, names};
use crate::cell::Group;
use crate::engine::EngineError;
use crate::primitive::{Act, Input, Operation};

/// A key on one of NIST's curves.
pub(super) type CurveKey = Object<sys::ecc_key>;

/// That a point is to be checked.
const UNTRUSTED: c_int = 1;
/// Bytes of a key of X25519.
const X25519: usize = 32;

/// Makes a key with `make` and drops the one before; `public` is asked for its public key when nothing is timed.
pub(super) struct Fresh<K, M> {
    pub(super) key: Option<K>,
    pub(super) make: M,
    pub(super) public: fn(&K) -> Result<Vec<u8>, EngineError>,
}

impl<K, M: FnMut() -> Result<K, EngineError>> Operation for Fresh<K, M> {
    fn once(&mut self) -> Result<(), EngineError> {
        self.key = Some((self.make)()?);
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.key.iter().filter_map(|key| (self.public)(key).ok()).collect()
    }
}

/// A place for a key.
pub(super) fn curve_key() -> Result<CurveKey, EngineError> {
    // SAFETY: answers with a new object, which `Object` passes back once.
    unsafe { Object::made(sys::wc_ecc_key_new(ptr::null_mut()), |at| sys::wc_ecc_key_free(at)) }
}

fn new_curve_key(random: &Random, curve: c_int, bytes: usize) -> Result<CurveKey, EngineError> {
    let key = curve_key()?;
    // SAFETY: both objects live.
    check(unsafe { sys::wc_ecc_make_key_ex(random.at(), bytes as c_int, key.at(), curve) })?;
    Ok(key)
}

fn curve_public(key: &CurveKey) -> Result<Vec<u8>, EngineError> {
    let (mut point, mut made) = (vec![0; 1 + 2 * 66], 1 + 2 * 66);
    // SAFETY: the key lives, and there is room for a point of any curve.
    check(unsafe { sys::wc_ecc_export_x963(key.at(), point.as_mut_ptr(), &raw mut made) })?;
    point.truncate(made as usize);
    Ok(point)
}

pub(super) fn curve_key_pair(group: Group) -> Made {
    let Some((curve, bytes)) = names::curve(group) else { return Ok(None) };
    let random = random()?;
    let make = move || new_curve_key(&random, curve, bytes);
    Ok(Some(Box::new(Fresh { key: None, make, public: curve_public })))
}

pub(super) fn curve_agree(group: Group, input: &Input) -> Made {
    let Some((curve, bytes)) = names::curve(group) else { return Ok(None) };
    let random = random()?;
    let own = new_curve_key(&random, curve, bytes)?;
    // SAFETY: both objects live, and the generator stays beside the key.
    check(unsafe { sys::wc_ecc_set_rng(own.at(), random.at()) })?;
    let key = OwnKey { own, curve, _random: random };
    let (public, peer) = (curve_public(&key.own)?, input.public.clone());
    Ok(Some(Act::beside(public, bytes, move |secret| key.agree(&peer, secret))))
}

/// One's own key, and random numbers to blind it with.
struct OwnKey {
    own: CurveKey,
    curve: c_int,
    _random: Random,
}

impl OwnKey {
    /// The peer's key is read into a new object and checked, as in the library's TLS.
    fn agree(&self, given: &[u8], secret: &mut [u8]) -> Result<usize, EngineError> {
        let (peer, mut made) = (curve_key()?, length(secret));
        // SAFETY: both keys live, the bytes are readable, and no more are written than there is room for.
        unsafe {
            let into = secret.as_mut_ptr();
            check(sys::wc_ecc_import_x963_ex2(
                given.as_ptr(),
                length(given),
                peer.at(),
                self.curve,
                UNTRUSTED,
            ))?;
            check(sys::wc_ecc_shared_secret(self.own.at(), peer.at(), into, &raw mut made))?;
        }
        Ok(made as usize)
    }
}

fn x25519_key() -> Result<Object<Curve25519Key>, EngineError> {
    let mut answer = 0;
    // SAFETY: writes a number, and answers with a new object.
    let at = unsafe { wc_curve25519_new(ptr::null_mut(), NO_DEVICE, &raw mut answer) };
    check(answer)?;
    // SAFETY: `Object` passes what the library has made, once.
    Object::made(at, |at| unsafe {
        wc_curve25519_delete(at, ptr::null_mut());
    })
}

fn new_x25519_key(random: &Random) -> Result<Object<Curve25519Key>, EngineError> {
    let key = x25519_key()?;
    // SAFETY: both objects live.
    check(unsafe { wc_curve25519_make_key(random.at(), X25519 as c_int, key.at()) })?;
    Ok(key)
}

fn x25519_public(key: &Object<Curve25519Key>) -> Result<Vec<u8>, EngineError> {
    let (mut public, mut made) = (vec![0; X25519], X25519 as u32);
    // SAFETY: the key lives, and there is room for a public one.
    check(unsafe {
        wc_curve25519_export_public_ex(key.at(), public.as_mut_ptr(), &raw mut made, LITTLE_ENDIAN)
    })?;
    Ok(public)
}

pub(super) fn x25519_key_pair() -> Made {
    let random = random()?;
    let make = move || new_x25519_key(&random);
    Ok(Some(Box::new(Fresh { key: None, make, public: x25519_public })))
}

/// The peer's key is checked and read into a new object, as in the library's TLS.
pub(super) fn x25519_agree(input: &Input) -> Made {
    let (own, given) = (new_x25519_key(&random()?)?, input.public.clone());
    Ok(Some(Act::beside(x25519_public(&own)?, X25519, move |secret| {
        let (peer, mut made) = (x25519_key()?, length(secret));
        let (from, into, bytes) = (given.as_ptr(), secret.as_mut_ptr(), length(&given));
        // SAFETY: both keys live, the bytes are readable, and no more are written than there is room for.
        unsafe {
            check(wc_curve25519_check_public(from, bytes, LITTLE_ENDIAN))?;
            check(wc_curve25519_import_public_ex(from, bytes, peer.at(), LITTLE_ENDIAN))?;
            check(wc_curve25519_shared_secret_ex(own.at(), peer.at(), into, &raw mut made, LITTLE_ENDIAN))?;
        }
        Ok(made as usize)
    })))
}
