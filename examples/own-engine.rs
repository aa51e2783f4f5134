//! An engine of one's own: rustls with ring, TLS 1.3 only. docs/BRING-YOUR-OWN-ENGINE.md walks through it.

use std::cell::RefCell;
use std::io::{ErrorKind, Read, Write};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{Arc, Mutex};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{
    ClientSessionStore, Resumption, Tls12ClientSessionValue, Tls13ClientSessionValue, WebPkiServerVerifier,
};
use rustls::crypto::{CryptoProvider, ring};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{
    ClientConfig, ClientConnection, Connection, DigitallySignedStruct, HandshakeKind, NamedGroup,
    RootCertStore, ServerConfig, ServerConnection, version,
};
use tlspair::cell::{Alpn, Auth, Cell, Cert, Group, Proto, SignatureScheme, Verify};
use tlspair::cli;
use tlspair::engine::{
    Endpoint, Engine, EngineError, EngineInfo, Engines, Negotiated, Prepared, Side, Start, Step, Unsupported,
};
use tlspair::fixtures::{Credentials, SERVER_NAME};
use tlspair::pipe::Io;

fn main() -> ExitCode {
    cli::main(&Engines::of(vec![Box::new(OwnEngine)]))
}

/// The library as a whole.
struct OwnEngine;

/// Kinds of certificates whose keys sign in one scheme of a client's choice.
const CERTS: [Cert; 3] = [Cert::Rsa2048, Cert::P256, Cert::P384];

impl Engine for OwnEngine {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: "own",
            library: "rustls".to_owned(),
            // rustls cannot be asked for its version; where a library can, its answer belongs here.
            version: "0.23".to_owned(),
            build: "ring".to_owned(),
            is_tls: true,
        }
    }

    fn supports(&self, cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        let lacks = |what: &str| Err(Unsupported(format!("this engine has no {what}")));
        if cell.proto != Proto::Tls13 {
            return lacks(cell.proto.title());
        }
        if !CERTS.contains(&cell.cert) {
            return lacks(&format!("{} certificates", cell.cert));
        }
        if cell.auth != Auth::Server {
            return lacks("client certificates");
        }
        if cell.verify == Verify::Chain {
            return lacks("check of a chain without the name");
        }
        match provider(cell) {
            provider if provider.cipher_suites.is_empty() => {
                lacks(&format!("cipher {}", cell.cipher.openssl))
            }
            provider if provider.kx_groups.is_empty() => lacks(&format!("group {}", cell.group)),
            _ => Ok(()),
        }
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        Ok(match side {
            Side::Client => Box::new(Client::new(cell, credentials)?),
            Side::Server => Box::new(Server::new(cell, credentials)?),
        })
    }
}

/// What the cell leaves of all that rustls could negotiate: one cipher and one group.
fn provider(cell: &Cell) -> CryptoProvider {
    let mut provider = ring::default_provider();
    provider.cipher_suites.retain(|suite| u16::from(suite.suite()) == cell.cipher.code);
    provider.kx_groups.retain(|group| Some(u16::from(group.name())) == cell.group.code());
    provider
}

/// The server's side of a cell.
struct Server(Arc<ServerConfig>);

impl Server {
    fn new(cell: &Cell, credentials: &Credentials) -> Result<Self, EngineError> {
        let identity = &credentials.server;
        let chain = identity.chain.iter().map(|der| CertificateDer::from(der.clone())).collect();
        let key = PrivateKeyDer::try_from(identity.key.clone()).map_err(EngineError::new)?;
        let mut config = ServerConfig::builder_with_provider(Arc::new(provider(cell)))
            .with_protocol_versions(&[&version::TLS13])
            .map_err(EngineError::new)?
            .with_no_client_auth()
            .with_single_cert(chain, key)
            .map_err(EngineError::new)?;
        config.ticketer = ring::Ticketer::new().map_err(EngineError::new)?;
        config.send_tls13_tickets = 1;
        Ok(Self(Arc::new(config)))
    }
}

impl Prepared for Server {
    fn endpoint(&self, _start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        let connection = ServerConnection::new(Arc::clone(&self.0)).map_err(EngineError::new)?;
        Ok(Box::new(OwnEndpoint::over(connection.into(), None)))
    }
}

/// The client's side of a cell.
struct Client {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
    shared: Rc<ClientShared>,
}

