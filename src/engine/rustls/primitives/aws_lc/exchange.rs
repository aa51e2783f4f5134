//! Key exchanges on curves.

use aws_lc_rs::agreement::{
    Algorithm, ECDH_P256, ECDH_P384, ECDH_P521, PrivateKey, PublicKey, UnparsedPublicKey, X25519,
    agree as agreed,
};

use crate::cell::Group;
use crate::engine::EngineError;
use crate::engine::operations::repeated;
use crate::primitive::{Input, Operation};

fn algorithm(group: Group) -> Option<&'static Algorithm> {
    match group {
        Group::X25519 => Some(&X25519),
        Group::P256 => Some(&ECDH_P256),
        Group::P384 => Some(&ECDH_P384),
        Group::P521 => Some(&ECDH_P521),
        _ => None,
    }
}

/// The public key as it is sent to the peer.
fn pair(algorithm: &'static Algorithm) -> Result<(PrivateKey, PublicKey), EngineError> {
    let private = PrivateKey::generate(algorithm).map_err(EngineError::new)?;
    let public = private.compute_public_key().map_err(EngineError::new)?;
    Ok((private, public))
}

/// None if the library has no such group.
pub(super) fn generate(group: Group) -> Option<Box<dyn Operation>> {
    let algorithm = algorithm(group)?;
    Some(repeated(
        None,
        move |last| {
            *last = Some(pair(algorithm)?);
            Ok(())
        },
        |last| last.iter().map(|(_, public)| public.as_ref().to_vec()).collect(),
    ))
}

/// None if the library has no such group. The peer's key is read each time, as it comes in each handshake.
pub(super) fn agree(group: Group, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let Some(algorithm) = algorithm(group) else { return Ok(None) };
    let (private, public) = pair(algorithm)?;
    let peer = input.public.clone();
    let failed = || EngineError::new("the peer's key is none, or the exchange failed");
    Ok(Some(repeated(
        Vec::with_capacity(66),
        move |secret: &mut Vec<u8>| {
            agreed(&private, UnparsedPublicKey::new(algorithm, &peer), failed(), |shared| {
                secret.clear();
                secret.extend_from_slice(shared);
                Ok(())
            })
        },
        move |secret| vec![secret.clone(), public.as_ref().to_vec()],
    )))
}
