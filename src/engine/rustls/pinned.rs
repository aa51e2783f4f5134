//! What pins the signature scheme of a side's own key, and what is noted of a handshake where rustls has no
//! question for it.

use std::cell::Cell;
use std::sync::Arc;

use rustls::pki_types::SubjectPublicKeyInfoDer;
use rustls::sign::{Signer, SigningKey};
use rustls::{SignatureAlgorithm, SignatureScheme};

use crate::engine::Side;

thread_local! {
    /// What is noted of the connection that is at work on this thread. Configurations are shared between threads, so that
    /// neither keys nor verifiers can hold what they saw of one connection.
    static AT_WORK: Cell<Seen> = const { Cell::new(Seen::nothing(false)) };
}

/// What our own hooks saw of a connection, and what its session remembers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// The number of the scheme with which the server signed, if it signed.
    pub(super) server_signature: Option<u16>,
    /// Whether this client showed its certificate, in this handshake or in the one that it resumed.
    pub(super) client_cert: bool,
}

impl Seen {
    /// Of a connection that has not begun. `client_cert` is what the session to resume, if any, remembers.
    pub(super) const fn nothing(client_cert: bool) -> Self {
        Self { server_signature: None, client_cert }
    }

    /// Notes with which scheme the server signed.
    pub(super) fn note_server_signature(scheme: SignatureScheme) {
        AT_WORK.set(Self { server_signature: Some(u16::from(scheme)), ..AT_WORK.get() });
    }

    fn note_client_cert() {
        AT_WORK.set(Self { client_cert: true, ..AT_WORK.get() });
    }

    /// Has the hooks add to `self` what they see for as long as `work` lasts: the library calls them on the thread that
    /// calls it.
    #[inline]
    pub(super) fn during<R>(&mut self, work: impl FnOnce() -> R) -> R {
        AT_WORK.set(*self);
        let result = work();
        *self = AT_WORK.get();
        result
    }
}

/// A key that signs in one scheme only, whatever else the peer would take.
#[derive(Debug)]
pub(super) struct PinnedKey {
    pub(super) key: Arc<dyn SigningKey>,
    pub(super) scheme: SignatureScheme,
    pub(super) side: Side,
}

impl SigningKey for PinnedKey {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        if !offered.contains(&self.scheme) {
            return None;
        }
        let signer = self.key.choose_scheme(&[self.scheme])?;
        match self.side {
            // A client's key is asked only when the server asked for a certificate.
            Side::Client => Seen::note_client_cert(),
            Side::Server => Seen::note_server_signature(signer.scheme()),
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
