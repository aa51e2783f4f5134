//! The witness that meddles: it writes down what each side sends and, once, changes it before the other side reads.

use tlspair::engine::Side;
use tlspair::measure::{Turn, Witness};
use tlspair::pipe::Pipes;

/// Bytes of a record's header from SSL 3.0 on.
pub const HEADER: usize = 5;
/// Set in the first byte of SSL 2.0's records that have a header of two bytes, as the first of a connection all do.
const SSL2_UNPADDED: u8 = 0x80;
/// The record type whose sender protects all that follows, before TLS 1.3.
pub const CHANGE_CIPHER_SPEC: u8 = 20;

/// More hand-overs than any connection here can need.
const TOO_MANY_TURNS: usize = 1000;

/// What is done to one direction of a connection. A batch is all that a side hands over at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Nothing, to learn what a connection looks like.
    Nothing,
    /// One bit of one record is turned over. A record shorter than that is hit at its last byte: signatures, and so
    /// the records that hold them, vary by a byte or two.
    Flip { record: usize, offset: usize, bit: u8 },
    /// A record is lost.
    Drop { record: usize },
    /// A record comes twice.
    Repeat { record: usize },
    /// The end of a batch is lost: so many bytes, or all of it if it is shorter.
    Truncate { batch: usize, bytes: usize },
    /// After a batch comes what nobody sent.
    Garbage { batch: usize, seed: u64 },
}

/// Bytes of garbage: more than a header, so that they are read as a record.
const GARBAGE_BYTES: usize = 40;

/// Where a deed was done, seen in what was sent before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Which record of its direction.
    pub record: usize,
    /// The record as it was sent.
    pub bytes: Vec<u8>,
    /// In a flip: which byte of the record.
    pub offset: usize,
    /// Bytes of its header.
    pub header: usize,
    /// Whether a ChangeCipherSpec went before it in the same direction.
    pub after_change: bool,
}

impl Place {
    /// The first byte of the header.
    pub fn content_type(&self) -> u8 {
        self.bytes[0]
    }
}

/// See the module's documentation. Made anew for each connection.
#[derive(Debug)]
pub struct Meddler {
    side: Side,
    deed: Deed,
    done: Option<Place>,
    streams: [Stream; 2],
    turns: usize,
}

/// What one side sent.
#[derive(Debug, Default)]
pub struct Stream {
    bytes: Vec<u8>,
    /// Where each hand-over's bytes end.
    batches: Vec<usize>,
    counted: Option<u64>,
}

impl Stream {
    /// Every complete record, with its place in the stream.
    pub fn records(&self) -> Vec<(usize, &[u8])> {
        let mut records = Vec::new();
        let mut at = 0;
        while let Some(end) = self.end_of_record(at)
            && let Some(record) = self.bytes.get(at..end)
        {
            records.push((at, record));
            at = end;
        }
        records
    }

    /// Where the record that begins at `at` ends, if its header is there.
    fn end_of_record(&self, at: usize) -> Option<usize> {
        let header = self.bytes.get(at..at + 2)?;
        let length = if self.is_ssl2() {
            let mask = if header[0] & SSL2_UNPADDED != 0 { 0x7fff } else { 0x3fff };
            usize::from(u16::from_be_bytes([header[0], header[1]]) & mask)
        } else {
            let header = self.bytes.get(at..at + HEADER)?;
            usize::from(u16::from_be_bytes([header[3], header[4]]))
        };
        Some(at + self.header_bytes(header) + length)
    }

    /// Bytes of the header of a record that begins so.
    pub fn header_bytes(&self, record: &[u8]) -> usize {
        match self.is_ssl2() {
            true if record[0] & SSL2_UNPADDED != 0 => 2,
            true => 3,
            false => HEADER,
        }
    }

    fn is_ssl2(&self) -> bool {
        self.bytes.first().is_some_and(|first| first & SSL2_UNPADDED != 0)
    }

    /// The lengths of all that was handed over at once.
    pub fn batches(&self) -> Vec<usize> {
        let starts = std::iter::once(0).chain(self.batches.iter().copied());
        self.batches.iter().zip(starts).map(|(end, start)| end - start).collect()
    }

