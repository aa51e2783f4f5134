//! The record layer: headers of two and of three bytes, MACs, padding, encryption.

use std::ops::Range;

use openssl::cipher_ctx::CipherCtx;
use openssl::error::ErrorStack;
use openssl::md_ctx::MdCtx;
use openssl::memcmp;

use super::keys::{DIGEST, KeyMaterial, MAX_BLOCK, MAX_KEY, Suite};
use crate::engine::openssl::library::words;
use crate::engine::{EngineError, Side};
use crate::pipe::Pipe;

/// The most data in a record, see the documentation of the engine.
pub const MAX_DATA: usize = 16384;
/// The same under a block cipher: blocks to the limit of a header with a padding length, less the MAC.
pub const MAX_DATA_IN_BLOCKS: usize = (MAX_PADDED / MAX_BLOCK * MAX_BLOCK) - DIGEST;

/// The longest record with a header of two bytes.
const MAX_UNPADDED: usize = 0x7fff;
/// The longest record with a header of three bytes.
const MAX_PADDED: usize = 0x3fff;
/// In the first byte of a header: two bytes are all.
const NO_PADDING: u8 = 0x80;
/// In the first byte of a header of three: the record is for the record layer itself. No use of it was ever defined.
const ESCAPE: u8 = 0x40;

/// Both directions of a connection's records.
pub struct Records {
    sent: Direction,
    received: Direction,
    digest: MdCtx,
    outgoing: Vec<u8>,
    incoming: Vec<u8>,
}

#[derive(Default)]
struct Direction {
    /// Number of the next record, counted from the beginning of the connection whether protected or not.
    sequence: u32,
    protection: Option<Protection>,
}

struct Protection {
    cipher: CipherCtx,
    /// The same bytes as the key of the cipher.
    secret: [u8; MAX_KEY],
}

struct Header {
    bytes: usize,
    length: usize,
    padding: usize,
}

impl Records {
    /// Of a new connection: nothing is protected yet.
    pub fn new() -> Result<Self, ErrorStack> {
        Ok(Self {
            sent: Direction::default(),
            received: Direction::default(),
            digest: MdCtx::new()?,
            outgoing: Vec::new(),
            incoming: Vec::new(),
        })
    }

    /// A digest at work for records, free for other use in between.
    pub fn digest(&mut self) -> &mut MdCtx {
        &mut self.digest
    }

    /// Protects everything from now on, in both directions.
    pub fn protect(
        &mut self,
        suite: &Suite,
        side: Side,
        keys: &KeyMaterial,
        argument: &[u8],
    ) -> Result<(), ErrorStack> {
        let (own, peers) = match side {
            Side::Client => (keys.client_write(), keys.client_read()),
            Side::Server => (keys.client_read(), keys.client_write()),
        };
        let vector = (!argument.is_empty()).then_some(argument);
        let mut sent = Protection::with(own)?;
        sent.cipher.encrypt_init(Some(suite.bulk()), Some(own), vector)?;
        sent.cipher.set_padding(false);
        let mut received = Protection::with(peers)?;
        received.cipher.decrypt_init(Some(suite.bulk()), Some(peers), vector)?;
        received.cipher.set_padding(false);
        self.sent.protection = Some(sent);
        self.received.protection = Some(received);
        Ok(())
    }

    /// Sends `data` as one record; it must fit into one.
    pub fn send(&mut self, suite: &Suite, data: &[u8], outbound: &mut Pipe) -> Result<(), EngineError> {
        let sequence = self.sent.next();
        let Some(protection) = &mut self.sent.protection else {
            write_header(data.len(), 0, outbound);
            outbound.write(data);
            return Ok(());
        };
        let padding = suite.padding(DIGEST + data.len());
        let length = DIGEST + data.len() + padding;
        // OpenSSL may want a block more than it fills.
        grow(&mut self.outgoing, length + suite.block);
        let zeros = [0; MAX_BLOCK];
        let mut encrypt = || {
            let mac = protection.mac(suite, &mut self.digest, [data, &zeros[..padding]], sequence)?;
            let mut filled = 0;
            for part in [&mac, data, &zeros[..padding]] {
                if !part.is_empty() {
                    filled += protection.cipher.cipher_update(part, Some(&mut self.outgoing[filled..]))?;
                }
            }
            Ok(filled)
        };
        let filled = encrypt().map_err(|stack| words(&stack))?;
        debug_assert_eq!(filled, length, "whole blocks leave nothing inside the cipher");
        write_header(length, padding, outbound);
        outbound.write(&self.outgoing[..length]);
        Ok(())
    }

