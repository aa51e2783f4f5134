//! Records: what one is, and the reader that finds them in a stream of bytes, those of TLS and SSL 3.0 and those of
//! SSL 2.0.

use crate::engine::Side;

/// Bytes of a record's header from SSL 3.0 on: type, version, length.
pub const HEADER: usize = 5;
/// Set in the first byte of an SSL 2.0 record that has a header of two bytes and no padding; all its first records do.
const SSL2_UNPADDED: u8 = 0x80;
/// The bits of an SSL 2.0 record's length, by whether its header has two bytes or three.
const SSL2_LENGTH: [u16; 2] = [0x7fff, 0x3fff];
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
    /// A record of SSL 2.0, which says nothing of what it holds.
    Ssl2,
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
    /// How the connection's records begin, which its first byte shows.
    framing: Option<Framing>,
}

/// How records begin.
#[derive(Clone, Copy, Debug)]
enum Framing {
    /// With type, version and length.
    Tls,
    /// With a length of two bytes, and that of the padding if there may be some.
    Ssl2,
}

impl RecordReader {
    /// Reads on. `found` is given each record that is complete now: its type, and its bytes with the header.
    ///
    /// Bytes that cannot be a record's header are no error: all that came with them is one record of type
    /// [`ContentType::Other`], so that every byte is counted.
    pub fn read(&mut self, bytes: &[u8], found: impl FnMut(ContentType, &[u8])) {
        let Some(&first) = bytes.first() else { return };
        let framing = *self.framing.get_or_insert(if first & SSL2_UNPADDED != 0 {
            Framing::Ssl2
        } else {
            Framing::Tls
        });
        if self.partial.is_empty() {
            let used = split(framing, bytes, found);
            self.partial.extend_from_slice(&bytes[used..]);
        } else {
            self.partial.extend_from_slice(bytes);
            let used = split(framing, &self.partial, found);
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
        self.framing = None;
    }
}

/// What a record holds behind its header.
pub fn payload(content_type: ContentType, record: &[u8]) -> &[u8] {
    let header = match content_type {
        ContentType::Ssl2 => ssl2_header(record),
        _ => HEADER,
    };
    record.get(header..).unwrap_or_default()
}

/// Bytes of the header of an SSL 2.0 record that begins so.
fn ssl2_header(bytes: &[u8]) -> usize {
    if bytes.first().is_some_and(|first| first & SSL2_UNPADDED != 0) { 2 } else { 3 }
}

/// Hands out the complete records at the beginning of `bytes` and says how many bytes they took.
fn split(framing: Framing, bytes: &[u8], found: impl FnMut(ContentType, &[u8])) -> usize {
    match framing {
        Framing::Tls => split_tls(bytes, found),
        Framing::Ssl2 => split_ssl2(bytes, found),
    }
}

fn split_tls(bytes: &[u8], mut found: impl FnMut(ContentType, &[u8])) -> usize {
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

/// Every header of SSL 2.0 makes sense.
fn split_ssl2(bytes: &[u8], mut found: impl FnMut(ContentType, &[u8])) -> usize {
    let mut used = 0;
    while let Some(&[high, low]) = bytes.get(used..used + 2) {
        let header = ssl2_header(&bytes[used..]);
        let length = usize::from(u16::from_be_bytes([high, low]) & SSL2_LENGTH[header - 2]);
        let Some(record) = bytes.get(used..used + header + length) else { break };
        found(ContentType::Ssl2, record);
        used += record.len();
    }
    used
}
