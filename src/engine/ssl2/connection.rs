//! One connection: where it stands, and what both sides do alike.

use std::ops::Range;
use std::rc::Rc;

use openssl::error::ErrorStack;
use openssl::rand::rand_bytes;

use super::cache::{Session, SessionId};
use super::keys::KeyMaterial;
use super::message::{Fault, MAX_NONCE, NONCE};
use super::record::{MAX_DATA, MAX_DATA_IN_BLOCKS, Records};
use super::side::Ssl2Side;
use crate::cell::{Alpn, Cipher, Proto};
use crate::engine::openssl::library::words;
use crate::engine::{Endpoint, EngineError, Negotiated, Side, Start, Step};
use crate::pipe::{Io, Pipe};

/// See the module's documentation.
pub struct Connection {
    pub(super) shared: Rc<Ssl2Side>,
    pub(super) records: Records,
    /// The message in the making.
    pub(super) message: Vec<u8>,
    pub(super) state: State,
    pub(super) challenge: Nonce,
    pub(super) connection_id: Nonce,
    /// Server: what the client's signature must cover.
    pub(super) certificate_challenge: Nonce,
    pub(super) keys: Option<KeyMaterial>,
    /// The session and its name, once there are such; on a client, the session offered.
    pub(super) session: Option<Session>,
    pub(super) session_id: Option<SessionId>,
    pub(super) is_resumed: bool,
    /// Client: the server's certificate as it came, which a client's signature covers.
    pub(super) server_certificate: Vec<u8>,
    /// Where the data lie that were received and not yet handed out.
    unread: Range<usize>,
    has_closed: bool,
}

/// What is to happen next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    SendClientHello,
    AwaitServerHello,
    AwaitServerVerify,
    AwaitServerFinished,
    AwaitClientHello,
    AwaitClientMasterKey,
    AwaitClientFinished,
    AwaitClientCertificate,
    Established,
}

/// A challenge or a connection id.
#[derive(Clone, Copy, Default)]
pub(super) struct Nonce {
    bytes: [u8; MAX_NONCE],
    length: usize,
}

impl Nonce {
    /// A new one.
    pub fn random() -> Result<Self, EngineError> {
        let mut bytes = [0; MAX_NONCE];
        rand_bytes(&mut bytes[..NONCE]).map_err(|stack| words(&stack))?;
        Ok(Self { bytes, length: NONCE })
    }

    /// The peer's, whose length has been checked.
    pub fn of(given: &[u8]) -> Self {
        let mut bytes = [0; MAX_NONCE];
        bytes[..given.len()].copy_from_slice(given);
        Self { bytes, length: given.len() }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }
}

impl Connection {
    /// A new connection; with [`Start::Resume`], one that offers the session kept last.
    pub fn open(shared: Rc<Ssl2Side>, start: Start) -> Result<Self, EngineError> {
        let is_client = shared.side == Side::Client;
        let offered = if is_client && start == Start::Resume {
            let kept = *shared.kept.borrow();
            Some(kept.ok_or_else(|| EngineError::new("no session was kept"))?)
        } else {
            None
        };
        Ok(Self {
            records: Records::new().map_err(|stack| words(&stack))?,
            message: Vec::new(),
            state: if is_client { State::SendClientHello } else { State::AwaitClientHello },
            challenge: Nonce::default(),
            connection_id: Nonce::default(),
            certificate_challenge: Nonce::default(),
            keys: None,
            session: offered.map(|(_, session)| session),
            session_id: offered.map(|(id, _)| id),
            is_resumed: false,
            server_certificate: Vec::new(),
            unread: 0..0,
            has_closed: false,
            shared,
        })
    }

    /// Makes the keys of this connection from those of its session, and protects what follows.
    pub(super) fn protect(&mut self, session: &Session) -> Result<(), EngineError> {
        let suite = &self.shared.suite;
        let mut derive = || -> Result<KeyMaterial, ErrorStack> {
            let keys = KeyMaterial::derive(
                suite,
                self.records.digest(),
                &session.master_key[..suite.key_bytes],
                self.challenge.bytes(),
                self.connection_id.bytes(),
            )?;
            let argument = &session.argument[..suite.argument_bytes];
            self.records.protect(suite, self.shared.side, &keys, argument)?;
            Ok(keys)
        };
        self.keys = Some(derive().map_err(|stack| words(&stack))?);
        Ok(())
    }

    /// Sends the message in the making.
    pub(super) fn send(&mut self, outbound: &mut Pipe) -> Result<(), EngineError> {
        self.records.send(&self.shared.suite, &self.message, outbound)
    }

