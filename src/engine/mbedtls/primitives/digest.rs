//! Hashes and MACs. As in the library's records, a MAC is begun anew after its end.

use std::ffi::c_int;

use mbedtls_sys as sys;

use super::{Made, names};
use crate::engine::EngineError;
use crate::engine::mbedtls::object::{Object, check};
use crate::primitive::{Cmac, Hash, Input, Operation};

/// Bytes of a MAC of AES.
const CMAC: usize = 16;

pub(super) fn hash(hash: Hash, input: &Input) -> Made {
    let info = names::hash_info(hash);
    if info.is_null() {
        return Ok(None);
    }
    Ok(Some(Box::new(Hashing { info, data: input.data.clone(), digest: vec![0; hash.length()] })))
}

pub(super) fn hmac(hash: Hash, input: &Input) -> Made {
    let info = names::hash_info(hash);
    if info.is_null() {
        return Ok(None);
    }
    let context = Object::<sys::md_context_t>::new();
    // SAFETY: `info` is a constant of the library, and the key is read during the call.
    unsafe {
        check(sys::md_setup(context.at(), info, c_int::from(true)))?;
        check(sys::md_hmac_starts(context.at(), input.key.as_ptr(), input.key.len()))?;
    }
    Ok(Some(Box::new(Hmac { context, data: input.data.clone(), mac: vec![0; hash.length()] })))
}

pub(super) fn cmac(cmac: Cmac, input: &Input) -> Made {
    // SAFETY: maps a number to a constant of the library, or to null.
    let info = unsafe { sys::cipher_info_from_type(names::cmac(cmac)) };
    if info.is_null() {
        return Ok(None);
    }
    let context = Object::<sys::cipher_context_t>::new();
    // SAFETY: `info` is a constant of the library, and the key is read during the call.
    unsafe {
        check(sys::cipher_setup(context.at(), info))?;
        check(sys::cipher_cmac_starts(context.at(), input.key.as_ptr(), input.key.len() * 8))?;
    }
    Ok(Some(Box::new(CmacOfAes { context, data: input.data.clone(), mac: [0; CMAC] })))
}

struct Hashing {
    info: *const sys::md_info_t,
    data: Vec<u8>,
    digest: Vec<u8>,
}

impl Operation for Hashing {
    fn once(&mut self) -> Result<(), EngineError> {
        // SAFETY: the digest has room for what this hash makes.
        check(unsafe { sys::md(self.info, self.data.as_ptr(), self.data.len(), self.digest.as_mut_ptr()) })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.digest.clone()]
    }
}

struct Hmac {
    context: Object<sys::md_context_t>,
    data: Vec<u8>,
    mac: Vec<u8>,
}

impl Operation for Hmac {
    fn once(&mut self) -> Result<(), EngineError> {
        // SAFETY: the context has its key, and the MAC has room for what this hash makes.
        unsafe {
            check(sys::md_hmac_update(self.context.at(), self.data.as_ptr(), self.data.len()))?;
            check(sys::md_hmac_finish(self.context.at(), self.mac.as_mut_ptr()))?;
            check(sys::md_hmac_reset(self.context.at()))
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.mac.clone()]
    }
}

struct CmacOfAes {
    context: Object<sys::cipher_context_t>,
    data: Vec<u8>,
    mac: [u8; CMAC],
}

impl Operation for CmacOfAes {
    fn once(&mut self) -> Result<(), EngineError> {
        // SAFETY: the context has its key, and the MAC has room for a block.
        unsafe {
            check(sys::cipher_cmac_update(self.context.at(), self.data.as_ptr(), self.data.len()))?;
            check(sys::cipher_cmac_finish(self.context.at(), self.mac.as_mut_ptr()))?;
            check(sys::cipher_cmac_reset(self.context.at()))
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.mac.to_vec()]
    }
}
