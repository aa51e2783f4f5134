//! Key exchanges. A private key is used up by the one exchange that it is for.

use ring::agreement::{
    Algorithm, ECDH_P256, ECDH_P384, EphemeralPrivateKey, PublicKey, UnparsedPublicKey, X25519,
    agree_ephemeral,
};
use ring::rand::SystemRandom;

use crate::cell::Group;
use crate::engine::EngineError;
use crate::engine::operations::{consuming, repeated};
use crate::primitive::{Input, Operation};

fn algorithm(group: Group) -> Option<&'static Algorithm> {
    match group {
        Group::X25519 => Some(&X25519),
        Group::P256 => Some(&ECDH_P256),
        Group::P384 => Some(&ECDH_P384),
        _ => None,
    }
}

/// ring computes the public key when it is asked for it.
fn pair(
    algorithm: &'static Algorithm,
    random: &SystemRandom,
) -> Result<(EphemeralPrivateKey, PublicKey), EngineError> {
    let private = EphemeralPrivateKey::generate(algorithm, random).map_err(EngineError::new)?;
    let public = private.compute_public_key().map_err(EngineError::new)?;
    Ok((private, public))
}

pub(super) fn generate(group: Group) -> Option<Box<dyn Operation>> {
    let algorithm = algorithm(group)?;
    let random = SystemRandom::new();
    Some(repeated(
        None,
        move |last| {
            *last = Some(pair(algorithm, &random)?);
            Ok(())
        },
        |last| last.iter().map(|(_, public)| public.as_ref().to_vec()).collect(),
    ))
}

pub(super) fn agree(group: Group, input: &Input) -> Option<Box<dyn Operation>> {
    let algorithm = algorithm(group)?;
    let random = SystemRandom::new();
    let peer = UnparsedPublicKey::new(algorithm, input.public.clone());
    Some(consuming(
        move || pair(algorithm, &random),
        move |(private, public)| {
            let secret = agree_ephemeral(private, &peer, <[u8]>::to_vec).map_err(EngineError::new)?;
            Ok((secret, public))
        },
        |(secret, public)| vec![secret.clone(), public.as_ref().to_vec()],
    ))
}
