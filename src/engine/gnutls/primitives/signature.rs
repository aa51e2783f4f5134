//! What is done with the key of a certificate: signatures, and RSA encryption.

use super::super::library::check;
use super::super::object::{Object, Owned, bytes, datum};
use super::super::{names, sys};
use super::Made;
use crate::cell::{Cert, Proto};
use crate::engine::EngineError;
use crate::fixtures::Identity;
use crate::primitive::{Act, Check, Input, Operation, PREMASTER_SECRET, reading};

type PrivateKey = Object<sys::gnutls_privkey_st>;
type PublicKey = Object<sys::gnutls_pubkey_st>;

/// The library's number for how a key signs, if it has any.
fn scheme(cert: Cert) -> Option<sys::gnutls_sign_algorithm_t> {
    names::signature(cert.scheme_in(Proto::Tls12), Proto::Tls12)
}

pub(super) fn sign(cert: Cert, input: &Input) -> Made {
    let (Some(scheme), Some(identity)) = (scheme(cert), &input.identity) else { return Ok(None) };
    let (key, data) = (private_key(identity)?, input.data.clone());
    Ok(Some(Making::by(move |signature| {
        // SAFETY: the key lives, and the data are readable.
        unsafe { sys::gnutls_privkey_sign_data2(key.at(), scheme, 0, &datum(&data), signature) }
    })))
}

pub(super) fn verify(cert: Cert, input: &Input) -> Made {
    let (Some(scheme), Some(identity)) = (scheme(cert), &input.identity) else { return Ok(None) };
    let (key, data, signature) = (public_key(identity)?, input.data.clone(), input.given.clone());
    Ok(Some(Check::by(move || {
        // SAFETY: the key lives, and the bytes are readable.
        check(unsafe {
            sys::gnutls_pubkey_verify_data2(key.at(), scheme, 0, &datum(&data), &datum(&signature))
        })
    })))
}

pub(super) fn read(cert: Cert, input: &Input) -> Made {
    let Some(identity) = input.identity.clone() else { return Ok(None) };
    reading(verify(cert, input), move || public_key(&identity).map(drop))
}

pub(super) fn rsa_encrypt(input: &Input) -> Made {
    let Some(identity) = &input.identity else { return Ok(None) };
    let (key, secret) = (public_key(identity)?, input.data.clone());
    Ok(Some(Making::by(move |encrypted| {
        // SAFETY: the key lives, and the secret is readable.
        unsafe { sys::gnutls_pubkey_encrypt_data(key.at(), 0, &datum(&secret), encrypted) }
    })))
}

/// By the function that takes the same time whatever it finds, as the library's server does.
pub(super) fn rsa_decrypt(input: &Input) -> Made {
    let Some(identity) = &input.identity else { return Ok(None) };
    let (key, encrypted) = (private_key(identity)?, input.given.clone());
    Ok(Some(Act::making(PREMASTER_SECRET.len(), move |secret| {
        // SAFETY: the key lives, the bytes are readable, and no more are written than there is room for.
        check(unsafe {
            let room = secret.len();
            sys::gnutls_privkey_decrypt_data2(key.at(), 0, &datum(&encrypted), secret.as_mut_ptr(), room)
        })?;
        Ok(secret.len())
    })))
}

fn private_key(identity: &Identity) -> Result<PrivateKey, EngineError> {
    // SAFETY: writes a key to the place that it is given.
    let key = PrivateKey::made(|at| unsafe { sys::gnutls_privkey_init(at) }, sys::gnutls_privkey_deinit)?;
    let (der, form) = (datum(&identity.key), sys::GNUTLS_X509_FMT_DER);
    // SAFETY: the key lives, and the bytes are read during the call.
    check(unsafe { sys::gnutls_privkey_import_x509_raw(key.at(), &der, form, std::ptr::null(), 0) })?;
    Ok(key)
}

fn public_key(identity: &Identity) -> Result<PublicKey, EngineError> {
    // SAFETY: writes a key to the place that it is given.
    let key = PublicKey::made(|at| unsafe { sys::gnutls_pubkey_init(at) }, sys::gnutls_pubkey_deinit)?;
    let leaf = identity.chain.first().ok_or_else(|| EngineError::new("a chain of no certificates"))?;
    let (der, form) = (datum(leaf), sys::GNUTLS_X509_FMT_DER);
    // SAFETY: the key lives, and the certificate is read during the call.
    check(unsafe { sys::gnutls_pubkey_import_x509_raw(key.at(), &der, form, 0) })?;
    Ok(key)
}

/// Calls `make`, which leaves bytes of the library's own allocation in the place that it is given.
struct Making<M> {
    made: Option<Owned>,
    make: M,
}

impl<M: FnMut(*mut sys::gnutls_datum_t) -> i32 + 'static> Making<M> {
    fn by(make: M) -> Box<dyn Operation> {
        Box::new(Self { made: None, make })
    }
}

impl<M: FnMut(*mut sys::gnutls_datum_t) -> i32> Operation for Making<M> {
    fn once(&mut self) -> Result<(), EngineError> {
        self.made = Some(Owned::made(&mut self.make)?);
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        // SAFETY: as long as `made` lives, so do its bytes.
        self.made.iter().map(|made| unsafe { bytes(*made.datum()) }.to_vec()).collect()
    }
}
