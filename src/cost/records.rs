//! The protection of records: what one side seals the other opens.

use super::parts::OneSide;
use super::transcript::finished_bytes;
use super::{Algorithms, Part, Stage};
use crate::cell::{Bulk, Cell, Proto};
use crate::engine::Side;
use crate::primitive::{Hash, Primitive};
use crate::wire::{ContentType, Stage as WireStage};

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
    /// Whether the server had sent nothing yet.
    is_early: bool,
    /// Bytes that a MAC is over, beside number and header.
    authenticated: u64,
}

/// What a side does with records.
pub(super) fn parts(one: OneSide<'_>) -> Vec<Part> {
    protected(one).flat_map(|record| protection(one, record)).collect()
}

fn protection(one: OneSide<'_>, record: Protected) -> Vec<Part> {
    let OneSide { cell, algorithms, side, .. } = one;
    let is_sender = record.side == side;
    let (stage, purpose) = match record.stage {
        WireStage::Handshake => (Stage::Handshake, "records of the handshake"),
        // A server sends them with the end of its handshake; a client meets them when it reads.
        WireStage::PostHandshake if is_sender => (Stage::Handshake, "ticket's record"),
        WireStage::PostHandshake => (Stage::Transfer, "ticket's record"),
        WireStage::Application if record.is_early => (Stage::Handshake, "0-RTT data"),
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
            _ => vec![over(Primitive::Hmac(hash), 13 + record.authenticated)],
        });
    }
    parts
}

/// The protected records in their order, of both sides.
pub(super) fn protected(one: OneSide<'_>) -> impl Iterator<Item = Protected> {
    let OneSide { cell, algorithms, trace, .. } = one;
    let mut is_protected = [false; 2];
    let mut hellos = [Side::Client, Side::Server]
        .map(|side| trace.messages().iter().filter(|message| message.side == side).count());
    let is_block_cipher = matches!(cell.cipher.bulk, Bulk::Cbc(_));
    let encrypt_then_mac = is_block_cipher && trace.seen().encrypt_then_mac == Some(true);
    let mut is_answered = false;
    trace.records().iter().filter_map(move |record| {
        is_answered |= record.side == Side::Server;
        let at = record.side as usize;
        let payload = match record.content_type {
            // A message a record: what the parser could read was in plain text.
            ContentType::Ssl2 if hellos[at] > 0 => {
                hellos[at] -= 1;
                return None;
            }
            ContentType::Ssl2 => u64::from(record.length) - ssl2_header(algorithms),
            ContentType::ChangeCipherSpec => {
                is_protected[at] = cell.proto < Proto::Tls13;
                return None;
            }
            kind => {
                let is_hidden = cell.proto == Proto::Tls13 && kind == ContentType::Application;
                if !is_protected[at] && !is_hidden {
                    return None;
                }
                u64::from(record.length) - 5
            }
        };
        let Sizes { vector, encrypted, fragment } = sizes(cell, encrypt_then_mac, payload);
        let fragment = match record.content_type {
            ContentType::Handshake => fragment.min(finished_bytes(cell.proto)),
            ContentType::Alert => fragment.min(2),
            _ => fragment,
        };
        // Encrypt-then-MAC (RFC 7366) is over what is on the wire.
        let authenticated = if encrypt_then_mac { vector + encrypted } else { fragment };
        Some(Protected {
            authenticated,
            is_early: !is_answered,
            side: record.side,
            stage: record.stage,
            content_type: record.content_type,
            encrypted,
            fragment,
        })
    })
}

/// Two bytes, and a third where there may be padding.
fn ssl2_header(algorithms: Algorithms) -> u64 {
    if algorithms.cipher.is_some_and(|cipher| cipher.block() > 1) { 3 } else { 2 }
}

/// What a record is made of, in bytes.
struct Sizes {
    vector: u64,
    encrypted: u64,
    /// Of data, at most.
    fragment: u64,
}

/// Of a record with so many bytes behind its header.
fn sizes(cell: &Cell, encrypt_then_mac: bool, payload: u64) -> Sizes {
    let mac = u64::from(cell.cipher.mac);
    let without_padding = |data: u64| Sizes { vector: 0, encrypted: data, fragment: data };
    match cell.cipher.bulk {
        Bulk::Stream => Sizes { fragment: payload.saturating_sub(mac), ..without_padding(payload) },
        Bulk::Cbc(block) => {
            let vector = if cell.proto >= Proto::Tls11 { u64::from(block) } else { 0 };
            let outside = vector + if encrypt_then_mac { mac } else { 0 };
            let encrypted = payload.saturating_sub(outside);
            let inside = if encrypt_then_mac { 0 } else { mac };
            // A byte at least says how long the padding is; not so in SSL 2.0.
            Sizes { vector, encrypted, fragment: encrypted.saturating_sub(inside + 1) }
        }
        Bulk::AeadExplicit(tag) => {
            let nonce = if cell.proto == Proto::Tls13 { 0 } else { 8 };
            without_padding(payload.saturating_sub(u64::from(tag) + nonce))
        }
        Bulk::ChaCha20 => without_padding(payload.saturating_sub(16)),
    }
}
