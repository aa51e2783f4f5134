//! Ciphers: the library has one interface for AEADs and one for the rest.

use super::super::library::check;
use super::super::object::{Object, datum};
use super::super::sys;
use super::{Made, names};
use crate::engine::EngineError;
use crate::primitive::{ADDITIONAL_DATA, Act, Input, SymmetricCipher};

const TAG: usize = 16;

pub(super) fn encrypt(cipher: SymmetricCipher, input: &Input) -> Made {
    let Some(number) = names::cipher(cipher) else { return Ok(None) };
    let (plain, nonce) = (input.data.clone(), input.nonce.clone());
    if cipher.is_aead() {
        let aead = Aead::new(number, &input.key)?;
        return Ok(Some(Act::making(plain.len() + TAG, move |sealed| aead.seal(&nonce, &plain, sealed))));
    }
    let mut plainly = Plain::new(number, input)?;
    Ok(Some(Act::making(plain.len(), move |encrypted| plainly.encrypt(&plain, encrypted))))
}

pub(super) fn decrypt(cipher: SymmetricCipher, input: &Input) -> Made {
    let Some(number) = names::cipher(cipher) else { return Ok(None) };
    let (data, nonce) = (&input.data, input.nonce.clone());
    if cipher.is_aead() {
        let aead = Aead::new(number, &input.key)?;
        let mut sealed = vec![0; data.len() + TAG];
        aead.seal(&nonce, data, &mut sealed)?;
        return Ok(Some(Act::making(data.len(), move |opened| aead.open(&nonce, &sealed, opened))));
    }
    let mut encrypted = vec![0; data.len()];
    Plain::new(number, input)?.encrypt(data, &mut encrypted)?;
    let mut plainly = Plain::new(number, input)?;
    Ok(Some(Act::making(data.len(), move |decrypted| plainly.decrypt(&encrypted, decrypted))))
}

struct Aead(Object<sys::api_aead_cipher_hd_st>);

impl Aead {
    fn new(number: sys::gnutls_cipher_algorithm_t, key: &[u8]) -> Result<Self, EngineError> {
        // SAFETY: writes a handle to the place that it is given; the key is copied.
        let init = |at| unsafe { sys::gnutls_aead_cipher_init(at, number, &datum(key)) };
        Object::made(init, sys::gnutls_aead_cipher_deinit).map(Self)
    }

    fn seal(&self, nonce: &[u8], plain: &[u8], sealed: &mut [u8]) -> Result<usize, EngineError> {
        let mut length = sealed.len();
        // SAFETY: the handle lives, the bytes are readable, and no more are written than there is room for.
        check(unsafe {
            sys::gnutls_aead_cipher_encrypt(
                self.0.at(),
                nonce.as_ptr().cast(),
                nonce.len(),
                ADDITIONAL_DATA.as_ptr().cast(),
                ADDITIONAL_DATA.len(),
                TAG,
                plain.as_ptr().cast(),
                plain.len(),
                sealed.as_mut_ptr().cast(),
                &raw mut length,
            )
        })?;
        Ok(length)
    }

    fn open(&self, nonce: &[u8], sealed: &[u8], plain: &mut [u8]) -> Result<usize, EngineError> {
        let mut length = plain.len();
        // SAFETY: as in `seal`.
        check(unsafe {
            sys::gnutls_aead_cipher_decrypt(
                self.0.at(),
                nonce.as_ptr().cast(),
                nonce.len(),
                ADDITIONAL_DATA.as_ptr().cast(),
                ADDITIONAL_DATA.len(),
                TAG,
                sealed.as_ptr().cast(),
                sealed.len(),
                plain.as_mut_ptr().cast(),
                &raw mut length,
            )
        })?;
        Ok(length)
    }
}

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

    /// Sets the initial vector, of ciphers that have one.
    fn begin(&mut self) {
        if !self.iv.is_empty() {
            // SAFETY: the handle lives, and the vector is as long as the cipher's.
            unsafe {
                sys::gnutls_cipher_set_iv(self.handle.at(), self.iv.as_mut_ptr().cast(), self.iv.len());
            }
        }
    }

    fn encrypt(&mut self, from: &[u8], to: &mut [u8]) -> Result<usize, EngineError> {
        self.begin();
        // SAFETY: the handle lives, and the bytes can be read and written.
        check(unsafe {
            sys::gnutls_cipher_encrypt2(
                self.handle.at(),
                from.as_ptr().cast(),
                from.len(),
                to.as_mut_ptr().cast(),
                to.len(),
            )
        })?;
        Ok(from.len())
    }

    fn decrypt(&mut self, from: &[u8], to: &mut [u8]) -> Result<usize, EngineError> {
        self.begin();
        // SAFETY: as in `encrypt`.
        check(unsafe {
            sys::gnutls_cipher_decrypt2(
                self.handle.at(),
                from.as_ptr().cast(),
                from.len(),
                to.as_mut_ptr().cast(),
                to.len(),
            )
        })?;
        Ok(from.len())
    }
}
