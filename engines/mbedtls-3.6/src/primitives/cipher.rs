//! Ciphers, through the layer that the library's records use: with a tag in one call, and without one in another.

use std::ffi::c_int;

use tlspair::engine::EngineError;
use tlspair::primitive::{ADDITIONAL_DATA, Input, Mode, Operation, SymmetricCipher};

use super::{Made, names};
use crate::object::{Object, check};
use crate::sys;

/// What the library may write beside as much as it is given: a block, or a tag.
const ROOM: usize = 16;
/// Bytes of a tag.
const TAG: usize = 16;

pub fn encrypt(cipher: SymmetricCipher, input: &Input) -> Made {
    let context = keyed(cipher, &input.key, sys::MBEDTLS_ENCRYPT)?;
    Ok(context.map(|context| operation(cipher, Work::new(context, &input.nonce, input.data.clone()), false)))
}

pub fn decrypt(cipher: SymmetricCipher, input: &Input) -> Made {
    let Some(mut before) = encrypt(cipher, input)? else { return Ok(None) };
    before.once()?;
    let ciphertext = before.output().concat();
    let context = keyed(cipher, &input.key, sys::MBEDTLS_DECRYPT)?;
    Ok(context.map(|context| operation(cipher, Work::new(context, &input.nonce, ciphertext), true)))
}

fn operation(cipher: SymmetricCipher, work: Work, opens: bool) -> Box<dyn Operation> {
    match (cipher.is_aead(), opens) {
        (true, false) => Box::new(Authenticated { work, run: sys::mbedtls_cipher_auth_encrypt_ext }),
        (true, true) => Box::new(Authenticated { work, run: sys::mbedtls_cipher_auth_decrypt_ext }),
        (false, _) => Box::new(Crypt(work)),
    }
}

/// A context with its key, if the library has the cipher.
fn keyed(
    cipher: SymmetricCipher,
    key: &[u8],
    direction: sys::mbedtls_operation_t,
) -> Result<Option<Object<sys::mbedtls_cipher_context_t>>, EngineError> {
    let Some(name) = names::cipher(cipher) else { return Ok(None) };
    // SAFETY: maps a number to a constant of the library, or to null.
    let info = unsafe { sys::mbedtls_cipher_info_from_type(name) };
    if info.is_null() {
        return Ok(None);
    }
    let context = Object::<sys::mbedtls_cipher_context_t>::new();
    let bits = c_int::try_from(key.len() * 8).map_err(EngineError::new)?;
    // SAFETY: `info` is a constant of the library, and the key is read during the call.
    unsafe {
        check(sys::mbedtls_cipher_setup(context.at(), info))?;
        check(sys::mbedtls_cipher_setkey(context.at(), key.as_ptr(), bits, direction))?;
        if cipher.mode() == Mode::Cbc {
            check(sys::mbedtls_cipher_set_padding_mode(context.at(), sys::MBEDTLS_PADDING_NONE))?;
        }
    }
    Ok(Some(context))
}

/// What a cipher works with.
struct Work {
    context: Object<sys::mbedtls_cipher_context_t>,
    nonce: Vec<u8>,
    input: Vec<u8>,
    output: Vec<u8>,
    /// Bytes that the library wrote to `output`.
    written: usize,
}

impl Work {
    fn new(context: Object<sys::mbedtls_cipher_context_t>, nonce: &[u8], input: Vec<u8>) -> Self {
        let output = vec![0; input.len() + ROOM];
        Self { context, nonce: nonce.to_vec(), input, output, written: 0 }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.output[..self.written].to_vec()]
    }
}

/// A cipher without a tag, in either direction.
struct Crypt(Work);

impl Operation for Crypt {
    fn once(&mut self) -> Result<(), EngineError> {
        let work = &mut self.0;
        // SAFETY: the output has room for a block more than the input.
        check(unsafe {
            sys::mbedtls_cipher_crypt(
                work.context.at(),
                work.nonce.as_ptr(),
                work.nonce.len(),
                work.input.as_ptr(),
                work.input.len(),
                work.output.as_mut_ptr(),
                &raw mut work.written,
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.0.output()
    }
}

/// The library's function for the one or the other direction: context, nonce, additional data, input, output, bytes
/// written, bytes of the tag.
type WithTag = unsafe extern "C" fn(
    *mut sys::mbedtls_cipher_context_t,
    *const u8,
    usize,
    *const u8,
    usize,
    *const u8,
    usize,
    *mut u8,
    usize,
    *mut usize,
    usize,
) -> c_int;

/// Encryption with a tag, or decryption with the tag checked.
struct Authenticated {
    work: Work,
    run: WithTag,
}

impl Operation for Authenticated {
    fn once(&mut self) -> Result<(), EngineError> {
        let Self { work, run } = self;
        // SAFETY: the library writes no more than the length of the output, which it is told.
        check(unsafe {
            run(
                work.context.at(),
                work.nonce.as_ptr(),
                work.nonce.len(),
                ADDITIONAL_DATA.as_ptr(),
                ADDITIONAL_DATA.len(),
                work.input.as_ptr(),
                work.input.len(),
                work.output.as_mut_ptr(),
                work.output.len(),
                &raw mut work.written,
                TAG,
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.work.output()
    }
}
