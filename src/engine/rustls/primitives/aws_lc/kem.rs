//! ML-KEM.

use aws_lc_rs::kem::{
    AlgorithmId, Ciphertext, DecapsulationKey, EncapsulationKey, EncapsulationKeyBytes, ML_KEM_768,
    SharedSecret,
};

use crate::cell::Group;
use crate::engine::EngineError;
use crate::engine::operations::{repeated, valued};
use crate::primitive::{Input, Operation};

type Pair = (DecapsulationKey<AlgorithmId>, EncapsulationKeyBytes<'static>);

/// The public key as it is sent to the peer.
fn pair() -> Result<Pair, EngineError> {
    let private = DecapsulationKey::generate(&ML_KEM_768).map_err(EngineError::new)?;
    let public = private.encapsulation_key().and_then(|key| key.key_bytes()).map_err(EngineError::new)?;
    Ok((private, public))
}

/// None if the group is no KEM of the library.
pub(super) fn generate(group: Group) -> Option<Box<dyn Operation>> {
    let make = move |last: &mut Option<Pair>| {
        *last = Some(pair()?);
        Ok(())
    };
    (group == Group::MlKem768).then(|| {
        repeated(None, make, |last| last.iter().map(|(_, public)| public.as_ref().to_vec()).collect())
    })
}

/// None if the group is no KEM of the library.
pub(super) fn encapsulate(group: Group, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    if group != Group::MlKem768 {
        return Ok(None);
    }
    let key = EncapsulationKey::new(&ML_KEM_768, &input.public).map_err(EngineError::new)?;
    Ok(Some(repeated(
        None,
        move |last| {
            *last = Some(key.encapsulate().map_err(EngineError::new)?);
            Ok(())
        },
        |last: &Option<(Ciphertext<'_>, SharedSecret)>| {
            let wrapped = last.iter();
            wrapped
                .flat_map(|(ciphertext, secret)| [secret.as_ref().to_vec(), ciphertext.as_ref().to_vec()])
                .collect()
        },
    )))
}

/// None if the group is no KEM of the library.
pub(super) fn decapsulate(group: Group, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    if group != Group::MlKem768 {
        return Ok(None);
    }
    let key = DecapsulationKey::new(&ML_KEM_768, &input.private).map_err(EngineError::new)?;
    let given = input.given.clone();
    Ok(Some(valued(move || key.decapsulate(Ciphertext::from(given.as_slice())).map_err(EngineError::new))))
}
