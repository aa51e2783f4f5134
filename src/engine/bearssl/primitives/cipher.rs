//! Ciphers without authentication: in place, each call going on from the result of the one before.

use super::super::implementations::Implementations;
use super::super::object::Object;
use super::super::sys;
use super::{Made, function};
use crate::primitive::{Act, Input, SymmetricCipher};

/// Room for the keys of any block cipher in CBC mode.
#[derive(Clone, Copy)]
union EncryptionKeys {
    class: *const sys::br_block_cbcenc_class,
    _aes: sys::br_aes_gen_cbcenc_keys,
    _des: sys::br_des_gen_cbcenc_keys,
}

/// The same, of the other direction.
#[derive(Clone, Copy)]
union DecryptionKeys {
    class: *const sys::br_block_cbcdec_class,
    _aes: sys::br_aes_gen_cbcdec_keys,
    _des: sys::br_des_gen_cbcdec_keys,
}

/// The classes of both directions.
type Cbc = (&'static sys::br_block_cbcenc_class, &'static sys::br_block_cbcdec_class);

/// The library's implementation of a block cipher in CBC mode.
fn cbc(with: &Implementations, cipher: SymmetricCipher) -> Option<Cbc> {
    use SymmetricCipher as Ours;
    match cipher {
        Ours::Aes128Cbc | Ours::Aes192Cbc | Ours::Aes256Cbc => Some(with.aes_cbc),
        Ours::DesCbc | Ours::DesEde3Cbc => Some(with.des_cbc),
        _ => None,
    }
}

/// A cipher in CBC mode with its key, as a function of what it encrypts in place.
fn cbc_encryptor(class: &'static sys::br_block_cbcenc_class, input: &Input) -> impl FnMut(&mut [u8]) + use<> {
    let keys = Object::<EncryptionKeys>::uninit();
    let (init, run, nonce) = (function(class.init), function(class.run), input.nonce.clone());
    // SAFETY: there is room for the class's keys, which the function fills in; the key is read during the call.
    unsafe { init(&raw mut (*keys.at()).class, input.key.as_ptr().cast(), input.key.len()) };
    let mut vector = nonce.clone();
    move |data| {
        vector.copy_from_slice(&nonce);
        // SAFETY: the keys are filled in, the vector is a block, and the data are whole blocks.
        unsafe {
            run(
                &raw const (*keys.at()).class,
                vector.as_mut_ptr().cast(),
                data.as_mut_ptr().cast(),
                data.len(),
            );
        }
    }
}

pub(super) fn cbc_encrypt(with: &Implementations, cipher: SymmetricCipher, input: &Input) -> Made {
    let Some((class, _)) = cbc(with, cipher) else { return Ok(None) };
    let mut encrypt = cbc_encryptor(class, input);
    Ok(Some(Act::over(input.data.clone(), move |data| {
        encrypt(data);
        Ok(data.len())
    })))
}

pub(super) fn cbc_decrypt(with: &Implementations, cipher: SymmetricCipher, input: &Input) -> Made {
    let Some((encrypting, class)) = cbc(with, cipher) else { return Ok(None) };
    let mut encrypted = input.data.clone();
    cbc_encryptor(encrypting, input)(&mut encrypted);
    let keys = Object::<DecryptionKeys>::uninit();
    let (init, run, nonce) = (function(class.init), function(class.run), input.nonce.clone());
    // SAFETY: as in `cbc_encryptor`.
    unsafe { init(&raw mut (*keys.at()).class, input.key.as_ptr().cast(), input.key.len()) };
    let mut vector = nonce.clone();
    Ok(Some(Act::over(encrypted, move |data| {
        vector.copy_from_slice(&nonce);
        // SAFETY: as in `cbc_encryptor`.
        unsafe {
            run(
                &raw const (*keys.at()).class,
                vector.as_mut_ptr().cast(),
                data.as_mut_ptr().cast(),
                data.len(),
            );
        }
        Ok(data.len())
    })))
}

/// AES in counter mode with its key, as a function of what it en- or decrypts in place.
fn counter(with: &Implementations, input: &Input) -> impl FnMut(&mut [u8]) + use<> {
    let keys = Object::<sys::br_aes_gen_ctr_keys>::uninit();
    let (init, run, nonce) = (function(with.aes_ctr.init), function(with.aes_ctr.run), input.nonce.clone());
    // SAFETY: there is room for the class's keys, which the function fills in; the key is read during the call.
    unsafe { init(&raw mut (*keys.at()).vtable, input.key.as_ptr().cast(), input.key.len()) };
    // The library takes the counter's last four bytes as a number.
    let start = nonce.last_chunk().map_or(0, |last: &[u8; 4]| u32::from_be_bytes(*last));
    move |data| {
        // SAFETY: the keys are filled in, and the function reads no more than twelve bytes of the nonce.
        unsafe {
            let keys = &raw const (*keys.at()).vtable;
            run(keys, nonce.as_ptr().cast(), start, data.as_mut_ptr().cast(), data.len());
        }
    }
}

/// Whether the library has a cipher in counter mode.
fn is_counter_of_aes(cipher: SymmetricCipher) -> bool {
    use SymmetricCipher as Ours;
    matches!(cipher, Ours::Aes128Ctr | Ours::Aes192Ctr | Ours::Aes256Ctr)
}

pub(super) fn ctr_encrypt(with: &Implementations, cipher: SymmetricCipher, input: &Input) -> Made {
    if !is_counter_of_aes(cipher) {
        return Ok(None);
    }
    let mut encrypt = counter(with, input);
    Ok(Some(Act::over(input.data.clone(), move |data| {
        encrypt(data);
        Ok(data.len())
    })))
}

pub(super) fn ctr_decrypt(with: &Implementations, cipher: SymmetricCipher, input: &Input) -> Made {
    let mut encrypted = input.clone();
    if is_counter_of_aes(cipher) {
        counter(with, input)(&mut encrypted.data);
    }
    // Encrypting is decrypting.
    ctr_encrypt(with, cipher, &encrypted)
}
