//! What pins the signature scheme of a side's own key, and what is noted of a handshake where rustls has no
//! question for it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};

use rustls::pki_types::SubjectPublicKeyInfoDer;
use rustls::sign::{Signer, SigningKey};
use rustls::{SignatureAlgorithm, SignatureScheme};

use crate::engine::Side;

/// No registered scheme has this number.
const NO_SIGNATURE: u16 = 0;

/// What our own hooks saw of the connection in hand. A prepared side has one connection at a time.
#[derive(Debug, Default)]
pub(super) struct Seen {
    server_signature: AtomicU16,
    client_cert: AtomicBool,
}

impl Seen {
    /// Forgets the connection before. `client_cert` is what the session to resume, if any, remembers.
    pub(super) fn reset(&self, client_cert: bool) {
        self.server_signature.store(NO_SIGNATURE, Ordering::Relaxed);
        self.client_cert.store(client_cert, Ordering::Relaxed);
    }

    /// Notes with which scheme the server signed.
    pub(super) fn note_server_signature(&self, scheme: SignatureScheme) {
        self.server_signature.store(u16::from(scheme), Ordering::Relaxed);
    }

    /// The number of the scheme with which the server signed, if it signed.
    pub(super) fn server_signature(&self) -> Option<u16> {
        match self.server_signature.load(Ordering::Relaxed) {
            NO_SIGNATURE => None,
            code => Some(code),
        }
    }

    /// Whether this client showed its certificate, in this handshake or in the one that it resumed.
    pub(super) fn client_cert(&self) -> bool {
        self.client_cert.load(Ordering::Relaxed)
    }
}

/// A key that signs in one scheme only, whatever else the peer would take.
#[derive(Debug)]
pub(super) struct PinnedKey {
    pub(super) key: Arc<dyn SigningKey>,
    pub(super) scheme: SignatureScheme,
    pub(super) side: Side,
    pub(super) seen: Arc<Seen>,
}

impl SigningKey for PinnedKey {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        if !offered.contains(&self.scheme) {
            return None;
        }
        let signer = self.key.choose_scheme(&[self.scheme])?;
        match self.side {
            // A client's key is asked only when the server asked for a certificate.
            Side::Client => self.seen.client_cert.store(true, Ordering::Relaxed),
            Side::Server => self.seen.note_server_signature(signer.scheme()),
        }
        Some(signer)
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        self.key.public_key()
    }

    fn algorithm(&self) -> SignatureAlgorithm {
        self.key.algorithm()
    }
}
