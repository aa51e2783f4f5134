//! Keys that sign and decrypt.

use std::ffi::c_int;
use std::{ptr, slice};

use tlspair::cell::Cert;
use tlspair::engine::EngineError;
use tlspair::fixtures::Identity;
use tlspair::primitive::Input;

use crate::object::{Object, check};
use crate::random::Random;
use crate::sys;

/// Whom the input is for, which every primitive with such keys has.
pub fn identity(input: &Input) -> Result<&Identity, EngineError> {
    input.identity.as_ref().ok_or_else(|| EngineError::new("there is no key and certificate"))
}

/// The private key of the identity.
pub fn private(
    cert: Cert,
    input: &Input,
    random: &Random,
) -> Result<Object<sys::mbedtls_pk_context>, EngineError> {
    let pkcs8 = &identity(input)?.key;
    let der = if cert == Cert::RsaPss { inner_key(pkcs8)? } else { pkcs8 };
    let key = Object::<sys::mbedtls_pk_context>::new();
    // SAFETY: the key is read during the call, without a password.
    check(unsafe {
        sys::mbedtls_pk_parse_key(
            key.at(),
            der.as_ptr(),
            der.len(),
            ptr::null(),
            0,
            Some(sys::mbedtls_ctr_drbg_random),
            random.argument(),
        )
    })?;
    Ok(key)
}

/// What PKCS #8 wraps. The library does PSS with any RSA key, but its parser does not know keys that are for PSS alone.
fn inner_key(pkcs8: &[u8]) -> Result<&[u8], EngineError> {
    let mut at = pkcs8.as_ptr().cast_mut();
    let end = pkcs8.as_ptr_range().end;
    let sequence = (sys::MBEDTLS_ASN1_CONSTRUCTED | sys::MBEDTLS_ASN1_SEQUENCE) as c_int;
    let octets = sys::MBEDTLS_ASN1_OCTET_STRING as c_int;
    let (mut version, mut length) = (0, 0);
    // SAFETY: the functions read between `at` and `end` only, and leave `at` at the content of what they found, whose length
    // they have compared with `end`.
    unsafe {
        check(sys::mbedtls_asn1_get_tag(&raw mut at, end, &raw mut length, sequence))?;
        check(sys::mbedtls_asn1_get_int(&raw mut at, end, &raw mut version))?;
        check(sys::mbedtls_asn1_get_tag(&raw mut at, end, &raw mut length, sequence))?;
        at = at.add(length);
        check(sys::mbedtls_asn1_get_tag(&raw mut at, end, &raw mut length, octets))?;
        Ok(slice::from_raw_parts(at, length))
    }
}

/// A key to verify and encrypt with.
pub enum Public {
    /// In a certificate.
    Certified(Object<sys::mbedtls_x509_crt>),
    /// Half of a private key.
    Half(Object<sys::mbedtls_pk_context>),
}

impl Public {
    /// The public key of the identity: its certificate's, unless the library cannot read that as it names PSS alone.
    pub fn of(cert: Cert, input: &Input) -> Result<Self, EngineError> {
        if cert == Cert::RsaPss {
            return Ok(Self::Half(private(cert, input, &Random::new()?)?));
        }
        let leaf =
            identity(input)?.chain.first().ok_or_else(|| EngineError::new("there is no certificate"))?;
        let certificate = Object::<sys::mbedtls_x509_crt>::new();
        // SAFETY: the library copies what it is given.
        check(unsafe { sys::mbedtls_x509_crt_parse_der(certificate.at(), leaf.as_ptr(), leaf.len()) })?;
        Ok(Self::Certified(certificate))
    }

    /// For the library's functions; valid as long as `self`.
    pub fn at(&self) -> *mut sys::mbedtls_pk_context {
        match self {
            // SAFETY: the certificate has been parsed.
            Self::Certified(certificate) => unsafe { &raw mut (*certificate.at()).pk },
            Self::Half(key) => key.at(),
        }
    }
}
