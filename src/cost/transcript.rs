//! The hash of the handshake's messages.

use super::parts::OneSide;
use super::records::protected;
use super::schedule::binders;
use super::{Part, Stage};
use crate::cell::{Auth, Proto};
use crate::primitive::{Hash, Primitive};
use crate::wire::{ContentType, Stage as WireStage};

const PURPOSE: &str = "transcript";

/// What a side hashes: both see the same messages.
pub(super) fn parts(one: OneSide<'_>) -> Vec<Part> {
    let over = |hash, bytes| Part::over(Stage::Handshake, PURPOSE, Primitive::Hash(hash), bytes);
    let hashed = |hash: Hash| over(hash, messages(one));
    // A hash that is read while messages are still to come is finished once more, on a copy.
    let read = |hash: Hash| Part { count: readings(one), ..over(hash, 1) };
    match one.cell.proto {
        // Its finished messages hold what was agreed on, and no hash.
        Proto::Ssl2 => Vec::new(),
        proto if proto < Proto::Tls12 => {
            [Hash::Md5, Hash::Sha1].into_iter().flat_map(|hash| [hashed(hash), read(hash)]).collect()
        }
        _ => vec![hashed(one.algorithms.hash), read(one.algorithms.hash)],
    }
}

/// Bytes of all messages: those in plain text as they are; before TLS 1.3 the first Finished message beside, which is the
/// only protected one that anything depends on; in TLS 1.3 what protected records hold, less the byte of their type.
fn messages(one: OneSide<'_>) -> u64 {
    let OneSide { cell, trace, .. } = one;
    let plain: u64 = trace.messages().iter().map(|message| u64::from(message.length)).sum();
    if cell.proto < Proto::Tls13 {
        return plain + finished_bytes(cell.proto);
    }
    let hidden = protected(one)
        .filter(|record| {
            record.stage == WireStage::Handshake && record.content_type == ContentType::Application
        })
        .map(|record| record.fragment - 1);
    plain + hidden.sum::<u64>()
}

/// Bytes of a Finished message with its header, before TLS 1.3.
pub(super) fn finished_bytes(proto: Proto) -> u64 {
    if proto == Proto::Ssl3 { 4 + 36 } else { 4 + 12 }
}

/// How often the hash is read: before TLS 1.3 for each Finished message, and for an extended master secret (RFC 7627); in
/// TLS 1.3 for handshake and application traffic, the signature or binders, both Finished messages, the resumption secret, and
/// the secret of 0-RTT data. A client's signature reads it once more.
fn readings(one: OneSide<'_>) -> u64 {
    let OneSide { cell, resumed, trace, .. } = one;
    let client_signs = u64::from(!resumed && cell.auth == Auth::Mutual);
    if cell.proto < Proto::Tls13 {
        let extended = !resumed && trace.seen().extended_master_secret == Some(true);
        2 + client_signs + u64::from(extended)
    } else {
        5 + binders(one) + u64::from(!resumed) + client_signs + u64::from(resumed && cell.early_data > 0)
    }
}
