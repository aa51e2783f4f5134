//! The pseudo-random function of TLS.

use std::ffi::CString;

use super::super::implementations::Implementations;
use super::super::sys;
use super::{Made, function};
use crate::engine::EngineError;
use crate::primitive::{Act, Input, PRF_LABEL, PRF_LENGTH, PrfHash};

pub(super) fn prf(with: &Implementations, hash: PrfHash, input: &Input) -> Made {
    let derive = function(match hash {
        PrfHash::Md5Sha1 => with.prf_md5_sha1,
        PrfHash::Sha256 => with.prf_sha256,
        PrfHash::Sha384 => with.prf_sha384,
    });
    let (secret, seed) = (input.key.clone(), input.data.clone());
    let label = CString::new(PRF_LABEL).map_err(EngineError::new)?;
    Ok(Some(Act::making(PRF_LENGTH, move |key| {
        let chunk = sys::br_tls_prf_seed_chunk { data: seed.as_ptr().cast(), len: seed.len() };
        // SAFETY: the bytes are readable, and no more are written than there is room for.
        unsafe {
            let (into, from) = (key.as_mut_ptr().cast(), secret.as_ptr().cast());
            derive(into, key.len(), from, secret.len(), label.as_ptr(), 1, &chunk);
        }
        Ok(key.len())
    })))
}
