//! Exchanges through PSA, as the handshake of TLS 1.3 makes them: a key that PSA keeps, its public half, and what it agrees on
//! with the peer's.

use tlspair::cell::Group;
use tlspair::engine::EngineError;
use tlspair::primitive::{Input, Operation};

use super::{Made, names};
use crate::library::{check_psa, start};
use crate::sys;

/// Bytes of the longest public key or secret: of ffdhe3072.
const LONGEST: usize = 384;

pub fn key_pair(group: Group) -> Made {
    Ok(Own::of(group)?.map(|own| Box::new(KeyPair(own)) as Box<dyn Operation>))
}

pub fn agree(group: Group, input: &Input) -> Made {
    let Some(mut own) = Own::of(group)? else { return Ok(None) };
    own.make()?;
    Ok(Some(Box::new(Agree { own, peer: input.public.clone(), secret: [0; LONGEST], written: 0 })))
}

/// One's own side of an exchange.
struct Own {
    attributes: sys::psa_key_attributes_t,
    /// 0 while there is none.
    key: sys::mbedtls_svc_key_id_t,
    public: [u8; LONGEST],
    written: usize,
}

impl Own {
    fn of(group: Group) -> Result<Option<Self>, EngineError> {
        start()?;
        let Some((algorithm, kind, bits)) = names::exchange(group) else { return Ok(None) };
        // The functions that set them are inline ones, which no binding reaches.
        let attributes = sys::psa_key_attributes_t {
            type_: kind,
            bits,
            policy: sys::psa_key_policy_t { usage: sys::DERIVE, alg: algorithm, alg2: 0 },
            ..Default::default()
        };
        Ok(Some(Self { attributes, key: 0, public: [0; LONGEST], written: 0 }))
    }

    #[inline]
    fn make(&mut self) -> Result<(), EngineError> {
        // SAFETY: the library writes no more than the length of the public key's buffer, which it is told.
        unsafe {
            check_psa(sys::psa_generate_key(&raw const self.attributes, &raw mut self.key))?;
            check_psa(sys::psa_export_public_key(
                self.key,
                self.public.as_mut_ptr(),
                self.public.len(),
                &raw mut self.written,
            ))
        }
    }

    #[inline]
    fn destroy(&mut self) -> Result<(), EngineError> {
        // SAFETY: the key is this one's own; there may be none.
        check_psa(unsafe { sys::psa_destroy_key(std::mem::take(&mut self.key)) })
    }

    fn public(&self) -> Vec<u8> {
        self.public[..self.written].to_vec()
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        // A key that PSA has lost is no longer there to be destroyed.
        drop(self.destroy());
    }
}

/// A key of PSA takes up a place there until it is destroyed, which belongs to each.
struct KeyPair(Own);

impl Operation for KeyPair {
    fn once(&mut self) -> Result<(), EngineError> {
        self.0.make()?;
        self.0.destroy()
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.0.public()]
    }
}

struct Agree {
    own: Own,
    peer: Vec<u8>,
    secret: [u8; LONGEST],
    written: usize,
}

impl Operation for Agree {
    fn once(&mut self) -> Result<(), EngineError> {
        // SAFETY: the library writes no more than the length of the secret's buffer, which it is told.
        check_psa(unsafe {
            sys::psa_raw_key_agreement(
                self.own.attributes.policy.alg,
                self.own.key,
                self.peer.as_ptr(),
                self.peer.len(),
                self.secret.as_mut_ptr(),
                self.secret.len(),
                &raw mut self.written,
            )
        })
    }

    fn output(&self) -> Vec<Vec<u8>> {
        vec![self.secret[..self.written].to_vec(), self.own.public()]
    }
}

#[cfg(test)]
mod tests {
    use tlspair::primitive::Primitive;

    use super::*;

    /// As the holder of the peer's private key computes it.
    fn peers_secret(own: &Own, private: &[u8], public: &[u8]) -> Vec<u8> {
        // PSA takes an exponent of a finite field as long as the prime, and a curve's as long as its order.
        let length = usize::from(own.attributes.bits).div_ceil(8);
        let private = [vec![0; length - private.len()], private.to_vec()].concat();
        let (mut key, mut secret, mut written) = (0, [0; LONGEST], 0);
        // SAFETY: the library writes no more than the length of the secret's buffer, which it is told.
        let done = unsafe {
            check_psa(sys::psa_import_key(
                &raw const own.attributes,
                private.as_ptr(),
                private.len(),
                &raw mut key,
            ))
            .and_then(|()| {
                check_psa(sys::psa_raw_key_agreement(
                    own.attributes.policy.alg,
                    key,
                    public.as_ptr(),
                    public.len(),
                    secret.as_mut_ptr(),
                    secret.len(),
                    &raw mut written,
                ))
            })
            .and_then(|()| check_psa(sys::psa_destroy_key(key)))
        };
        assert_eq!(done, Ok(()));
        secret[..written].to_vec()
    }

    #[test]
    fn the_peer_arrives_at_the_same_secret() {
        for primitive in Primitive::all() {
            let Primitive::Agree(group) = primitive else { continue };
            let input = Input::of(primitive, 0);
            let own = Own::of(group).expect("PSA starts").expect("a group of TLS 1.3");
            let mut operation = agree(group, &input).expect("a key").expect("a group of TLS 1.3");
            operation.once().expect("the fixture's key is good");
            let made = operation.output();
            assert_eq!(made[0], peers_secret(&own, &input.private, &made[1]), "{group}");
        }
    }
}
