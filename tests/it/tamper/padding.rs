//! The one kind of byte that a protocol leaves unauthenticated inside protected records: SSL 3.0's CBC padding.

use tlspair::cell::{Cert, Choice, Proto};
use tlspair::engine::Side;
use tlspair::measure::{LoopKind, Phase};

use super::meddler::{Deed, HEADER, Random};
use super::trial::{Outcome, Trials, make_ready};
use crate::support::{cell, with_cipher};

/// DES-CBC3-SHA's block and MAC.
const BLOCK: usize = 8;
const MAC: usize = 20;
/// Data that fills three blocks together with its MAC.
const DATA: usize = 4;

/// One in 256 flips is expected to pass, so it would take bad luck of one in ten thousand million to see none.
const TRIES: usize = 6000;

/// Data that fills blocks together with its MAC is followed by a block of padding, of which SSL 3.0 checks the last
/// byte alone. A flip makes another block of it, whose last byte is right by one chance in 256: the record is then
/// taken, with its data whole. (This is the flaw behind the POODLE attack.) Yet no flip goes unnoticed: the block is
/// the initial vector of the record that follows, the close_notify at the latest, which has no block of mere padding.
fn padding_is_noticed_in_the_next_record(engine: &str, bytes: u64) {
    let choice = Choice {
        proto: Some(Proto::Ssl3),
        cert: Some(Cert::Rsa512),
        bytes: Some(bytes),
        ..with_cipher("DES-CBC3-SHA")
    };
    let cell = cell(engine, &choice);
    let ready = make_ready(&cell);
    let mut trials = Trials::new(&ready, LoopKind::Full);
    let record = last_data_record(&mut trials);
    let mut random = Random(1);
    let is_noticed_late = |_| {
        let offset = HEADER + DATA + MAC + random.below(BLOCK);
        let deed = Deed::Flip { record, offset, bit: random.below(8) as u8 };
        match trials.run(Side::Client, deed).0 {
            Outcome::Refused(Phase::Transfer) => false,
            Outcome::Refused(Phase::Close) => true,
            other => panic!("{cell}: {deed:?}: {other:?}"),
        }
    };
    assert!((0..TRIES).any(is_noticed_late), "{cell}: each flip was noticed in its own record");
}

/// The client's data record with a block of padding: the one before its close_notify.
fn last_data_record(trials: &mut Trials<'_>) -> usize {
    let (outcome, plain) = trials.run(Side::Client, Deed::Nothing);
    assert_eq!(outcome, Outcome::Completed);
    let records = plain.sent(Side::Client).records();
    let record = records.len() - 2;
    assert_eq!(records[record].1.len(), HEADER + DATA + MAC + BLOCK, "a whole block of padding");
    record
}

/// OpenSSL sends all data in one record, after an empty one.
#[cfg(feature = "openssl")]
#[test]
fn openssl_notices_changed_padding_of_ssl3_in_the_next_record() {
    padding_is_noticed_in_the_next_record("openssl", DATA as u64);
}

/// Mbed TLS sends the first byte in a record of its own.
#[cfg(feature = "mbedtls")]
#[test]
fn mbedtls_notices_changed_padding_of_ssl3_in_the_next_record() {
    padding_is_noticed_in_the_next_record("mbedtls", 1 + DATA as u64);
}
