//! rustls over ring, with a `Vec` for what is on its way.

use std::io::{Read, Write};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{Resumption, Tls12Resumption};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime};
use rustls::server::ServerSessionMemoryCache;
use rustls::{
    ClientConfig, ClientConnection, ConnectionCommon, DigitallySignedStruct, Error, HandshakeKind,
    ServerConfig, ServerConnection, SignatureScheme, version,
};
use tlspair::engine::SESSION_CACHE_SIZE;
use tlspair::fixtures::{Identity, SERVER_NAME};

use super::Handshake;
use crate::batches::Result;

/// The loop.
pub struct Loop {
    client: Arc<ClientConfig>,
    server: Arc<ServerConfig>,
    name: ServerName<'static>,
    wire: Vec<u8>,
    expected: HandshakeKind,
}

impl Loop {
    /// Sets everything up that outlives a connection, and makes the first one if others are to resume it.
    pub fn new(identity: &Identity, handshake: Handshake) -> Result<Self> {
        let provider = Arc::new(CryptoProvider {
            cipher_suites: vec![ring::cipher_suite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256],
            kx_groups: vec![ring::kx_group::X25519],
            ..ring::default_provider()
        });
        let mut this = Self {
            client: Arc::new(client_config(&provider, handshake)?),
            server: Arc::new(server_config(&provider, identity)?),
            name: ServerName::try_from(SERVER_NAME)?,
            wire: Vec::with_capacity(1 << 16),
            expected: HandshakeKind::Full,
        };
        if handshake == Handshake::Resumed {
            this.connect()?;
            this.expected = HandshakeKind::Resumed;
        }
        Ok(this)
    }

    /// Runs `count` connections.
    pub fn connections(&mut self, count: u64) -> Result<()> {
        (0..count).try_for_each(|_| self.connect())
    }

    fn connect(&mut self) -> Result<()> {
        let wire = &mut self.wire;
        let mut client = ClientConnection::new(Arc::clone(&self.client), self.name.clone())?;
        let mut server = ServerConnection::new(Arc::clone(&self.server))?;
        while client.is_handshaking() || server.is_handshaking() {
            carry(&mut client, &mut server, wire)?;
            carry(&mut server, &mut client, wire)?;
        }
        let kinds = (client.handshake_kind(), server.handshake_kind());
        if kinds != (Some(self.expected), Some(self.expected)) {
            return Err(format!("{kinds:?} instead of {:?}", self.expected).into());
        }

        let mut byte = [0];
        client.writer().write_all(&byte)?;
        carry(&mut client, &mut server, wire)?;
        server.reader().read_exact(&mut byte)?;
        server.writer().write_all(&byte)?;
        carry(&mut server, &mut client, wire)?;
        client.reader().read_exact(&mut byte)?;

        client.send_close_notify();
        let server_told = carry(&mut client, &mut server, wire)?;
        server.send_close_notify();
        let client_told = carry(&mut server, &mut client, wire)?;
        if server_told && client_told { Ok(()) } else { Err("a close_notify was lost".into()) }
    }
}

/// Takes what `from` has to send to `to`, and says whether `to` has been told of a close.
fn carry<A, B>(
    from: &mut impl DerefMut<Target = ConnectionCommon<A>>,
    to: &mut impl DerefMut<Target = ConnectionCommon<B>>,
    wire: &mut Vec<u8>,
) -> Result<bool> {
    wire.clear();
    while from.deref().wants_write() {
        from.deref_mut().write_tls(wire)?;
    }
    let mut unread = wire.as_slice();
    let mut closed = false;
    while !unread.is_empty() {
        to.deref_mut().read_tls(&mut unread)?;
        closed = to.deref_mut().process_new_packets()?.peer_has_closed();
    }
    Ok(closed)
}

fn client_config(provider: &Arc<CryptoProvider>, handshake: Handshake) -> Result<ClientConfig> {
    let mut config = ClientConfig::builder_with_provider(Arc::clone(provider))
        .with_protocol_versions(&[&version::TLS12])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(TakesAny(Arc::clone(provider))))
        .with_no_client_auth();
    config.resumption = match handshake {
        Handshake::Full => Resumption::disabled(),
        Handshake::Resumed => {
            Resumption::in_memory_sessions(1).tls12_resumption(Tls12Resumption::SessionIdOnly)
        }
    };
    Ok(config)
}

fn server_config(provider: &Arc<CryptoProvider>, identity: &Identity) -> Result<ServerConfig> {
    let chain = identity.chain.iter().map(|der| CertificateDer::from(der.clone())).collect();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(identity.key.clone()));
    let mut config = ServerConfig::builder_with_provider(Arc::clone(provider))
        .with_protocol_versions(&[&version::TLS12])?
        .with_no_client_auth()
        .with_single_cert(chain, key)?;
    config.session_storage = ServerSessionMemoryCache::new(SESSION_CACHE_SIZE);
    Ok(config)
}

/// Checks the handshake's signature and no certificate.
#[derive(Debug)]
struct TakesAny(Arc<CryptoProvider>);

impl ServerCertVerifier for TakesAny {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> std::result::Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> std::result::Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::RSA_PKCS1_SHA256]
    }
}
