//! The hash of the handshake's messages.

use super::records::protected;
use super::schedule::binders;
use super::{Algorithms, Part, Stage};
use crate::cell::{Auth, Cell, Proto};
use crate::engine::Side;
use crate::primitive::{Hash, Primitive};
use crate::wire::{ContentType, Stage as WireStage, Trace};

const PURPOSE: &str = "transcript";

/// What a side hashes: both see the same messages.
pub(super) fn parts(
    cell: &Cell,
    algorithms: &Algorithms,
    resumed: bool,
    trace: &Trace,
    side: Side,
) -> Vec<Part> {
    let hashed = |hash: Hash| {
        Part::over(Stage::Handshake, PURPOSE, Primitive::Hash(hash), messages(cell, algorithms, trace))
    };
    // A hash that is read while messages are still to come is finished once more, on a copy.
    let read = |hash: Hash| Part {
        count: readings(cell, resumed, trace, side),
        ..Part::over(Stage::Handshake, PURPOSE, Primitive::Hash(hash), 1)
    };
    match cell.proto {
        // Its finished messages hold what was agreed on, and no hash.
        Proto::Ssl2 => Vec::new(),
        proto if proto < Proto::Tls12 => {
            [Hash::Md5, Hash::Sha1].into_iter().flat_map(|hash| [hashed(hash), read(hash)]).collect()
        }
        _ => vec![hashed(algorithms.hash), read(algorithms.hash)],
    }
}

/// Bytes of all messages: those in plain text as they are; before TLS 1.3 the first Finished message beside, which is the
/// only protected one that anything depends on; in TLS 1.3 what protected records hold, less the byte of their type.
fn messages(cell: &Cell, algorithms: &Algorithms, trace: &Trace) -> u64 {
    let plain: u64 = trace.messages().iter().map(|message| u64::from(message.length)).sum();
    if cell.proto < Proto::Tls13 {
        return plain + finished_bytes(cell.proto);
    }
    let hidden = protected(cell, algorithms, trace)
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
fn readings(cell: &Cell, resumed: bool, trace: &Trace, side: Side) -> u64 {
    let client_signs = u64::from(!resumed && cell.auth == Auth::Mutual);
    if cell.proto < Proto::Tls13 {
        let extended = !resumed && trace.seen().extended_master_secret == Some(true);
        2 + client_signs + u64::from(extended)
    } else {
        5 + binders(cell, resumed, side)
            + u64::from(!resumed)
            + client_signs
            + u64::from(resumed && cell.early_data > 0)
    }
}
