//! Signatures.

#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use foreign_types_shared::ForeignType;
use openssl::pkey::{HasPublic, PKey, PKeyRef, Private, Public};
use openssl::pkey_ctx::PkeyCtx;
use openssl::rsa::Padding;
use openssl::sign::RsaPssSaltlen;
use openssl::x509::X509;
use openssl_sys as sys;

use super::hash::Hasher;
use super::names::{self, Signed};
use super::owned::Owned;
use super::{Refusal, succeeded, told};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::fixtures::Identity;
use crate::primitive::{Input, Operation};

/// The key with its certificate, which inputs of primitives with keys always have.
fn identity(input: &Input) -> Result<&Identity, EngineError> {
    input.identity.as_ref().ok_or_else(|| EngineError::new("the input has no key"))
}

pub fn private_key(input: &Input) -> Result<PKey<Private>, EngineError> {
    told(PKey::private_key_from_pkcs8(&identity(input)?.key))
}

/// The key in the certificate.
pub fn public_key(input: &Input) -> Result<PKey<Public>, EngineError> {
    let leaf = identity(input)?.chain.first().ok_or_else(|| EngineError::new("the chain is empty"))?;
    told(X509::from_der(leaf).and_then(|certificate| certificate.public_key()))
}

/// What readies a context for a scheme that takes messages, in the one or the other direction.
type MessageInit =
    unsafe extern "C" fn(*mut sys::EVP_PKEY_CTX, *mut sys::EVP_SIGNATURE, *const sys::OSSL_PARAM) -> c_int;
/// What readies a context for one that takes hashes.
type HashInit = unsafe extern "C" fn(*mut sys::EVP_PKEY_CTX) -> c_int;

/// A context of a key, and what hashes for it where the scheme takes a hash.
struct Scheme<T> {
    context: PkeyCtx<T>,
    hasher: Option<Hasher>,
    data: Vec<u8>,
}

impl<T: HasPublic> Scheme<T> {
    fn new(
        cert: Cert,
        key: &PKeyRef<T>,
        input: &Input,
        (hash_init, message_init): (HashInit, MessageInit),
    ) -> Result<Self, Refusal> {
        let context = PkeyCtx::new(key)?;
        let data = input.data.clone();
        match names::signed(cert) {
            Signed::Message(scheme) => {
                // SAFETY: the name ends in a zero; the context lives, and keeps a reference to the scheme.
                unsafe {
                    let scheme = sys::EVP_SIGNATURE_fetch(ptr::null_mut(), scheme.as_ptr(), ptr::null());
                    let scheme = Owned::new(scheme, sys::EVP_SIGNATURE_free).map_err(|_| Refusal::Missing)?;
                    succeeded(message_init(context.as_ptr(), scheme.as_ptr(), ptr::null()))?;
                }
                Ok(Self { context, hasher: None, data })
            }
            Signed::Hash(name) => {
                let hasher = Hasher::new(name)?;
                // SAFETY: the context lives, and copies what it needs of the hash function, which lives.
                unsafe {
                    succeeded(hash_init(context.as_ptr()))?;
                    let function = hasher.function().as_ptr();
                    succeeded(sys::EVP_PKEY_CTX_set_signature_md(context.as_ptr(), function))?;
                }
                let mut scheme = Self { context, hasher: Some(hasher), data };
                scheme.pad(cert)?;
                Ok(scheme)
            }
        }
    }

    fn pad(&mut self, cert: Cert) -> Result<(), Refusal> {
        if cert == Cert::RsaPss {
            self.context.set_rsa_padding(Padding::PKCS1_PSS)?;
            self.context.set_rsa_pss_saltlen(RsaPssSaltlen::DIGEST_LENGTH)?;
        } else if cert.signs_with_rsa() {
            self.context.set_rsa_padding(Padding::PKCS1)?;
        }
        Ok(())
    }
}

pub struct Signing {
    scheme: Scheme<Private>,
    signature: Vec<u8>,
    length: usize,
}

impl Signing {
    pub fn new(cert: Cert, input: &Input) -> Result<Self, Refusal> {
        let key = private_key(input)?;
        let inits = (sys::EVP_PKEY_sign_init as HashInit, sys::EVP_PKEY_sign_message_init as MessageInit);
        let scheme = Scheme::new(cert, &key, input, inits)?;
        Ok(Self { scheme, signature: vec![0; key.size()], length: 0 })
    }
}

impl Operation for Signing {
    fn once(&mut self) -> Result<(), EngineError> {
        let Scheme { context, hasher, data } = &mut self.scheme;
        let signed = match hasher {
            Some(hasher) => hasher.hash(data)?,
            None => data,
        };
        self.length = told(context.sign(signed, Some(&mut self.signature)))?;
        Ok(())
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.signature[..self.length].to_vec()]
    }
}

pub struct Verifying {
    scheme: Scheme<Public>,
    signature: Vec<u8>,
}

impl Verifying {
    pub fn new(cert: Cert, input: &Input) -> Result<Self, Refusal> {
        let key = public_key(input)?;
        let inits = (sys::EVP_PKEY_verify_init as HashInit, sys::EVP_PKEY_verify_message_init as MessageInit);
        Ok(Self { scheme: Scheme::new(cert, &key, input, inits)?, signature: input.given.clone() })
    }
}

impl Operation for Verifying {
    fn once(&mut self) -> Result<(), EngineError> {
        let Scheme { context, hasher, data } = &mut self.scheme;
        let signed = match hasher {
            Some(hasher) => hasher.hash(data)?,
            None => data,
        };
        let fits = told(context.verify(signed, &self.signature))?;
        if fits { Ok(()) } else { Err(EngineError::new("the signature is wrong")) }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }
}
