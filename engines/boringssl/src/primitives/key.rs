//! Keys of signatures, out of the test files.

#![allow(unsafe_code)]

use std::ptr;
use std::slice;

use boring::pkey::{PKey, Private, Public};
use boring::rsa::Rsa;
use boring::x509::X509;
use boring_sys as sys;
use foreign_types_shared::ForeignType;
use tlspair::cell::Cert;
use tlspair::engine::EngineError;
use tlspair::fixtures::Identity;
use tlspair::primitive::Input;

use super::owned::Owned;
use super::{Refusal, failed, names, succeeded};
use crate::{key, library};

/// The key with its certificate, which inputs of primitives with keys always have.
fn identity(input: &Input) -> Result<&Identity, EngineError> {
    input.identity.as_ref().ok_or_else(|| EngineError::new("the input has no key"))
}

/// The private key. The library does PSS with any RSA key, but reads keys that are bound to it only where they name their
/// hash and salt, which those of the test files do not; so the bare key is taken out.
pub fn private_key(cert: Cert, input: &Input) -> Result<PKey<Private>, Refusal> {
    names::key_algorithm(cert).ok_or(Refusal::Missing)?;
    let pkcs8 = &identity(input)?.key;
    let key = if cert == Cert::RsaPss {
        Rsa::private_key_from_der(key::wrapped_in(pkcs8).unwrap_or_default()).and_then(PKey::from_rsa)
    } else {
        key::private_key(cert, pkcs8)
    };
    Ok(key.map_err(|stack| library::words(&stack))?)
}

/// The key in the certificate; the bare one of a certificate for PSS, as above.
pub fn public_key(cert: Cert, input: &Input) -> Result<PKey<Public>, Refusal> {
    let algorithm = names::key_algorithm(cert).ok_or(Refusal::Missing)?;
    let leaf = identity(input)?.chain.first().ok_or_else(|| EngineError::new("the chain is empty"))?;
    let certificate = X509::from_der(leaf).map_err(|stack| library::words(&stack))?;
    // SAFETY: the certificate lives.
    let info = unsafe { sys::X509_get_X509_PUBKEY(certificate.as_ptr()) };
    if cert == Cert::RsaPss {
        let (mut bare, mut length) = (ptr::null(), 0);
        // SAFETY: what was read of a certificate has a key, whose bytes live as long.
        let bare = unsafe {
            let none = ptr::null_mut();
            succeeded(sys::X509_PUBKEY_get0_param(none, &mut bare, &mut length, ptr::null_mut(), info))?;
            slice::from_raw_parts(bare, usize::try_from(length).unwrap_or_default())
        };
        let key = Rsa::public_key_from_der_pkcs1(bare).and_then(PKey::from_rsa);
        return Ok(key.map_err(|stack| library::words(&stack))?);
    }
    let mut encoded = ptr::null_mut();
    // SAFETY: the certificate lives, and has what is asked of it; if there is a length, so many bytes were made for us to
    // free. The list has one algorithm; what is made is null or ours.
    unsafe {
        let length = usize::try_from(sys::i2d_X509_PUBKEY(info, &mut encoded)).map_err(|_| failed())?;
        let encoded = Owned::new(encoded, free)?;
        let made = sys::EVP_PKEY_from_subject_public_key_info(encoded.as_ptr(), length, &algorithm, 1);
        if made.is_null() { Err(failed().into()) } else { Ok(PKey::from_ptr(made)) }
    }
}

unsafe extern "C" fn free(bytes: *mut u8) {
    // SAFETY: called for bytes that the library has made.
    unsafe { sys::OPENSSL_free(bytes.cast()) };
}
