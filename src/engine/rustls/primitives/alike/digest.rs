//! Hashes, and MACs of them.

use super::library::{digest, hmac};
use crate::engine::operations::valued;
use crate::primitive::{Hash, Input, Operation};

pub(super) fn hash(hash: Hash, input: &Input) -> Option<Box<dyn Operation>> {
    let algorithm = match hash {
        Hash::Md5 => return None,
        Hash::Sha1 => &digest::SHA1_FOR_LEGACY_USE_ONLY,
        Hash::Sha256 => &digest::SHA256,
        Hash::Sha384 => &digest::SHA384,
        Hash::Sha512 => &digest::SHA512,
    };
    let data = input.data.clone();
    Some(valued(move || Ok(digest::digest(algorithm, &data))))
}

pub(super) fn mac(hash: Hash, input: &Input) -> Option<Box<dyn Operation>> {
    let algorithm = match hash {
        Hash::Md5 => return None,
        Hash::Sha1 => hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY,
        Hash::Sha256 => hmac::HMAC_SHA256,
        Hash::Sha384 => hmac::HMAC_SHA384,
        Hash::Sha512 => hmac::HMAC_SHA512,
    };
    let key = hmac::Key::new(algorithm, &input.key);
    let data = input.data.clone();
    Some(valued(move || Ok(hmac::sign(&key, &data))))
}
