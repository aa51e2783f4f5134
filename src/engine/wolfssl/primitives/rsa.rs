//! RSA: signatures by PKCS #1 v1.5 and PSS, and encryption. The library signs what its TLS has hashed and encoded before.

use std::ffi::c_int;
use std::ptr;

use wolfssl_sys as sys;

use super::digest::Digest;
use super::object::{NO_DEVICE, Object, Random, random};
use super::signature::{cut_out, public_key_info};
use super::{Made, check, length, names};
use crate::engine::EngineError;
use crate::primitive::{Act, Check, Hash, Input, PREMASTER_SECRET};

const HASH: Hash = Hash::Sha256;
const DIGEST: usize = HASH.length();
/// Bytes of a digest with what says of which hash it is (RFC 8017, section 9.2).
const DIGEST_INFO: usize = 19 + DIGEST;
const MASK: c_int = sys::WC_MGF1SHA256 as c_int;

/// A key, with random numbers to blind it.
struct Key {
    key: Object<sys::RsaKey>,
    random: Random,
}

fn bare_key() -> Result<Object<sys::RsaKey>, EngineError> {
    let mut answer = 0;
    // SAFETY: writes a number, and answers with a new object.
    let at = unsafe { sys::wc_NewRsaKey(ptr::null_mut(), NO_DEVICE, &raw mut answer) };
    check(answer)?;
    // SAFETY: `Object` passes what the library has made, once.
    Object::made(at, |at| unsafe {
        sys::wc_DeleteRsaKey(at, ptr::null_mut());
    })
}

/// The public key of a certificate, which blinds nothing, and so needs no random numbers.
fn decode(key: &Object<sys::RsaKey>, info: &[u8]) -> Result<(), EngineError> {
    let mut at = 0;
    // SAFETY: the key lives, and the bytes are read during the call.
    check(unsafe { sys::wc_RsaPublicKeyDecode(info.as_ptr(), &raw mut at, key.at(), length(info)) }).map(drop)
}

pub(super) fn read(input: &Input, room: usize) -> Result<(), EngineError> {
    decode(&bare_key()?, &cut_out(input, room)?)
}

impl Key {
    fn new() -> Result<Self, EngineError> {
        let (random, key) = (random()?, bare_key()?);
        // SAFETY: both live, and the generator as long as the key.
        check(unsafe { sys::wc_RsaSetRNG(key.at(), random.at()) })?;
        Ok(Self { key, random })
    }

    fn private(input: &Input) -> Result<Self, EngineError> {
        let (key, mut at) = (Self::new()?, 0);
        let der = input.identity.as_ref().map_or(&[][..], |identity| &identity.key);
        // SAFETY: the key lives, and the bytes are read during the call.
        check(unsafe { sys::wc_RsaPrivateKeyDecode(der.as_ptr(), &raw mut at, key.at(), length(der)) })?;
        Ok(key)
    }

    fn public(input: &Input) -> Result<Self, EngineError> {
        let key = Self::new()?;
        decode(&key.key, &public_key_info(input)?)?;
        Ok(key)
    }

    fn at(&self) -> *mut sys::RsaKey {
        self.key.at()
    }

    fn random(&self) -> *mut sys::WC_RNG {
        self.random.at()
    }

    /// Bytes of the modulus.
    fn length(&self) -> Result<usize, EngineError> {
        // SAFETY: the key lives.
        check(unsafe { sys::wc_RsaEncryptSize(self.at()) })
    }
}

/// A digest, encoded as PKCS #1 v1.5 has it.
fn digest_info(digest: &mut Digest, data: &[u8]) -> Result<([u8; DIGEST_INFO], usize), EngineError> {
    let (mut hash, mut info) = ([0; DIGEST], [0; DIGEST_INFO]);
    digest.of(data, &mut hash)?;
    // SAFETY: the digest is readable, and there is room for it with what goes before.
    let made = unsafe {
        let name = sys::wc_HashGetOID(names::hash(HASH));
        sys::wc_EncodeSignature(info.as_mut_ptr(), hash.as_ptr(), DIGEST as u32, name)
    };
    Ok((info, made as usize))
}