/// What the client's connections leave behind.
struct ClientShared {
    tickets: Arc<Tickets>,
    kept: RefCell<Option<Tls13ClientSessionValue>>,
    checker: Arc<Checker>,
}

impl Client {
    fn new(cell: &Cell, credentials: &Credentials) -> Result<Self, EngineError> {
        let provider = Arc::new(provider(cell));
        let checker = Arc::new(Checker::new(cell, credentials, &provider)?);
        let tickets = Arc::new(Tickets::default());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&version::TLS13])
            .map_err(EngineError::new)?
            .dangerous()
            .with_custom_certificate_verifier(Arc::clone(&checker) as Arc<dyn ServerCertVerifier>)
            .with_no_client_auth();
        config.resumption = Resumption::store(Arc::clone(&tickets) as Arc<dyn ClientSessionStore>);
        Ok(Self {
            config: Arc::new(config),
            name: ServerName::try_from(SERVER_NAME).map_err(EngineError::new)?,
            shared: Rc::new(ClientShared { tickets, kept: RefCell::new(None), checker }),
        })
    }
}

impl Prepared for Client {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        self.shared.tickets.offer(match start {
            Start::Fresh => None,
            Start::Resume => {
                let kept = self.shared.kept.borrow_mut().take(); // a ticket of TLS 1.3 serves once
                Some(kept.ok_or_else(|| EngineError::new("no session was kept"))?)
            }
        });
        self.shared.checker.signed_with.store(0, Ordering::Relaxed);
        let connection =
            ClientConnection::new(Arc::clone(&self.config), self.name.clone()).map_err(EngineError::new)?;
        Ok(Box::new(OwnEndpoint::over(connection.into(), Some(Rc::clone(&self.shared)))))
    }
}

/// The library's store of sessions, which hands out only what a connection shall offer.
#[derive(Debug, Default)]
struct Tickets {
    offered: Mutex<Option<Tls13ClientSessionValue>>,
    newest: Mutex<Option<Tls13ClientSessionValue>>,
}

impl Tickets {
    fn offer(&self, ticket: Option<Tls13ClientSessionValue>) {
        *self.offered.lock().expect("nobody panics with it") = ticket;
        *self.newest.lock().expect("nobody panics with it") = None;
    }

    fn take_newest(&self) -> Option<Tls13ClientSessionValue> {
        self.newest.lock().expect("nobody panics with it").take()
    }
}

impl ClientSessionStore for Tickets {
    fn insert_tls13_ticket(&self, _: ServerName<'static>, ticket: Tls13ClientSessionValue) {
        *self.newest.lock().expect("nobody panics with it") = Some(ticket);
    }

    fn take_tls13_ticket(&self, _: &ServerName<'static>) -> Option<Tls13ClientSessionValue> {
        self.offered.lock().expect("nobody panics with it").take()
    }

    // One group is configured, so there is nothing to guess; and there is no TLS 1.2 here.
    fn set_kx_hint(&self, _: ServerName<'static>, _: NamedGroup) {}
    fn kx_hint(&self, _: &ServerName<'_>) -> Option<NamedGroup> {
        None
    }
    fn set_tls12_session(&self, _: ServerName<'static>, _: Tls12ClientSessionValue) {}
    fn tls12_session(&self, _: &ServerName<'_>) -> Option<Tls12ClientSessionValue> {
        None
    }
    fn remove_tls12_session(&self, _: &ServerName<'static>) {}
}

/// Checks the server's certificate as far as the cell says, and its signature always; and notes the signature's scheme,
/// for which rustls has no question.
#[derive(Debug)]
struct Checker {
    checks_certificates: bool,
    /// The one scheme that the client takes, and so the server's.
    scheme: rustls::SignatureScheme,
    library: Arc<WebPkiServerVerifier>,
    signed_with: AtomicU16,
}

impl Checker {
    fn new(
        cell: &Cell,
        credentials: &Credentials,
        provider: &Arc<CryptoProvider>,
    ) -> Result<Self, EngineError> {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from(credentials.root.as_slice())).map_err(EngineError::new)?;
        let library = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider))
            .build()
            .map_err(EngineError::new)?;
        let scheme = cell.certificate_signature().code().ok_or_else(|| EngineError::new("no scheme"))?;
        Ok(Self {
            checks_certificates: cell.verify == Verify::Name,
            scheme: scheme.into(),
            library,
            signed_with: AtomicU16::new(0),
        })
    }
}

