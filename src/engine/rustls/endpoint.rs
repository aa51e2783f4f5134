//! A rustls connection driven over the pipes.

use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::sync::Arc;

use rustls::{ClientConnection, Connection, HandshakeKind, ServerConnection};

use super::pinned::Seen;
use super::sessions::Sessions;
use crate::cell::{Alpn, Group, Hello, Proto, SignatureScheme};
use crate::engine::{Endpoint, EngineError, Negotiated, Step};
use crate::pipe::{Io, Pipe};

/// One side of a connection.
pub(super) struct RustlsEndpoint {
    connection: Connection,
    seen: Seen,
    /// What the cell says of the client's first key share.
    hello: Hello,
    /// Whether the server asked for another; the library forgets it when the session is resumed.
    retried: bool,
    /// Where the library puts sessions; clients only.
    sessions: Option<Arc<Sessions>>,
    close_sent: bool,
    peer_closed: bool,
}

impl RustlsEndpoint {
    /// A client, which may keep its session.
    pub(super) fn client(
        connection: ClientConnection,
        hello: Hello,
        seen: Seen,
        sessions: Arc<Sessions>,
    ) -> Self {
        Self::new(Connection::Client(connection), hello, seen, Some(sessions))
    }

    /// A server.
    pub(super) fn server(connection: ServerConnection, hello: Hello) -> Self {
        Self::new(Connection::Server(connection), hello, Seen::nothing(false), None)
    }

    fn new(mut connection: Connection, hello: Hello, seen: Seen, sessions: Option<Arc<Sessions>>) -> Self {
        connection.set_buffer_limit(None); // a chunk is one write, however long
        Self { connection, seen, hello, retried: false, sessions, close_sent: false, peer_closed: false }
    }

    /// Takes some of what the peer sent and answers what the library answers by itself. Says whether anything
    /// was there. The library reads a few kilobytes at a time, so callers go on until nothing is left.
    fn pull(&mut self, io: &mut Io<'_>) -> Result<bool, EngineError> {
        if io.inbound.is_empty() {
            return Ok(false);
        }
        let taken = self.connection.read_tls(&mut Inbound(io.inbound)).map_err(EngineError::new)?;
        let processed = self.connection.process_new_packets();
        self.push(io)?; // after an error too: it holds the alert
        self.peer_closed = processed.map_err(EngineError::new)?.peer_has_closed();
        Ok(taken > 0)
    }

    /// Sends all that the library has ready.
    fn push(&mut self, io: &mut Io<'_>) -> Result<(), EngineError> {
        while self.connection.wants_write() {
            self.connection.write_tls(&mut Outbound(io.outbound)).map_err(EngineError::new)?;
        }
        Ok(())
    }

    fn step_until_waiting(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        self.push(io)?;
        while self.connection.is_handshaking() {
            if !self.pull(io)? {
                return Ok(Step::Waiting);
            }
            self.retried |=
                self.connection.handshake_kind() == Some(HandshakeKind::FullWithHelloRetryRequest);
        }
        Ok(Step::Done)
    }

    /// Moves 0-RTT data out; 0 if there is none, or if the library turned it down.
    fn take_early(&mut self, into: &mut [u8]) -> Result<usize, EngineError> {
        match &mut self.connection {
            Connection::Server(server) => {
                server.early_data().map_or(Ok(0), |mut early| early.read(into).map_err(EngineError::new))
            }
            Connection::Client(_) => Err(EngineError::new("clients take no 0-RTT data")),
        }
    }

    fn is_resumed(&self) -> Result<bool, EngineError> {
        match (self.hello, self.retried) {
            (Hello::Direct, true) => Err(EngineError::new("the handshake took a HelloRetryRequest")),
            (Hello::Retry, false) => Err(EngineError::new("the handshake took no HelloRetryRequest")),
            (Hello::Direct, false) | (Hello::Retry, true) => match self.connection.handshake_kind() {
                Some(HandshakeKind::Full | HandshakeKind::FullWithHelloRetryRequest) => Ok(false),
                Some(HandshakeKind::Resumed) => Ok(true),
                None => Err(EngineError::new("rustls names no kind of handshake")),
            },
        }
    }

    /// Moves decrypted data out; 0 if there is none.
    fn take_plaintext(&mut self, into: &mut [u8]) -> Result<usize, EngineError> {
        match self.connection.reader().read(into) {
            Ok(0) if !into.is_empty() => Err(EngineError::new("the peer closed the connection")),
            Ok(count) => Ok(count),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(0),
            Err(error) => Err(EngineError::new(error)),
        }
    }
}

