//! Random numbers.

use std::ffi::c_void;

use tlspair::engine::EngineError;

use crate::object::{Object, check};
use crate::sys;

/// CTR-DRBG over the library's own entropy collector, as its documentation advises. The library's functions take it as
/// `mbedtls_ctr_drbg_random` with [`Random::argument`].
pub struct Random {
    generator: Object<sys::mbedtls_ctr_drbg_context>,
    /// The generator seeds itself anew from it now and then.
    _entropy: Object<sys::mbedtls_entropy_context>,
}

impl Random {
    /// Seeded.
    pub fn new() -> Result<Self, EngineError> {
        let (generator, entropy) = (Object::new(), Object::<sys::mbedtls_entropy_context>::new());
        let custom = b"tlspair";
        // SAFETY: both objects are at addresses that do not change, and go into `self` together; `custom` is read during the
        // call.
        check(unsafe {
            sys::mbedtls_ctr_drbg_seed(
                generator.at(),
                Some(sys::mbedtls_entropy_func),
                entropy.at().cast(),
                custom.as_ptr(),
                custom.len(),
            )
        })?;
        Ok(Self { generator, _entropy: entropy })
    }

    /// For the library's functions; valid as long as `self`.
    pub fn argument(&self) -> *mut c_void {
        self.generator.at().cast()
    }
}