impl ServerCertVerifier for Checker {
    fn verify_server_cert(
        &self,
        leaf: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        if !self.checks_certificates {
            return Ok(ServerCertVerified::assertion());
        }
        self.library.verify_server_cert(leaf, intermediates, name, ocsp_response, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        leaf: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.library.verify_tls12_signature(message, leaf, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        leaf: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.signed_with.store(signed.scheme.into(), Ordering::Relaxed);
        self.library.verify_tls13_signature(message, leaf, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<rustls::SignatureScheme> {
        vec![self.scheme]
    }
}

/// One side of one connection.
struct OwnEndpoint {
    connection: Connection,
    client: Option<Rc<ClientShared>>,
    close_sent: bool,
}

impl OwnEndpoint {
    fn over(mut connection: Connection, client: Option<Rc<ClientShared>>) -> Self {
        connection.set_buffer_limit(None); // a write is one write, however long
        Self { connection, client, close_sent: false }
    }

    /// Lets the library read what has come and answer it. False if nothing had come.
    fn pull(&mut self, io: &mut Io<'_>) -> Result<bool, EngineError> {
        let mut inbound = io.inbound.unread();
        let before = inbound.len();
        if before == 0 {
            return Ok(false);
        }
        self.connection.read_tls(&mut inbound).map_err(EngineError::new)?;
        let left = inbound.len();
        io.inbound.consume(before - left);
        let processed = self.connection.process_new_packets();
        self.push(io)?; // after an error too: it is the alert
        processed.map_err(EngineError::new)?;
        Ok(true)
    }

    /// Sends all that the library has ready.
    fn push(&mut self, io: &mut Io<'_>) -> Result<(), EngineError> {
        while self.connection.wants_write() {
            self.connection.write_tls(&mut Outbound(io)).map_err(EngineError::new)?;
        }
        Ok(())
    }
}

/// The outbound pipe as rustls writes it.
struct Outbound<'a, 'b>(&'a mut Io<'b>);

impl Write for Outbound<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.outbound.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Endpoint for OwnEndpoint {
    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        self.push(io)?;
        while self.connection.is_handshaking() {
            if !self.pull(io)? {
                return Ok(Step::Waiting);
            }
        }
        Ok(Step::Done)
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        self.connection.writer().write_all(data).map_err(EngineError::new)?;
        self.push(io)
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        loop {
            match self.connection.reader().read(into) {
                Ok(0) => return Err(EngineError::new("the peer closed the connection")),
                Ok(count) => return Ok(count),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(EngineError::new(error)),
            }
            if !self.pull(io)? {
                return Ok(0);
            }
        }
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        if !self.close_sent {
            self.connection.send_close_notify();
            self.close_sent = true;
            self.push(io)?;
        }
        while self.pull(io)? {}
        let state = self.connection.process_new_packets().map_err(EngineError::new)?;
        Ok(if state.peer_has_closed() { Step::Done } else { Step::Waiting })
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        let unknown = |what: &str| EngineError::new(format_args!("rustls names no {what} that a cell has"));
        let connection = &self.connection;
        let resumed = match connection.handshake_kind() {
            Some(HandshakeKind::Full) => false,
            Some(HandshakeKind::Resumed) => true,
            _ => return Err(unknown("kind of handshake")),
        };
        let version = connection.protocol_version().and_then(|version| Proto::from_code(version.into()));
        let cipher = connection.negotiated_cipher_suite().ok_or_else(|| unknown("cipher"))?;
        let group = connection.negotiated_key_exchange_group();
        let group = group.and_then(|group| Group::from_code(group.name().into()));
        let signed_with =
            self.client.as_ref().map_or(0, |client| client.checker.signed_with.load(Ordering::Relaxed));
        Ok(Negotiated {
            proto: version.ok_or_else(|| unknown("version"))?,
            cipher: cipher.suite().into(),
            group: Some(group.ok_or_else(|| unknown("group"))?),
            // Servers cannot say it, and a resumption has none.
            signature: SignatureScheme::from_code(signed_with),
            resumed,
            client_cert: false,
            alpn: Alpn::None,
            early_data: false,
        })
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        let client = self.client.as_ref().ok_or_else(|| EngineError::new("servers keep no session"))?;
        let ticket = client.tickets.take_newest();
        *client.kept.borrow_mut() =
            Some(ticket.ok_or_else(|| EngineError::new("the server gave no session to keep"))?);
        Ok(())
    }
}
