//! Key exchanges on curves.

use std::ffi::c_int;
use std::ptr::null_mut;

use super::object::{Owned, check};
use super::{key, sys};
use crate::cell::Group;
use crate::engine::EngineError;
use crate::engine::operations::repeated;
use crate::primitive::{Input, Operation};

const X25519: c_int = 948;
const EC: c_int = 408;
/// The longest secret: that of P-521.
const MOST: usize = 66;

/// What makes keys of a group; none if the library has no such group.
fn generator(group: Group) -> Result<Option<Owned<sys::PkeyCtx>>, EngineError> {
    let curve = match group {
        Group::P256 => 415,
        Group::P384 => 715,
        Group::P521 => 716,
        Group::X25519 => return of_kind(X25519, sys::EVP_PKEY_keygen_init).map(Some),
        _ => return Ok(None),
    };
    let chosen = of_kind(EC, sys::EVP_PKEY_paramgen_init)?;
    // SAFETY: the context is alive; what is allocated is ours, and counted by the context of keys.
    let parameters = unsafe {
        let mut parameters = null_mut();
        check(sys::EVP_PKEY_CTX_set_ec_paramgen_curve_nid(chosen.as_ptr(), curve))?;
        check(sys::EVP_PKEY_paramgen(chosen.as_ptr(), &mut parameters))?;
        Owned::new(parameters)?
    };
    key::context(&parameters, sys::EVP_PKEY_keygen_init).map(Some)
}

/// A context of this kind of keys, for what `begin` begins.
fn of_kind(
    kind: c_int,
    begin: unsafe extern "C" fn(*mut sys::PkeyCtx) -> c_int,
) -> Result<Owned<sys::PkeyCtx>, EngineError> {
    // SAFETY: what is allocated is ours.
    unsafe {
        let context = Owned::new(sys::EVP_PKEY_CTX_new_id(kind, null_mut()))?;
        check(begin(context.as_ptr()))?;
        Ok(context)
    }
}

/// A new key pair.
pub(super) fn pair(generator: &Owned<sys::PkeyCtx>) -> Result<Owned<sys::Pkey>, EngineError> {
    let mut pair = null_mut();
    // SAFETY: the context is alive; what is allocated is ours.
    unsafe {
        check(sys::EVP_PKEY_keygen(generator.as_ptr(), &mut pair))?;
        Owned::new(pair)
    }
}

/// The public key as it is sent to the peer; nothing if the library does not say it.
fn public(pair: &Owned<sys::Pkey>) -> Vec<u8> {
    let mut point = null_mut();
    // SAFETY: the key is alive; the library allocates as many bytes as it says, which are copied before they are freed.
    unsafe {
        let length = sys::EVP_PKEY_get1_tls_encodedpoint(pair.as_ptr(), &mut point);
        if point.is_null() {
            return Vec::new();
        }
        let copy = std::slice::from_raw_parts(point, length).to_vec();
        sys::OPENSSL_free(point.cast());
        copy
    }
}

/// None if the library has no such group.
pub(super) fn generate(group: Group) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(generator) = generator(group)? else { return Ok(None) };
    Ok(Some(repeated(
        None,
        move |last| {
            *last = Some(pair(&generator)?);
            Ok(())
        },
        |last| last.iter().map(public).collect(),
    )))
}

/// None if the library has no such group.
pub(super) fn agree(group: Group, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(generator) = generator(group)? else { return Ok(None) };
    let own = pair(&generator)?;
    let context = key::context(&own, sys::EVP_PKEY_derive_init)?;
    // SAFETY: what is allocated is ours; all are alive; the bytes are as many as is said, and the context counts the key.
    unsafe {
        let given = &input.public;
        let peer = if group == Group::X25519 {
            Owned::new(sys::EVP_PKEY_new_raw_public_key(X25519, null_mut(), given.as_ptr(), given.len()))?
        } else {
            let peer = Owned::new(sys::EVP_PKEY_new())?;
            check(sys::EVP_PKEY_copy_parameters(peer.as_ptr(), own.as_ptr()))?;
            check(sys::EVP_PKEY_set1_tls_encodedpoint(peer.as_ptr(), given.as_ptr(), given.len()))?;
            peer
        };
        check(sys::EVP_PKEY_derive_set_peer(context.as_ptr(), peer.as_ptr()))?;
    }
    let public = public(&own);
    Ok(Some(repeated(
        (vec![0; MOST], 0),
        move |(secret, length)| {
            *length = secret.len();
            // SAFETY: the context is alive, and has both keys; the buffer is as long as is said.
            check(unsafe { sys::EVP_PKEY_derive(context.as_ptr(), secret.as_mut_ptr(), length) })
        },
        move |(secret, length)| vec![secret[..*length].to_vec(), public.clone()],
    )))
}
