//! The certificate verifiers: the handshake's own signature is always checked, the certificates as far as the
//! cell says. Each takes the pinned signature scheme only.

use std::fmt;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{WebPkiSupportedAlgorithms, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::server::{ParsedCertificate, WebPkiClientVerifier};
use rustls::{DigitallySignedStruct, DistinguishedName, Error, RootCertStore, SignatureScheme};

use super::config::Pins;
use super::pinned::Seen;
use crate::cell::Verify;
use crate::engine::EngineError;

/// Checks the signatures that peers make in the handshake.
#[derive(Debug)]
struct Signatures {
    scheme: SignatureScheme,
    algorithms: WebPkiSupportedAlgorithms,
}

impl Signatures {
    fn of(pins: &Pins) -> Self {
        Self { scheme: pins.scheme, algorithms: pins.provider.signature_verification_algorithms }
    }

    fn check_tls12(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, signed, &self.algorithms)
    }

    fn check_tls13(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, signed, &self.algorithms)
    }
}

/// What a client checks of the server's certificate.
pub(super) struct ServerVerifier {
    verify: Verify,
    roots: RootCertStore,
    signatures: Signatures,
}

impl ServerVerifier {
    /// Trusts `roots` and nothing else.
    pub(super) fn new(pins: &Pins, verify: Verify, roots: RootCertStore) -> Self {
        Self { verify, roots, signatures: Signatures::of(pins) }
    }
}

impl fmt::Debug for ServerVerifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerVerifier").field("verify", &self.verify).finish_non_exhaustive()
    }
}

impl ServerCertVerifier for ServerVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        if self.verify != Verify::None {
            let leaf = ParsedCertificate::try_from(end_entity)?;
            let algorithms = self.signatures.algorithms.all;
            verify_server_cert_signed_by_trust_anchor(&leaf, &self.roots, intermediates, now, algorithms)?;
            if self.verify == Verify::Name {
                verify_server_name(&leaf, server_name)?;
            }
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Seen::note_server_signature(signed.scheme);
        self.signatures.check_tls12(message, cert, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Seen::note_server_signature(signed.scheme);
        self.signatures.check_tls13(message, cert, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![self.signatures.scheme]
    }
}

/// What a server checks of the client's certificate, which it insists on. Clients have no host name to check.
#[derive(Debug)]
pub(super) struct ClientVerifier {
    /// The library's own chain check; none where certificates are not checked.
    chain: Option<Arc<dyn ClientCertVerifier>>,
    signatures: Signatures,
}

impl ClientVerifier {
    /// Trusts `roots` and nothing else.
    pub(super) fn new(pins: &Pins, verify: Verify, roots: RootCertStore) -> Result<Self, EngineError> {
        let chain = match verify {
            Verify::None => None,
            Verify::Chain | Verify::Name => Some(
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&pins.provider))
                    .build()
                    .map_err(EngineError::new)?,
            ),
        };
        Ok(Self { chain, signatures: Signatures::of(pins) })
    }
}

impl ClientCertVerifier for ClientVerifier {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        match &self.chain {
            Some(chain) => chain.verify_client_cert(end_entity, intermediates, now),
            None => Ok(ClientCertVerified::assertion()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signatures.check_tls12(message, cert, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.signatures.check_tls13(message, cert, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![self.signatures.scheme]
    }
}
