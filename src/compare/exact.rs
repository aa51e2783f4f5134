//! Differences in what was counted. Counts need no statistics: each difference is reported, and growth beyond the
//! cell's threshold is a regression.

use super::ROUNDING;
use crate::measure::LoopKind;
use crate::render::number::{count, counted, significant};
use crate::results::{AppCount, Change, Counted, Heap, HeapSide, Negotiated, Thresholds, Wire, WireCount};

/// Up to which difference live bytes, at the peak or after a connection, are the allocator's noise: what is live is counted
/// in what it sets aside, a few bytes a block more than was asked for, and not the same few in every process.
const LIVE_NOISE: i128 = 64;

/// Every difference between both sides in what was negotiated, passed through the pipes and was allocated. What was
/// counted on one side only is no difference.
pub fn changes(counted: &Counted, thresholds: &Thresholds) -> Vec<Change> {
    let Counted { old, new } = counted;
    let mut changes = Vec::new();
    if let (Some(old), Some(new)) = (&old.negotiated, &new.negotiated) {
        changes.extend(negotiated(old, new));
    }
    changes.extend(wire(&old.wire, &new.wire, thresholds.wire));
    if let (Some(old), Some(new)) = (&old.heap, &new.heap) {
        changes.extend(heap(old, new, thresholds.heap));
    }
    changes
}

