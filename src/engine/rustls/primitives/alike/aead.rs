//! AEADs with a nonce of the caller's choice, in place, as rustls encrypts records.

use super::super::array;
use super::library::aead::{Aad, Algorithm, LessSafeKey, Nonce, UnboundKey};
use super::library::error::Unspecified;
use crate::engine::EngineError;
use crate::engine::operations::{in_place, repeated};
use crate::primitive::{ADDITIONAL_DATA, Input, Operation};

pub(super) fn encrypt(
    algorithm: &'static Algorithm,
    input: &Input,
) -> Result<Box<dyn Operation>, EngineError> {
    let (key, nonce) = (key(algorithm, input)?, array(&input.nonce)?);
    Ok(sealing(input, move |record| {
        let nonce = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(nonce, Aad::from(ADDITIONAL_DATA), record)
    }))
}

pub(super) fn decrypt(
    algorithm: &'static Algorithm,
    input: &Input,
) -> Result<Box<dyn Operation>, EngineError> {
    let (key, nonce) = (key(algorithm, input)?, array(&input.nonce)?);
    let mut record = input.data.clone();
    let unique = || Nonce::assume_unique_for_key(nonce);
    key.seal_in_place_append_tag(unique(), Aad::from(ADDITIONAL_DATA), &mut record)
        .map_err(EngineError::new)?;
    Ok(in_place(record, move |record| {
        let nonce = Nonce::assume_unique_for_key(nonce);
        let opened = key.open_in_place(nonce, Aad::from(ADDITIONAL_DATA), record);
        opened.map(|plain| plain.len()).map_err(EngineError::new)
    }))
}

/// An operation that encrypts a record where it is, and puts its tag behind it. From the second time on it encrypts
/// what it has made, with the tag away: it costs the same.
pub(super) fn sealing(
    input: &Input,
    mut seal: impl FnMut(&mut Vec<u8>) -> Result<(), Unspecified> + 'static,
) -> Box<dyn Operation> {
    let length = input.data.len();
    let mut record = input.data.clone();
    record.reserve_exact(16);
    repeated(
        record,
        move |record| {
            record.truncate(length);
            seal(record).map_err(EngineError::new)
        },
        |record| vec![record.clone()],
    )
}

fn key(algorithm: &'static Algorithm, input: &Input) -> Result<LessSafeKey, EngineError> {
    UnboundKey::new(algorithm, &input.key).map(LessSafeKey::new).map_err(EngineError::new)
}