    /// The record that a deed is done to, and where it starts, if it has been sent by now. For a batch this is its
    /// last record.
    fn target(&self, deed: Deed) -> Option<(Place, usize)> {
        let records = self.records();
        let (record, offset) = match deed {
            Deed::Nothing => return None,
            Deed::Flip { record, offset, .. } => (record, offset),
            Deed::Drop { record } | Deed::Repeat { record } => (record, 0),
            Deed::Truncate { batch, .. } | Deed::Garbage { batch, .. } => {
                self.batches.get(batch)?;
                (records.len() - 1, 0)
            }
        };
        let (start, bytes) = *records.get(record)?;
        let place = Place {
            record,
            bytes: bytes.to_vec(),
            header: self.header_bytes(bytes),
            offset: offset.min(bytes.len() - 1),
            after_change: records[..record].iter().any(|(_, record)| record[0] == CHANGE_CIPHER_SPEC),
        };
        Some((place, start))
    }
}

impl Meddler {
    /// Will do `deed` to what `side` sends.
    pub fn new(side: Side, deed: Deed) -> Self {
        Self { side, deed, done: None, streams: Default::default(), turns: 0 }
    }

    /// Where the deed was done, once it was.
    pub fn done(&self) -> Option<&Place> {
        self.done.as_ref()
    }

    /// What `side` sent, before anything was done to it.
    pub fn sent(&self, side: Side) -> &Stream {
        &self.streams[side as usize]
    }

    /// Writes down what `side` has sent since the last time; says how many bytes that was.
    fn listen(&mut self, side: Side, pipes: &Pipes) -> usize {
        let pipe = pipes.from_side(side);
        let stream = &mut self.streams[side as usize];
        let counted = stream.counted.replace(pipe.written()).unwrap_or(pipe.written());
        let unread = pipe.unread();
        let new = usize::try_from(pipe.written() - counted).expect("connections here are small");
        stream.bytes.extend_from_slice(&unread[unread.len() - new..]);
        if new > 0 {
            stream.batches.push(stream.bytes.len());
        }
        new
    }

    /// Does the deed if its moment has come, to the `new` bytes that have just been sent.
    fn meddle(&mut self, new: usize, pipes: &mut Pipes) {
        let stream = &self.streams[self.side as usize];
        let Some((place, start)) = stream.target(self.deed) else { return };
        let pipe = pipes.from_side_mut(self.side);
        let from_end = stream.bytes.len() - start;
        assert!(from_end <= new, "a record is handed over in one piece");
        let mut unread = pipe.unread().to_vec();
        let at = unread.len() - from_end;
        let record = at..at + place.bytes.len();
        match self.deed {
            Deed::Nothing => {}
            Deed::Flip { bit, .. } => unread[at + place.offset] ^= 1 << bit,
            Deed::Drop { .. } => drop(unread.drain(record)),
            Deed::Repeat { .. } => drop(unread.splice(at..at, place.bytes.iter().copied())),
            Deed::Truncate { bytes, .. } => unread.truncate(unread.len() - bytes.min(new)),
            Deed::Garbage { seed, .. } => {
                let mut random = Random(seed);
                unread.extend((0..GARBAGE_BYTES).map(|_| random.below(256) as u8));
            }
        }
        pipe.reset();
        pipe.write(&unread);
        self.streams[self.side as usize].counted = Some(pipe.written());
        self.done = Some(place);
    }
}

impl Witness for Meddler {
    fn turn(&mut self, _next: Turn, pipes: &mut Pipes) {
        self.turns += 1;
        assert!(
            self.turns < TOO_MANY_TURNS,
            "{:?} to the {}: the connection does not end",
            self.deed,
            self.side
        );
        for side in Side::BOTH {
            let new = self.listen(side, pipes);
            if new > 0 && side == self.side && self.done.is_none() {
                self.meddle(new, pipes);
            }
        }
    }
}

/// A small generator (SplitMix64), seeded so that a failure can be seen again.
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % limit as u64) as usize
    }
}
