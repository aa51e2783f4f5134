//! Hashes and MACs. Reading one out makes its handle ready for the next.

use super::super::library::check;
use super::super::object::Object;
use super::super::sys;
use super::{Made, names};
use crate::primitive::{Act, Hash, Input};

type HashHandle = Object<sys::hash_hd_st>;
type MacHandle = Object<sys::hmac_hd_st>;

pub(super) fn hash(hash: Hash, input: &Input) -> Made {
    // SAFETY: writes a handle to the place that it is given.
    let handle = HashHandle::made(|at| unsafe { sys::gnutls_hash_init(at, names::digest(hash)) }, end_hash)?;
    let (data, length) = (input.data.clone(), hash.length());
    Ok(Some(Act::making(length, move |digest| {
        // SAFETY: the handle lives, the data are readable, and there is room for a digest.
        unsafe {
            check(sys::gnutls_hash(handle.at(), data.as_ptr().cast(), data.len()))?;
            sys::gnutls_hash_output(handle.at(), digest.as_mut_ptr().cast());
        }
        Ok(length)
    })))
}

pub(super) fn mac(algorithm: Option<sys::gnutls_mac_algorithm_t>, input: &Input) -> Made {
    let Some(algorithm) = algorithm else { return Ok(None) };
    let key = &input.key;
    let handle = MacHandle::made(
        // SAFETY: writes a handle to the place that it is given; the key is copied.
        |at| unsafe { sys::gnutls_hmac_init(at, algorithm, key.as_ptr().cast(), key.len()) },
        end_mac,
    )?;
    // SAFETY: looks a number up in a table.
    let length = unsafe { sys::gnutls_hmac_get_len(algorithm) } as usize;
    let data = input.data.clone();
    Ok(Some(Act::making(length, move |tag| {
        // SAFETY: the handle lives, the data are readable, and there is room for a MAC.
        unsafe {
            check(sys::gnutls_hmac(handle.at(), data.as_ptr().cast(), data.len()))?;
            sys::gnutls_hmac_output(handle.at(), tag.as_mut_ptr().cast());
        }
        Ok(length)
    })))
}

unsafe extern "C" fn end_hash(handle: *mut sys::hash_hd_st) {
    // SAFETY: `Object` passes its own handle, once; the last digest is not asked for.
    unsafe { sys::gnutls_hash_deinit(handle, std::ptr::null_mut()) };
}

unsafe extern "C" fn end_mac(handle: *mut sys::hmac_hd_st) {
    // SAFETY: as above.
    unsafe { sys::gnutls_hmac_deinit(handle, std::ptr::null_mut()) };
}
