//! Diffie-Hellman in finite fields, of prime and generator alone, as s2n-tls has them: AWS-LC, which is not told how many
//! elements the group has, takes private keys of nearly full length, and does not check by another exponentiation that the
//! peer's key is one of them. Every key pair is made over a copy of the parameters, as s2n-tls makes its own.

use std::ffi::c_int;
use std::ptr::{null, null_mut};

use super::object::{Owned, check, error};
use super::sys;
use crate::cell::Group;
use crate::engine::EngineError;
use crate::engine::operations::repeated;
use crate::primitive::{Input, Operation};

/// The parameters of a group; none if it is in no finite field.
fn parameters(group: Group) -> Result<Option<Owned<sys::Dh>>, EngineError> {
    let number: c_int = match group {
        Group::Ffdhe2048 => 976,
        Group::Ffdhe3072 => 983,
        _ => return Ok(None),
    };
    // SAFETY: what is allocated is ours, but for the numbers: what is made of them is given away to the parameters, which
    // take both or, if they fail, none.
    unsafe {
        let known = Owned::new(sys::DH_new_by_nid(number))?;
        let (mut prime, mut generator) = (null(), null());
        sys::DH_get0_pqg(known.as_ptr(), &mut prime, null_mut(), &mut generator);
        let (prime, generator) = (Owned::new(sys::BN_dup(prime))?, Owned::new(sys::BN_dup(generator))?);
        let parameters = Owned::new(sys::DH_new())?;
        check(sys::DH_set0_pqg(parameters.as_ptr(), prime.as_ptr(), null_mut(), generator.as_ptr()))?;
        std::mem::forget((prime, generator));
        Ok(Some(parameters))
    }
}

fn pair(parameters: &Owned<sys::Dh>) -> Result<Owned<sys::Dh>, EngineError> {
    // SAFETY: the parameters are alive; what is allocated is ours.
    unsafe {
        let pair = Owned::new(sys::DHparams_dup(parameters.as_ptr()))?;
        check(sys::DH_generate_key(pair.as_ptr()))?;
        Ok(pair)
    }
}

/// Bytes of the prime.
fn length(pair: &Owned<sys::Dh>) -> usize {
    // SAFETY: the key is alive.
    usize::try_from(unsafe { sys::DH_size(pair.as_ptr()) }).unwrap_or_default()
}

/// The public key, as long as the prime.
fn public(pair: &Owned<sys::Dh>) -> Vec<u8> {
    let mut public = vec![0; length(pair)];
    // SAFETY: the key is alive, and its public number its own; the buffer is as long as is said.
    let answer = unsafe {
        sys::BN_bn2bin_padded(public.as_mut_ptr(), public.len(), sys::DH_get0_pub_key(pair.as_ptr()))
    };
    if answer == 1 { public } else { Vec::new() }
}

/// None if the group is in no finite field.
pub(super) fn generate(group: Group) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(parameters) = parameters(group)? else { return Ok(None) };
    Ok(Some(repeated(
        None,
        move |last| {
            *last = Some(pair(&parameters)?);
            Ok(())
        },
        |last| last.iter().map(public).collect(),
    )))
}

/// None if the group is in no finite field.
pub(super) fn agree(group: Group, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(parameters) = parameters(group)? else { return Ok(None) };
    let own = pair(&parameters)?;
    let given = &input.public;
    // SAFETY: the bytes are as many as is said; what is allocated is ours.
    let peer = unsafe { Owned::new(sys::BN_bin2bn(given.as_ptr(), given.len(), null_mut())) }?;
    let public = public(&own);
    Ok(Some(repeated(
        vec![0; length(&own)],
        move |secret| {
            // SAFETY: both are alive; the buffer is as long as the prime, and so is the secret.
            let filled =
                unsafe { sys::DH_compute_key_padded(secret.as_mut_ptr(), peer.as_ptr(), own.as_ptr()) };
            if filled > 0 { Ok(()) } else { Err(error()) }
        },
        move |secret| vec![secret.clone(), public.clone()],
    )))
}
