//! Key derivation and Finished messages.

use super::parts::OneSide;
use super::{Part, Stage};
use crate::cell::{Bulk, Hello, Proto};
use crate::engine::Side;
use crate::primitive::{Hash, PRF_LENGTH, PrfHash, Primitive, SymmetricCipher};
use crate::wire::{Stage as WireStage, Trace};

const KEYS: &str = "key derivation";
const FINISHED: &str = "Finished";

/// What a side derives: both do the same, but for [`binders`].
pub(super) fn parts(one: OneSide<'_>) -> Vec<Part> {
    match (one.cell.proto, one.algorithms.prf) {
        (Proto::Ssl2, _) => of_ssl2(one),
        (Proto::Ssl3, _) => of_ssl3(one),
        (Proto::Tls13, _) => of_tls13(one),
        (_, Some(prf)) => of_tls(one, prf),
        (_, None) => unreachable!("TLS 1.0 to 1.2 have a pseudo-random function"),
    }
}

/// TLS 1.0 to 1.2: the master secret unless there is one from before, the key block, and what both Finished messages hold.
fn of_tls(one: OneSide<'_>, prf: PrfHash) -> Vec<Part> {
    /// Bytes of a Finished message (RFC 5246, section 7.4.9).
    const VERIFY_DATA: usize = 12;
    let derive = |purpose, length, count| {
        let share = blocks(prf, length) / blocks(prf, PRF_LENGTH);
        Part { share, ..Part::of(purpose, Primitive::Prf(prf), count) }
    };
    vec![
        derive(KEYS, PRF_LENGTH, u64::from(!one.resumed)),
        derive(KEYS, key_block(one), 1),
        derive(FINISHED, VERIFY_DATA, 2),
    ]
}

/// Blocks of output that the function makes for so many bytes: each takes as much work as the next. MD5 and SHA-1 work side
/// by side; the bytes are MD5's.
fn blocks(prf: PrfHash, length: usize) -> f64 {
    let block = match prf {
        PrfHash::Md5Sha1 => Hash::Md5.length(),
        PrfHash::Sha256 => Hash::Sha256.length(),
        PrfHash::Sha384 => Hash::Sha384.length(),
    };
    length.div_ceil(block) as f64
}

/// Bytes of keys for both directions (RFC 5246, section 6.3; RFC 2246 adds the first initial vectors of CBC).
fn key_block(one: OneSide<'_>) -> usize {
    let OneSide { cell, algorithms, .. } = one;
    let key = algorithms.cipher.map_or(0, SymmetricCipher::key_length);
    let vector = match cell.cipher.bulk {
        Bulk::Stream => 0,
        Bulk::Cbc(block) if cell.proto <= Proto::Tls10 => usize::from(block),
        Bulk::Cbc(_) => 0,
        Bulk::AeadExplicit(_) => 4,
        Bulk::ChaCha20 => 12,
    };
    2 * (usize::from(cell.cipher.mac) + key + vector)
}

/// SSL 3.0 (RFC 6101, sections 6.1, 6.2.2 and 5.6.9): MD5 over SHA-1, three times for the master secret, once for each 16
/// bytes of keys; Finished messages are two MACs of the older form, whose inner hashes are the transcript's.
fn of_ssl3(one: OneSide<'_>) -> Vec<Part> {
    /// A letter or three, the secret and two random numbers.
    const INNER: u64 = 2 + 48 + 64;
    /// The secret and the inner hash.
    const OUTER: u64 = 48 + 20;
    let made = |purpose, rounds: u64| {
        [(Hash::Sha1, INNER), (Hash::Md5, OUTER)].map(|(hash, bytes)| Part {
            count: rounds,
            ..Part::over(Stage::Handshake, purpose, Primitive::Hash(hash), bytes)
        })
    };
    let master = if one.resumed { 0 } else { 3 };
    let block = key_block(one).div_ceil(Hash::Md5.length()) as u64;
    let finished = [Hash::Md5, Hash::Sha1].map(|hash| Part {
        count: 2,
        ..Part::over(Stage::Handshake, FINISHED, Primitive::Hash(hash), 48 + 48 + hash.length() as u64)
    });
    made(KEYS, master + block).into_iter().chain(finished).collect()
}

/// SSL 2.0: MD5 over the master key, a digit, challenge and connection id, once for each 16 bytes of keys.
fn of_ssl2(one: OneSide<'_>) -> Vec<Part> {
    let block = 2 * one.algorithms.cipher.map_or(0, SymmetricCipher::key_length);
    let bytes = 16 + 1 + 16 + 16;
    let hash = Primitive::Hash(Hash::Md5);
    let count = block.div_ceil(Hash::Md5.length()) as u64;
    vec![Part { count, ..Part::over(Stage::Handshake, KEYS, hash, bytes) }]
}

/// TLS 1.3 (RFC 8446, section 7.1).
fn of_tls13(one: OneSide<'_>) -> Vec<Part> {
    /// Traffic secret, key and initial vector.
    const EARLY: u64 = 3;
    /// Early, handshake and master secret.
    const EXTRACTIONS: u64 = 3;
    /// Between the three; handshake and application traffic of both sides; exporter; resumption.
    const SECRETS: u64 = 2 + 4 + 1 + 1;
    /// Key and initial vector of four traffic secrets; the keys of two Finished messages.
    const KEYS_OF_SECRETS: u64 = 4 * 2 + 2;
    let (hash, binders) = (one.algorithms.hash, binders(one));
    let binder_keys = if binders > 0 { 2 } else { 0 };
    let early = if one.resumed && one.cell.early_data > 0 { EARLY } else { 0 };
    let expansions = SECRETS + KEYS_OF_SECRETS + u64::from(has_ticket(one.trace)) + binder_keys + early;
    let mac = |purpose, count| Part {
        count,
        ..Part::over(Stage::Handshake, purpose, Primitive::Hmac(hash), hash.length() as u64)
    };
    vec![
        Part::of(KEYS, Primitive::HkdfExtract(hash), EXTRACTIONS),
        Part::of(KEYS, Primitive::HkdfExpand(hash), expansions),
        mac(FINISHED, 2),
        mac("binder of the session", binders),
    ]
}

/// Binders of a resumed session: a client makes one for each of its hellos, a server checks that of the hello by which it
/// accepts (RFC 8446, sections 4.2.11 and 4.1.2).
pub(super) fn binders(one: OneSide<'_>) -> u64 {
    match (one.resumed, one.side, one.cell.hello) {
        (false, ..) => 0,
        (true, Side::Client, Hello::Retry) => 2,
        (true, ..) => 1,
    }
}

/// Whether the server gave the client a session after the handshake.
fn has_ticket(trace: &Trace) -> bool {
    trace.records().iter().any(|record| record.stage == WireStage::PostHandshake)
}
