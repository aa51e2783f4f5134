//! RSA as a client of the old key exchange encrypts with it, and a server decrypts.

use mbedtls_sys as sys;

use super::Made;
use super::key::{self, Public};
use crate::cell::Cert;
use crate::engine::EngineError;
use crate::engine::mbedtls::object::{Object, check};
use crate::engine::mbedtls::random::Random;
use crate::primitive::{Input, Operation};

pub(super) fn encrypt(cert: Cert, input: &Input) -> Made {
    Ok(Some(Box::new(Encrypt { key: Public::of(cert, input)?, work: Work::new(input.data.clone())? })))
}

pub(super) fn decrypt(cert: Cert, input: &Input) -> Made {
    Ok(Some(Box::new(Decrypt { key: key::private(cert, input)?, work: Work::new(input.given.clone())? })))
}

struct Work {
    random: Random,
    input: Vec<u8>,
    output: Vec<u8>,
    written: usize,
}

impl Work {
    fn new(input: Vec<u8>) -> Result<Self, EngineError> {
        let output = vec![0; sys::MPI_MAX_SIZE as usize];
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
            sys::pk_encrypt(
                self.key.at(),
                work.input.as_ptr(),
                work.input.len(),
                work.output.as_mut_ptr(),
                &raw mut work.written,
                work.output.len(),
                Some(sys::ctr_drbg_random),
                work.random.argument(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.work.output()
    }
}

struct Decrypt {
    key: Object<sys::pk_context>,
    work: Work,
}

impl Operation for Decrypt {
    fn once(&mut self) -> Result<(), EngineError> {
        let work = &mut self.work;
        // SAFETY: the library writes no more than the length of the output, which it is told.
        check(unsafe {
            sys::pk_decrypt(
                self.key.at(),
                work.input.as_ptr(),
                work.input.len(),
                work.output.as_mut_ptr(),
                &raw mut work.written,
                work.output.len(),
                Some(sys::ctr_drbg_random),
                work.random.argument(),
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        self.work.output()
    }
}
