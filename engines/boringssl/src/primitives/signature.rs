//! Signatures.

#![allow(unsafe_code)]

use std::ffi::c_int;
use std::ptr;

use boring_sys as sys;
use foreign_types_shared::ForeignType;
use tlspair::cell::Cert;
use tlspair::engine::EngineError;
use tlspair::primitive::{Input, Operation};

use super::hash::Hasher;
use super::key::{private_key, public_key};
use super::owned::Owned;
use super::{Refusal, names, succeeded};

/// A context of a key.
enum Scheme {
    /// It takes a hash of the message.
    OfHash(Owned<sys::EVP_PKEY_CTX>, Hasher),
    /// It takes the message itself.
    OfMessage(Owned<sys::EVP_MD_CTX>),
}

/// The calls that make a context ready to sign, or to verify.
struct Inits {
    of_hash: unsafe extern "C" fn(*mut sys::EVP_PKEY_CTX) -> c_int,
    of_message: unsafe extern "C" fn(
        *mut sys::EVP_MD_CTX,
        *mut *mut sys::EVP_PKEY_CTX,
        *const sys::EVP_MD,
        *mut sys::ENGINE,
        *const sys::EVP_PKEY,
    ) -> c_int,
}

impl Scheme {
    /// # Safety
    /// `key` must live.
    unsafe fn new(cert: Cert, key: *mut sys::EVP_PKEY, inits: &Inits) -> Result<Self, EngineError> {
        let none = ptr::null_mut();
        let Some(hash) = names::signature_hash(cert) else {
            // SAFETY: what is made is null or ours, and lives; it keeps a reference to the key.
            return unsafe {
                let context = Owned::new(sys::EVP_MD_CTX_new(), sys::EVP_MD_CTX_free)?;
                let raw = context.as_ptr();
                succeeded((inits.of_message)(raw, ptr::null_mut(), ptr::null(), none, key))?;
                Ok(Self::OfMessage(context))
            };
        };
        // SAFETY: as above; the hash function is static.
        unsafe {
            let context = Owned::new(sys::EVP_PKEY_CTX_new(key, none), sys::EVP_PKEY_CTX_free)?;
            let raw = context.as_ptr();
            succeeded((inits.of_hash)(raw))?;
            if cert == Cert::RsaPss {
                succeeded(sys::EVP_PKEY_CTX_set_rsa_padding(raw, sys::RSA_PKCS1_PSS_PADDING))?;
                succeeded(sys::EVP_PKEY_CTX_set_rsa_pss_saltlen(raw, sys::RSA_PSS_SALTLEN_DIGEST))?;
            } else if cert.signs_with_rsa() {
                succeeded(sys::EVP_PKEY_CTX_set_rsa_padding(raw, sys::RSA_PKCS1_PADDING))?;
            }
            succeeded(sys::EVP_PKEY_CTX_set_signature_md(raw, names::hash(hash)))?;
            Ok(Self::OfHash(context, Hasher::new(hash)?))
        }
    }
}

pub struct Signing {
    scheme: Scheme,
    data: Vec<u8>,
    signature: Vec<u8>,
    length: usize,
}

impl Signing {
    pub fn new(cert: Cert, input: &Input) -> Result<Self, Refusal> {
        let key = private_key(cert, input)?;
        let inits = Inits { of_hash: sys::EVP_PKEY_sign_init, of_message: sys::EVP_DigestSignInit };
        // SAFETY: the key lives.
        let scheme = unsafe { Scheme::new(cert, key.as_ptr(), &inits)? };
        Ok(Self { scheme, data: input.data.clone(), signature: vec![0; key.size()], length: 0 })
    }
}

impl Operation for Signing {
    fn once(&mut self) -> Result<(), EngineError> {
        self.length = self.signature.len();
        let (signature, length) = (self.signature.as_mut_ptr(), &mut self.length);
        // SAFETY: the contexts live, what is signed is readable, and the library is told how much room there is.
        unsafe {
            match &mut self.scheme {
                Scheme::OfHash(context, hasher) => {
                    let digest = hasher.hash(&self.data)?;
                    let (context, count) = (context.as_ptr(), digest.len());
                    succeeded(sys::EVP_PKEY_sign(context, signature, length, digest.as_ptr(), count))
                }
                Scheme::OfMessage(context) => {
                    let (data, count) = (self.data.as_ptr(), self.data.len());
                    succeeded(sys::EVP_DigestSign(context.as_ptr(), signature, length, data, count))
                }
            }
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.signature[..self.length].to_vec()]
    }
}

pub struct Verifying {
    scheme: Scheme,
    data: Vec<u8>,
    signature: Vec<u8>,
}

impl Verifying {
    pub fn new(cert: Cert, input: &Input) -> Result<Self, Refusal> {
        let key = public_key(cert, input)?;
        let inits = Inits { of_hash: sys::EVP_PKEY_verify_init, of_message: sys::EVP_DigestVerifyInit };
        // SAFETY: the key lives.
        let scheme = unsafe { Scheme::new(cert, key.as_ptr(), &inits)? };
        Ok(Self { scheme, data: input.data.clone(), signature: input.given.clone() })
    }
}

impl Operation for Verifying {
    fn once(&mut self) -> Result<(), EngineError> {
        let (signature, length) = (self.signature.as_ptr(), self.signature.len());
        // SAFETY: the contexts live, and what is verified is readable.
        unsafe {
            match &mut self.scheme {
                Scheme::OfHash(context, hasher) => {
                    let digest = hasher.hash(&self.data)?;
                    let (context, count) = (context.as_ptr(), digest.len());
                    succeeded(sys::EVP_PKEY_verify(context, signature, length, digest.as_ptr(), count))
                }
                Scheme::OfMessage(context) => {
                    let (data, count) = (self.data.as_ptr(), self.data.len());
                    succeeded(sys::EVP_DigestVerify(context.as_ptr(), signature, length, data, count))
                }
            }
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }
}
