//! Key pairs for exchanges.

use std::ptr;

use super::super::library::check;
use super::super::object::{Object, Owned, bytes};
use super::super::sys;
use super::{Made, names};
use crate::cell::Group;
use crate::engine::EngineError;
use crate::primitive::Operation;

pub(super) fn key_pair(group: Group) -> Made {
    let Some((algorithm, curve, coordinate)) = names::curve(group) else { return Ok(None) };
    Ok(Some(Box::new(KeyPair { algorithm, curve, coordinate, key: None })))
}

/// Makes a key pair, and drops the one before.
struct KeyPair {
    algorithm: sys::gnutls_pk_algorithm_t,
    curve: sys::gnutls_ecc_curve_t,
    coordinate: usize,
    key: Option<Object<sys::gnutls_privkey_st>>,
}

/// How the library's header writes a curve in place of a number of bits: `GNUTLS_CURVE_TO_BITS`.
const IS_CURVE: u32 = 1 << 31;

impl Operation for KeyPair {
    fn once(&mut self) -> Result<(), EngineError> {
        // SAFETY: writes a key to the place that it is given.
        let key = Object::made(|at| unsafe { sys::gnutls_privkey_init(at) }, sys::gnutls_privkey_deinit)?;
        // SAFETY: the key lives, and is empty.
        check(unsafe { sys::gnutls_privkey_generate(key.at(), self.algorithm, IS_CURVE | self.curve, 0) })?;
        self.key = Some(key);
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.key.iter().filter_map(|key| self.public(key).ok()).collect()
    }
}

impl KeyPair {
    /// The coordinates in full length; before two of them, that the point is not compressed.
    fn public(&self, key: &Object<sys::gnutls_privkey_st>) -> Result<Vec<u8>, EngineError> {
        let nowhere = ptr::null_mut();
        // SAFETY: the key lives; each call leaves one coordinate in new bytes of the library, and makes nothing of the rest.
        let (x, y) = unsafe {
            let export = sys::gnutls_privkey_export_ecc_raw2;
            (
                Owned::made(|x| export(key.at(), ptr::null_mut(), x, nowhere, nowhere, 0))?,
                Owned::made(|y| export(key.at(), ptr::null_mut(), nowhere, y, nowhere, 0))?,
            )
        };
        // SAFETY: `x` and `y` live.
        let (x, y) = unsafe { (bytes(*x.datum()), bytes(*y.datum())) };
        if y.is_empty() {
            return Ok(x.to_vec());
        }
        Ok([vec![4], self.in_full(x), self.in_full(y)].concat())
    }

    /// A number as long as coordinates are: the library writes it with one zero more, or without the first ones.
    fn in_full(&self, number: &[u8]) -> Vec<u8> {
        let digits = &number[number.len().saturating_sub(self.coordinate)..];
        [&vec![0; self.coordinate - digits.len()], digits].concat()
    }
}
