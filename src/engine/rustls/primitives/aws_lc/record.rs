//! AES-GCM for records of TLS 1.3, whose keys the library watches: no nonce may come twice.

use aws_lc_rs::aead::{Aad, Algorithm, Nonce, TlsProtocolId, TlsRecordOpeningKey, TlsRecordSealingKey};

use super::super::array;
use super::aead::sealing;
use crate::engine::EngineError;
use crate::engine::operations::in_place;
use crate::primitive::{ADDITIONAL_DATA, Input, Operation};

pub(super) fn encrypt(
    algorithm: &'static Algorithm,
    input: &Input,
) -> Result<Box<dyn Operation>, EngineError> {
    let mut key = sealing_key(algorithm, input)?;
    let initial = array(&input.nonce)?;
    let mut sequence = 0;
    Ok(sealing(input, move |record| {
        let nonce = nonce(initial, sequence);
        sequence += 1;
        key.seal_in_place_append_tag(nonce, Aad::from(ADDITIONAL_DATA), record)
    }))
}

pub(super) fn decrypt(
    algorithm: &'static Algorithm,
    input: &Input,
) -> Result<Box<dyn Operation>, EngineError> {
    let initial = array(&input.nonce)?;
    let mut record = input.data.clone();
    sealing_key(algorithm, input)?
        .seal_in_place_append_tag(nonce(initial, 0), Aad::from(ADDITIONAL_DATA), &mut record)
        .map_err(EngineError::new)?;
    let key =
        TlsRecordOpeningKey::new(algorithm, TlsProtocolId::TLS13, &input.key).map_err(EngineError::new)?;
    Ok(in_place(record, move |record| {
        let opened = key.open_in_place(nonce(initial, 0), Aad::from(ADDITIONAL_DATA), record);
        opened.map(|plain| plain.len()).map_err(EngineError::new)
    }))
}

fn sealing_key(algorithm: &'static Algorithm, input: &Input) -> Result<TlsRecordSealingKey, EngineError> {
    TlsRecordSealingKey::new(algorithm, TlsProtocolId::TLS13, &input.key).map_err(EngineError::new)
}

/// The nonce of a record of TLS 1.3 (RFC 8446, section 5.3).
fn nonce(mut initial: [u8; 12], sequence: u64) -> Nonce {
    let [_, _, _, _, counter @ ..] = &mut initial;
    *counter = (u64::from_be_bytes(*counter) ^ sequence).to_be_bytes();
    Nonce::assume_unique_for_key(initial)
}
