//! Exchanges in finite fields. A key is for one secret: from the second on the library would blind it, which no handshake
//! pays for.

use std::ffi::{CStr, c_int};

use mbedtls_sys as sys;

use super::Made;
use crate::cell::Group;
use crate::engine::EngineError;
use crate::engine::mbedtls::object::{Object, check};
use crate::engine::mbedtls::random::Random;
use crate::primitive::{Input, Operation};

/// The prime of ffdhe2048 (RFC 7919, appendix A.1). The library has it in C's macros, which no binding reaches.
const FFDHE2048: &CStr = c"\
    FFFFFFFFFFFFFFFFADF85458A2BB4A9AAFDC5620273D3CF1D8B9C583CE2D3695A9E13641146433FBCC939DCE249B3EF9\
    7D2FE363630C75D8F681B202AEC4617AD3DF1ED5D5FD65612433F51F5F066ED0856365553DED1AF3B557135E7F57C935\
    984F0C70E0E68B77E2A689DAF3EFE8721DF158A136ADE73530ACCA4F483A797ABC0AB182B324FB61D108A94BB2C8E3FB\
    B96ADAB760D7F4681D4F42A3DE394DF4AE56EDE76372BB190B07A7C8EE0A6D709E02FCE1CDF7E2ECC03404CD28342F61\
    9172FE9CE98583FF8E4F1232EEF28183C3FE3B1B4C6FAD733BB5FCBC2EC22005C58EF1837D1683B2C6F34A26C1B2EFFA\
    886B423861285C97FFFFFFFFFFFFFFFF";
/// The prime of ffdhe3072 (RFC 7919, appendix A.2).
const FFDHE3072: &CStr = c"\
    FFFFFFFFFFFFFFFFADF85458A2BB4A9AAFDC5620273D3CF1D8B9C583CE2D3695A9E13641146433FBCC939DCE249B3EF9\
    7D2FE363630C75D8F681B202AEC4617AD3DF1ED5D5FD65612433F51F5F066ED0856365553DED1AF3B557135E7F57C935\
    984F0C70E0E68B77E2A689DAF3EFE8721DF158A136ADE73530ACCA4F483A797ABC0AB182B324FB61D108A94BB2C8E3FB\
    B96ADAB760D7F4681D4F42A3DE394DF4AE56EDE76372BB190B07A7C8EE0A6D709E02FCE1CDF7E2ECC03404CD28342F61\
    9172FE9CE98583FF8E4F1232EEF28183C3FE3B1B4C6FAD733BB5FCBC2EC22005C58EF1837D1683B2C6F34A26C1B2EFFA\
    886B4238611FCFDCDE355B3B6519035BBC34F4DEF99C023861B46FC9D6E6C9077AD91D2691F7F7EE598CB0FAC186D91C\
    AEFE130985139270B4130C93BC437944F4FD4452E2D74DD364F2E21E71F54BFF5CAE82AB9C9DF69EE86D2BC522363A0D\
    ABC521979B0DEADA1DBF9A42D5C4484E0ABCD06BFA53DDEF3C1B20EE3FD59D7C25E41D2B66C62E37FFFFFFFFFFFFFFFF";
/// The generator of both.
const GENERATOR: sys::mpi_sint = 2;

pub(super) fn key_pair(group: Group) -> Made {
    let Some(prime) = prime(group) else { return Ok(None) };
    Ok(Some(Box::new(KeyPair(Own::new(prime)?))))
}

pub(super) fn agree(group: Group, input: &Input) -> Made {
    let Some(prime) = prime(group) else { return Ok(None) };
    let own = Own::new(prime)?;
    let secret = vec![0; own.public.len()];
    Ok(Some(Box::new(Agree { own, peer: input.public.clone(), secret, written: 0 })))
}

fn prime(group: Group) -> Option<&'static CStr> {
    match group {
        Group::Ffdhe2048 => Some(FFDHE2048),
        Group::Ffdhe3072 => Some(FFDHE3072),
        _ => None,
    }
}

/// One's own side of an exchange.
struct Own {
    context: Object<sys::dhm_context>,
    random: Random,
    /// As long as the prime.
    public: Vec<u8>,
}

impl Own {
    fn new(prime: &CStr) -> Result<Self, EngineError> {
        let context = Object::<sys::dhm_context>::new();
        let (number, generator) = (Object::<sys::mpi>::new(), Object::<sys::mpi>::new());
        // SAFETY: the library copies both numbers.
        unsafe {
            check(sys::mpi_read_string(number.at(), 16, prime.as_ptr()))?;
            check(sys::mpi_lset(generator.at(), GENERATOR))?;
            check(sys::dhm_set_group(context.at(), number.at(), generator.at()))?;
        }
        // SAFETY: reads a number.
        let length = unsafe { sys::mpi_size(number.at()) };
        Ok(Self { context, random: Random::new()?, public: vec![0; length] })
    }

    /// A new key, with an exponent as long as the prime: what the handshake asks for.
    #[inline]
    fn renew(&mut self) -> Result<(), EngineError> {
        // SAFETY: the library writes as many bytes as it is told, which the public key has room for.
        check(unsafe {
            sys::dhm_make_public(
                self.context.at(),
                self.public.len() as c_int,
                self.public.as_mut_ptr(),
                self.public.len(),
                Some(sys::ctr_drbg_random),
                self.random.argument(),
            )
        })
    }
}

struct KeyPair(Own);

impl Operation for KeyPair {
    fn once(&mut self) -> Result<(), EngineError> {
        self.0.renew()
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.0.public.clone()]
    }
}

struct Agree {
    own: Own,
    peer: Vec<u8>,
    secret: Vec<u8>,
    written: usize,
}

impl Operation for Agree {
    fn once(&mut self) -> Result<(), EngineError> {
        let context = self.own.context.at();
        // SAFETY: the context has its own key, and the library writes no more than the length of the secret's buffer, which it
        // is told.
        unsafe {
            check(sys::dhm_read_public(context, self.peer.as_ptr(), self.peer.len()))?;
            check(sys::dhm_calc_secret(
                context,
                self.secret.as_mut_ptr(),
                self.secret.len(),
                &raw mut self.written,
                Some(sys::ctr_drbg_random),
                self.own.random.argument(),
            ))
        }
    }

    fn supply(&self) -> usize {
        1
    }

    fn renew(&mut self) -> Result<(), EngineError> {
        self.own.renew()
    }

    fn output(&self) -> Vec<Vec<u8>> {
        // The library leaves zeros in front out, as TLS 1.2 has it.
        let mut secret = vec![0; self.secret.len() - self.written];
        secret.extend(&self.secret[..self.written]);
        vec![secret, self.own.public.clone()]
    }
}
