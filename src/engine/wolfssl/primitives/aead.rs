//! AEADs, each with functions of its own.

use std::ffi::c_int;
use std::marker::PhantomData;

use wolfssl_sys as sys;

use super::cipher::aes;
use super::object::{Object, free};
use super::{Made, check, length};
use crate::engine::EngineError;
use crate::primitive::{ADDITIONAL_DATA, Act, Input, Mode, Operation, SymmetricCipher};

const TAG: usize = 16;

/// A cipher with its key.
trait Aead: Sized + 'static {
    fn new(key: &[u8]) -> Result<Self, EngineError>;

    fn seal(&mut self, nonce: &[u8], from: &[u8], to: &mut [u8], tag: &mut [u8]) -> c_int;

    fn open(&mut self, nonce: &[u8], from: &[u8], tag: &[u8], to: &mut [u8]) -> c_int;
}

pub(super) fn seal(cipher: SymmetricCipher, input: &Input) -> Made {
    match cipher.mode() {
        Mode::Gcm => sealing::<Aes<Gcm>>(input),
        Mode::Ccm => sealing::<Aes<Ccm>>(input),
        Mode::ChaCha20 => sealing::<ChaCha20Poly1305>(input),
        _ => Ok(None),
    }
}

pub(super) fn open(cipher: SymmetricCipher, input: &Input) -> Made {
    match cipher.mode() {
        Mode::Gcm => opening::<Aes<Gcm>>(input),
        Mode::Ccm => opening::<Aes<Ccm>>(input),
        Mode::ChaCha20 => opening::<ChaCha20Poly1305>(input),
        _ => Ok(None),
    }
}

fn sealing<A: Aead>(input: &Input) -> Made {
    let (mut aead, nonce, data) = (A::new(&input.key)?, input.nonce.clone(), input.data.clone());
    let operation: Box<dyn Operation> = Act::making(data.len() + TAG, move |sealed| {
        let (encrypted, tag) = sealed.split_at_mut(data.len());
        check(aead.seal(&nonce, &data, encrypted, tag))?;
        Ok(sealed.len())
    });
    Ok(Some(operation))
}

fn opening<A: Aead>(input: &Input) -> Made {
    let (mut aead, nonce) = (A::new(&input.key)?, input.nonce.clone());
    let (mut encrypted, mut tag) = (vec![0; input.data.len()], [0; TAG]);
    check(aead.seal(&nonce, &input.data, &mut encrypted, &mut tag))?;
    let operation: Box<dyn Operation> = Act::making(encrypted.len(), move |data| {
        check(aead.open(&nonce, &encrypted, &tag, data))?;
        Ok(data.len())
    });
    Ok(Some(operation))
}

type SetKey = unsafe extern "C" fn(*mut sys::Aes, *const u8, u32) -> c_int;
/// Object, output; input, nonce, tag and additional data, each with its length. A tag that is checked is only read.
type Work<Tag> = unsafe extern "C" fn(
    *mut sys::Aes,
    *mut u8,
    *const u8,
    u32,
    *const u8,
    u32,
    Tag,
    u32,
    *const u8,
    u32,
) -> c_int;
type Encrypt = Work<*mut u8>;
type Decrypt = Work<*const u8>;

/// The library's functions for a mode of AES.
trait AesMode: 'static {
    const SET_KEY: SetKey;
    const ENCRYPT: Encrypt;
    const DECRYPT: Decrypt;
}

struct Gcm;

impl AesMode for Gcm {
    const SET_KEY: SetKey = sys::wc_AesGcmSetKey;
    const ENCRYPT: Encrypt = sys::wc_AesGcmEncrypt;
    const DECRYPT: Decrypt = sys::wc_AesGcmDecrypt;
}

struct Ccm;

impl AesMode for Ccm {
    const SET_KEY: SetKey = sys::wc_AesCcmSetKey;
    const ENCRYPT: Encrypt = sys::wc_AesCcmEncrypt;
    const DECRYPT: Decrypt = sys::wc_AesCcmDecrypt;
}

