//! Signatures, made and checked as in the library's handshake: over a hash that is computed first.

use std::ptr;

use mbedtls_sys as sys;

use super::key::{self, Public};
use super::{Made, names};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::engine::mbedtls::object::{Object, check};
use crate::engine::mbedtls::random::Random;
use crate::primitive::{Hash, Input, Operation};

/// As the input asks for it: as long as the hash.
static PSS: sys::pk_rsassa_pss_options =
    sys::pk_rsassa_pss_options { mgf1_hash_id: sys::MD_SHA256, expected_salt_len: 32 };

pub(super) fn sign(cert: Cert, input: &Input) -> Made {
    let Some((_, hash)) = names::signature(cert) else { return Ok(None) };
    Ok(Some(Box::new(Sign {
        key: key::private(cert, input)?,
        random: Random::new()?,
        signed: Signed::new(hash, input)?,
        signature: vec![0; sys::MPI_MAX_SIZE as usize],
        written: 0,
    })))
}

pub(super) fn verify(cert: Cert, input: &Input) -> Made {
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
    info: *const sys::md_info_t,
    name: sys::md_type_t,
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
        check(unsafe { sys::md(self.info, self.data.as_ptr(), self.data.len(), self.digest.as_mut_ptr()) })
    }
}

struct Sign {
    key: Object<sys::pk_context>,
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
            sys::pk_sign(
                self.key.at(),
                self.signed.name,
                self.signed.digest.as_ptr(),
                self.signed.digest.len(),
                self.signature.as_mut_ptr(),
                &raw mut self.written,
                Some(sys::ctr_drbg_random),
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
    scheme: sys::pk_type_t,
    signed: Signed,
    signature: Vec<u8>,
}

impl Operation for Verify {
    fn once(&mut self) -> Result<(), EngineError> {
        self.signed.hash()?;
        let options = if self.scheme == sys::PK_RSASSA_PSS { (&raw const PSS).cast() } else { ptr::null() };
        // SAFETY: the options are those of the scheme: of PSS alone there are any.
        check(unsafe {
            sys::pk_verify_ext(
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
