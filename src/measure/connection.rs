//! One connection of a cell, from the creation of its endpoints to freeing them, client and server in turns.

use std::fmt;

use super::failure::{Failure, FailureCause, failed};
use super::transfer::fill;
use super::witness::{Nobody, Phase, Turn, Witness};
use crate::cell::Cell;
use crate::engine::{Disagreement, Endpoint, Negotiated, Prepared, Side, Start, Step};
use crate::pipe::Pipes;

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

/// What the sides send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Payload {
    /// The same chunk over and over; lengths are checked.
    Plain,
    /// Every byte depends on its place, and every byte is compared.
    Checked,
}

/// A connection whose data has been exchanged, and which is not closed yet.
pub(super) struct Open {
    client: Box<dyn Endpoint>,
    server: Box<dyn Endpoint>,
    agreed: Agreed,
}

/// Two prepared sides and the pipes between them, for any number of connections of one cell.
pub struct Pair<'a> {
    pub(super) cell: &'a Cell,
    client: &'a dyn Prepared,
    server: &'a dyn Prepared,
    pub(super) pipes: Pipes,
    pub(super) sent: Vec<u8>,
    pub(super) received: Vec<u8>,
    resumptions: u64,
}

impl fmt::Debug for Pair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pair").field("cell", &self.cell.id()).finish_non_exhaustive()
    }
}

/// What stays from pair to pair of a cell: pipes, buffers, and how often the session at hand was resumed.
#[derive(Debug)]
pub(super) struct Buffers {
    pipes: Pipes,
    sent: Vec<u8>,
    received: Vec<u8>,
    /// Since the full handshake that the kept session goes back to.
    resumptions: u64,
}

impl Buffers {
    pub(super) fn of(cell: &Cell) -> Self {
        let chunk = u64::from(cell.chunk).min(cell.bytes) as usize;
        let mut sent = vec![0; chunk];
        fill(&mut sent, 0);
        let pipes = Pipes::with_capacity(PIPE_ROOM + 2 * chunk);
        Self { pipes, sent, received: vec![0; chunk], resumptions: 0 }
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
        let Buffers { pipes, sent, received, resumptions } = buffers;
        Self { cell, client, server, pipes, sent, received, resumptions }
    }

    /// The buffers, for the next pair of the cell.
    pub(super) fn into_buffers(self) -> Buffers {
        let Self { pipes, sent, received, resumptions, .. } = self;
        Buffers { pipes, sent, received, resumptions }
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
        self.rest(witness);
        match start {
            Start::Resume => self.resumptions += 1,
            Start::Fresh if keep => self.resumptions = 0,
            Start::Fresh => {}
        }
        // A failed connection leaves bytes unread, and so may a peer that goes on after its close_notify, which is
        // to be ignored: neither is for the next connection to read.
        self.pipes.reset();
        outcome
    }

    /// Gets a session from a full handshake, of which `witness` is told nothing, if the one at hand cannot be resumed any
    /// more.
    #[inline]
    pub(super) fn renew_session(
        &mut self,
        payload: Payload,
        witness: &mut impl Witness,
    ) -> Result<(), Failure> {
        if self.resumptions < self.client.resumptions().min(self.server.resumptions()) {
            return Ok(());
        }
        witness.pause();
        self.connect(Start::Fresh, true, payload, &mut Nobody)?;
        witness.resume();
        Ok(())
    }

    /// No library works until the next turn.
    #[inline]
    pub(super) fn rest(&mut self, witness: &mut impl Witness) {
        witness.turn(Turn::Harness, &mut self.pipes);
    }

    fn run(
        &mut self,
        start: Start,
        keep: bool,
        payload: Payload,
        witness: &mut impl Witness,
    ) -> Result<Agreed, Failure> {
        let open = self.open(start, payload, witness)?;
        let agreed = open.agreed;
        self.close(open, keep, witness)?;
        Ok(agreed)
    }

    /// Everything of a connection but its end.
    #[inline]
    pub(super) fn open(
        &mut self,
        start: Start,
        payload: Payload,
        witness: &mut impl Witness,
    ) -> Result<Open, Failure> {
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
        Ok(Open { client, server, agreed })
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

    /// close_notify from the client, its answer from the server, then both are freed, each in its own turn.
    pub(super) fn close(
        &mut self,
        open: Open,
        keep: bool,
        witness: &mut impl Witness,
    ) -> Result<(), Failure> {
        let Open { mut client, mut server, .. } = open;
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

/// The turn of a library, while nobody has finished.
pub(super) fn library(phase: Phase, side: Side) -> Turn {
    Turn::Library { phase, side, peer_done: false }
}
