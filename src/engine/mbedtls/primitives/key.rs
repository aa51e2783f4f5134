//! Keys that sign and decrypt.

use std::ffi::c_int;
use std::{ptr, slice};

use mbedtls_sys as sys;

use crate::cell::Cert;
use crate::engine::EngineError;
use crate::engine::mbedtls::object::{Object, check};
use crate::fixtures::Identity;
use crate::primitive::Input;

/// Whom the input is for, which every primitive with such keys has.
pub(super) fn identity(input: &Input) -> Result<&Identity, EngineError> {
    input.identity.as_ref().ok_or_else(|| EngineError::new("there is no key and certificate"))
}

/// The private key of the identity.
pub(super) fn private(cert: Cert, input: &Input) -> Result<Object<sys::pk_context>, EngineError> {
    let pkcs8 = &identity(input)?.key;
    if cert != Cert::RsaPss {
        return parse(pkcs8);
    }
    let key = parse(inner_key(pkcs8)?)?;
    // SAFETY: what `inner_key` finds is an RSA key, or `parse` has failed.
    unsafe { sys::rsa_set_padding((*key.at()).pk_ctx.cast(), sys::RSA_PKCS_V21, sys::MD_SHA256 as c_int) };
    Ok(key)
}

fn parse(der: &[u8]) -> Result<Object<sys::pk_context>, EngineError> {
    let key = Object::<sys::pk_context>::new();
    // SAFETY: the key is read during the call, without a password.
    check(unsafe { sys::pk_parse_key(key.at(), der.as_ptr(), der.len(), ptr::null(), 0) })?;
    Ok(key)
}

/// What PKCS #8 wraps. The library does PSS with any RSA key, but its parser does not know keys that are for PSS alone.
fn inner_key(pkcs8: &[u8]) -> Result<&[u8], EngineError> {
    let mut at = pkcs8.as_ptr().cast_mut();
    let end = pkcs8.as_ptr_range().end;
    let sequence = sys::ASN1_CONSTRUCTED | sys::ASN1_SEQUENCE;
    let (mut version, mut length) = (0, 0);
    // SAFETY: the functions read between `at` and `end` only, and leave `at` at the content of what they found, whose length
    // they have compared with `end`.
    unsafe {
        check(sys::asn1_get_tag(&raw mut at, end, &raw mut length, sequence))?;
        check(sys::asn1_get_int(&raw mut at, end, &raw mut version))?;
        check(sys::asn1_get_tag(&raw mut at, end, &raw mut length, sequence))?;
        at = at.add(length);
        check(sys::asn1_get_tag(&raw mut at, end, &raw mut length, sys::ASN1_OCTET_STRING))?;
        Ok(slice::from_raw_parts(at, length))
    }
}

/// A key to verify and encrypt with.
pub(super) enum Public {
    /// In a certificate.
    Certified(Object<sys::x509_crt>),
    /// Half of a private key.
    Half(Object<sys::pk_context>),
}

impl Public {
    /// The public key of the identity: its certificate's, unless the library cannot read that as it names PSS alone.
    pub(super) fn of(cert: Cert, input: &Input) -> Result<Self, EngineError> {
        if cert == Cert::RsaPss {
            return Ok(Self::Half(private(cert, input)?));
        }
        let leaf =
            identity(input)?.chain.first().ok_or_else(|| EngineError::new("there is no certificate"))?;
        let certificate = Object::<sys::x509_crt>::new();
        // SAFETY: the library copies what it is given.
        check(unsafe { sys::x509_crt_parse_der(certificate.at(), leaf.as_ptr(), leaf.len()) })?;
        Ok(Self::Certified(certificate))
    }

    /// For the library's functions; valid as long as `self`.
    pub(super) fn at(&self) -> *mut sys::pk_context {
        match self {
            // SAFETY: the certificate has been parsed.
            Self::Certified(certificate) => unsafe { &raw mut (*certificate.at()).pk },
            Self::Half(key) => key.at(),
        }
    }
}