pub(super) fn sign(input: &Input) -> Made {
    let (key, data, mut digest) = (Key::private(input)?, input.data.clone(), Digest::new(HASH)?);
    Ok(Some(Act::making(key.length()?, move |signature| {
        let (info, made) = digest_info(&mut digest, &data)?;
        let (into, room) = (signature.as_mut_ptr(), length(signature));
        // SAFETY: the key lives, and the bytes can be read and written.
        check(unsafe { sys::wc_RsaSSL_Sign(info.as_ptr(), made as u32, into, room, key.at(), key.random()) })
    })))
}

pub(super) fn verify(input: &Input) -> Made {
    let (key, data, signature) = (Key::public(input)?, input.data.clone(), input.given.clone());
    let (mut digest, mut signed) = (Digest::new(HASH)?, vec![0; key.length()?]);
    Ok(Some(Check::by(move || {
        let (info, made) = digest_info(&mut digest, &data)?;
        let (into, room) = (signed.as_mut_ptr(), length(&signed));
        // SAFETY: as in `sign`.
        let found = check(unsafe {
            sys::wc_RsaSSL_Verify(signature.as_ptr(), length(&signature), into, room, key.at())
        })?;
        let is_right = signed[..found] == info[..made];
        if is_right { Ok(()) } else { Err(EngineError::new("the signature is of something else")) }
    })))
}

pub(super) fn sign_pss(input: &Input) -> Made {
    let (key, data, mut digest) = (Key::private(input)?, input.data.clone(), Digest::new(HASH)?);
    Ok(Some(Act::making(key.length()?, move |signature| {
        let mut hash = [0; DIGEST];
        digest.of(&data, &mut hash)?;
        let (kind, room) = (names::hash(HASH), length(signature));
        // SAFETY: as in `sign`.
        check(unsafe {
            let (from, into) = (hash.as_ptr(), signature.as_mut_ptr());
            sys::wc_RsaPSS_Sign(from, DIGEST as u32, into, room, kind, MASK, key.at(), key.random())
        })
    })))
}

pub(super) fn verify_pss(input: &Input) -> Made {
    let (key, data, signature) = (Key::public(input)?, input.data.clone(), input.given.clone());
    let (mut digest, mut place) = (Digest::new(HASH)?, vec![0; key.length()?]);
    Ok(Some(Check::by(move || {
        let mut hash = [0; DIGEST];
        digest.of(&data, &mut hash)?;
        // SAFETY: as in `sign`.
        let answer = unsafe {
            sys::wc_RsaPSS_VerifyCheck(
                signature.as_ptr(),
                length(&signature),
                place.as_mut_ptr(),
                length(&place),
                hash.as_ptr(),
                DIGEST as u32,
                names::hash(HASH),
                MASK,
                key.at(),
            )
        };
        check(answer).map(drop)
    })))
}

pub(super) fn encrypt(input: &Input) -> Made {
    let (key, secret) = (Key::public(input)?, input.data.clone());
    Ok(Some(Act::making(key.length()?, move |encrypted| {
        let (from, into, room) = (secret.as_ptr(), encrypted.as_mut_ptr(), length(encrypted));
        // SAFETY: as in `sign`.
        check(unsafe { sys::wc_RsaPublicEncrypt(from, length(&secret), into, room, key.at(), key.random()) })
    })))
}

pub(super) fn decrypt(input: &Input) -> Made {
    let (key, encrypted) = (Key::private(input)?, input.given.clone());
    Ok(Some(Act::making(PREMASTER_SECRET.len(), move |secret| {
        let (from, into, room) = (encrypted.as_ptr(), secret.as_mut_ptr(), length(secret));
        // SAFETY: as in `sign`.
        check(unsafe { sys::wc_RsaPrivateDecrypt(from, length(&encrypted), into, room, key.at()) })
    })))
}