/// A parameter is not better or worse for being another one. The cipher's IANA name is its OpenSSL name in other
/// words, so it is not reported a second time.
fn negotiated(old: &Negotiated, new: &Negotiated) -> Vec<Change> {
    let parameter = |field: &str, name: &str, old: Option<&str>, new: Option<&str>| {
        let words = match (old, new) {
            (Some(old), Some(new)) => format!("the {name} is {new}, before it was {old}"),
            (Some(old), None) => format!("there is no {name}, before it was {old}"),
            (None, new) => format!("the {name} is {}, before there was none", new.unwrap_or(NONE)),
        };
        parameter_change(field, old.unwrap_or(NONE), new.unwrap_or(NONE), words)
    };
    let certificate = |shown: bool| if shown { "shown" } else { NONE };
    let certificate_words = if new.client_cert {
        "the client shows a certificate, before it showed none"
    } else {
        "the client shows no certificate, before it showed one"
    };
    [
        parameter("proto", "protocol", Some(&old.proto), Some(&new.proto)),
        parameter("cipher", "cipher", Some(&old.cipher), Some(&new.cipher)),
        parameter("group", "group", old.group.as_deref(), new.group.as_deref()),
        parameter("signature", "signature scheme", old.signature.as_deref(), new.signature.as_deref()),
        parameter_change(
            "client_cert",
            certificate(old.client_cert),
            certificate(new.client_cert),
            certificate_words.to_owned(),
        ),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What stands for a parameter that there is not.
const NONE: &str = "none";

fn parameter_change(field: &str, old: &str, new: &str, words: String) -> Option<Change> {
    (old != new).then(|| Change {
        metric: format!("negotiated.{field}"),
        old: old.to_owned(),
        new: new.to_owned(),
        growth: None,
        is_regression: false,
        words,
    })
}

fn wire(old: &Wire, new: &Wire, threshold: f64) -> Vec<Change> {
    let mut changes = Vec::new();
    for kind in LoopKind::BOTH {
        if let (Some(old), Some(new)) = (old.handshake(kind), new.handshake(kind)) {
            changes.extend(handshake(kind, &old, &new, threshold));
        }
    }
    if let (Some(old), Some(new)) = (old.app, new.app) {
        changes.extend(application_data(&old, &new, threshold));
    }
    changes
}

fn handshake(kind: LoopKind, old: &WireCount, new: &WireCount, threshold: f64) -> Vec<Change> {
    let name = match kind {
        LoopKind::Full => "full handshake",
        LoopKind::Reuse => "resumed handshake",
    };
    let path = format!("wire.{}", kind.name());
    let sent =
        |wire: &WireCount| [wire.client_bytes, wire.server_bytes, wire.client_records, wire.server_records];
    let mut changes = sent_changes(&path, &format!("in a {name}"), sent(old), sent(new), threshold);
    let flights = Pair::new(old.flights, new.flights);
    let flight_words = format!("a {name} takes {} {}", flights.difference("flight"), flights.both());
    changes.extend(flights.change(format!("{path}.flights"), threshold, flight_words));
    let tickets = Pair::new(old.post_handshake_bytes, new.post_handshake_bytes);
    let ticket_words = ticket_words(tickets, name);
    changes.extend(tickets.change(format!("{path}.post_handshake_bytes"), threshold, ticket_words));
    changes
}

fn application_data(old: &AppCount, new: &AppCount, threshold: f64) -> Vec<Change> {
    let sent = |app: &AppCount| [app.client_bytes, app.server_bytes, app.client_records, app.server_records];
    let occasion = "for the application data of a connection";
    sent_changes("wire.app", occasion, sent(old), sent(new), threshold)
}

/// Field, side and unit of what [`sent_changes`] takes.
const SENT: [(&str, &str, &str); 4] = [
    ("client_bytes", "client", "byte"),
    ("server_bytes", "server", "byte"),
    ("client_records", "client", "record"),
    ("server_records", "server", "record"),
];

fn sent_changes(path: &str, occasion: &str, old: [u64; 4], new: [u64; 4], threshold: f64) -> Vec<Change> {
    SENT.into_iter()
        .zip(old.into_iter().zip(new))
        .filter_map(|((field, side, unit), (old, new))| {
            let pair = Pair::new(old, new);
            let words = format!("the {side} sends {} {occasion} {}", pair.difference(unit), pair.both());
            pair.change(format!("{path}.{field}"), threshold, words)
        })
        .collect()
}

fn ticket_words(pair: Pair, handshake: &str) -> String {
    let after = format!("after a {handshake}");
    match (pair.old, pair.new) {
        (0, _) => format!("the server sends {} of tickets {after}, before it sent none", pair.size("byte")),
        (_, 0) => format!("the server sends no tickets {after}, before it sent {}", pair.size("byte")),
        _ => format!("the server sends {} of tickets {after} {}", pair.difference("byte"), pair.both()),
    }
}

fn heap(old: &Heap, new: &Heap, threshold: f64) -> Vec<Change> {
    let sides = [("client", &old.client, &new.client), ("server", &old.server, &new.server)];
    sides.into_iter().flat_map(|(side, old, new)| heap_of(side, old, new, threshold)).collect()
}

fn heap_of(side: &str, old: &HeapSide, new: &HeapSide, threshold: f64) -> Vec<Change> {
    let metric = |field: &str| format!("heap.{side}.{field}");
    let ranges = old.range.zip(new.range);
    let allocations = Pair::new(old.allocations, new.allocations)
        .unless_it_varies(ranges.map(|(old, new)| (old.allocations, new.allocations)));
    let allocated =
        Pair::new(old.bytes, new.bytes).unless_it_varies(ranges.map(|(old, new)| (old.bytes, new.bytes)));
    let peak = Pair::new(old.peak_bytes, new.peak_bytes)
        .unless_it_varies(ranges.map(|(old, new)| (old.peak_bytes, new.peak_bytes)))
        .unless_noise();
    let held = Pair::new(old.held_bytes, new.held_bytes)
        .unless_it_varies(ranges.map(|(old, new)| (old.held_bytes, new.held_bytes)))
        .unless_noise();
    let held_words =
        format!("the {side} holds {} after a connection {}", held.difference("byte"), held.both());
    [
        allocations.change(metric("allocations"), threshold, allocation_words(side, allocations)),
        allocated.change(
            metric("bytes"),
            threshold,
            format!(
                "the {side} allocates {} in a connection {}",
                allocated.difference("byte"),
                allocated.both()
            ),
        ),
        peak.change(
            metric("peak_bytes"),
            threshold,
            format!(
                "the {side}'s heap peaks {} {} {}",
                peak.size("byte"),
                peak.direction("higher", "lower"),
                peak.both()
            ),
        ),
        held.change(metric("held_bytes"), threshold, held_words),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// A number that doubled or more is easier to grasp as a multiple.
fn allocation_words(side: &str, pair: Pair) -> String {
    if pair.old > 0 && pair.new >= 2 * pair.old {
        let times = significant(pair.new as f64 / pair.old as f64, 2);
        let (old, new) = (signed_count(pair.old), signed_count(pair.new));
        format!("the {side} allocates {times} times as often ({old} → {new} allocations)")
    } else {
        format!("the {side} makes {} in a connection {}", pair.difference("allocation"), pair.both())
    }
}

/// A count on both sides. Wide enough for what is never negative and for what may be.
#[derive(Clone, Copy)]
struct Pair {
    old: i128,
    new: i128,
}

impl Pair {
    fn new(old: impl Into<i128>, new: impl Into<i128>) -> Self {
        Self { old: old.into(), new: new.into() }
    }

    /// No difference if either value is among those that occur on the other side too: then connections differ and not
    /// the sides. The ranges hold most of several connections, OLD's first.
    fn unless_it_varies<T: Copy + Into<i128>>(self, ranges: Option<([T; 2], [T; 2])>) -> Self {
        let occurs = |value, [low, high]: [T; 2]| (low.into()..=high.into()).contains(&value);
        match ranges {
            Some((old, new)) if occurs(self.new, old) || occurs(self.old, new) => {
                Self { new: self.old, ..self }
            }
            _ => self,
        }
    }

    /// No difference if it is one that live bytes have between processes that do the same.
    fn unless_noise(self) -> Self {
        if (self.new - self.old).abs() <= LIVE_NOISE { Self { new: self.old, ..self } } else { self }
    }

    /// The change of `metric`, if there is any. Growth from nothing is beyond every threshold.
    fn change(self, metric: String, threshold: f64, words: String) -> Option<Change> {
        let growth = (self.old > 0).then(|| self.new as f64 / self.old as f64 - 1.0);
        (self.old != self.new).then(|| Change {
            metric,
            old: self.old.to_string(),
            new: self.new.to_string(),
            growth,
            is_regression: self.new > self.old && growth.is_none_or(|growth| growth > threshold + ROUNDING),
            words,
        })
    }

    /// `12 bytes more`, `1 record fewer`.
    fn difference(self, unit: &str) -> String {
        format!("{} {}", self.size(unit), self.direction("more", "fewer"))
    }

    fn size(self, unit: &str) -> String {
        counted(magnitude(self.new - self.old), unit)
    }

    fn direction<'a>(self, up: &'a str, down: &'a str) -> &'a str {
        if self.new > self.old { up } else { down }
    }

    /// `(1,083 → 1,095)`.
    fn both(self) -> String {
        format!("({} → {})", signed_count(self.old), signed_count(self.new))
    }
}

fn signed_count(value: i128) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", count(magnitude(value)))
}

/// Differences of two 64-bit numbers of either sign fit into 64 bits but for absurd ones, which are cut off.
fn magnitude(value: i128) -> u64 {
    u64::try_from(value.unsigned_abs()).unwrap_or(u64::MAX)
}
