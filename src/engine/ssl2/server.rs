//! The server's part of the handshake.

use openssl::error::ErrorStack;
use openssl::md_ctx::MdCtx;
use openssl::rand::rand_bytes;
use openssl::rsa::Padding;
use openssl::x509::X509;

use super::cache::{Session, SessionId};
use super::connection::{Connection, Nonce, State};
use super::keys::{MAX_BLOCK, MAX_KEY};
use super::message::{
    self, ClientCertificate, ClientHello, ClientMasterKey, Fault, MD5_WITH_RSA, SESSION_ID, ServerHello,
    has_cipher, kind, read_single, write_single,
};
use crate::engine::EngineError;
use crate::engine::openssl::library::words;
use crate::pipe::Pipe;

impl Connection {
    /// Takes a message of the client.
    pub(super) fn take_as_server(&mut self, message: &[u8], outbound: &mut Pipe) -> Result<(), EngineError> {
        match self.state {
            State::AwaitClientHello => self.take_client_hello(message, outbound),
            State::AwaitClientMasterKey => self.take_master_key(message, outbound),
            State::AwaitClientFinished => self.take_client_finished(message, outbound),
            _ => {
                self.take_client_certificate(message, outbound)?;
                self.finish(outbound)
            }
        }
    }

    fn take_client_hello(&mut self, message: &[u8], outbound: &mut Pipe) -> Result<(), EngineError> {
        let hello = ClientHello::read(message)?;
        if !has_cipher(hello.ciphers, self.shared.suite.kind) {
            let error = EngineError::new("the client offers no cipher that the server has");
            return Err(self.give_up(Fault::NoCipher, error, outbound));
        }
        self.challenge = Nonce::of(hello.challenge);
        self.connection_id = Nonce::random()?;
        let found = self.shared.sessions.borrow().find(hello.session_id);
        match found {
            Some((id, session)) => self.resume(id, session, outbound),
            None => self.show_certificate_as_server(outbound),
        }
    }

    fn resume(&mut self, id: SessionId, session: Session, outbound: &mut Pipe) -> Result<(), EngineError> {
        self.is_resumed = true;
        self.session_id = Some(id);
        self.session = Some(session);
        let hello = ServerHello {
            is_hit: true,
            certificate_type: 0,
            certificate: &[],
            ciphers: &[],
            connection_id: self.connection_id.bytes(),
        };
        hello.write(&mut self.message);
        self.send(outbound)?;
        self.verify_to_client(outbound)
    }

    fn show_certificate_as_server(&mut self, outbound: &mut Pipe) -> Result<(), EngineError> {
        let hello = ServerHello {
            is_hit: false,
            certificate_type: message::X509,
            certificate: self.shared.shown.as_ref().map_or(&[], |shown| &shown.certificate),
            ciphers: &self.shared.suite.kind,
            connection_id: self.connection_id.bytes(),
        };
        hello.write(&mut self.message);
        self.state = State::AwaitClientMasterKey;
        self.send(outbound)
    }

    /// A wrong key is told at once. Towards strangers that would help to break the encryption (D. Bleichenbacher's
    /// attack, and DROWN); here there are none.
    fn take_master_key(&mut self, message: &[u8], outbound: &mut Pipe) -> Result<(), EngineError> {
        let ClientMasterKey { cipher, clear, encrypted, argument } = ClientMasterKey::read(message)?;
        let suite = &self.shared.suite;
        if cipher != suite.kind {
            return Err(EngineError::new("the client chooses a cipher that was not offered"));
        }
        if !clear.is_empty() {
            return Err(EngineError::new(
                "part of the master key is in the clear, in a cipher not for export",
            ));
        }
        if argument.len() != suite.argument_bytes {
            return Err(EngineError::new("the initial vector has a wrong length"));
        }
        let mut session =
            Session { cipher, master_key: [0; MAX_KEY], argument: [0; MAX_BLOCK], client_cert: false };
        session.argument[..argument.len()].copy_from_slice(argument);
        session.master_key[..suite.key_bytes].copy_from_slice(&self.decrypt(encrypted)?);
        self.session = Some(session);
        self.verify_to_client(outbound)
    }