    /// Takes the next record if all of it is there: says where in [`Records::lend`]'s buffer its data lie.
    pub fn receive(
        &mut self,
        suite: &Suite,
        inbound: &mut Pipe,
    ) -> Result<Option<Range<usize>>, EngineError> {
        let unread = inbound.unread();
        let Some(header) = Header::read(unread)? else { return Ok(None) };
        let end = header.bytes + header.length;
        let Some(body) = unread.get(header.bytes..end) else { return Ok(None) };
        let sequence = self.received.next();
        let Some(protection) = &mut self.received.protection else {
            if header.padding > 0 {
                return Err(EngineError::new("a record is padded before anything is encrypted"));
            }
            self.incoming.clear();
            self.incoming.extend_from_slice(body);
            inbound.consume(end);
            return Ok(Some(0..header.length));
        };
        header.check(suite)?;
        grow(&mut self.incoming, header.length + suite.block);
        let mut decrypt = || {
            protection.cipher.cipher_update(body, Some(&mut self.incoming))?;
            let (mac, covered) = self.incoming[..header.length].split_at(DIGEST);
            let wanted = protection.mac(suite, &mut self.digest, [covered, &[]], sequence)?;
            Ok(memcmp::eq(mac, &wanted))
        };
        let is_authentic = decrypt().map_err(|stack| words(&stack))?;
        inbound.consume(end);
        if !is_authentic {
            return Err(EngineError::new("a record's MAC is wrong"));
        }
        Ok(Some(DIGEST..header.length - header.padding))
    }

    /// The buffer that holds the newest record, for as long as its message is at work; to be given back.
    pub fn lend(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.incoming)
    }

    /// Takes the buffer back.
    pub fn give_back(&mut self, incoming: Vec<u8>) {
        self.incoming = incoming;
    }

    /// The buffer that holds the newest record.
    pub fn newest(&self) -> &[u8] {
        &self.incoming
    }
}

impl Direction {
    fn next(&mut self) -> u32 {
        let number = self.sequence;
        self.sequence = number.wrapping_add(1);
        number
    }
}

impl Protection {
    fn with(key: &[u8]) -> Result<Self, ErrorStack> {
        let mut secret = [0; MAX_KEY];
        secret[..key.len()].copy_from_slice(key);
        Ok(Self { cipher: CipherCtx::new()?, secret })
    }

    /// MD5 over secret, data, padding and sequence number.
    fn mac(
        &self,
        suite: &Suite,
        digest: &mut MdCtx,
        covered: [&[u8]; 2],
        sequence: u32,
    ) -> Result<[u8; DIGEST], ErrorStack> {
        let mut mac = [0; DIGEST];
        digest.digest_init(suite.md5())?;
        digest.digest_update(&self.secret[..suite.key_bytes])?;
        digest.digest_update(covered[0])?;
        digest.digest_update(covered[1])?;
        digest.digest_update(&sequence.to_be_bytes())?;
        digest.digest_final(&mut mac)?;
        Ok(mac)
    }
}

impl Header {
    /// None if it is not all there.
    fn read(bytes: &[u8]) -> Result<Option<Self>, EngineError> {
        let length = |mask: usize, high: u8, low: u8| usize::from(u16::from_be_bytes([high, low])) & mask;
        match *bytes {
            [high, low, ..] if high & NO_PADDING != 0 => {
                Ok(Some(Self { bytes: 2, length: length(MAX_UNPADDED, high, low), padding: 0 }))
            }
            [high, ..] if high & NO_PADDING == 0 && high & ESCAPE != 0 => {
                Err(EngineError::new("a record has the security escape bit, which means nothing yet"))
            }
            [high, low, padding, ..] => {
                Ok(Some(Self { bytes: 3, length: length(MAX_PADDED, high, low), padding: padding.into() }))
            }
            _ => Ok(None),
        }
    }

    /// Checks a protected record's lengths. Nothing protects that of the padding: only this limit, and what the data
    /// must look like, keep somebody on the wire from moving the end of the data (D. Wagner and B. Schneier, "Analysis
    /// of the SSL 3.0 Protocol", 1996).
    fn check(&self, suite: &Suite) -> Result<(), EngineError> {
        if self.padding >= suite.block {
            return Err(EngineError::new("a record has more padding than its cipher needs"));
        }
        if !self.length.is_multiple_of(suite.block) {
            return Err(EngineError::new("a record does not fill whole blocks"));
        }
        if self.length < DIGEST + self.padding {
            return Err(EngineError::new("a record is too short for its MAC and padding"));
        }
        Ok(())
    }
}

fn write_header(length: usize, padding: usize, outbound: &mut Pipe) {
    debug_assert!(length <= if padding == 0 { MAX_UNPADDED } else { MAX_PADDED });
    let [high, low] = (length as u16).to_be_bytes();
    if padding == 0 {
        outbound.write(&[high | NO_PADDING, low]);
    } else {
        outbound.write(&[high, low, padding as u8]);
    }
}

/// Buffers only grow: to clear one for each record would cost more than some records do.
fn grow(buffer: &mut Vec<u8>, bytes: usize) {
    if buffer.len() < bytes {
        buffer.resize(bytes, 0);
    }
}