impl Endpoint for RustlsEndpoint {
    fn write_early(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        let Connection::Client(client) = &mut self.connection else {
            return Err(EngineError::new("servers send no 0-RTT data"));
        };
        let Some(mut early) = client.early_data() else {
            return Err(EngineError::new("the session allows no 0-RTT data"));
        };
        early.write_all(data).map_err(EngineError::new)?;
        self.push(io)
    }

    fn read_early(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        let mut received = 0;
        while received < into.len() {
            received += self.take_early(&mut into[received..])?;
            if received < into.len() && !self.pull(io)? {
                break;
            }
        }
        Ok(received)
    }

    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        let mut seen = self.seen;
        let outcome = seen.during(|| self.step_until_waiting(io));
        self.seen = seen;
        outcome
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        self.connection.writer().write_all(data).map_err(EngineError::new)?;
        self.push(io)
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        let mut received = 0;
        while received < into.len() {
            // What came before a close is handed out first; the next call reports the close.
            if self.peer_closed && received > 0 {
                break;
            }
            received += self.take_plaintext(&mut into[received..])?;
            if received < into.len() && !self.pull(io)? {
                break;
            }
        }
        // Whatever follows the data and is no data, such as a ticket.
        while self.connection.wants_read() && self.pull(io)? {}
        Ok(received)
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        if !self.close_sent {
            self.connection.send_close_notify();
            self.close_sent = true;
            self.push(io)?;
        }
        while !self.peer_closed && self.pull(io)? {}
        Ok(if self.peer_closed { Step::Done } else { Step::Waiting })
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        let resumed = self.is_resumed()?;
        let early_data = match &mut self.connection {
            Connection::Client(client) => client.is_early_data_accepted(),
            Connection::Server(server) => server.early_data().is_some(),
        };
        let connection = &self.connection;
        let proto = connection
            .protocol_version()
            .and_then(|version| Proto::from_code(u16::from(version)))
            .ok_or_else(|| EngineError::new("rustls names no protocol version"))?;
        let cipher = connection
            .negotiated_cipher_suite()
            .ok_or_else(|| EngineError::new("rustls names no cipher suite"))?;
        let client_cert = match connection {
            Connection::Client(_) => self.seen.client_cert,
            Connection::Server(server) => server.peer_certificates().is_some(),
        };
        let group = connection.negotiated_key_exchange_group().map(|group| u16::from(group.name()));
        let has_exchange = !resumed || proto == Proto::Tls13;
        Ok(Negotiated {
            proto,
            cipher: u16::from(cipher.suite()),
            group: expected(has_exchange, group, Group::from_code, "group")?,
            signature: expected(
                !resumed,
                self.seen.server_signature,
                SignatureScheme::from_code,
                "signature scheme",
            )?,
            resumed,
            client_cert,
            alpn: Alpn::from_identifier(connection.alpn_protocol().unwrap_or_default()).ok_or_else(|| {
                EngineError::new("rustls agreed on an application protocol that no cell has")
            })?,
            early_data,
        })
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        match &self.sessions {
            Some(sessions) => sessions.keep(self.seen.client_cert),
            None => Err(EngineError::new("servers keep no session")),
        }
    }
}

/// What a registry number stands for, where the handshake must have one. A missing or a foreign number is an
/// error: `None` in [`Negotiated`] would pass for "cannot say", and rustls always can.
fn expected<T>(
    wanted: bool,
    code: Option<u16>,
    meaning: fn(u16) -> Option<T>,
    what: &str,
) -> Result<Option<T>, EngineError> {
    if !wanted {
        return Ok(None);
    }
    match code.map(meaning) {
        Some(Some(value)) => Ok(Some(value)),
        Some(None) => Err(EngineError::new(format_args!("rustls negotiated a {what} that no cell has"))),
        None => Err(EngineError::new(format_args!("rustls names no {what}"))),
    }
}

/// A pipe as the library reads it.
struct Inbound<'a>(&'a mut Pipe);

impl Read for Inbound<'_> {
    /// An empty pipe is not the end of the stream, which 0 would say.
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.0.is_empty() {
            return Err(ErrorKind::WouldBlock.into());
        }
        Ok(self.0.read(into))
    }
}

/// A pipe as the library writes it.
struct Outbound<'a>(&'a mut Pipe);

impl Write for Outbound<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn write_vectored(&mut self, parts: &[IoSlice<'_>]) -> io::Result<usize> {
        let mut written = 0;
        for part in parts {
            self.0.write(part);
            written += part.len();
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
