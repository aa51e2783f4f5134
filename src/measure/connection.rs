//! One connection of a cell, from the creation of its endpoints to freeing them, client and server in turns.

use std::fmt;

use super::witness::{Phase, Turn, Witness};
use crate::cell::{Cell, Direction};
use crate::engine::{Disagreement, Endpoint, EngineError, Negotiated, Prepared, Side, Start, Step};
use crate::pipe::{Io, Pipes};

/// What both libraries said they negotiated.
#[derive(Clone, Copy, Debug)]
pub struct Agreed {
    /// The client's word.
    pub client: Negotiated,
    /// The server's word.
    pub server: Negotiated,
}

impl Agreed {
    /// Checks both sides against the cell.
    #[inline]
    pub fn check(&self, cell: &Cell, resumed: bool) -> Result<(), Disagreement> {
        self.client.check(cell, Side::Client, resumed)?;
        self.server.check(cell, Side::Server, resumed)
    }
}

/// Why a connection of a cell failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {cause}", side_prefix(*.side), .phase.name())]
pub struct Failure {
    /// In whose hands; none if in nobody's.
    pub side: Option<Side>,
    /// In which phase.
    pub phase: Phase,
    /// What happened.
    pub cause: FailureCause,
}

fn side_prefix(side: Option<Side>) -> String {
    side.map_or_else(String::new, |side| format!("{side}, "))
}

/// What happened to a failed connection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FailureCause {
    /// The library said so.
    #[error("{0}")]
    Library(#[from] EngineError),
    /// Both sides wait for each other.
    #[error("both sides wait for each other and nothing is on its way")]
    Stalled,
    /// Data did not arrive whole.
    #[error("received {received} of {sent} bytes")]
    Lost {
        /// Bytes that came.
        received: u64,
        /// Bytes that were sent.
        sent: u64,
    },
    /// Data arrived changed.
    #[error("received data differs from what was sent, at byte {0}")]
    Changed(u64),
    /// Not what the cell says.
    #[error("{0}")]
    Disagrees(#[from] Disagreement),
}

/// What the sides send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// The same chunk over and over; lengths are checked.
    Plain,
    /// Every byte depends on its place, and every byte is compared.
    Checked,
}

/// Two prepared sides and the pipes between them, for any number of connections of one cell.
pub struct Pair<'a> {
    cell: &'a Cell,
    client: &'a dyn Prepared,
    server: &'a dyn Prepared,
    pipes: Pipes,
    sent: Vec<u8>,
    received: Vec<u8>,
}

impl fmt::Debug for Pair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pair").field("cell", &self.cell.id()).finish_non_exhaustive()
    }
}

/// The pipes and buffers of a cell's connections.
#[derive(Debug)]
pub(super) struct Buffers {
    pipes: Pipes,
    sent: Vec<u8>,
    received: Vec<u8>,
}

impl Buffers {
    pub(super) fn of(cell: &Cell) -> Self {
        let chunk = u64::from(cell.chunk).min(cell.bytes) as usize;
        let mut sent = vec![0; chunk];
        fill(&mut sent, 0);
        Self { pipes: Pipes::with_capacity(PIPE_ROOM + 2 * chunk), sent, received: vec![0; chunk] }
    }
}

/// Room for the largest flight and for a chunk with its records, so that pipes do not grow while time is taken.
const PIPE_ROOM: usize = 64 * 1024;

impl<'a> Pair<'a> {
    /// Makes the pipes and buffers that all connections share.
    pub fn new(cell: &'a Cell, client: &'a dyn Prepared, server: &'a dyn Prepared) -> Self {
        Self::over(Buffers::of(cell), cell, client, server)
    }

    /// The same over buffers that an earlier pair of the same cell left.
    pub(super) fn over(
        buffers: Buffers,
        cell: &'a Cell,
        client: &'a dyn Prepared,
        server: &'a dyn Prepared,
    ) -> Self {
        let Buffers { pipes, sent, received } = buffers;
        Self { cell, client, server, pipes, sent, received }
    }

    /// The buffers, for the next pair of the cell.
    pub(super) fn into_buffers(self) -> Buffers {
        Buffers { pipes: self.pipes, sent: self.sent, received: self.received }
    }

