//! Key exchanges and ML-KEM. A key, private or peer's, is used up by the one exchange that it is for.

use graviola::key_agreement::mlkem768::{Ciphertext, DecapKey, EncapKey, SharedSecret};
use graviola::key_agreement::{p256, p384, x25519};

use super::super::array;
use super::error;
use crate::cell::Group;
use crate::engine::EngineError;
use crate::engine::operations::{consuming, valued};
use crate::primitive::{Input, Operation};

/// None if the library has no such group. The public key is made in the form that is sent to the peer.
pub(super) fn generate(group: Group) -> Option<Box<dyn Operation>> {
    match group {
        Group::X25519 => Some(valued(|| {
            x25519::PrivateKey::new_random().map(|key| key.public_key().as_bytes()).map_err(error)
        })),
        Group::P256 => Some(valued(|| {
            p256::PrivateKey::new_random().map(|key| key.public_key_uncompressed()).map_err(error)
        })),
        Group::P384 => Some(valued(|| {
            p384::PrivateKey::new_random().map(|key| key.public_key_uncompressed()).map_err(error)
        })),
        Group::MlKem768 => {
            Some(valued(|| DecapKey::generate().map(|key| key.encapsulation_key().as_bytes()).map_err(error)))
        }
        _ => None,
    }
}

/// None if the library has no such group. The peer's key is read each time, as it comes in each handshake.
pub(super) fn agree(group: Group, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    let peer = input.public.clone();
    let made = match group {
        Group::X25519 => agreement(
            || x25519::PrivateKey::new_random().map(|key| (key.public_key().as_bytes(), key)),
            move |key| key.diffie_hellman(&x25519::PublicKey::try_from_slice(&peer)?).map(|secret| secret.0),
        ),
        Group::P256 => agreement(
            || p256::PrivateKey::new_random().map(|key| (key.public_key_uncompressed(), key)),
            move |key| {
                key.diffie_hellman(&p256::PublicKey::from_x962_uncompressed(&peer)?).map(|secret| secret.0)
            },
        ),
        Group::P384 => agreement(
            || p384::PrivateKey::new_random().map(|key| (key.public_key_uncompressed(), key)),
            move |key| {
                key.diffie_hellman(&p384::PublicKey::from_x962_uncompressed(&peer)?).map(|secret| secret.0)
            },
        ),
        _ => return Ok(None),
    };
    Ok(Some(made))
}

fn agreement<K: 'static, const PUBLIC: usize, const SECRET: usize>(
    mut make: impl FnMut() -> Result<([u8; PUBLIC], K), graviola::Error> + 'static,
    mut agree: impl FnMut(K) -> Result<[u8; SECRET], graviola::Error> + 'static,
) -> Box<dyn Operation> {
    consuming(
        move || make().map_err(error),
        move |(public, key)| Ok((agree(key).map_err(error)?, public)),
        |(secret, public)| vec![secret.to_vec(), public.to_vec()],
    )
}

/// None if the group is no KEM of the library.
pub(super) fn encapsulate(group: Group, input: &Input) -> Result<Option<Box<dyn Operation>>, EngineError> {
    if group != Group::MlKem768 {
        return Ok(None);
    }
    let key = EncapKey::from_bytes(&array(&input.public)?).map_err(error)?;
    Ok(Some(consuming(
        move || Ok(key.clone()),
        |key| key.encaps().map_err(error),
        |(secret, ciphertext)| vec![secret.as_ref().to_vec(), ciphertext.as_ref().to_vec()],
    )))
}

/// None if the group is no KEM of the library. It reads no private keys, so each of them is its own, with a secret that
/// was encapsulated to it.
pub(super) fn decapsulate(group: Group) -> Option<Box<dyn Operation>> {
    let decapsulate = |(key, wrapped, ciphertext): Wrapped| Ok((key.decaps(&ciphertext), wrapped));
    (group == Group::MlKem768).then(|| {
        consuming(wrap, decapsulate, |(found, wrapped)| {
            vec![found.as_ref().to_vec(), wrapped.as_ref().to_vec()]
        })
    })
}

type Wrapped = (DecapKey, SharedSecret, Ciphertext);

fn wrap() -> Result<Wrapped, EngineError> {
    let key = DecapKey::generate().map_err(error)?;
    let (secret, ciphertext) = key.encapsulation_key().encaps().map_err(error)?;
    Ok((key, secret, ciphertext))
}
