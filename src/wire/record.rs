//! TLS records: what one is, and the reader that finds them in a stream of bytes.

use crate::engine::Side;

/// Bytes of a record's header: type, version, length.
pub const HEADER: usize = 5;
/// The longest payload that any version allows: 2^14 bytes, and 2048 for protection and compression.
const MAX_PAYLOAD: usize = 16384 + 2048;

/// The type in a record's header. TLS 1.3 hides handshake messages and alerts behind `Application`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ContentType {
    /// 20: what follows is protected; without meaning in TLS 1.3.
    ChangeCipherSpec,
    /// 21.
    Alert,
    /// 22.
    Handshake,
    /// 23.
    Application,
    /// No TLS record starts with this byte, or its header makes no sense.
    Other(u8),
}

impl ContentType {
    fn of(byte: u8) -> Self {
        match byte {
            20 => Self::ChangeCipherSpec,
            21 => Self::Alert,
            22 => Self::Handshake,
            23 => Self::Application,
            other => Self::Other(other),
        }
    }
}

/// Which part of a connection a record belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Sent before the peer had finished its handshake.
    Handshake,
    /// Sent for the session's sake after the handshake: TLS 1.3 tickets, and whatever else a receiver of data sends.
    PostHandshake,
    /// Application data.
    Application,
    /// close_notify, and any other alert once data may flow.
    Close,
}

/// One record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Who sent it.
    pub side: Side,
    /// The type in its header.
    pub content_type: ContentType,
    /// Its bytes on the wire, header included.
    pub length: u32,
    /// Where it belongs.
    pub stage: Stage,
}

/// Finds the records in one direction's bytes, however these are cut.
#[derive(Clone, Debug, Default)]
pub struct RecordReader {
    /// The beginning of a record whose end has not been seen.
    partial: Vec<u8>,
}

impl RecordReader {
    /// Reads on. `found` is given each record that is complete now: its type, and its bytes with the header.
    ///
    /// Bytes that cannot be a record's header are no error: all that came with them is one record of type
    /// [`ContentType::Other`], so that every byte is counted.
    pub fn read(&mut self, bytes: &[u8], found: impl FnMut(ContentType, &[u8])) {
        if self.partial.is_empty() {
            let used = split(bytes, found);
            self.partial.extend_from_slice(&bytes[used..]);
        } else {
            self.partial.extend_from_slice(bytes);
            let used = split(&self.partial, found);
            self.partial.drain(..used);
        }
    }

    /// Bytes of a record whose end has not been seen.
    pub fn unfinished(&self) -> usize {
        self.partial.len()
    }

    /// Forgets an unfinished record, for the next connection.
    pub fn reset(&mut self) {
        self.partial.clear();
    }
}

/// Hands out the complete records at the beginning of `bytes` and says how many bytes they took.
fn split(bytes: &[u8], mut found: impl FnMut(ContentType, &[u8])) -> usize {
    let mut used = 0;
    while let Some(header) = bytes.get(used..used + HEADER) {
        let content_type = ContentType::of(header[0]);
        let payload = usize::from(u16::from_be_bytes([header[3], header[4]]));
        let is_tls =
            !matches!(content_type, ContentType::Other(_)) && header[1] == 3 && payload <= MAX_PAYLOAD;
        if !is_tls {
            found(ContentType::Other(header[0]), &bytes[used..]);
            return bytes.len();
        }
        let Some(record) = bytes.get(used..used + HEADER + payload) else { break };
        found(content_type, record);
        used += record.len();
    }
    used
}
