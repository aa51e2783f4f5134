//! Random numbers.

use std::ffi::c_void;

use mbedtls_sys as sys;

use super::object::{Object, check};
use crate::engine::EngineError;

/// CTR-DRBG over the library's own entropy collector, as its documentation advises. The library's functions take it as
/// `ctr_drbg_random` with [`Random::argument`].
pub(super) struct Random {
    generator: Object<sys::ctr_drbg_context>,
    /// The generator seeds itself anew from it now and then.
    _entropy: Object<sys::entropy_context>,
}

impl Random {
    pub(super) fn new() -> Result<Self, EngineError> {
        let (generator, entropy) = (Object::new(), Object::<sys::entropy_context>::new());
        let custom = b"tlspair";
        // SAFETY: both objects are at addresses that do not change, and go into `self` together; `custom` is read during the
        // call.
        check(unsafe {
            sys::ctr_drbg_seed(
                generator.at(),
                Some(sys::entropy_func),
                entropy.at().cast(),
                custom.as_ptr(),
                custom.len(),
            )
        })?;
        Ok(Self { generator, _entropy: entropy })
    }

    /// For the library's functions; valid as long as `self`.
    pub(super) fn argument(&self) -> *mut c_void {
        self.generator.at().cast()
    }
}
