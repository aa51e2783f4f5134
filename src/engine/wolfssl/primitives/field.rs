//! The exchange in a finite field: of the named groups, this build of the library has that of 2048 bits.

use wolfssl_sys as sys;

use super::object::{Object, Random, free, random};
use super::{Made, check, length};
use crate::engine::EngineError;
use crate::primitive::{Act, Input};

/// Bytes of the prime.
const PRIME: usize = 256;

/// A group, with random numbers for keys.
struct Field {
    group: Object<sys::DhKey>,
    random: Random,
}

impl Field {
    fn new() -> Result<Self, EngineError> {
        // SAFETY: there is room for the object, which is filled in.
        let init = |at| unsafe { sys::wc_InitDhKey(at) };
        let group = Object::<sys::DhKey>::filled(init, release)?;
        // SAFETY: the object lives.
        check(unsafe { sys::wc_DhSetNamedKey(group.at(), sys::WC_FFDHE_2048 as i32) })?;
        Ok(Self { group, random: random()? })
    }

    /// Makes a key pair; the answer is the length of the private key.
    fn key_pair(&self, private: &mut [u8], public: &mut [u8]) -> Result<usize, EngineError> {
        let (mut private_made, mut made) = (length(private), length(public));
        // SAFETY: both objects live, and no more is written than there is room for.
        check(unsafe {
            sys::wc_DhGenerateKeyPair(
                self.group.at(),
                self.random.at(),
                private.as_mut_ptr(),
                &raw mut private_made,
                public.as_mut_ptr(),
                &raw mut made,
            )
        })?;
        fill_up(public, made as usize);
        Ok(private_made as usize)
    }

    /// The peer's key is checked, as in the library's TLS.
    fn agree(&self, private: &[u8], peer: &[u8], secret: &mut [u8]) -> Result<usize, EngineError> {
        let mut made = length(secret);
        // SAFETY: as in `key_pair`.
        check(unsafe {
            let (own, others) = (private.as_ptr(), peer.as_ptr());
            let (into, made) = (secret.as_mut_ptr(), &raw mut made);
            check(sys::wc_DhCheckPubKey(self.group.at(), others, length(peer)))?;
            sys::wc_DhAgree(self.group.at(), into, made, own, length(private), others, length(peer))
        })?;
        fill_up(secret, made as usize);
        Ok(secret.len())
    }
}

/// Makes a number as long as the prime, as the library's TLS does: it is written without its first zeros.
fn fill_up(number: &mut [u8], made: usize) {
    let zeros = number.len() - made;
    if zeros > 0 {
        number.copy_within(..made, zeros);
        number[..zeros].fill(0);
    }
}

pub(super) fn key_pair() -> Made {
    let (field, mut private) = (Field::new()?, [0; PRIME]);
    Ok(Some(Act::making(PRIME, move |public| {
        field.key_pair(&mut private, public)?;
        Ok(PRIME)
    })))
}

pub(super) fn agree(input: &Input) -> Made {
    let (field, peer) = (Field::new()?, input.public.clone());
    let (mut private, mut public) = (vec![0; PRIME], vec![0; PRIME]);
    let made = field.key_pair(&mut private, &mut public)?;
    private.truncate(made);
    Ok(Some(Act::beside(public, PRIME, move |secret| field.agree(&private, &peer, secret))))
}

unsafe fn release(at: *mut sys::DhKey) {
    // SAFETY: `Object` passes what `filled` has made, once.
    unsafe {
        sys::wc_FreeDhKey(at);
        free(at);
    }
}
