//! ML-KEM-768.

use std::ptr;

use super::declared::{
    ML_KEM_768, MlKemKey, wc_MlKemKey_Decapsulate, wc_MlKemKey_DecodePrivateKey, wc_MlKemKey_DecodePublicKey,
    wc_MlKemKey_Delete, wc_MlKemKey_Encapsulate, wc_MlKemKey_EncodePublicKey, wc_MlKemKey_MakeKey,
    wc_MlKemKey_New,
};
use super::exchange::Fresh;
use super::object::{NO_DEVICE, Object, Random, random};
use super::{Made, check, length};
use crate::engine::EngineError;
use crate::primitive::{Act, Input, Operation};

type Key = Object<MlKemKey>;

/// Bytes of a shared secret.
const SECRET: usize = 32;
/// Bytes of a public key.
const PUBLIC: usize = 1184;
/// Bytes of a secret that is encapsulated.
const CIPHERTEXT: usize = 1088;

fn key() -> Result<Key, EngineError> {
    // SAFETY: answers with a new object.
    let at = unsafe { wc_MlKemKey_New(ML_KEM_768, ptr::null_mut(), NO_DEVICE) };
    // SAFETY: `Object` passes what the library has made, once.
    Object::made(at, |at| unsafe {
        wc_MlKemKey_Delete(at, ptr::null_mut());
    })
}

pub(super) fn key_pair() -> Made {
    let random = random()?;
    let make = move || {
        let key = key()?;
        // SAFETY: both objects live.
        check(unsafe { wc_MlKemKey_MakeKey(key.at(), random.at()) })?;
        Ok(key)
    };
    Ok(Some(Box::new(Fresh { key: None, make, public })))
}

fn public(key: &Key) -> Result<Vec<u8>, EngineError> {
    let mut public = vec![0; PUBLIC];
    // SAFETY: the key lives, and no more is written than there is room for.
    check(unsafe { wc_MlKemKey_EncodePublicKey(key.at(), public.as_mut_ptr(), length(&public)) })?;
    Ok(public)
}

pub(super) fn encapsulate(input: &Input) -> Made {
    let (random, public) = (random()?, input.public.clone());
    Ok(Some(Box::new(Encapsulating { random, public, secret: [0; SECRET], ciphertext: [0; CIPHERTEXT] })))
}

struct Encapsulating {
    random: Random,
    public: Vec<u8>,
    secret: [u8; SECRET],
    ciphertext: [u8; CIPHERTEXT],
}

impl Operation for Encapsulating {
    /// The peer's key is read into a new object, as in the library's TLS.
    fn once(&mut self) -> Result<(), EngineError> {
        let (key, public) = (key()?, &self.public);
        let (ciphertext, secret) = (self.ciphertext.as_mut_ptr(), self.secret.as_mut_ptr());
        // SAFETY: all objects live, the bytes are readable, and there is room for what is written.
        unsafe {
            check(wc_MlKemKey_DecodePublicKey(key.at(), public.as_ptr(), length(public)))?;
            check(wc_MlKemKey_Encapsulate(key.at(), ciphertext, secret, self.random.at()))?;
        }
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret.to_vec(), self.ciphertext.to_vec()]
    }
}

pub(super) fn decapsulate(input: &Input) -> Made {
    let (key, private, ciphertext) = (key()?, &input.private, input.given.clone());
    // SAFETY: the key lives, and the bytes are read during the call.
    check(unsafe { wc_MlKemKey_DecodePrivateKey(key.at(), private.as_ptr(), length(private)) })?;
    Ok(Some(Act::making(SECRET, move |secret| {
        // SAFETY: the key lives, the bytes are readable, and there is room for a secret.
        check(unsafe {
            let (into, from) = (secret.as_mut_ptr(), ciphertext.as_ptr());
            wc_MlKemKey_Decapsulate(key.at(), into, from, length(&ciphertext))
        })?;
        Ok(SECRET)
    })))
}
