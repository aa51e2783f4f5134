//! The client's part of the handshake.

use openssl::error::ErrorStack;
use openssl::md_ctx::MdCtx;
use openssl::rand::rand_bytes;
use openssl::rsa::Padding;
use openssl::x509::X509;

use super::cache::{Session, SessionId};
use super::connection::{Connection, Nonce, State};
use super::keys::{MAX_BLOCK, MAX_KEY};
use super::message::{
    self, ClientCertificate, ClientHello, ClientMasterKey, Fault, ServerHello, has_cipher, kind,
    read_request, read_single, write_single,
};
use crate::engine::EngineError;
use crate::engine::openssl::library::words;
use crate::pipe::Pipe;

impl Connection {
    /// Offers the cell's cipher, and a session if one is to be resumed.
    pub(super) fn send_client_hello(&mut self, outbound: &mut Pipe) -> Result<(), EngineError> {
        self.challenge = Nonce::random()?;
        let hello = ClientHello {
            ciphers: &self.shared.suite.kind,
            session_id: self.session_id.as_ref().map_or(&[], SessionId::as_slice),
            challenge: self.challenge.bytes(),
        };
        hello.write(&mut self.message);
        self.state = State::AwaitServerHello;
        self.send(outbound)
    }

    /// Takes a message of the server.
    pub(super) fn take_as_client(&mut self, message: &[u8], outbound: &mut Pipe) -> Result<(), EngineError> {
        match self.state {
            State::AwaitServerHello => self.take_server_hello(message, outbound),
            State::AwaitServerVerify => {
                if read_single(message, kind::SERVER_VERIFY)? != self.challenge.bytes() {
                    return Err(EngineError::new("the server does not know the challenge"));
                }
                self.state = State::AwaitServerFinished;
                Ok(())
            }
            _ if message.first() == Some(&kind::REQUEST_CERTIFICATE) => {
                self.show_certificate(read_request(message)?, outbound)
            }
            _ => self.take_server_finished(message),
        }
    }

    fn take_server_hello(&mut self, message: &[u8], outbound: &mut Pipe) -> Result<(), EngineError> {
        let hello = ServerHello::read(message)?;
        self.connection_id = Nonce::of(hello.connection_id);
        let session = match (hello.is_hit, self.session) {
            (true, Some(session)) => {
                self.is_resumed = true;
                session
            }
            (true, None) => {
                return Err(EngineError::new("the server resumes a session that was not offered"));
            }
            (false, _) => self.begin_session(&hello, outbound)?,
        };
        self.protect(&session)?;
        self.session = Some(session);
        write_single(&mut self.message, kind::CLIENT_FINISHED, self.connection_id.bytes());
        self.state = State::AwaitServerVerify;
        self.send(outbound)
    }

    /// Makes a new session with the server whose certificate came, and tells it the master key.
    fn begin_session(
        &mut self,
        hello: &ServerHello<'_>,
        outbound: &mut Pipe,
    ) -> Result<Session, EngineError> {
        self.session_id = None;
        if hello.certificate_type != message::X509 {
            let error = EngineError::new("the server's certificate is of an unknown type");
            return Err(self.give_up(Fault::UnsupportedCertificateType, error, outbound));
        }
        let certificate = X509::from_der(hello.certificate)
            .map_err(|stack| words(&stack))
            .and_then(|certificate| self.shared.check(&certificate).map(|()| certificate))
            .map_err(|error| self.give_up(Fault::BadCertificate, error, outbound))?;
        let suite = &self.shared.suite;
        if !has_cipher(hello.ciphers, suite.kind) {
            let error = EngineError::new("the server has none of the client's ciphers");
            return Err(self.give_up(Fault::NoCipher, error, outbound));
        }
        let mut session = Session {
            cipher: suite.kind,
            master_key: [0; MAX_KEY],
            argument: [0; MAX_BLOCK],
            client_cert: false,
        };
        let master_key = &mut session.master_key[..suite.key_bytes];
        let argument = &mut session.argument[..suite.argument_bytes];
        let encrypted = new_key(master_key, argument, &certificate).map_err(|stack| words(&stack))?;
        let message = ClientMasterKey { cipher: suite.kind, clear: &[], encrypted: &encrypted, argument };
        message.write(&mut self.message);
        self.send(outbound)?;
        if self.shared.is_mutual {
            self.server_certificate = hello.certificate.to_vec();
        }
        Ok(session)
    }

    /// Answers the server's request: a client without a certificate says so, and the server decides.
    fn show_certificate(&mut self, challenge: &[u8], outbound: &mut Pipe) -> Result<(), EngineError> {
        let (Some(shown), Some(keys)) = (&self.shared.shown, &self.keys) else {
            return self.records.send(&self.shared.suite, &Fault::NoCertificate.message(), outbound);
        };
        let sign = || -> Result<Vec<u8>, ErrorStack> {
            let mut digest = MdCtx::new()?;
            digest.digest_sign_init(Some(self.shared.suite.md5()), &shown.key)?;
            for part in [keys.all(), challenge, &self.server_certificate] {
                digest.digest_sign_update(part)?;
            }
            let mut signature = Vec::new();
            digest.digest_sign_final_to_vec(&mut signature)?;
            Ok(signature)
        };
        let response = sign().map_err(|stack| words(&stack))?;
        let message = ClientCertificate { certificate: &shown.certificate, response: &response };
        message.write(&mut self.message);
        if let Some(session) = &mut self.session {
            session.client_cert = true;
        }
        self.send(outbound)
    }

    fn take_server_finished(&mut self, message: &[u8]) -> Result<(), EngineError> {
        let id = SessionId::try_from(read_single(message, kind::SERVER_FINISHED)?)
            .map_err(|_| EngineError::new("the session's name has not 16 bytes"))?;
        if self.is_resumed && self.session_id != Some(id) {
            return Err(EngineError::new("the server resumes one session and names another"));
        }
        self.session_id = Some(id);
        self.state = State::Established;
        Ok(())
    }
}

/// Draws master key and initial vector, and encrypts the key to the certificate's.
fn new_key(master_key: &mut [u8], argument: &mut [u8], certificate: &X509) -> Result<Vec<u8>, ErrorStack> {
    rand_bytes(master_key)?;
    if !argument.is_empty() {
        rand_bytes(argument)?;
    }
    let key = certificate.public_key()?.rsa()?;
    let mut encrypted = vec![0; key.size() as usize];
    let length = key.public_encrypt(master_key, &mut encrypted, Padding::PKCS1)?;
    encrypted.truncate(length);
    Ok(encrypted)
}
