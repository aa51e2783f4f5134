//! Keys derived from secrets.

use std::ffi::{CString, c_int, c_uint};

use mbedtls_sys as sys;

use super::{Made, names};
use crate::engine::EngineError;
use crate::engine::mbedtls::object::{Object, check};
use crate::primitive::{
    Hash, Input, Operation, PBKDF2_LENGTH, PBKDF2_ROUNDS, PRF_LABEL, PRF_LENGTH, PrfHash,
};

pub(super) fn hkdf_extract(hash: Hash, input: &Input) -> Made {
    Ok(hkdf(hash, input).map(|work| Box::new(HkdfExtract(work)) as Box<dyn Operation>))
}

pub(super) fn hkdf_expand(hash: Hash, input: &Input) -> Made {
    Ok(hkdf(hash, input).map(|work| Box::new(HkdfExpand(work)) as Box<dyn Operation>))
}

fn hkdf(hash: Hash, input: &Input) -> Option<Hkdf> {
    let info = names::hash_info(hash);
    (!info.is_null()).then(|| Hkdf { info, inputs: Inputs::new(input, hash.length()) })
}

pub(super) fn prf(hash: PrfHash, input: &Input) -> Made {
    let label = CString::new(PRF_LABEL).map_err(EngineError::new)?;
    let function = names::prf(hash);
    Ok(Some(Box::new(Prf { function, label, inputs: Inputs::new(input, PRF_LENGTH) })))
}

pub(super) fn pbkdf2(hash: Hash, input: &Input) -> Made {
    let info = names::hash_info(hash);
    if info.is_null() {
        return Ok(None);
    }
    let context = Object::<sys::md_context_t>::new();
    // SAFETY: `info` is a constant of the library.
    check(unsafe { sys::md_setup(context.at(), info, c_int::from(true)) })?;
    Ok(Some(Box::new(Pbkdf2 { context, inputs: Inputs::new(input, PBKDF2_LENGTH) })))
}

/// What derivations take and make.
struct Inputs {
    key: Vec<u8>,
    data: Vec<u8>,
    derived: Vec<u8>,
}

impl Inputs {
    fn new(input: &Input, length: usize) -> Self {
        Self { key: input.key.clone(), data: input.data.clone(), derived: vec![0; length] }
    }
}

struct Hkdf {
    info: *const sys::md_info_t,
    inputs: Inputs,
}

struct HkdfExtract(Hkdf);

impl Operation for HkdfExtract {
    fn once(&mut self) -> Result<(), EngineError> {
        let Hkdf { info, inputs } = &mut self.0;
        // SAFETY: what is derived has the length of the hash.
        check(unsafe {
            sys::hkdf_extract(
                *info,
                inputs.key.as_ptr(),
                inputs.key.len(),
                inputs.data.as_ptr(),
                inputs.data.len(),
                inputs.derived.as_mut_ptr(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.0.inputs.derived.clone()]
    }
}

struct HkdfExpand(Hkdf);

impl Operation for HkdfExpand {
    fn once(&mut self) -> Result<(), EngineError> {
        let Hkdf { info, inputs } = &mut self.0;
        // SAFETY: the library writes as many bytes as it is told.
        check(unsafe {
            sys::hkdf_expand(
                *info,
                inputs.key.as_ptr(),
                inputs.key.len(),
                inputs.data.as_ptr(),
                inputs.data.len(),
                inputs.derived.as_mut_ptr(),
                inputs.derived.len(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.0.inputs.derived.clone()]
    }
}

struct Prf {
    function: sys::tls_prf_types,
    label: CString,
    inputs: Inputs,
}

impl Operation for Prf {
    fn once(&mut self) -> Result<(), EngineError> {
        let inputs = &mut self.inputs;
        // SAFETY: the label is a C string, and the library writes as many bytes as it is told.
        check(unsafe {
            sys::ssl_tls_prf(
                self.function,
                inputs.key.as_ptr(),
                inputs.key.len(),
                self.label.as_ptr(),
                inputs.data.as_ptr(),
                inputs.data.len(),
                inputs.derived.as_mut_ptr(),
                inputs.derived.len(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.inputs.derived.clone()]
    }
}

struct Pbkdf2 {
    context: Object<sys::md_context_t>,
    inputs: Inputs,
}

impl Operation for Pbkdf2 {
    fn once(&mut self) -> Result<(), EngineError> {
        let inputs = &mut self.inputs;
        // SAFETY: the context is set up for HMAC, and the library writes as many bytes as it is told.
        check(unsafe {
            sys::pkcs5_pbkdf2_hmac(
                self.context.at(),
                inputs.key.as_ptr(),
                inputs.key.len(),
                inputs.data.as_ptr(),
                inputs.data.len(),
                PBKDF2_ROUNDS as c_uint,
                PBKDF2_LENGTH as u32,
                inputs.derived.as_mut_ptr(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.inputs.derived.clone()]
    }
}
