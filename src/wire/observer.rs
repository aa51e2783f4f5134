//! The witness that reads along: every byte that a side sends is seen once, at the hand-over that follows.

use super::count::{AppCount, WireCount};
use super::handshake::{HandshakeParser, Message};
use super::record::{ContentType, Record, RecordReader, Stage, payload};
use super::seen::Seen;
use crate::engine::Side;
use crate::measure::{Phase, Turn, Witness};
use crate::pipe::{Pipe, Pipes};

/// Watches one pair; keeps what the newest connection sent.
///
/// How a record finds its stage:
/// * in the handshake, it is `Handshake` unless its sender's peer had finished already: a TLS 1.3 server sends its
///   tickets in answer to the client's Finished, while nobody waits for it;
/// * what a client sends protected before the server has said anything is 0-RTT data, so `Application`;
/// * in the transfer, the side whose turn it is to send data sends `Application`, and whatever the receiver of data
///   sends is `PostHandshake` (a server that hands out its tickets late). Should a sender put a ticket in front of its
///   data, it counts as application data: under TLS 1.3 the wire shows no difference. The formulas of
///   [`super::oracle`] then do not hold, so it cannot pass unnoticed;
/// * an alert after the handshake, and all that is sent in the close phase, is `Close`.
///
/// A record cut in two by a hand-over belongs where its last byte does.
#[derive(Debug, Default)]
pub struct Observer {
    readers: [RecordReader; 2],
    /// Bytes of each side that were seen already.
    seen_bytes: [u64; 2],
    working: Option<Working>,
    transfer_turns: u64,
    trace: Trace,
}

/// Whose library works, and what the stage of ordinary records is that it sends now.
#[derive(Clone, Copy, Debug)]
struct Working {
    side: Side,
    stage: Stage,
}

/// All that one connection sent.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    records: Vec<Record>,
    handshake: HandshakeParser,
    unfinished: usize,
}

impl Trace {
    /// The records in the order in which they were sent.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The handshake messages that travelled in plain text, in their order.
    pub fn messages(&self) -> &[Message] {
        self.handshake.messages()
    }

    /// What the plaintext part of the handshake says.
    pub fn seen(&self) -> &Seen {
        self.handshake.seen()
    }

    /// Counts of the handshake.
    pub fn handshake(&self) -> WireCount {
        WireCount::of(&self.records)
    }

    /// Counts of the application data.
    pub fn app(&self) -> AppCount {
        AppCount::of(&self.records)
    }

    /// Bytes of records whose end never came; they are in no count.
    pub fn unfinished_bytes(&self) -> usize {
        self.unfinished
    }

    fn add(&mut self, side: Side, stage: Stage, content_type: ContentType, record: &[u8]) {
        // Whatever a client sends protected before the server's first word is 0-RTT data.
        let is_early = content_type == ContentType::Application
            && side == Side::Client
            && self.records.iter().all(|record| record.side == Side::Client);
        let is_late_alert = content_type == ContentType::Alert && stage != Stage::Handshake;
        let stage = match stage {
            _ if is_late_alert => Stage::Close,
            Stage::Handshake if is_early => Stage::Application,
            // SSL 2.0 has nothing but data after the handshake. From SSL 3.0 on, the header says what is data, before
            // TLS 1.3 also of what is protected.
            Stage::Application if !matches!(content_type, ContentType::Application | ContentType::Ssl2) => {
                Stage::PostHandshake
            }
            stage => stage,
        };
        let length = u32::try_from(record.len()).unwrap_or(u32::MAX);
        self.records.push(Record { side, content_type, length, stage });
        if stage == Stage::Handshake {
            self.handshake.record(side, content_type, payload(content_type, record));
        }
    }
}

impl Observer {
    /// What the newest connection sent so far.
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// The same, to be kept.
    pub fn into_trace(self) -> Trace {
        self.trace
    }

    fn begin_connection(&mut self, pipes: &Pipes) {
        for side in Side::BOTH {
            self.readers[side as usize].reset();
            self.seen_bytes[side as usize] = pipes.from_side(side).written();
        }
        self.transfer_turns = 0;
        self.trace = Trace::default();
    }

    fn see(&mut self, working: Working, pipes: &Pipes) {
        let Working { side, stage } = working;
        let bytes = new_bytes(pipes.from_side(side), &mut self.seen_bytes[side as usize]);
        let trace = &mut self.trace;
        self.readers[side as usize].read(bytes, |content_type, record| {
            trace.add(side, stage, content_type, record);
        });
        trace.unfinished = self.readers.iter().map(RecordReader::unfinished).sum();
    }

    fn stage_of(&mut self, phase: Phase, peer_done: bool) -> Stage {
        match phase {
            Phase::Setup => Stage::Handshake,
            Phase::Handshake if peer_done => Stage::PostHandshake,
            Phase::Handshake => Stage::Handshake,
            Phase::Transfer => {
                // A chunk is two turns: the sender's, then the receiver's.
                self.transfer_turns += 1;
                if self.transfer_turns % 2 == 1 { Stage::Application } else { Stage::PostHandshake }
            }
            Phase::Close => Stage::Close,
        }
    }
}

impl Witness for Observer {
    fn turn(&mut self, next: Turn, pipes: &mut Pipes) {
        if let Some(working) = self.working.take() {
            self.see(working, pipes);
        }
        if let Turn::Library { phase, side, peer_done } = next {
            if phase == Phase::Setup && side == Side::Client {
                self.begin_connection(pipes);
            }
            self.working = Some(Working { side, stage: self.stage_of(phase, peer_done) });
        }
    }
}

/// What was written into `pipe` since `seen`: the tail of what its reader has not had yet.
fn new_bytes<'a>(pipe: &'a Pipe, seen: &mut u64) -> &'a [u8] {
    let unread = pipe.unread();
    let new = usize::try_from(pipe.written() - *seen).unwrap_or(usize::MAX);
    *seen = pipe.written();
    &unread[unread.len().saturating_sub(new)..]
}
