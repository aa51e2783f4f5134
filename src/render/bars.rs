//! What a connection's time is made of, as the parts of a bar.

use crate::results::{ExplainedOperations, ExplainedSide, PredictedSides};

/// What the letters of a bar stand for. What no purpose names is the protocol's machinery.
const LETTERS: [(char, &str, &[&str]); 7] = [
    ('K', "key exchange", &["key exchange"]),
    ('S', "handshake signature", &["handshake signature"]),
    ('C', "certificate chain", &["certificate chain"]),
    ('P', "certificates parsed", &["certificates"]),
    ('D', "key derivation", &["key derivation"]),
    ('H', "hashes of the handshake", &["transcript", "Finished", "binder of the session"]),
    ('R', "records", &["records of the handshake", "ticket's record", "0-RTT data", "data", "close_notify"]),
];
pub(super) const MACHINERY: char = '.';
pub(super) const UNATTRIBUTED: char = '?';
/// Letters of a whole bar.
const WIDTH: usize = 50;

/// A part of a bar: its letter and its share of what was measured.
pub(super) type Share = (char, f64);

/// Every letter and what it stands for, in the order of the shares.
pub(super) fn legend() -> Vec<(char, &'static str)> {
    let named = LETTERS.iter().map(|(letter, name, _)| (*letter, *name));
    named.chain([(MACHINERY, "machinery"), (UNATTRIBUTED, "not attributed")]).collect()
}

/// The same in words.
pub(super) fn legend_line() -> String {
    let named: Vec<String> = legend().iter().map(|(letter, name)| format!("{letter} {name}")).collect();
    format!("{}; a letter is {} % of the whole", named.join(", "), 100 / WIDTH)
}

/// The parts of a side's time. What operations and machinery come to beyond what was measured is less than nothing.
pub(super) fn shares(side: &ExplainedSide) -> Vec<Share> {
    let rest = match side.machinery_ns.zip(side.unattributed_ns()) {
        Some((machinery, rest)) => vec![(MACHINERY, machinery), (UNATTRIBUTED, rest)],
        None => vec![(UNATTRIBUTED, side.rest_ns())],
    };
    of(side.operations.iter(), &rest, side.measured_ns())
}

/// The parts of what both sides would take.
pub(super) fn predicted_shares(sides: &PredictedSides) -> Vec<Share> {
    let both = [&sides.client, &sides.server];
    let operations = || both.iter().flat_map(|side| &side.operations);
    let machinery = sides.client.machinery_ns + sides.server.machinery_ns;
    let all = machinery + operations().filter_map(|one| one.ns).sum::<f64>();
    of(operations(), &[(MACHINERY, machinery)], all)
}

fn of<'o>(
    operations: impl Iterator<Item = &'o ExplainedOperations> + Clone,
    rest: &[(char, f64)],
    all: f64,
) -> Vec<Share> {
    let sum = |purposes: &[&str]| -> f64 {
        operations
            .clone()
            .filter(|one| purposes.contains(&one.purpose.as_str()))
            .filter_map(|one| one.ns)
            .sum()
    };
    let named = LETTERS.iter().map(|(letter, _, purposes)| (*letter, sum(purposes)));
    let parts = named.chain(rest.iter().copied()).map(|(letter, ns)| (letter, ns / all));
    parts.filter(|(_, share)| *share != 0.0).collect()
}

/// Letters for shares; each share ends where its sum says, so that rounding does not add up.
pub(super) fn draw(shares: &[Share]) -> String {
    let mut drawn = String::new();
    let mut sum = 0.0;
    for (letter, share) in shares {
        sum += share;
        let end = (sum * WIDTH as f64).round() as usize;
        while drawn.chars().count() < end.min(2 * WIDTH) {
            drawn.push(*letter);
        }
    }
    drawn
}
