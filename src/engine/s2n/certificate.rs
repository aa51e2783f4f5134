//! A certificate chain with its key, as the library keeps it.

use s2n_tls_sys as sys;

use super::library::{allocated, check};
use super::pem;
use crate::engine::EngineError;
use crate::fixtures::Identity;

/// The library's object, freed when dropped.
pub(super) struct Chain(*mut sys::s2n_cert_chain_and_key);

impl Chain {
    /// Has the library parse an identity and compare its key with its certificate.
    pub(super) fn load(identity: &Identity) -> Result<Self, EngineError> {
        let mut chain = pem::certificates(&identity.chain).into_bytes();
        let mut key = pem::private_key(&identity.key).into_bytes();
        // SAFETY: makes an object that `Self` frees; the texts are readable for the length given, and the library
        // copies what it needs.
        unsafe {
            let loaded = Self(allocated(sys::s2n_cert_chain_and_key_new())?);
            check(sys::s2n_cert_chain_and_key_load_pem_bytes(
                loaded.0,
                chain.as_mut_ptr(),
                chain.len() as u32,
                key.as_mut_ptr(),
                key.len() as u32,
            ))?;
            Ok(loaded)
        }
    }

    /// For the library's functions; valid as long as `self`.
    pub(super) fn at(&self) -> *mut sys::s2n_cert_chain_and_key {
        self.0
    }
}

impl Drop for Chain {
    fn drop(&mut self) {
        // SAFETY: the object is ours, and whatever used it is gone. Freeing it cannot fail.
        unsafe { sys::s2n_cert_chain_and_key_free(self.0) };
    }
}