    fn decrypt(&self, encrypted: &[u8]) -> Result<Vec<u8>, EngineError> {
        let shown = self.shared.shown.as_ref().ok_or_else(|| EngineError::new("the server has no key"))?;
        let mut master_key = vec![0; shown.rsa.size() as usize];
        let length = shown
            .rsa
            .private_decrypt(encrypted, &mut master_key, Padding::PKCS1)
            .map_err(|stack| words(&stack))?;
        if length != self.shared.suite.key_bytes {
            return Err(EngineError::new("the master key has a wrong length"));
        }
        master_key.truncate(length);
        Ok(master_key)
    }

    /// Protects what follows, and shows that the server has the master key.
    fn verify_to_client(&mut self, outbound: &mut Pipe) -> Result<(), EngineError> {
        let session = self.session.ok_or_else(|| EngineError::new("there is no session yet"))?;
        self.protect(&session)?;
        write_single(&mut self.message, kind::SERVER_VERIFY, self.challenge.bytes());
        self.state = State::AwaitClientFinished;
        self.send(outbound)
    }

    fn take_client_finished(&mut self, message: &[u8], outbound: &mut Pipe) -> Result<(), EngineError> {
        if read_single(message, kind::CLIENT_FINISHED)? != self.connection_id.bytes() {
            return Err(EngineError::new("the client does not know the connection id"));
        }
        if !self.shared.is_mutual || self.is_resumed {
            return self.finish(outbound);
        }
        self.certificate_challenge = Nonce::random()?;
        write_single(&mut self.message, kind::REQUEST_CERTIFICATE, &[MD5_WITH_RSA]);
        self.message.extend_from_slice(self.certificate_challenge.bytes());
        self.state = State::AwaitClientCertificate;
        self.send(outbound)
    }

    fn take_client_certificate(&mut self, message: &[u8], outbound: &mut Pipe) -> Result<(), EngineError> {
        let Some(shown) = ClientCertificate::read(message)? else {
            let error = EngineError::new("the client's certificate is of an unknown type");
            return Err(self.give_up(Fault::UnsupportedCertificateType, error, outbound));
        };
        self.check_client(&shown).map_err(|error| self.give_up(Fault::BadCertificate, error, outbound))?;
        if let Some(session) = &mut self.session {
            session.client_cert = true;
        }
        Ok(())
    }

    /// The certificate as far as the cell wants it checked; the signature always.
    fn check_client(&self, shown: &ClientCertificate<'_>) -> Result<(), EngineError> {
        let certificate = X509::from_der(shown.certificate).map_err(|stack| words(&stack))?;
        self.shared.check(&certificate)?;
        let own = self.shared.shown.as_ref().map_or(&[][..], |own| &own.certificate);
        let keys = self.keys.as_ref().map_or(&[][..], |keys| keys.all());
        let verify = || -> Result<bool, ErrorStack> {
            let key = certificate.public_key()?;
            let mut digest = MdCtx::new()?;
            digest.digest_verify_init(Some(self.shared.suite.md5()), &key)?;
            for part in [keys, self.certificate_challenge.bytes(), own] {
                digest.digest_verify_update(part)?;
            }
            digest.digest_verify_final(shown.response)
        };
        match verify() {
            Ok(true) => Ok(()),
            Ok(false) => Err(EngineError::new("the client's signature is wrong")),
            Err(stack) => Err(words(&stack)),
        }
    }

    /// Names the session and keeps it.
    fn finish(&mut self, outbound: &mut Pipe) -> Result<(), EngineError> {
        let session = self.session.ok_or_else(|| EngineError::new("there is no session yet"))?;
        let id = match self.session_id {
            Some(id) => id,
            None => {
                let mut id = [0; SESSION_ID];
                rand_bytes(&mut id).map_err(|stack| words(&stack))?;
                self.shared.sessions.borrow_mut().keep(id, session);
                self.session_id = Some(id);
                id
            }
        };
        write_single(&mut self.message, kind::SERVER_FINISHED, &id);
        self.state = State::Established;
        self.send(outbound)
    }
}
