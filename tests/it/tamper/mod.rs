//! Connections that somebody tampers with between the two sides, over all engines and versions, full and resumed, in
//! handshake, data and close.
//!
//! From SSL 3.0 on, a flipped bit ends in an error, with two exceptions that [`allowed`] spells out: bytes that nobody authenticates,
//! where the connection must run to its end as if nothing had happened, and lengths, where a side may wait for bytes
//! that do not come (which our own code must notice). So do losses and additions, except behind a close_notify and
//! around the ChangeCipherSpec that TLS 1.3 sends for the sake of old middleboxes. What no tampering may ever lead to
//! is a hang, a panic, changed data, or a connection that is not what its cell says and passes for one that is.

mod allowed;
mod cells;
mod meddler;
#[cfg(any(feature = "mbedtls", feature = "openssl"))]
mod padding;
mod positions;
mod ssl2;
mod trial;

use std::collections::BTreeSet;

use tlspair::cell::{Cell, Proto};
use tlspair::engine::Side;

use self::allowed::{Flip, RULES, rule_for};
use self::cells::cells;
use self::meddler::{CHANGE_CIPHER_SPEC, Deed, Meddler, Place, Random, Stream};
use self::positions::{flips, losses_and_additions};
use self::trial::{Outcome, Trials, for_both_kinds};
use crate::support::for_each_engine;

const SEED: u64 = 0x7457;

/// Problems shown of one test at most; they come in hundreds.
const SHOWN: usize = 30;

/// Does all that `deeds` says to every cell of two engines, in both directions; `judge` names what is wrong.
/// Says how many connections that were.
fn tamper(
    client: &str,
    server: &str,
    deeds: impl Fn(&Stream, positions::Coverage, &mut Random) -> Vec<Deed>,
    mut judge: impl FnMut(&Done<'_>) -> Option<String>,
) -> usize {
    let mut tried = 0;
    let mut wrong = Vec::new();
    let mut random = Random(SEED);
    for (cell, coverage) in cells(client, server) {
        for_both_kinds(&cell, |trials, kind| {
            let plain = untampered(trials);
            for side in Side::BOTH {
                for deed in deeds(plain.sent(side), coverage, &mut random) {
                    let (outcome, meddler) = trials.run(side, deed);
                    tried += 1;
                    let place = meddler.done().unwrap_or_else(|| panic!("{cell}: {deed:?} was not done"));
                    let records = plain.sent(side).records().len();
                    let done = Done { cell: &cell, side, deed, place, records, outcome: &outcome };
                    wrong.extend(judge(&done).map(|problem| format!("{problem}: {} {done}", kind.name())));
                }
            }
        });
    }
    assert!(
        wrong.is_empty(),
        "{} of {tried} went wrong, such as:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(SHOWN)].join("\n")
    );
    tried
}

fn untampered(trials: &mut Trials<'_>) -> Meddler {
    let (outcome, meddler) = trials.run(Side::Client, Deed::Nothing);
    assert_eq!(outcome, Outcome::Completed, "{}", trials.cell());
    meddler
}

/// A tampered connection.
struct Done<'a> {
    cell: &'a Cell,
    side: Side,
    deed: Deed,
    place: &'a Place,
    /// How many records this side sends when nobody tampers.
    records: usize,
    outcome: &'a Outcome,
}

impl std::fmt::Display for Done<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { cell, side, deed, place, outcome, .. } = self;
        let (kind, length, byte) = (place.content_type(), place.bytes.len(), place.bytes[place.offset]);
        write!(
            f,
            "{cell}: {deed:?} to the {side}'s record {} of type {kind}, {length} bytes, ",
            place.record
        )?;
        write!(f, "byte {byte:#04x}, after ChangeCipherSpec: {}: {outcome:?}", place.after_change)
    }
}

/// Flips over all cells of two engines. Says how many, and by which rules some did no harm.
fn flip(client: &str, server: &str) -> (usize, BTreeSet<usize>) {
    let mut seen = BTreeSet::new();
    let tried = tamper(client, server, flips, |done| {
        let Deed::Flip { bit, .. } = done.deed else { unreachable!("only flips are asked for") };
        let flip = Flip { cell: done.cell, side: done.side, place: done.place, bit };
        match (rule_for(&flip), done.outcome) {
            (Some(rule), Outcome::Completed) => {
                seen.insert(rule);
                None
            }
            (Some(rule), _) => Some(format!("should have done no harm ({})", RULES[rule].reason)),
            (None, Outcome::Refused(_)) => None,
            (None, Outcome::Waits) if flip.is_length() => None,
            (None, Outcome::Waits) if flip.may_lose_early_data() || flip.passes_for_early_data() => None,
            (None, outcome) if ssl2::has_no_protection(&flip, outcome) => None,
            (None, _) => Some("should have been refused".to_owned()),
        }
    });
    (tried, seen)
}

/// An engine with itself: enough flips, and every rule that names it comes true.
fn flips_are_noticed(engine: &str) {
    let (tried, seen) = flip(engine, engine);
    assert!(tried >= 1000, "only {tried} flips");
    for (number, rule) in RULES.iter().enumerate() {
        let expected = rule.readers.contains(&engine);
        assert_eq!(seen.contains(&number), expected, "{engine}: {}", rule.reason);
    }
}

fn losses_and_additions_are_noticed(client: &str, server: &str) {
    let every_deed = |stream: &Stream, _, random: &mut Random| losses_and_additions(stream, random);
    let tried = tamper(client, server, every_deed, |done| match (does_no_harm(done), done.outcome) {
        (true, Outcome::Completed) | (false, Outcome::Refused(_) | Outcome::Waits) => None,
        (true, _) => Some("should have done no harm".to_owned()),
        (false, _) => Some("should have been noticed".to_owned()),
    });
    assert!(tried >= 100, "only {tried}");
}

/// Nothing that follows a close_notify is read, which SSL 2.0 does not have, and TLS 1.3's ChangeCipherSpec means nothing.
/// (Where RFC 8446, section 5, has every one dropped, wolfSSL drops the first and takes a second for an error.)
fn does_no_harm(done: &Done<'_>) -> bool {
    let is_last = done.place.record + 1 == done.records && done.cell.proto != Proto::Ssl2;
    let is_idle_change = done.cell.proto == Proto::Tls13 && done.place.content_type() == CHANGE_CIPHER_SPEC;
    let reader = if done.side == Side::Client { &done.cell.server } else { &done.cell.client };
    match done.deed {
        Deed::Garbage { .. } => is_last,
        Deed::Repeat { .. } => is_last || (is_idle_change && reader != "wolfssl"),
        Deed::Drop { .. } => is_idle_change,
        Deed::Nothing | Deed::Flip { .. } | Deed::Truncate { .. } => false,
    }
}

#[test]
fn flipped_bits_are_noticed() {
    for_each_engine(flips_are_noticed);
}

#[test]
fn losses_and_additions_are_noticed_by_every_engine() {
    for_each_engine(|engine| losses_and_additions_are_noticed(engine, engine));
}

/// The rules go by who reads, so they hold for pairs of libraries as well.
#[cfg(all(feature = "openssl", feature = "rustls-ring"))]
#[test]
fn flips_between_two_libraries_are_noticed() {
    for (client, server) in [("openssl", "rustls-ring"), ("rustls-ring", "openssl")] {
        let (tried, seen) = flip(client, server);
        assert!(tried >= 9_000 && seen.len() >= 3, "{tried} flips, rules {seen:?}");
    }
}
