//! The application data of a connection: what the sides send each other, and how it is checked.

use super::connection::{Pair, Payload, library};
use super::failure::{Failure, FailureCause, failed};
use super::witness::{Phase, Turn, Witness};
use crate::cell::Direction;
use crate::engine::{Endpoint, EngineError, Side};
use crate::pipe::Io;

impl Pair<'_> {
    /// The client's first bytes, sent and taken before the handshake is over.
    pub(super) fn send_early(
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
        self.receive(Side::Server, phase, early, take).map_err(Failure::of_early_data)?;
        if payload == Payload::Checked {
            witness.turn(Turn::Harness, &mut self.pipes);
            self.compare(Side::Server, phase, early, 0)?;
        }
        Ok(())
    }

    /// All requests and answers; of the first request, `early` bytes have been sent already.
    #[inline]
    pub(super) fn exchange(
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
}

/// Bytes that depend on their place in the stream, with a period that no chunk or record length shares.
pub(super) fn fill(buffer: &mut [u8], offset: u64) {
    for (at, byte) in (offset..).zip(buffer) {
        *byte = (at % 251) as u8 ^ (at / 251) as u8;
    }
}