    /// Tells the peer what is wrong, for the caller to fail with `error`.
    pub(super) fn give_up(&mut self, fault: Fault, error: EngineError, outbound: &mut Pipe) -> EngineError {
        match self.records.send(&self.shared.suite, &fault.message(), outbound) {
            Ok(()) => error,
            Err(unsent) => unsent,
        }
    }

    fn carry_on(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        if self.state == State::SendClientHello {
            self.send_client_hello(io.outbound)?;
        }
        while self.state != State::Established {
            let Some(place) = self.records.receive(&self.shared.suite, io.inbound)? else {
                return Ok(Step::Waiting);
            };
            let buffer = self.records.lend();
            let outcome = match self.shared.side {
                Side::Client => self.take_as_client(&buffer[place], io.outbound),
                Side::Server => self.take_as_server(&buffer[place], io.outbound),
            };
            self.records.give_back(buffer);
            outcome?;
        }
        Ok(Step::Done)
    }

    fn send_data(&mut self, data: &[u8], outbound: &mut Pipe) -> Result<(), EngineError> {
        self.must_be_open()?;
        let suite = &self.shared.suite;
        let most = if suite.block == 1 { MAX_DATA } else { MAX_DATA_IN_BLOCKS };
        data.chunks(most).try_for_each(|fragment| self.records.send(suite, fragment, outbound))
    }

    fn receive_data(&mut self, into: &mut [u8], inbound: &mut Pipe) -> Result<usize, EngineError> {
        self.must_be_open()?;
        while self.unread.is_empty() {
            match self.records.receive(&self.shared.suite, inbound)? {
                Some(place) => self.unread = place,
                None => return Ok(0),
            }
        }
        let count = self.unread.len().min(into.len());
        let from = self.unread.start;
        into[..count].copy_from_slice(&self.records.newest()[from..from + count]);
        self.unread.start += count;
        Ok(count)
    }

    fn must_be_open(&self) -> Result<(), EngineError> {
        match self.state {
            State::Established if self.has_closed => Err(EngineError::new("the connection is closed")),
            State::Established => Ok(()),
            _ => Err(EngineError::new("the handshake is not over")),
        }
    }

    /// There is nothing to send. The transport's end would reach the server with the client's close and the client with
    /// the server's; here the harness's turns stand for it.
    fn close(&mut self, inbound: &Pipe) -> Result<Step, EngineError> {
        if !inbound.is_empty() || !self.unread.is_empty() {
            return Err(EngineError::new("the peer sent data that nobody has read"));
        }
        let is_answered = self.shared.side == Side::Server || self.has_closed;
        self.has_closed = true;
        Ok(if is_answered { Step::Done } else { Step::Waiting })
    }

    /// A connection that fails takes its session along.
    fn settle<T>(&self, outcome: Result<T, EngineError>) -> Result<T, EngineError> {
        if let (Err(_), Some(id)) = (&outcome, &self.session_id) {
            self.shared.forget(id);
        }
        outcome
    }

    /// The session, once the handshake is over.
    fn agreed(&self) -> Result<&Session, EngineError> {
        match &self.session {
            Some(session) if self.state == State::Established => Ok(session),
            _ => Err(EngineError::new("the handshake is not over")),
        }
    }
}

impl Endpoint for Connection {
    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        let outcome = self.carry_on(io);
        self.settle(outcome)
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        let outcome = self.send_data(data, io.outbound);
        self.settle(outcome)
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        let outcome = self.receive_data(into, io.inbound);
        self.settle(outcome)
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        let outcome = self.close(io.inbound);
        self.settle(outcome)
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        let session = self.agreed()?;
        let cipher = Cipher::from_ssl2_kind(session.cipher).ok_or_else(|| {
            EngineError::new(format_args!("negotiated no known cipher: {:?}", session.cipher))
        })?;
        Ok(Negotiated {
            proto: Proto::Ssl2,
            cipher: cipher.code,
            group: None,
            signature: None,
            resumed: self.is_resumed,
            client_cert: session.client_cert,
            alpn: Alpn::None,
            early_data: false,
        })
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        if self.shared.side == Side::Server {
            return Err(EngineError::new("only a client keeps a session"));
        }
        let session = *self.agreed()?;
        let id = self.session_id.ok_or_else(|| EngineError::new("the server named no session"))?;
        *self.shared.kept.borrow_mut() = Some((id, session));
        Ok(())
    }
}
