//! RSA as a client of the old key exchange encrypts with it, and a server decrypts.

use tlspair::cell::Cert;
use tlspair::engine::EngineError;
use tlspair::primitive::{Input, Operation};

use super::Made;
use super::key::{self, Public};
use crate::object::{Object, check};
use crate::random::Random;
use crate::sys;

pub fn encrypt(cert: Cert, input: &Input) -> Made {
    Ok(Some(Box::new(Encrypt { key: Public::of(cert, input)?, work: Work::new(input.data.clone())? })))
}

pub fn decrypt(cert: Cert, input: &Input) -> Made {
    let work = Work::new(input.given.clone())?;
    Ok(Some(Box::new(Decrypt { key: key::private(cert, input, &work.random)?, work })))
}

struct Work {
    random: Random,
    input: Vec<u8>,
    output: Vec<u8>,
    written: usize,
}

impl Work {
    fn new(input: Vec<u8>) -> Result<Self, EngineError> {
        let output = vec![0; sys::MBEDTLS_MPI_MAX_SIZE as usize];
        Ok(Self { random: Random::new()?, input, output, written: 0 })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.output[..self.written].to_vec()]
    }
}

struct Encrypt {
    key: Public,
    work: Work,
}

impl Operation for Encrypt {
    fn once(&mut self) -> Result<(), EngineError> {
        let work = &mut self.work;
        // SAFETY: the library writes no more than the length of the output, which it is told.
        check(unsafe {
            sys::mbedtls_pk_encrypt(
                self.key.at(),
                work.input.as_ptr(),
                work.input.len(),
                work.output.as_mut_ptr(),
                &raw mut work.written,
                work.output.len(),
                Some(sys::mbedtls_ctr_drbg_random),
                work.random.argument(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.work.output()
    }
}

struct Decrypt {
    key: Object<sys::mbedtls_pk_context>,
    work: Work,
}

impl Operation for Decrypt {
    fn once(&mut self) -> Result<(), EngineError> {
        let work = &mut self.work;
        // SAFETY: the library writes no more than the length of the output, which it is told.
        check(unsafe {
            sys::mbedtls_pk_decrypt(
                self.key.at(),
                work.input.as_ptr(),
                work.input.len(),
                work.output.as_mut_ptr(),
                &raw mut work.written,
                work.output.len(),
                Some(sys::mbedtls_ctr_drbg_random),
                work.random.argument(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.work.output()
    }
}
