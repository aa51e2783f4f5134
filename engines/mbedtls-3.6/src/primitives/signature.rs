//! Signatures, made and checked as in the library's handshake: over a hash that is computed first.

use std::ptr;

use tlspair::cell::Cert;
use tlspair::engine::EngineError;
use tlspair::primitive::{Hash, Input, Operation};

use super::key::{self, Public};
use super::{Made, names};
use crate::object::{Object, check};
use crate::random::Random;
use crate::sys;

/// As the input asks for it: as long as the hash.
static PSS: sys::mbedtls_pk_rsassa_pss_options =
    sys::mbedtls_pk_rsassa_pss_options { mgf1_hash_id: sys::MBEDTLS_MD_SHA256, expected_salt_len: 32 };

pub fn sign(cert: Cert, input: &Input) -> Made {
    let Some((scheme, hash)) = names::signature(cert) else { return Ok(None) };
    let random = Random::new()?;
    Ok(Some(Box::new(Sign {
        key: key::private(cert, input, &random)?,
        scheme,
        random,
        signed: Signed::new(hash, input)?,
        signature: vec![0; sys::MBEDTLS_MPI_MAX_SIZE as usize],
        written: 0,
    })))
}

pub fn verify(cert: Cert, input: &Input) -> Made {
    let Some((scheme, hash)) = names::signature(cert) else { return Ok(None) };
    Ok(Some(Box::new(Verify {
        key: Public::of(cert, input)?,
        scheme,
        signed: Signed::new(hash, input)?,
        signature: input.given.clone(),
    })))
}

/// What is signed.
struct Signed {
    info: *const sys::mbedtls_md_info_t,
    name: sys::mbedtls_md_type_t,
    data: Vec<u8>,
    digest: Vec<u8>,
}

impl Signed {
    fn new(hash: Hash, input: &Input) -> Result<Self, EngineError> {
        let info = names::hash_info(hash);
        if info.is_null() {
            return Err(EngineError::new(format_args!("the library was built without {hash}")));
        }
        let digest = vec![0; hash.length()];
        Ok(Self { info, name: names::hash(hash), data: input.data.clone(), digest })
    }

    #[inline]
    fn hash(&mut self) -> Result<(), EngineError> {
        // SAFETY: the digest has room for what this hash makes.
        check(unsafe {
            sys::mbedtls_md(self.info, self.data.as_ptr(), self.data.len(), self.digest.as_mut_ptr())
        })
    }
}

struct Sign {
    key: Object<sys::mbedtls_pk_context>,
    scheme: sys::mbedtls_pk_type_t,
    random: Random,
    signed: Signed,
    signature: Vec<u8>,
    written: usize,
}

impl Operation for Sign {
    fn once(&mut self) -> Result<(), EngineError> {
        self.signed.hash()?;
        // SAFETY: the signature has room for one of the longest key that the library takes.
        check(unsafe {
            sys::mbedtls_pk_sign_ext(
                self.scheme,
                self.key.at(),
                self.signed.name,
                self.signed.digest.as_ptr(),
                self.signed.digest.len(),
                self.signature.as_mut_ptr(),
                self.signature.len(),
                &raw mut self.written,
                Some(sys::mbedtls_ctr_drbg_random),
                self.random.argument(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.signature[..self.written].to_vec()]
    }
}

struct Verify {
    key: Public,
    scheme: sys::mbedtls_pk_type_t,
    signed: Signed,
    signature: Vec<u8>,
}

impl Operation for Verify {
    fn once(&mut self) -> Result<(), EngineError> {
        self.signed.hash()?;
        let options =
            if self.scheme == sys::MBEDTLS_PK_RSASSA_PSS { (&raw const PSS).cast() } else { ptr::null() };
        // SAFETY: the options are those of the scheme: of PSS alone there are any.
        check(unsafe {
            sys::mbedtls_pk_verify_ext(
                self.scheme,
                options,
                self.key.at(),
                self.signed.name,
                self.signed.digest.as_ptr(),
                self.signed.digest.len(),
                self.signature.as_ptr(),
                self.signature.len(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }
}
