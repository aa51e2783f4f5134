//! Exchanges on curves, as the handshake makes them: an ECDH context is for one exchange. It keeps what it has computed from
//! the curve's generator, so that a context used again makes its second key of P-256 in a third of the time that any connection
//! takes for its only one.

use mbedtls_sys as sys;

use super::Made;
use crate::cell::Group;
use crate::engine::EngineError;
use crate::engine::mbedtls::ability;
use crate::engine::mbedtls::object::{Object, check};
use crate::engine::mbedtls::random::Random;
use crate::primitive::{Input, Operation};

pub(super) fn key_pair(group: Group) -> Made {
    let Some(curve) = ability::curve(group) else { return Ok(None) };
    Ok(Some(Box::new(KeyPair(Own::new(curve)?))))
}

pub(super) fn agree(group: Group, input: &Input) -> Made {
    let Some(curve) = ability::curve(group) else { return Ok(None) };
    let mut own = Own::new(curve)?;
    own.renew()?;
    let length = u8::try_from(input.public.len()).map_err(EngineError::new)?;
    let peer = [&[length], input.public.as_slice()].concat();
    Ok(Some(Box::new(Agree { own, peer, secret: vec![0; sys::ECP_MAX_BYTES as usize], written: 0 })))
}

/// One's own side of an exchange.
struct Own {
    context: Object<sys::ecdh_context>,
    curve: sys::ecp_group_id,
    random: Random,
    /// The public key as it is sent: its length in a byte before it.
    public: Vec<u8>,
    written: usize,
}

impl Own {
    fn new(curve: sys::ecp_group_id) -> Result<Self, EngineError> {
        let public = vec![0; 1 + sys::ECP_MAX_PT_LEN as usize];
        Ok(Self { context: Object::new(), curve, random: Random::new()?, public, written: 0 })
    }

    /// A new key for a new exchange.
    #[inline]
    fn renew(&mut self) -> Result<(), EngineError> {
        // SAFETY: what has been released is made anew before its use, and the library writes no more than the length of the
        // public key's buffer, which it is told.
        unsafe {
            sys::ecdh_free(self.context.at());
            sys::ecdh_init(self.context.at());
            check(sys::ecdh_setup(self.context.at(), self.curve))?;
            check(sys::ecdh_make_public(
                self.context.at(),
                &raw mut self.written,
                self.public.as_mut_ptr(),
                self.public.len(),
                Some(sys::ctr_drbg_random),
                self.random.argument(),
            ))
        }
    }

    fn public(&self) -> Vec<u8> {
        self.public[1..self.written].to_vec()
    }
}

struct KeyPair(Own);

impl Operation for KeyPair {
    fn once(&mut self) -> Result<(), EngineError> {
        self.0.renew()
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.0.public()]
    }
}

struct Agree {
    own: Own,
    /// The peer's public key as it is received.
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
            check(sys::ecdh_read_public(context, self.peer.as_ptr(), self.peer.len()))?;
            check(sys::ecdh_calc_secret(
                context,
                &raw mut self.written,
                self.secret.as_mut_ptr(),
                self.secret.len(),
                Some(sys::ctr_drbg_random),
                self.own.random.argument(),
            ))
        }
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret[..self.written].to_vec(), self.own.public()]
    }
}
