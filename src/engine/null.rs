//! The engine that costs nothing: the same calls, flights and bytes as a TLS library, and no cryptography.
//! What a null pair costs is what the harness itself costs.

use std::cell::Cell as Flag;
use std::rc::Rc;

use super::{
    Endpoint, Engine, EngineError, EngineInfo, Negotiated, Prepared, RecordHabit, Side, Start, Step,
    Unsupported,
};
use crate::cell::{Auth, Cell, Feature, KeyExchange, Proto};
use crate::fixtures::Credentials;
use crate::pipe::{Io, Pipe};

const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;
const APPLICATION: u8 = 23;
const HEADER: usize = 5;
/// A record of its own: warning, close_notify.
const CLOSE_NOTIFY: [u8; HEADER + 2] = [ALERT, 3, 3, 0, 2, 1, 0];
const MAX_FRAGMENT: usize = 16384;
/// Handshake message types: what a parser of the null pair's bytes needs to tell flights apart.
const CLIENT_HELLO: u8 = 1;
const CLIENT_HELLO_RESUMING: u8 = 2;
const ANY_MESSAGE: u8 = 20;

/// See the module's documentation.
#[derive(Debug)]
pub struct Null;

impl Engine for Null {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: "null",
            library: "none".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: "same calls and bytes, no cryptography: what the harness costs".to_owned(),
            is_tls: false,
        }
    }

    fn supports(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        let peer = match side {
            Side::Client => &cell.server,
            Side::Server => &cell.client,
        };
        if peer == "null" {
            Ok(())
        } else {
            Err(Unsupported("null speaks no TLS, so it pairs with itself only".to_owned()))
        }
    }

    /// It does what costs the harness something, and passes over what costs a library something.
    fn offers(&self, feature: Feature, _cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        match feature {
            Feature::RecordSize(_) | Feature::EarlyData | Feature::HelloRetry => {
                Err(Unsupported(format!("null has no way to {feature}")))
            }
            _ => Ok(()),
        }
    }

    /// It has no cryptography to be accelerated.
    fn acceleration_switch(&self) -> Result<&'static [(&'static str, &'static str)], Unsupported> {
        Ok(&[])
    }

    fn is_unaccelerated(&self) -> bool {
        true
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        Ok(Box::new(NullSide {
            side,
            shared: Rc::new(Shared { script: Script::of(cell, credentials), has_session: Flag::new(false) }),
        }))
    }

    fn record_habit(&self, _cell: &Cell) -> RecordHabit {
        RecordHabit::Unprotected
    }
}

/// What each side sends in turn, made once.
struct Script {
    full: Vec<Vec<u8>>,
    resumed: Vec<Vec<u8>>,
    negotiated: Negotiated,
}

impl Script {
    /// Flights of roughly the sizes that real libraries send for this cell.
    fn of(cell: &Cell, credentials: &Credentials) -> Self {
        let certificates: usize = credentials.server.chain.iter().map(|der| der.len() + 3).sum();
        let signed = if cell.cipher.kx == KeyExchange::StaticRsa { 0 } else { 320 };
        let hello = flight(CLIENT_HELLO, 180);
        let hello_resuming = flight(CLIENT_HELLO_RESUMING, 210);
        let server = flight(ANY_MESSAGE, 90 + certificates + signed);
        let finished = flight(ANY_MESSAGE, 40);
        let key_exchange = flight(ANY_MESSAGE, 180);
        let (full, resumed) = match cell.proto {
            Proto::Tls13 => (
                vec![hello, server, finished.clone()],
                vec![hello_resuming, flight(ANY_MESSAGE, 170), finished],
            ),
            Proto::Ssl2 => {
                let mut full = vec![hello, server, key_exchange, finished.clone()];
                if cell.auth == Auth::Mutual {
                    full.extend([flight(ANY_MESSAGE, certificates), finished.clone()]);
                }
                (full, vec![hello_resuming, flight(ANY_MESSAGE, 60), finished.clone(), finished])
            }
            _ => (
                vec![hello, server, key_exchange, finished.clone()],
                vec![hello_resuming, flight(ANY_MESSAGE, 130), finished],
            ),
        };
        let negotiated = Negotiated {
            proto: cell.proto,
            cipher: cell.cipher.code,
            group: Some(cell.group),
            signature: cell.signature(),
            resumed: false,
            client_cert: cell.auth == Auth::Mutual,
            alpn: cell.alpn,
            early_data: false,
        };
        Self { full, resumed, negotiated }
    }

    fn flights(&self, resumed: bool) -> &[Vec<u8>] {
        if resumed { &self.resumed } else { &self.full }
    }
}

