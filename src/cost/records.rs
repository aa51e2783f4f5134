//! The protection of records: what one side seals the other opens.

use super::transcript::finished_bytes;
use super::{Algorithms, Part, Stage};
use crate::cell::{Bulk, Cell, Proto};
use crate::engine::Side;
use crate::primitive::{Hash, Primitive};
use crate::wire::{ContentType, Stage as WireStage, Trace};

/// A protected record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Protected {
    pub(super) side: Side,
    pub(super) stage: WireStage,
    pub(super) content_type: ContentType,
    /// Bytes that are encrypted.
    pub(super) encrypted: u64,
    /// Bytes of them that are data, as many as there can be; in TLS 1.3 with the byte of their type.
    pub(super) fragment: u64,
}

/// What `side` does with records.
pub(super) fn parts(cell: &Cell, algorithms: &Algorithms, trace: &Trace, side: Side) -> Vec<Part> {
    protected(cell, algorithms, trace).flat_map(|record| protection(cell, algorithms, record, side)).collect()
}

fn protection(cell: &Cell, algorithms: &Algorithms, record: Protected, side: Side) -> Vec<Part> {
    let is_sender = record.side == side;
    let (stage, purpose) = match record.stage {
        WireStage::Handshake => (Stage::Handshake, "records of the handshake"),
        // A server sends them with the end of its handshake; a client meets them when it reads.
        WireStage::PostHandshake if is_sender => (Stage::Handshake, "ticket's record"),
        WireStage::PostHandshake => (Stage::Transfer, "ticket's record"),
        WireStage::Application => (Stage::Transfer, "data"),
        WireStage::Close => (Stage::Close, "close_notify"),
    };
    let crypt = if is_sender { Primitive::Encrypt } else { Primitive::Decrypt };
    let mut parts: Vec<Part> = Vec::new();
    parts.extend(algorithms.cipher.map(|cipher| Part::over(stage, purpose, crypt(cipher), record.encrypted)));
    if let Some(hash) = algorithms.mac {
        let over = |primitive, bytes| Part::over(stage, purpose, primitive, bytes);
        parts.extend(match cell.proto {
            // MD5 of the key, the data and a number (SSL 2.0, section 1.2).
            Proto::Ssl2 => vec![over(Primitive::Hash(hash), 16 + record.fragment + 4)],
            // Two hashes over the key and padding (RFC 6101, section 5.2.3.1).
            Proto::Ssl3 => {
                let length = hash.length() as u64;
                let keyed = length + if hash == Hash::Md5 { 48 } else { 40 };
                vec![
                    over(Primitive::Hash(hash), keyed + 11 + record.fragment),
                    over(Primitive::Hash(hash), keyed + length),
                ]
            }
            _ => vec![over(Primitive::Hmac(hash), 13 + record.fragment)],
        });
    }
    parts
}

/// The protected records in their order.
pub(super) fn protected(
    cell: &Cell,
    algorithms: &Algorithms,
    trace: &Trace,
) -> impl Iterator<Item = Protected> {
    let mut is_protected = [false; 2];
    let mut hellos = [Side::Client, Side::Server]
        .map(|side| trace.messages().iter().filter(|message| message.side == side).count());
    let (cell, algorithms) = (cell.clone(), *algorithms);
    trace.records().iter().filter_map(move |record| {
        let at = record.side as usize;
        let payload = match record.content_type {
            // A message a record: what the parser could read was in plain text.
            ContentType::Ssl2 if hellos[at] > 0 => {
                hellos[at] -= 1;
                return None;
            }
            ContentType::Ssl2 => u64::from(record.length) - ssl2_header(&algorithms),
            ContentType::ChangeCipherSpec => {
                is_protected[at] = cell.proto < Proto::Tls13;
                return None;
            }
            kind => {
                if !is_protected[at] && !(cell.proto == Proto::Tls13 && kind == ContentType::Application) {
                    return None;
                }
                u64::from(record.length) - 5
            }
        };
        let (encrypted, fragment) = sizes(&cell, payload);
        let fragment = match record.content_type {
            ContentType::Handshake => fragment.min(finished_bytes(cell.proto)),
            ContentType::Alert => fragment.min(2),
            _ => fragment,
        };
        Some(Protected {
            side: record.side,
            stage: record.stage,
            content_type: record.content_type,
            encrypted,
            fragment,
        })
    })
}

/// Two bytes, and a third where there may be padding.
fn ssl2_header(algorithms: &Algorithms) -> u64 {
    if algorithms.cipher.is_some_and(|cipher| cipher.block() > 1) { 3 } else { 2 }
}

/// Bytes that are encrypted, and bytes of data at most, in a record of so many bytes behind its header.
fn sizes(cell: &Cell, payload: u64) -> (u64, u64) {
    let mac = u64::from(cell.cipher.mac);
    match cell.cipher.bulk {
        Bulk::Stream => (payload, payload.saturating_sub(mac)),
        Bulk::Cbc(block) => {
            let vector = if cell.proto >= Proto::Tls11 { u64::from(block) } else { 0 };
            let encrypted = payload.saturating_sub(vector);
            // A byte at least says how long the padding is; not so in SSL 2.0.
            (encrypted, encrypted.saturating_sub(mac + 1))
        }
        Bulk::AeadExplicit(tag) => {
            let nonce = if cell.proto == Proto::Tls13 { 0 } else { 8 };
            let data = payload.saturating_sub(u64::from(tag) + nonce);
            (data, data)
        }
        Bulk::ChaCha20 => (payload.saturating_sub(16), payload.saturating_sub(16)),
    }
}