/// AES in such a mode, with its key.
struct Aes<M> {
    aes: Object<sys::Aes>,
    mode: PhantomData<M>,
}

impl<M: AesMode> Aead for Aes<M> {
    fn new(key: &[u8]) -> Result<Self, EngineError> {
        let aes = aes()?;
        // SAFETY: the object lives, and the key is read during the call.
        check(unsafe { (M::SET_KEY)(aes.at(), key.as_ptr(), length(key)) })?;
        Ok(Self { aes, mode: PhantomData })
    }

    fn seal(&mut self, nonce: &[u8], from: &[u8], to: &mut [u8], tag: &mut [u8]) -> c_int {
        let (data, added) =
            ((from.as_ptr(), length(from)), (ADDITIONAL_DATA.as_ptr(), length(&ADDITIONAL_DATA)));
        let (nonce, tag) = ((nonce.as_ptr(), length(nonce)), (tag.as_mut_ptr(), length(tag)));
        let (at, to) = (self.aes.at(), to.as_mut_ptr());
        // SAFETY: the object lives, and the bytes can be read and written.
        unsafe { (M::ENCRYPT)(at, to, data.0, data.1, nonce.0, nonce.1, tag.0, tag.1, added.0, added.1) }
    }

    fn open(&mut self, nonce: &[u8], from: &[u8], tag: &[u8], to: &mut [u8]) -> c_int {
        let (data, added) =
            ((from.as_ptr(), length(from)), (ADDITIONAL_DATA.as_ptr(), length(&ADDITIONAL_DATA)));
        let (nonce, tag) = ((nonce.as_ptr(), length(nonce)), (tag.as_ptr(), length(tag)));
        let (at, to) = (self.aes.at(), to.as_mut_ptr());
        // SAFETY: as in `seal`.
        unsafe { (M::DECRYPT)(at, to, data.0, data.1, nonce.0, nonce.1, tag.0, tag.1, added.0, added.1) }
    }
}

/// By the functions that the library's TLS 1.3 takes, over a key that was set before.
struct ChaCha20Poly1305 {
    chacha20: Object<sys::ChaCha>,
    poly1305: Object<sys::Poly1305>,
}

impl Aead for ChaCha20Poly1305 {
    fn new(key: &[u8]) -> Result<Self, EngineError> {
        // SAFETY: there is room for the cipher, which is filled in; the key is read during the call.
        let set_key = |at| unsafe { sys::wc_Chacha_SetKey(at, key.as_ptr(), length(key)) };
        // A key of Poly1305 is of one nonce, so that the library sets it each time.
        Ok(Self { chacha20: Object::filled(set_key, free)?, poly1305: Object::filled(|_| 0, free)? })
    }

    fn seal(&mut self, nonce: &[u8], from: &[u8], to: &mut [u8], tag: &mut [u8]) -> c_int {
        // SAFETY: both objects live, and the bytes can be read and written.
        unsafe {
            sys::wc_ChaCha20Poly1305_Encrypt_ex(
                self.chacha20.at(),
                self.poly1305.at(),
                to.as_mut_ptr(),
                from.as_ptr(),
                length(from),
                nonce.as_ptr(),
                tag.as_mut_ptr(),
                ADDITIONAL_DATA.as_ptr(),
                length(&ADDITIONAL_DATA),
            )
        }
    }

    fn open(&mut self, nonce: &[u8], from: &[u8], tag: &[u8], to: &mut [u8]) -> c_int {
        // SAFETY: as in `seal`.
        unsafe {
            sys::wc_ChaCha20Poly1305_Decrypt_ex(
                self.chacha20.at(),
                self.poly1305.at(),
                to.as_mut_ptr(),
                from.as_ptr(),
                length(from),
                nonce.as_ptr(),
                tag.as_ptr(),
                ADDITIONAL_DATA.as_ptr(),
                length(&ADDITIONAL_DATA),
            )
        }
    }
}
