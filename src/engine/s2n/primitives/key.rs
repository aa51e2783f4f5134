//! Keys, from PKCS #8 and certificates, and what is done with them.

use std::ffi::{c_int, c_long};
use std::ptr::null_mut;

use super::object::{Owned, check};
use super::sys;
use crate::engine::EngineError;
use crate::fixtures::Identity;
use crate::primitive::Input;

fn identity(input: &Input) -> Result<&Identity, EngineError> {
    input.identity.as_ref().ok_or_else(|| EngineError::new("the input has no key"))
}

/// The private key of the input.
pub(super) fn private(input: &Input) -> Result<Owned<sys::Pkey>, EngineError> {
    let der = &identity(input)?.key;
    let mut from = der.as_ptr();
    // SAFETY: the bytes are as many as is said; what is allocated is ours.
    unsafe { Owned::new(sys::d2i_AutoPrivateKey(null_mut(), &mut from, der.len() as c_long)) }
}

/// The public key of the input's certificate.
pub(super) fn public(input: &Input) -> Result<Owned<sys::Pkey>, EngineError> {
    let der = identity(input)?.chain.first().map(Vec::as_slice).unwrap_or_default();
    let mut from = der.as_ptr();
    // SAFETY: the bytes are as many as is said; what is allocated is ours, and the key outlives its certificate.
    unsafe {
        let certificate = Owned::new(sys::d2i_X509(null_mut(), &mut from, der.len() as c_long))?;
        Owned::new(sys::X509_get_pubkey(certificate.as_ptr()))
    }
}

/// A context for what `begin` begins. It keeps the key.
pub(super) fn context(
    key: &Owned<sys::Pkey>,
    begin: unsafe extern "C" fn(*mut sys::PkeyCtx) -> c_int,
) -> Result<Owned<sys::PkeyCtx>, EngineError> {
    // SAFETY: the key is alive, and counted by the context; what is allocated is ours.
    unsafe {
        let context = Owned::new(sys::EVP_PKEY_CTX_new(key.as_ptr(), null_mut()))?;
        check(begin(context.as_ptr()))?;
        Ok(context)
    }
}

/// The most bytes that the key makes at once: of a signature, or of a ciphertext.
pub(super) fn size(key: &Owned<sys::Pkey>) -> usize {
    // SAFETY: the key is alive.
    usize::try_from(unsafe { sys::EVP_PKEY_size(key.as_ptr()) }).unwrap_or_default()
}
