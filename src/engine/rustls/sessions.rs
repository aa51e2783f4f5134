//! The client's session store. rustls asks its store for a session at every connection and puts one in after
//! every handshake; the loops decide themselves which session is kept and which connection may offer it.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustls::NamedGroup;
use rustls::client::{ClientSessionStore, Tls12ClientSessionValue, Tls13ClientSessionValue};
use rustls::pki_types::ServerName;

use crate::engine::{EngineError, Start};

/// Room for the session that the library stored last and for the one kept to be resumed.
#[derive(Default)]
pub(super) struct Sessions(Mutex<Slots>);

#[derive(Default)]
struct Slots {
    latest: Option<Session>,
    kept: Option<Session>,
    /// Whether the kept session's connection had shown a client certificate: a resumed one does not show it again.
    kept_client_cert: bool,
    /// Whether the connection in hand may have the kept session.
    offered: bool,
}

enum Session {
    Tls12(Tls12ClientSessionValue),
    Tls13(Tls13ClientSessionValue),
}

impl Sessions {
    /// To be called before the library makes a connection, which is when it looks for a session. Says whether
    /// the session on offer, if any, has a client certificate.
    pub(super) fn begin(&self, start: Start) -> Result<bool, EngineError> {
        let mut slots = self.slots();
        slots.latest = None;
        slots.offered = start == Start::Resume;
        if slots.offered && slots.kept.is_none() {
            return Err(EngineError::new("no session was kept"));
        }
        Ok(slots.offered && slots.kept_client_cert)
    }

    /// Keeps what the library stored last.
    pub(super) fn keep(&self, client_cert: bool) -> Result<(), EngineError> {
        let mut slots = self.slots();
        let Some(session) = slots.latest.take() else {
            return Err(EngineError::new("the server gave no session to keep"));
        };
        slots.kept = Some(session);
        slots.kept_client_cert = client_cert;
        Ok(())
    }

    fn slots(&self) -> MutexGuard<'_, Slots> {
        // Every change to the slots is whole at any time, so a panic elsewhere leaves nothing to distrust.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Sessions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sessions").finish_non_exhaustive() // sessions are secret
    }
}

impl ClientSessionStore for Sessions {
    /// Nothing to remember: the first group is the right one, or it is to be a wrong guess every time.
    fn set_kx_hint(&self, _server: ServerName<'static>, _group: NamedGroup) {}

    fn kx_hint(&self, _server: &ServerName<'_>) -> Option<NamedGroup> {
        None
    }

    fn set_tls12_session(&self, _server: ServerName<'static>, session: Tls12ClientSessionValue) {
        self.slots().latest = Some(Session::Tls12(session));
    }

    /// A copy, as the library's own cache gives: these sessions may be resumed over and over.
    fn tls12_session(&self, _server: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        let slots = self.slots();
        match &slots.kept {
            Some(Session::Tls12(session)) if slots.offered => Some(session.clone()),
            _ => None,
        }
    }

    fn remove_tls12_session(&self, _server: &ServerName<'static>) {
        self.slots().kept.take_if(|session| matches!(session, Session::Tls12(_)));
    }

    fn insert_tls13_ticket(&self, _server: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        self.slots().latest = Some(Session::Tls13(ticket));
    }

    /// Gives the ticket away: it serves once.
    fn take_tls13_ticket(&self, _server: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        let mut slots = self.slots();
        if !slots.offered {
            return None;
        }
        match slots.kept.take() {
            Some(Session::Tls13(ticket)) => Some(ticket),
            other => {
                slots.kept = other;
                None
            }
        }
    }
}
