//! The two sides of a cell as rustls configurations: every dimension is pinned here.

use std::sync::Arc;

use rustls::client::{Resumption, Tls12Resumption};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::server::{
    NoServerSessionStorage, ProducesTickets, ServerSessionMemoryCache, WebPkiClientVerifier,
};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{
    ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, SignatureScheme,
    SupportedProtocolVersion,
};

use super::endpoint::RustlsEndpoint;
use super::pinned::{PinnedKey, Seen};
use super::sessions::Sessions;
use super::verify::{ClientVerifier, ServerVerifier};
use crate::cell::{Auth, Cell, Resume};
use crate::engine::{Endpoint, EngineError, Prepared, SESSION_CACHE_SIZE, Side, Start};
use crate::fixtures::{Credentials, Identity, SERVER_NAME};

/// TLS 1.3 tickets after a handshake: as many as every engine sends.
const TICKETS: usize = 1;

/// What a cell leaves of all that rustls could negotiate.
pub(super) struct Pins {
    pub(super) version: &'static SupportedProtocolVersion,
    pub(super) scheme: SignatureScheme,
    /// With one cipher and, for TLS 1.3, one group, which also rules a HelloRetryRequest out.
    pub(super) provider: Arc<CryptoProvider>,
    pub(super) new_ticketer: fn() -> Result<Arc<dyn ProducesTickets>, rustls::Error>,
}

impl Pins {
    /// A side's chain with its key, which signs in the pinned scheme only.
    fn identity(
        &self,
        side: Side,
        identity: &Identity,
        seen: &Arc<Seen>,
    ) -> Result<Arc<SingleCertAndKey>, EngineError> {
        let chain = identity.chain.iter().map(|der| CertificateDer::from(der.clone())).collect();
        let key = self
            .provider
            .key_provider
            .load_private_key(private_key(&identity.key))
            .map_err(EngineError::new)?;
        let pinned = PinnedKey { key, scheme: self.scheme, side, seen: Arc::clone(seen) };
        Ok(Arc::new(SingleCertAndKey::from(CertifiedKey::new(chain, Arc::new(pinned)))))
    }
}

/// A PKCS#8 key as rustls wants it.
pub(super) fn private_key(pkcs8: &[u8]) -> PrivateKeyDer<'static> {
    PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(pkcs8.to_vec()))
}

fn roots(credentials: &Credentials) -> Result<RootCertStore, EngineError> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from(credentials.root.as_slice())).map_err(EngineError::new)?;
    Ok(roots)
}

/// The client side of a cell.
pub(super) struct PreparedClient {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
    sessions: Arc<Sessions>,
    seen: Arc<Seen>,
}

impl PreparedClient {
    pub(super) fn new(pins: &Pins, cell: &Cell, credentials: &Credentials) -> Result<Self, EngineError> {
        let seen = Arc::new(Seen::default());
        let sessions = Arc::new(Sessions::default());
        let verifier = ServerVerifier::new(pins, cell.verify, roots(credentials)?, Arc::clone(&seen));
        let builder = ClientConfig::builder_with_provider(Arc::clone(&pins.provider))
            .with_protocol_versions(&[pins.version])
            .map_err(EngineError::new)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let mut config = match cell.auth {
            Auth::Server => builder.with_no_client_auth(),
            Auth::Mutual => {
                builder.with_client_cert_resolver(pins.identity(Side::Client, &credentials.client, &seen)?)
            }
        };
        let tls12 = match cell.resume {
            Resume::SessionId => Tls12Resumption::SessionIdOnly,
            Resume::Ticket => Tls12Resumption::SessionIdOrTickets,
            Resume::PskDhe | Resume::Psk => Tls12Resumption::Disabled,
        };
        config.resumption = Resumption::store(Arc::clone(&sessions) as _).tls12_resumption(tls12);
        let name = ServerName::try_from(SERVER_NAME).map_err(EngineError::new)?;
        Ok(Self { config: Arc::new(config), name, sessions, seen })
    }
}

impl Prepared for PreparedClient {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        self.seen.reset(self.sessions.begin(start)?);
        let connection =
            ClientConnection::new(Arc::clone(&self.config), self.name.clone()).map_err(EngineError::new)?;
        Ok(Box::new(RustlsEndpoint::client(connection, Arc::clone(&self.seen), Arc::clone(&self.sessions))))
    }
}

/// The server side of a cell.
pub(super) struct PreparedServer {
    config: Arc<ServerConfig>,
    seen: Arc<Seen>,
}

impl PreparedServer {
    pub(super) fn new(pins: &Pins, cell: &Cell, credentials: &Credentials) -> Result<Self, EngineError> {
        let seen = Arc::new(Seen::default());
        let client_verifier = match cell.auth {
            Auth::Server => WebPkiClientVerifier::no_client_auth(),
            Auth::Mutual => Arc::new(ClientVerifier::new(pins, cell.verify, roots(credentials)?)?),
        };
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&pins.provider))
            .with_protocol_versions(&[pins.version])
            .map_err(EngineError::new)?
            .with_client_cert_verifier(client_verifier)
            .with_cert_resolver(pins.identity(Side::Server, &credentials.server, &seen)?);
        config.send_tls13_tickets = TICKETS;
        match cell.resume {
            // Without a ticketer rustls acknowledges no tickets.
            Resume::SessionId => config.session_storage = ServerSessionMemoryCache::new(SESSION_CACHE_SIZE),
            // Without a cache rustls hands out no session ids, and all of the session is in the ticket.
            Resume::Ticket | Resume::PskDhe | Resume::Psk => {
                config.session_storage = Arc::new(NoServerSessionStorage {});
                config.ticketer = (pins.new_ticketer)().map_err(EngineError::new)?;
            }
        }
        Ok(Self { config: Arc::new(config), seen })
    }
}

impl Prepared for PreparedServer {
    fn endpoint(&self, _start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        self.seen.reset(false);
        let connection = ServerConnection::new(Arc::clone(&self.config)).map_err(EngineError::new)?;
        Ok(Box::new(RustlsEndpoint::server(connection, Arc::clone(&self.seen))))
    }
}
