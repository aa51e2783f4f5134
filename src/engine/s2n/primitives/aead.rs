//! AEADs. s2n-tls has those of AES-GCM that are made for records, of which TLS 1.3's is taken: no nonce may come twice.

use super::object::{Owned, check};
use super::sys;
use crate::engine::EngineError;
use crate::engine::operations::writing;
use crate::primitive::{ADDITIONAL_DATA, Input, Operation, SymmetricCipher};

const TAG: usize = 16;

struct Key {
    context: Owned<sys::AeadCtx>,
    initial: [u8; 12],
    /// Whether each record has a nonce of its own.
    counts: bool,
    sequence: u64,
}

impl Key {
    /// None if it is no AEAD of this interface.
    fn new(cipher: SymmetricCipher, input: &Input) -> Result<Option<Self>, EngineError> {
        // SAFETY: each answers with a static object.
        let (aead, counts) = unsafe {
            match cipher {
                SymmetricCipher::Aes128Gcm => (sys::EVP_aead_aes_128_gcm_tls13(), true),
                SymmetricCipher::Aes192Gcm => (sys::EVP_aead_aes_192_gcm(), false),
                SymmetricCipher::Aes256Gcm => (sys::EVP_aead_aes_256_gcm_tls13(), true),
                SymmetricCipher::ChaCha20Poly1305 => (sys::EVP_aead_chacha20_poly1305(), false),
                _ => return Ok(None),
            }
        };
        let nonce: Result<[u8; 12], _> = input.nonce.as_slice().try_into();
        let initial = nonce.map_err(EngineError::new)?;
        let key = &input.key;
        // SAFETY: the key is as long as is said, and copied; what is allocated is ours.
        let context = unsafe { Owned::new(sys::EVP_AEAD_CTX_new(aead, key.as_ptr(), key.len(), TAG)) }?;
        Ok(Some(Self { context, initial, counts, sequence: 0 }))
    }

    /// Of the next record, as TLS 1.3 counts them (RFC 8446, section 5.3).
    fn next_nonce(&mut self) -> [u8; 12] {
        let mut nonce = self.initial;
        if self.counts {
            let [_, _, _, _, counter @ ..] = &mut nonce;
            *counter = (u64::from_be_bytes(*counter) ^ self.sequence).to_be_bytes();
            self.sequence += 1;
        }
        nonce
    }

    fn seal(&mut self, data: &[u8], into: &mut [u8]) -> Result<usize, EngineError> {
        let (nonce, mut filled) = (self.next_nonce(), 0);
        // SAFETY: the context is alive; all slices are as long as is said, and the buffers do not overlap.
        check(unsafe {
            sys::EVP_AEAD_CTX_seal(
                self.context.as_ptr(),
                into.as_mut_ptr(),
                &mut filled,
                into.len(),
                nonce.as_ptr(),
                nonce.len(),
                data.as_ptr(),
                data.len(),
                ADDITIONAL_DATA.as_ptr(),
                ADDITIONAL_DATA.len(),
            )
        })?;
        Ok(filled)
    }

    fn open(&self, record: &[u8], into: &mut [u8]) -> Result<usize, EngineError> {
        let mut filled = 0;
        // SAFETY: the context is alive; all slices are as long as is said, and the buffers do not overlap.
        check(unsafe {
            sys::EVP_AEAD_CTX_open(
                self.context.as_ptr(),
                into.as_mut_ptr(),
                &mut filled,
                into.len(),
                self.initial.as_ptr(),
                self.initial.len(),
                record.as_ptr(),
                record.len(),
                ADDITIONAL_DATA.as_ptr(),
                ADDITIONAL_DATA.len(),
            )
        })?;
        Ok(filled)
    }
}

/// None if it is no AEAD of this interface.
pub(super) fn encrypt(
    cipher: SymmetricCipher,
    input: &Input,
) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(mut key) = Key::new(cipher, input)? else { return Ok(None) };
    let data = input.data.clone();
    Ok(Some(writing(data.len() + TAG, move |into| key.seal(&data, into))))
}

/// None if it is no AEAD of this interface.
pub(super) fn decrypt(
    cipher: SymmetricCipher,
    input: &Input,
) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(mut sealing) = Key::new(cipher, input)? else { return Ok(None) };
    let mut record = vec![0; input.data.len() + TAG];
    sealing.seal(&input.data, &mut record)?;
    let Some(key) = Key::new(cipher, input)? else { return Ok(None) };
    Ok(Some(writing(record.len(), move |into| key.open(&record, into))))
}
