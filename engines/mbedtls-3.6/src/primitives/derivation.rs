//! Keys derived from secrets, as TLS 1.2 and files of passwords do.

use std::ffi::{CString, c_uint};

use tlspair::engine::EngineError;
use tlspair::primitive::{
    Hash, Input, Operation, PBKDF2_LENGTH, PBKDF2_ROUNDS, PRF_LABEL, PRF_LENGTH, PrfHash,
};

use super::{Made, names};
use crate::object::check;
use crate::sys;

pub fn prf(hash: PrfHash, input: &Input) -> Made {
    let Some(function) = names::prf(hash) else { return Ok(None) };
    let label = CString::new(PRF_LABEL).map_err(EngineError::new)?;
    Ok(Some(Box::new(Prf { function, label, inputs: Inputs::new(input, PRF_LENGTH) })))
}

pub fn pbkdf2(hash: Hash, input: &Input) -> Made {
    Ok(Some(Box::new(Pbkdf2 { hash: names::hash(hash), inputs: Inputs::new(input, PBKDF2_LENGTH) })))
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

struct Prf {
    function: sys::mbedtls_tls_prf_types,
    label: CString,
    inputs: Inputs,
}

impl Operation for Prf {
    fn once(&mut self) -> Result<(), EngineError> {
        let inputs = &mut self.inputs;
        // SAFETY: the label is a C string, and the library writes as many bytes as it is told.
        check(unsafe {
            sys::mbedtls_ssl_tls_prf(
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
    hash: sys::mbedtls_md_type_t,
    inputs: Inputs,
}

impl Operation for Pbkdf2 {
    fn once(&mut self) -> Result<(), EngineError> {
        let inputs = &mut self.inputs;
        // SAFETY: the library writes as many bytes as it is told.
        check(unsafe {
            sys::mbedtls_pkcs5_pbkdf2_hmac_ext(
                self.hash,
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