/// One message in as many records as it takes.
fn flight(message: u8, body: usize) -> Vec<u8> {
    let mut payload = vec![message, 0, (body >> 8) as u8, body as u8];
    payload.resize(4 + body, 0);
    let mut bytes = Vec::new();
    for fragment in payload.chunks(MAX_FRAGMENT) {
        bytes.extend(header(HANDSHAKE, fragment.len()));
        bytes.extend(fragment);
    }
    bytes
}

fn header(kind: u8, length: usize) -> [u8; HEADER] {
    let [high, low] = (length as u16).to_be_bytes();
    [kind, 3, 3, high, low]
}

struct NullSide {
    side: Side,
    shared: Rc<Shared>,
}

/// What all connections of a side share.
struct Shared {
    script: Script,
    has_session: Flag<bool>,
}

impl Prepared for NullSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        let resumed = self.side == Side::Client && start == Start::Resume;
        if resumed && !self.shared.has_session.get() {
            return Err(EngineError::new("no session was kept"));
        }
        Ok(Box::new(NullEndpoint {
            side: self.side,
            shared: Rc::clone(&self.shared),
            resumed,
            next_flight: 0,
            record_left: 0,
            close_sent: false,
        }))
    }
}

struct NullEndpoint {
    side: Side,
    shared: Rc<Shared>,
    resumed: bool,
    next_flight: usize,
    record_left: usize,
    close_sent: bool,
}

impl NullEndpoint {
    /// Takes what is there of the record in hand, or of the next one if none is, but no more than fits.
    fn read_fragment(&mut self, into: &mut [u8], inbound: &mut Pipe) -> Result<usize, EngineError> {
        let unread = inbound.unread();
        let (body, header) = match (self.record_left, unread) {
            (0, [APPLICATION, _, _, high, low, body @ ..]) => {
                self.record_left = usize::from(u16::from_be_bytes([*high, *low]));
                (body, HEADER)
            }
            (0, [APPLICATION, ..] | []) => return Ok(0),
            (0, [other, ..]) => {
                return Err(EngineError::new(format_args!("unexpected record type {other}")));
            }
            (_, body) => (body, 0),
        };
        let count = self.record_left.min(into.len()).min(body.len());
        into[..count].copy_from_slice(&body[..count]);
        self.record_left -= count;
        inbound.consume(header + count);
        Ok(count)
    }
}

impl Endpoint for NullEndpoint {
    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        let script = &self.shared.script;
        let is_client = self.side == Side::Client;
        let mut flights = script.flights(self.resumed);
        let mut next = self.next_flight;
        let step = loop {
            let Some(flight) = flights.get(next) else { break Step::Done };
            let is_from_client = next.is_multiple_of(2);
            if is_from_client == is_client {
                io.outbound.write(flight);
            } else {
                let unread = io.inbound.unread();
                if next == 0 {
                    self.resumed = unread.get(HEADER) == Some(&CLIENT_HELLO_RESUMING);
                    flights = script.flights(self.resumed);
                }
                let expected = flights[next].len();
                if unread.len() < expected {
                    break Step::Waiting;
                }
                io.inbound.consume(expected);
            }
            next += 1;
        };
        self.next_flight = next;
        Ok(step)
    }

    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError> {
        for fragment in data.chunks(MAX_FRAGMENT) {
            io.outbound.write(&header(APPLICATION, fragment.len()));
            io.outbound.write(fragment);
        }
        Ok(())
    }

    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError> {
        let mut received = 0;
        while received < into.len() {
            match self.read_fragment(&mut into[received..], io.inbound)? {
                0 => break,
                count => received += count,
            }
        }
        Ok(received)
    }

    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError> {
        if !self.close_sent {
            io.outbound.write(&CLOSE_NOTIFY);
            self.close_sent = true;
        }
        match io.inbound.unread() {
            unread if unread.starts_with(&CLOSE_NOTIFY) => {
                io.inbound.consume(CLOSE_NOTIFY.len());
                Ok(Step::Done)
            }
            unread if CLOSE_NOTIFY.starts_with(unread) => Ok(Step::Waiting),
            unread => Err(EngineError::new(format_args!("unexpected record type {}", unread[0]))),
        }
    }

    fn negotiated(&mut self) -> Result<Negotiated, EngineError> {
        Ok(Negotiated { resumed: self.resumed, ..self.shared.script.negotiated })
    }

    fn keep_session(&mut self) -> Result<(), EngineError> {
        self.shared.has_session.set(true);
        Ok(())
    }
}
