//! Keys from passwords.

use std::num::NonZeroU32;

use super::library::pbkdf2;
use crate::engine::operations::filling;
use crate::primitive::{Hash, Input, Operation, PBKDF2_LENGTH, PBKDF2_ROUNDS};

pub(super) fn derive(hash: Hash, input: &Input) -> Option<Box<dyn Operation>> {
    let algorithm = match hash {
        Hash::Md5 => return None,
        Hash::Sha1 => pbkdf2::PBKDF2_HMAC_SHA1,
        Hash::Sha256 => pbkdf2::PBKDF2_HMAC_SHA256,
        Hash::Sha384 => pbkdf2::PBKDF2_HMAC_SHA384,
        Hash::Sha512 => pbkdf2::PBKDF2_HMAC_SHA512,
    };
    let rounds = NonZeroU32::new(PBKDF2_ROUNDS)?;
    let (salt, password) = (input.data.clone(), input.key.clone());
    Some(filling(PBKDF2_LENGTH, move |into| {
        pbkdf2::derive(algorithm, rounds, &salt, &password, into);
        Ok(())
    }))
}
