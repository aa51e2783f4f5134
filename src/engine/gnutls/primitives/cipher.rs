//! Ciphers: the library has one interface for AEADs and one for the rest.

use std::ffi::{c_int, c_void};

use super::super::library::check;
use super::super::object::{Object, datum};
use super::super::sys;
use super::{Made, names};
use crate::engine::EngineError;
use crate::primitive::{ADDITIONAL_DATA, Act, Input, SymmetricCipher};

const TAG: usize = 16;

pub(super) fn encrypt(cipher: SymmetricCipher, input: &Input) -> Made {
    let Some(number) = names::cipher(cipher) else { return Ok(None) };
    let plain = input.data.clone();
    if cipher.is_aead() {
        let aead = Aead::new(number, input)?;
        return Ok(Some(Act::making(plain.len() + TAG, move |sealed| aead.run(SEAL, &plain, sealed))));
    }
    let mut plainly = Plain::new(number, input)?;
    Ok(Some(Act::making(plain.len(), move |encrypted| plainly.run(ENCRYPT, &plain, encrypted))))
}

pub(super) fn decrypt(cipher: SymmetricCipher, input: &Input) -> Made {
    let Some(number) = names::cipher(cipher) else { return Ok(None) };
    let data = &input.data;
    if cipher.is_aead() {
        let aead = Aead::new(number, input)?;
        let mut sealed = vec![0; data.len() + TAG];
        aead.run(SEAL, data, &mut sealed)?;
        return Ok(Some(Act::making(data.len(), move |opened| aead.run(OPEN, &sealed, opened))));
    }
    let mut encrypted = vec![0; data.len()];
    Plain::new(number, input)?.run(ENCRYPT, data, &mut encrypted)?;
    let mut plainly = Plain::new(number, input)?;
    Ok(Some(Act::making(data.len(), move |decrypted| plainly.run(DECRYPT, &encrypted, decrypted))))
}

/// Handle; nonce and additional data, each with its length; bytes of the tag; input with its length; output, and its room,
/// which becomes its length.
type AeadWork = unsafe extern "C" fn(
    sys::gnutls_aead_cipher_hd_t,
    *const c_void,
    usize,
    *const c_void,
    usize,
    usize,
    *const c_void,
    usize,
    *mut c_void,
    *mut usize,
) -> c_int;
const SEAL: AeadWork = sys::gnutls_aead_cipher_encrypt;
const OPEN: AeadWork = sys::gnutls_aead_cipher_decrypt;

struct Aead {
    handle: Object<sys::api_aead_cipher_hd_st>,
    nonce: Vec<u8>,
}

impl Aead {
    fn new(number: sys::gnutls_cipher_algorithm_t, input: &Input) -> Result<Self, EngineError> {
        // SAFETY: writes a handle to the place that it is given; the key is copied.
        let init = |at| unsafe { sys::gnutls_aead_cipher_init(at, number, &datum(&input.key)) };
        Ok(Self { handle: Object::made(init, sys::gnutls_aead_cipher_deinit)?, nonce: input.nonce.clone() })
    }

    fn run(&self, work: AeadWork, from: &[u8], to: &mut [u8]) -> Result<usize, EngineError> {
        let mut length = to.len();
        // SAFETY: the handle lives, the bytes are readable, and no more are written than there is room for.
        check(unsafe {
            work(
                self.handle.at(),
                self.nonce.as_ptr().cast(),
                self.nonce.len(),
                ADDITIONAL_DATA.as_ptr().cast(),
                ADDITIONAL_DATA.len(),
                TAG,
                from.as_ptr().cast(),
                from.len(),
                to.as_mut_ptr().cast(),
                &raw mut length,
            )
        })?;
        Ok(length)
    }
}

/// Handle; input and output, each with its length.
type PlainWork =
    unsafe extern "C" fn(sys::gnutls_cipher_hd_t, *const c_void, usize, *mut c_void, usize) -> c_int;
const ENCRYPT: PlainWork = sys::gnutls_cipher_encrypt2;
const DECRYPT: PlainWork = sys::gnutls_cipher_decrypt2;

/// A cipher without authentication.
struct Plain {
    handle: Object<sys::api_cipher_hd_st>,
    iv: Vec<u8>,
}

impl Plain {
    fn new(number: sys::gnutls_cipher_algorithm_t, input: &Input) -> Result<Self, EngineError> {
        let (key, iv) = (datum(&input.key), datum(&input.nonce));
        // SAFETY: writes a handle to the place that it is given; key and vector are copied.
        let init = |at| unsafe { sys::gnutls_cipher_init(at, number, &key, &iv) };
        Ok(Self { handle: Object::made(init, sys::gnutls_cipher_deinit)?, iv: input.nonce.clone() })
    }

    fn run(&mut self, work: PlainWork, from: &[u8], to: &mut [u8]) -> Result<usize, EngineError> {
        if !self.iv.is_empty() {
            // SAFETY: the handle lives, and the vector is as long as the cipher's.
            unsafe {
                sys::gnutls_cipher_set_iv(self.handle.at(), self.iv.as_mut_ptr().cast(), self.iv.len());
            }
        }
        let (from_at, to_at) = (from.as_ptr().cast(), to.as_mut_ptr().cast());
        // SAFETY: the handle lives, and the bytes can be read and written.
        check(unsafe { work(self.handle.at(), from_at, from.len(), to_at, to.len()) })?;
        Ok(from.len())
    }
}
