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
use crate::cell::{Alpn, Auth, Cell, Extension, Hello, Resume};
use crate::engine::{Endpoint, EngineError, Prepared, SESSION_CACHE_SIZE, Share, Side, Start, Unsupported};
use crate::fixtures::{Credentials, Identity, SERVER_NAME};

/// TLS 1.3 tickets after a handshake: as many as every engine sends.
const TICKETS: usize = 1;

/// What rustls counts into the size of a record beside its data.
const RECORD_HEADER: usize = 5;

/// What a cell leaves of all that rustls could negotiate.
pub(super) struct Pins {
    pub(super) version: &'static SupportedProtocolVersion,
    pub(super) scheme: SignatureScheme,
    /// With one cipher and, for TLS 1.3, one group, unless a client is to guess another first: then there are two.
    pub(super) provider: Arc<CryptoProvider>,
    pub(super) new_ticketer: fn() -> Result<Arc<dyn ProducesTickets>, rustls::Error>,
}

impl Pins {
    /// A side's chain with its key, which signs in the pinned scheme only.
    fn identity(&self, side: Side, identity: &Identity) -> Result<Arc<SingleCertAndKey>, EngineError> {
        let chain = identity.chain.iter().map(|der| CertificateDer::from(der.clone())).collect();
        let key = self
            .provider
            .key_provider
            .load_private_key(private_key(&identity.key))
            .map_err(EngineError::new)?;
        let pinned = PinnedKey { key, scheme: self.scheme, side };
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

/// The application protocols to offer or to choose from: one or none.
fn protocols(alpn: Alpn) -> Vec<Vec<u8>> {
    alpn.identifier().into_iter().map(<[u8]>::to_vec).collect()
}

/// The most that rustls is to put into a record, as rustls counts it. Its own messages keep to it as well.
fn max_fragment_size(cell: &Cell) -> Option<usize> {
    Some(cell.record_size as usize + RECORD_HEADER)
}

/// The client side of a cell.
pub(super) struct PreparedClient {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
    resume: Resume,
    sessions: Arc<Sessions>,
    hello: Hello,
}

impl PreparedClient {
    pub(super) fn new(pins: &Pins, cell: &Cell, credentials: &Credentials) -> Result<Self, EngineError> {
        let verifier = ServerVerifier::new(pins, cell.verify, roots(credentials)?);
        let builder = ClientConfig::builder_with_provider(Arc::clone(&pins.provider))
            .with_protocol_versions(&[pins.version])
            .map_err(EngineError::new)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier));
        let mut config = match cell.auth {
            Auth::Server => builder.with_no_client_auth(),
            Auth::Mutual => {
                builder.with_client_cert_resolver(pins.identity(Side::Client, &credentials.client)?)
            }
        };
        config.max_fragment_size = max_fragment_size(cell);
        config.alpn_protocols = protocols(cell.alpn);
        config.enable_early_data = cell.early_data > 0;
        config.require_ems |= cell.ems == Extension::On;
        let name = ServerName::try_from(SERVER_NAME).map_err(EngineError::new)?;
        Ok(Self::with_its_own_sessions(config, name, cell.resume, cell.hello))
    }

    fn with_its_own_sessions(
        mut config: ClientConfig,
        name: ServerName<'static>,
        resume: Resume,
        hello: Hello,
    ) -> Self {
        let tls12 = match resume {
            Resume::SessionId => Tls12Resumption::SessionIdOnly,
            Resume::Ticket => Tls12Resumption::SessionIdOrTickets,
            Resume::PskDhe | Resume::Psk => Tls12Resumption::Disabled,
        };
        let sessions = Arc::new(Sessions::default());
        config.resumption = Resumption::store(Arc::clone(&sessions) as _).tls12_resumption(tls12);
        Self { config: Arc::new(config), name, resume, sessions, hello }
    }
}

impl Prepared for PreparedClient {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        let seen = Seen::nothing(self.sessions.begin(start)?);
        let connection =
            ClientConnection::new(Arc::clone(&self.config), self.name.clone()).map_err(EngineError::new)?;
        Ok(Box::new(RustlsEndpoint::client(connection, self.hello, seen, Arc::clone(&self.sessions))))
    }

    /// A configuration names its session store, so each thread has a copy of it with a store of its own. What the copy
    /// points to, keys, roots and provider, is shared.
    fn share(&self) -> Result<Share, Unsupported> {
        let (config, name) = (ClientConfig::clone(&self.config), self.name.clone());
        let (resume, hello) = (self.resume, self.hello);
        Ok(Box::new(move || Ok(Box::new(Self::with_its_own_sessions(config, name, resume, hello)))))
    }
}

/// The server side of a cell.
pub(super) struct PreparedServer {
    config: Arc<ServerConfig>,
    hello: Hello,
}

impl PreparedServer {
    pub(super) fn new(pins: &Pins, cell: &Cell, credentials: &Credentials) -> Result<Self, EngineError> {
        let client_verifier = match cell.auth {
            Auth::Server => WebPkiClientVerifier::no_client_auth(),
            Auth::Mutual => Arc::new(ClientVerifier::new(pins, cell.verify, roots(credentials)?)?),
        };
        let mut config = ServerConfig::builder_with_provider(Arc::clone(&pins.provider))
            .with_protocol_versions(&[pins.version])
            .map_err(EngineError::new)?
            .with_client_cert_verifier(client_verifier)
            .with_cert_resolver(pins.identity(Side::Server, &credentials.server)?);
        config.send_tls13_tickets = TICKETS;
        if cell.resume == Resume::SessionId || cell.early_data > 0 {
            // Without a ticketer rustls acknowledges no tickets; those of TLS 1.3 then name a session in the cache.
            config.session_storage = ServerSessionMemoryCache::new(SESSION_CACHE_SIZE);
        } else {
            // Without a cache rustls hands out no session ids, and all of the session is in the ticket.
            config.session_storage = Arc::new(NoServerSessionStorage {});
            config.ticketer = (pins.new_ticketer)().map_err(EngineError::new)?;
        }
        config.max_fragment_size = max_fragment_size(cell);
        config.alpn_protocols = protocols(cell.alpn);
        config.max_early_data_size = cell.early_data;
        config.require_ems |= cell.ems == Extension::On;
        Ok(Self { config: Arc::new(config), hello: cell.hello })
    }
}

impl Prepared for PreparedServer {
    fn endpoint(&self, _start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        let connection = ServerConnection::new(Arc::clone(&self.config)).map_err(EngineError::new)?;
        Ok(Box::new(RustlsEndpoint::server(connection, self.hello)))
    }

    fn share(&self) -> Result<Share, Unsupported> {
        let (config, hello) = (Arc::clone(&self.config), self.hello);
        Ok(Box::new(move || Ok(Box::new(Self { config, hello }))))
    }
}
