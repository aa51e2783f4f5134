//! One side of a cell: what all its connections share.

use std::cell::RefCell;

use openssl::error::ErrorStack;
use openssl::pkey::{PKey, Private};
use openssl::rsa::Rsa;
use openssl::stack::Stack;
use openssl::x509::store::{X509Store, X509StoreBuilder};
use openssl::x509::verify::X509VerifyParam;
use openssl::x509::{X509, X509PurposeId, X509Ref, X509StoreContext};

use super::cache::{Session, SessionCache, SessionId};
use super::keys::Suite;
use crate::cell::{Auth, Cell, Verify};
use crate::engine::openssl::library::words;
use crate::engine::{EngineError, Side};
use crate::fixtures::{Credentials, Identity, SERVER_NAME};

/// See the module's documentation.
pub struct Ssl2Side {
    /// Which side.
    pub side: Side,
    /// The one cipher that is offered and taken.
    pub suite: Suite,
    /// Whether the server asks for a certificate.
    pub is_mutual: bool,
    /// What is shown; none on a client that shows no certificate.
    pub shown: Option<Shown>,
    trust: Option<Trust>,
    /// Server: the sessions that clients may resume.
    pub sessions: RefCell<SessionCache>,
    /// Client: the session that is offered next.
    pub kept: RefCell<Option<(SessionId, Session)>>,
}

/// A certificate with its key.
pub struct Shown {
    /// As DER.
    pub certificate: Vec<u8>,
    /// To decrypt with.
    pub rsa: Rsa<Private>,
    /// The same, to sign with.
    pub key: PKey<Private>,
}

/// What certificates are checked against.
struct Trust {
    store: X509Store,
    /// SSL 2.0 carries one certificate, so there is never anything between it and the root.
    no_others: Stack<X509>,
}

impl Ssl2Side {
    /// Pins everything that `cell` says.
    pub fn new(side: Side, cell: &Cell, credentials: &Credentials) -> Result<Self, EngineError> {
        Self::prepared(side, cell, credentials).map_err(|stack| words(&stack))
    }

    fn prepared(side: Side, cell: &Cell, credentials: &Credentials) -> Result<Self, ErrorStack> {
        let is_mutual = cell.auth == Auth::Mutual;
        let shows = side == Side::Server || is_mutual;
        let expects = side == Side::Client || is_mutual;
        Ok(Self {
            side,
            suite: Suite::of(cell.cipher)?,
            is_mutual,
            shown: if shows { Some(Shown::of(credentials.identity(side))?) } else { None },
            trust: if expects { Trust::of(side, cell.verify, credentials)? } else { None },
            sessions: RefCell::default(),
            kept: RefCell::default(),
        })
    }

    /// Checks the peer's certificate as far as the cell wants.
    pub fn check(&self, certificate: &X509Ref) -> Result<(), EngineError> {
        self.trust.as_ref().map_or(Ok(()), |trust| trust.check(certificate))
    }

    /// Ends a session whose connection has failed.
    pub fn forget(&self, id: &SessionId) {
        match self.side {
            Side::Server => self.sessions.borrow_mut().forget(id),
            Side::Client => {
                self.kept.borrow_mut().take_if(|(kept, _)| kept == id);
            }
        }
    }
}

impl Shown {
    fn of(identity: &Identity) -> Result<Self, ErrorStack> {
        let key = PKey::private_key_from_pkcs8(&identity.key)?;
        let certificate = identity.chain.first().cloned().unwrap_or_default();
        Ok(Self { certificate, rsa: key.rsa()?, key })
    }
}

impl Trust {
    /// None if nothing is to be checked.
    fn of(side: Side, verify: Verify, credentials: &Credentials) -> Result<Option<Self>, ErrorStack> {
        if verify == Verify::None {
            return Ok(None);
        }
        let mut parameters = X509VerifyParam::new()?;
        parameters.set_purpose(match side {
            Side::Client => X509PurposeId::SSL_SERVER,
            Side::Server => X509PurposeId::SSL_CLIENT,
        })?;
        if verify == Verify::Name && side == Side::Client {
            parameters.set_host(SERVER_NAME)?;
        }
        let mut store = X509StoreBuilder::new()?;
        store.add_cert(X509::from_der(&credentials.root)?)?;
        store.set_param(&parameters)?;
        Ok(Some(Self { store: store.build(), no_others: Stack::new()? }))
    }

    fn check(&self, certificate: &X509Ref) -> Result<(), EngineError> {
        let mut context = X509StoreContext::new().map_err(|stack| words(&stack))?;
        let verdict = context
            .init(&self.store, certificate, &self.no_others, |context| {
                Ok(if context.verify_cert()? { None } else { Some(context.error()) })
            })
            .map_err(|stack| words(&stack))?;
        match verdict {
            None => Ok(()),
            Some(reason) => {
                Err(EngineError::new(format_args!("certificate verify failed: {}", reason.error_string())))
            }
        }
    }
}