    /// The cell that this pair plays.
    pub fn cell(&self) -> &'a Cell {
        self.cell
    }

    /// Runs one connection and checks that it is what the cell says.
    ///
    /// With `keep`, the client keeps its session for a later [`Start::Resume`].
    pub fn connect(
        &mut self,
        start: Start,
        keep: bool,
        payload: Payload,
        witness: &mut impl Witness,
    ) -> Result<Agreed, Failure> {
        let outcome = self.run(start, keep, payload, witness);
        witness.turn(Turn::Harness, &mut self.pipes);
        // A failed connection leaves bytes unread, and so may a peer that goes on after its close_notify, which is
        // to be ignored: neither is for the next connection to read.
        self.pipes.reset();
        outcome
    }

    fn run(
        &mut self,
        start: Start,
        keep: bool,
        payload: Payload,
        witness: &mut impl Witness,
    ) -> Result<Agreed, Failure> {
        let mut client = self.create(Side::Client, start, witness)?;
        let mut server = self.create(Side::Server, Start::Fresh, witness)?;
        let early = if start == Start::Resume { self.cell.early_data as usize } else { 0 };
        if early > 0 {
            self.send_early(early, &mut *client, &mut *server, payload, witness)?;
        }
        self.handshake(&mut *client, &mut *server, witness)?;
        witness.turn(Turn::Harness, &mut self.pipes);
        let agreed = self.check(&mut *client, &mut *server, start == Start::Resume)?;
        self.exchange(early as u64, &mut *client, &mut *server, payload, witness)?;
        self.close(client, server, keep, witness)?;
        Ok(agreed)
    }

    fn create(
        &mut self,
        side: Side,
        start: Start,
        witness: &mut impl Witness,
    ) -> Result<Box<dyn Endpoint>, Failure> {
        witness.turn(library(Phase::Setup, side), &mut self.pipes);
        let prepared = match side {
            Side::Client => self.client,
            Side::Server => self.server,
        };
        prepared.endpoint(start).map_err(failed(Phase::Setup, side))
    }

    fn handshake(
        &mut self,
        client: &mut dyn Endpoint,
        server: &mut dyn Endpoint,
        witness: &mut impl Witness,
    ) -> Result<(), Failure> {
        let mut client_done = false;
        let mut server_done = false;
        let mut before = None;
        loop {
            if !client_done {
                client_done = self.handshake_step(Side::Client, client, server_done, witness)?;
            }
            if !server_done {
                server_done = self.handshake_step(Side::Server, server, client_done, witness)?;
            }
            if client_done && server_done {
                return Ok(());
            }
            let now = Some((self.pipes.moved(), client_done, server_done));
            if now == before {
                return Err(Failure { side: None, phase: Phase::Handshake, cause: FailureCause::Stalled });
            }
            before = now;
        }
    }

    #[inline]
    fn handshake_step(
        &mut self,
        side: Side,
        endpoint: &mut dyn Endpoint,
        peer_done: bool,
        witness: &mut impl Witness,
    ) -> Result<bool, Failure> {
        witness.turn(Turn::Library { phase: Phase::Handshake, side, peer_done }, &mut self.pipes);
        let step =
            endpoint.handshake_step(&mut self.pipes.seen_by(side)).map_err(failed(Phase::Handshake, side))?;
        Ok(step == Step::Done)
    }

    fn check(
        &mut self,
        client: &mut dyn Endpoint,
        server: &mut dyn Endpoint,
        resumed: bool,
    ) -> Result<Agreed, Failure> {
        let failed_on = |side| failed(Phase::Handshake, side);
        let agreed = Agreed {
            client: client.negotiated().map_err(failed_on(Side::Client))?,
            server: server.negotiated().map_err(failed_on(Side::Server))?,
        };
        agreed.check(self.cell, resumed).map_err(|disagreement| Failure {
            side: None,
            phase: Phase::Handshake,
            cause: disagreement.into(),
        })?;
        Ok(agreed)
    }

    /// The client's first bytes, sent and taken before the handshake is over.
    fn send_early(
        &mut self,
        early: usize,
        client: &mut dyn Endpoint,
        server: &mut dyn Endpoint,
        payload: Payload,
        witness: &mut impl Witness,
    ) -> Result<(), Failure> {
        let phase = Phase::Handshake;
        if payload == Payload::Checked {
            fill(&mut self.sent[..early], 0);
        }
        witness.turn(library(phase, Side::Client), &mut self.pipes);
        client
            .write_early(&self.sent[..early], &mut self.pipes.seen_by(Side::Client))
            .map_err(failed(phase, Side::Client))?;
        witness.turn(library(phase, Side::Server), &mut self.pipes);
        let take = |into: &mut [u8], io: &mut Io<'_>| server.read_early(into, io);
        self.receive(Side::Server, phase, early, take)?;
        if payload == Payload::Checked {
            witness.turn(Turn::Harness, &mut self.pipes);
            self.compare(Side::Server, phase, early, 0)?;
        }
        Ok(())
    }

    /// All requests and answers; of the first request, `early` bytes have been sent already.
    #[inline]
    fn exchange(
        &mut self,
        mut early: u64,
        client: &mut dyn Endpoint,
        server: &mut dyn Endpoint,
        payload: Payload,
        witness: &mut impl Witness,
    ) -> Result<(), Failure> {
        for _ in 0..self.cell.requests {
            if self.cell.direction != Direction::Down {
                self.transfer(Side::Client, early, client, server, payload, witness)?;
            }
            if self.cell.direction != Direction::Up {
                self.transfer(Side::Server, 0, server, client, payload, witness)?;
            }
            early = 0;
        }
        if self.cell.direction == Direction::Up {
            // A client that receives no data has not come to read its tickets.
            witness.turn(library(Phase::Transfer, Side::Client), &mut self.pipes);
            let Self { pipes, received, .. } = self;
            client
                .read(&mut received[..1], &mut pipes.seen_by(Side::Client))
                .map_err(failed(Phase::Transfer, Side::Client))?;
        }
        Ok(())
    }

    /// `from` sends the cell's bytes from `offset` on chunk by chunk, its peer receives each before the next is written: what is on
    /// its way never exceeds one chunk.
    #[inline(always)] // so that each direction knows its sides
    fn transfer(
        &mut self,
        from: Side,
        mut offset: u64,
        sender: &mut dyn Endpoint,
        receiver: &mut dyn Endpoint,
        payload: Payload,
        witness: &mut impl Witness,
    ) -> Result<(), Failure> {
        let to = from.other();
        while offset < self.cell.bytes {
            let length = (self.cell.bytes - offset).min(self.sent.len() as u64) as usize;
            if payload == Payload::Checked {
                witness.turn(Turn::Harness, &mut self.pipes);
                fill(&mut self.sent[..length], offset);
            }
            witness.turn(library(Phase::Transfer, from), &mut self.pipes);
            sender
                .write(&self.sent[..length], &mut self.pipes.seen_by(from))
                .map_err(failed(Phase::Transfer, from))?;
            witness.turn(library(Phase::Transfer, to), &mut self.pipes);
            self.receive(to, Phase::Transfer, length, |into, io| receiver.read(into, io))?;
            if payload == Payload::Checked {
                witness.turn(Turn::Harness, &mut self.pipes);
                self.compare(to, Phase::Transfer, length, offset)?;
            }
            offset += length as u64;
        }
        Ok(())
    }

    /// Reads until `length` bytes have come or no more come.
    #[inline(always)]
    fn receive(
        &mut self,
        side: Side,
        phase: Phase,
        length: usize,
        mut read: impl FnMut(&mut [u8], &mut Io<'_>) -> Result<usize, EngineError>,
    ) -> Result<(), Failure> {
        let mut received = 0;
        while received < length {
            let count = read(&mut self.received[received..length], &mut self.pipes.seen_by(side))
                .map_err(failed(phase, side))?;
            if count == 0 {
                let cause = FailureCause::Lost { received: received as u64, sent: length as u64 };
                return Err(Failure { side: Some(side), phase, cause });
            }
            received += count;
        }
        Ok(())
    }

    fn compare(&self, side: Side, phase: Phase, length: usize, offset: u64) -> Result<(), Failure> {
        let differs = (0..length).find(|&at| self.sent[at] != self.received[at]);
        differs.map_or(Ok(()), |at| {
            let cause = FailureCause::Changed(offset + at as u64);
            Err(Failure { side: Some(side), phase, cause })
        })
    }

    /// close_notify from the client, its answer from the server, then both are freed, each in its own turn.
    fn close(
        &mut self,
        mut client: Box<dyn Endpoint>,
        mut server: Box<dyn Endpoint>,
        keep: bool,
        witness: &mut impl Witness,
    ) -> Result<(), Failure> {
        let phase = Phase::Close;
        let stalled = |side| Failure { side: Some(side), phase, cause: FailureCause::Stalled };
        witness.turn(library(phase, Side::Client), &mut self.pipes);
        if keep {
            client.keep_session().map_err(failed(phase, Side::Client))?;
        }
        let early =
            client.close_step(&mut self.pipes.seen_by(Side::Client)).map_err(failed(phase, Side::Client))?;
        if early == Step::Done {
            return Err(stalled(Side::Server)); // the peer cannot have answered yet
        }

        witness.turn(library(phase, Side::Server), &mut self.pipes);
        let server_step =
            server.close_step(&mut self.pipes.seen_by(Side::Server)).map_err(failed(phase, Side::Server))?;
        drop(server);
        if server_step == Step::Waiting {
            return Err(stalled(Side::Server));
        }

        witness.turn(library(phase, Side::Client), &mut self.pipes);
        let client_step =
            client.close_step(&mut self.pipes.seen_by(Side::Client)).map_err(failed(phase, Side::Client))?;
        drop(client);
        if client_step == Step::Waiting {
            return Err(stalled(Side::Client));
        }
        Ok(())
    }
}

fn library(phase: Phase, side: Side) -> Turn {
    Turn::Library { phase, side, peer_done: false }
}

fn failed(phase: Phase, side: Side) -> impl Fn(EngineError) -> Failure {
    move |error| Failure { side: Some(side), phase, cause: error.into() }
}

/// Bytes that depend on their place in the stream, with a period that no chunk or record length shares.
fn fill(buffer: &mut [u8], offset: u64) {
    for (at, byte) in (offset..).zip(buffer) {
        *byte = (at % 251) as u8 ^ (at / 251) as u8;
    }
}
