//! Sessions: what one holds, and the server's cache of them.

use std::collections::{HashMap, VecDeque};

use super::keys::{MAX_BLOCK, MAX_KEY};
use super::message::SESSION_ID;
use crate::engine::SESSION_CACHE_SIZE;

/// The name of a session.
pub type SessionId = [u8; SESSION_ID];

/// What both sides remember of a session.
#[derive(Clone, Copy)]
pub struct Session {
    /// The cipher, by its name on the wire.
    pub cipher: [u8; 3],
    /// The key that all keys are made from, as long as the cipher's.
    pub master_key: [u8; MAX_KEY],
    /// The initial vector, as long as the cipher's.
    pub argument: [u8; MAX_BLOCK],
    /// Whether the client has shown a certificate.
    pub client_cert: bool,
}

/// The newest sessions of a server.
#[derive(Default)]
pub struct SessionCache {
    sessions: HashMap<SessionId, Session>,
    by_age: VecDeque<SessionId>,
}

impl SessionCache {
    /// The session of this name, if it is still kept.
    pub fn find(&self, id: &[u8]) -> Option<(SessionId, Session)> {
        let id = SessionId::try_from(id).ok()?;
        Some((id, *self.sessions.get(&id)?))
    }

    /// Keeps a session, in the place of the oldest if there is no other.
    pub fn keep(&mut self, id: SessionId, session: Session) {
        if self.by_age.len() == SESSION_CACHE_SIZE
            && let Some(oldest) = self.by_age.pop_front()
        {
            self.sessions.remove(&oldest);
        }
        self.sessions.insert(id, session);
        self.by_age.push_back(id);
    }

    /// Forgets a session.
    pub fn forget(&mut self, id: &SessionId) {
        if self.sessions.remove(id).is_some() {
            self.by_age.retain(|kept| kept != id);
        }
    }
}
