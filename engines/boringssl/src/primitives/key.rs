//! Keys of signatures, out of the test files.

#![allow(unsafe_code)]

use std::ptr;

use boring::pkey::{PKey, Private, Public};
use boring::x509::X509;
use boring_sys as sys;
use foreign_types_shared::ForeignType;
use tlspair::cell::Cert;
use tlspair::engine::EngineError;
use tlspair::fixtures::Identity;
use tlspair::primitive::Input;

use super::owned::Owned;
use super::{Refusal, failed, names};
use crate::{key, library};

/// The key with its certificate, which inputs of primitives with keys always have.
fn identity(input: &Input) -> Result<&Identity, EngineError> {
    input.identity.as_ref().ok_or_else(|| EngineError::new("the input has no key"))
}

/// The private key; keys bound to PSS only where they are asked for.
pub fn private_key(cert: Cert, input: &Input) -> Result<PKey<Private>, Refusal> {
    let algorithm = names::key_algorithm(cert).ok_or(Refusal::Missing)?;
    let pkcs8 = &identity(input)?.key;
    if cert != Cert::RsaPss {
        let key = key::private_key(cert, pkcs8);
        return key.map_err(|stack| Refusal::Failed(library::words(&stack)));
    }
    // SAFETY: the file is readable and the list has one algorithm; what is made is null or ours.
    unsafe {
        let made = sys::EVP_PKEY_from_private_key_info(pkcs8.as_ptr(), pkcs8.len(), &algorithm, 1);
        if made.is_null() { Err(failed().into()) } else { Ok(PKey::from_ptr(made)) }
    }
}

/// The key in the certificate.
pub fn public_key(cert: Cert, input: &Input) -> Result<PKey<Public>, Refusal> {
    let algorithm = names::key_algorithm(cert).ok_or(Refusal::Missing)?;
    let leaf = identity(input)?.chain.first().ok_or_else(|| EngineError::new("the chain is empty"))?;
    let certificate = X509::from_der(leaf).map_err(|stack| library::words(&stack))?;
    let mut info = ptr::null_mut();
    // SAFETY: the certificate lives, and has what is asked of it; if there is a length, so many bytes were made for us to
    // free. The list has one algorithm; what is made is null or ours.
    unsafe {
        let length = sys::i2d_X509_PUBKEY(sys::X509_get_X509_PUBKEY(certificate.as_ptr()), &mut info);
        let length = usize::try_from(length).map_err(|_| failed())?;
        let info = Owned::new(info, free)?;
        let made = sys::EVP_PKEY_from_subject_public_key_info(info.as_ptr(), length, &algorithm, 1);
        if made.is_null() { Err(failed().into()) } else { Ok(PKey::from_ptr(made)) }
    }
}

unsafe extern "C" fn free(bytes: *mut u8) {
    // SAFETY: called for bytes that the library has made.
    unsafe { sys::OPENSSL_free(bytes.cast()) };
}
