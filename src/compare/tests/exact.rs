//! Differences in what was counted.

use super::sample::{THRESHOLDS, paired, unjudged};
use crate::compare::{changes, instruction_changes};
use crate::results::{
    AppCount, Change, Counted, CountedSide, Heap, HeapRange, HeapSide, InstructionCount, Instructions,
    LoopComparisons, Negotiated, Thresholds, Wire, WireCount,
};

fn side() -> CountedSide {
    let handshake = WireCount {
        client_bytes: 1083,
        server_bytes: 2400,
        client_records: 3,
        server_records: 4,
        flights: 3,
        post_handshake_bytes: 0,
    };
    let app = AppCount { client_bytes: 8214, server_bytes: 8214, client_records: 1, server_records: 1 };
    let heap = HeapSide { allocations: 384, bytes: 100_000, peak_bytes: 50_000, held_bytes: 0, range: None };
    CountedSide {
        negotiated: Some(Negotiated {
            proto: "tls1.3".to_owned(),
            cipher: "TLS_AES_128_GCM_SHA256".to_owned(),
            cipher_iana: "TLS_AES_128_GCM_SHA256".to_owned(),
            group: Some("x25519".to_owned()),
            signature: None,
            client_cert: false,
            alpn: None,
            encrypt_then_mac: None,
            extended_master_secret: None,
        }),
        wire: Wire { full: Some(handshake), reuse: Some(handshake), app: Some(app) },
        heap: Some(Heap { client: heap, server: heap }),
    }
}

/// The changes when NEW is OLD but for what `edit` does.
fn edited(edit: impl FnOnce(&mut CountedSide)) -> Vec<Change> {
    let mut new = side();
    edit(&mut new);
    changes(&Counted { old: side(), new }, &THRESHOLDS)
}

fn edited_handshake(edit: impl FnOnce(&mut WireCount)) -> Vec<Change> {
    edited(|new| edit(new.wire.full.as_mut().expect("the sample has one")))
}

fn edited_heap(edit: impl FnOnce(&mut HeapSide)) -> Vec<Change> {
    edited(|new| edit(&mut new.heap.as_mut().expect("the sample has one").server))
}

/// Metric, whether a regression, words.
fn told(changes: &[Change]) -> Vec<(&str, bool, &str)> {
    changes.iter().map(|one| (one.metric.as_str(), one.is_regression, one.words.as_str())).collect()
}

#[test]
fn equal_sides_have_no_changes() {
    assert_eq!(edited(|_| {}), []);
}

#[test]
fn what_only_one_side_counted_is_no_change() {
    assert_eq!(edited(|new| *new = CountedSide::default()), []);
}

#[test]
fn a_change_says_what_it_was_and_is() {
    let found = edited_handshake(|wire| wire.client_bytes = 1095);
    let expected = Change {
        metric: "wire.full.client_bytes".to_owned(),
        old: "1083".to_owned(),
        new: "1095".to_owned(),
        growth: Some(1095.0 / 1083.0 - 1.0),
        is_regression: true,
        words: "the client sends 12 bytes more in a full handshake (1,083 → 1,095)".to_owned(),
    };
    assert_eq!(found, [expected]);
}

#[test]
fn every_field_of_a_handshake_is_looked_at() {
    let found = edited(|new| {
        let wire = new.wire.reuse.as_mut().expect("the sample has one");
        wire.client_bytes -= 1;
        wire.server_bytes += 1000;
        wire.client_records += 1;
        wire.server_records -= 1;
        wire.flights += 1;
        wire.post_handshake_bytes = 155;
    });
    assert_eq!(
        told(&found),
        [
            (
                "wire.reuse.client_bytes",
                false,
                "the client sends 1 byte fewer in a resumed handshake (1,083 → 1,082)"
            ),
            (
                "wire.reuse.server_bytes",
                true,
                "the server sends 1,000 bytes more in a resumed handshake (2,400 → 3,400)"
            ),
            (
                "wire.reuse.client_records",
                true,
                "the client sends 1 record more in a resumed handshake (3 → 4)"
            ),
            (
                "wire.reuse.server_records",
                false,
                "the server sends 1 record fewer in a resumed handshake (4 → 3)"
            ),
            ("wire.reuse.flights", true, "a resumed handshake takes 1 flight more (3 → 4)"),
            (
                "wire.reuse.post_handshake_bytes",
                true,
                "the server sends 155 bytes of tickets after a resumed handshake, before it sent none"
            ),
        ]
    );
    assert_eq!(found[5].growth, None, "growth from nothing is no number");
}

#[test]
fn tickets_that_grow_or_go_are_told_as_such() {
    let words = |old: u64, new: u64| {
        let with = |bytes: u64| {
            let mut side = side();
            side.wire.full.as_mut().expect("the sample has one").post_handshake_bytes = bytes;
            side
        };
        let found = changes(&Counted { old: with(old), new: with(new) }, &THRESHOLDS);
        (found[0].is_regression, found[0].words.clone())
    };
    assert_eq!(
        words(155, 200),
        (true, "the server sends 45 bytes more of tickets after a full handshake (155 → 200)".to_owned())
    );
    assert_eq!(
        words(155, 0),
        (false, "the server sends no tickets after a full handshake, before it sent 155 bytes".to_owned())
    );
}

#[test]
fn every_field_of_the_application_data_is_looked_at() {
    let found = edited(|new| {
        new.wire.app =
            Some(AppCount { client_bytes: 8236, server_bytes: 8192, client_records: 2, server_records: 3 });
    });
    assert_eq!(
        told(&found),
        [
            (
                "wire.app.client_bytes",
                true,
                "the client sends 22 bytes more for the application data of a connection (8,214 → 8,236)"
            ),
            (
                "wire.app.server_bytes",
                false,
                "the server sends 22 bytes fewer for the application data of a connection (8,214 → 8,192)"
            ),
            (
                "wire.app.client_records",
                true,
                "the client sends 1 record more for the application data of a connection (1 → 2)"
            ),
            (
                "wire.app.server_records",
                true,
                "the server sends 2 records more for the application data of a connection (1 → 3)"
            ),
        ]
    );
}

#[test]
fn every_field_of_the_heap_is_looked_at() {
    let found = edited_heap(|heap| {
        *heap =
            HeapSide { allocations: 1152, bytes: 101_024, peak_bytes: 49_000, held_bytes: 128, range: None };
    });
    assert_eq!(
        told(&found),
        [
            (
                "heap.server.allocations",
                true,
                "the server allocates 3.0 times as often (384 → 1,152 allocations)"
            ),
            (
                "heap.server.bytes",
                true,
                "the server allocates 1,024 bytes more in a connection (100,000 → 101,024)"
            ),
            ("heap.server.peak_bytes", false, "the server's heap peaks 1,000 bytes lower (50,000 → 49,000)"),
            ("heap.server.held_bytes", true, "the server holds 128 bytes more after a connection (0 → 128)"),
        ]
    );
    assert_eq!(
        told(&edited_heap(|heap| heap.allocations += 1)),
        [(
            "heap.server.allocations",
            false,
            "the server makes 1 allocation more in a connection (384 → 385)"
        )]
    );
}

#[test]
fn held_bytes_that_differ_little_are_noise_and_those_from_below_zero_grow() {
    let held = |old: i64, new: i64| {
        let with = |bytes: i64| {
            let mut side = side();
            side.heap.as_mut().expect("the sample has one").client.held_bytes = bytes;
            side
        };
        let found = changes(&Counted { old: with(old), new: with(new) }, &THRESHOLDS);
        found.first().map(|change| (change.is_regression, change.words.clone()))
    };
    let is_regression = |old, new| held(old, new).map(|(is_regression, _)| is_regression);
    assert_eq!((held(0, 64), held(64, 0)), (None, None));
    assert_eq!(is_regression(0, 65), Some(true));
    let words = "the client holds 1,250 bytes more after a connection (-1,200 → 50)";
    assert_eq!(held(-1200, 50), Some((true, words.to_owned())));
    assert_eq!(is_regression(50, -1200), Some(false));
    assert_eq!(is_regression(1_000_000, 1_000_100), Some(false), "within the threshold of the heap");
}

#[test]
fn growth_by_the_threshold_is_allowed_and_more_is_not() {
    let grown = |bytes: u64, threshold: f64| {
        let mut new = side();
        new.wire.full.as_mut().expect("the sample has one").server_bytes = bytes;
        changes(&Counted { old: side(), new }, &Thresholds { wire: threshold, ..THRESHOLDS })[0].is_regression
    };
    // 2,400 bytes before.
    assert!(!grown(2472, 0.03));
    assert!(grown(2473, 0.03));
    assert!(grown(2401, 0.0));
    assert!(!grown(2399, 0.0));
}

#[test]
fn a_parameter_that_changed_is_told_and_is_no_regression() {
    let found = edited(|new| {
        new.negotiated = Some(Negotiated {
            proto: "tls1.2".to_owned(),
            cipher: "AES128-SHA".to_owned(),
            cipher_iana: "TLS_RSA_WITH_AES_128_CBC_SHA".to_owned(),
            group: None,
            signature: Some("rsa_pss_rsae_sha256".to_owned()),
            client_cert: true,
            alpn: None,
            encrypt_then_mac: None,
            extended_master_secret: None,
        });
    });
    assert_eq!(
        told(&found),
        [
            ("negotiated.proto", false, "the protocol is tls1.2, before it was tls1.3"),
            ("negotiated.cipher", false, "the cipher is AES128-SHA, before it was TLS_AES_128_GCM_SHA256"),
            ("negotiated.group", false, "there is no group, before it was x25519"),
            (
                "negotiated.signature",
                false,
                "the signature scheme is rsa_pss_rsae_sha256, before there was none"
            ),
            ("negotiated.client_cert", false, "the client shows a certificate, before it showed none"),
        ]
    );
    assert_eq!((found[2].old.as_str(), found[2].new.as_str()), ("x25519", "none"));
}

fn counted_instructions(old: (f64, f64), new: (f64, f64)) -> Vec<Change> {
    let count = |(client, server)| InstructionCount { client, server };
    let mut one = unjudged(paired(&[]));
    one.instructions = Some(Instructions { old: count(old), new: count(new) });
    instruction_changes(&LoopComparisons { full: None, reuse: Some(one) }, &THRESHOLDS)
}

#[test]
fn instructions_are_told_beyond_the_threshold_and_the_total_decides() {
    let found = counted_instructions((1e6, 2e6), (1.1e6, 2e6));
    assert_eq!(
        told(&found),
        [
            (
                "instructions.reuse.client",
                false,
                "the client executes 10.0 % more instructions in a resumed connection (1,000,000 → 1,100,000)"
            ),
            (
                "instructions.reuse.total",
                true,
                "both sides together execute 3.3 % more instructions in a resumed connection (3,000,000 → 3,100,000)"
            ),
        ]
    );
    assert_eq!((found[0].old.as_str(), found[0].new.as_str()), ("1000000", "1100000"));
}

#[test]
fn instructions_that_move_from_one_side_to_the_other_are_no_regression() {
    let found = counted_instructions((1e6, 2e6), (2e6, 1e6));
    let metrics: Vec<_> =
        told(&found).into_iter().map(|(metric, is_regression, _)| (metric, is_regression)).collect();
    assert_eq!(metrics, [("instructions.reuse.client", false), ("instructions.reuse.server", false)]);
    assert!(found[1].words.starts_with("the server executes 50.0 % fewer instructions"));
}

#[test]
fn instructions_within_the_threshold_are_not_told() {
    assert_eq!(counted_instructions((1e6, 2e6), (1.004e6, 1.992e6)), []);
    assert_eq!(counted_instructions((0.0, 0.0), (0.0, 0.0)), []);
    assert_eq!(instruction_changes(&LoopComparisons::default(), &THRESHOLDS), []);
}

#[test]
fn instructions_from_nothing_are_beyond_every_threshold() {
    let found = counted_instructions((0.0, 1e6), (10.0, 1e6));
    assert_eq!(
        told(&found),
        [(
            "instructions.reuse.client",
            false,
            "the client executes 10 instructions in a resumed connection, before none"
        )]
    );
}

#[test]
fn what_varies_between_connections_is_no_difference_between_sides() {
    let side = |allocations: u64, range: [u64; 2]| HeapSide {
        allocations,
        range: Some(HeapRange { allocations: range, ..HeapRange::default() }),
        ..HeapSide::default()
    };
    let found = |old: HeapSide, new: HeapSide| {
        let counted = Counted {
            old: CountedSide {
                heap: Some(Heap { client: old, ..Heap::default() }),
                ..CountedSide::default()
            },
            new: CountedSide {
                heap: Some(Heap { client: new, ..Heap::default() }),
                ..CountedSide::default()
            },
        };
        changes(&counted, &THRESHOLDS).len()
    };
    assert_eq!(found(side(149, [148, 149]), side(148, [148, 149])), 0);
    assert_eq!(found(side(149, [148, 149]), side(150, [149, 150])), 0, "149 occurs on both sides");
    assert_eq!(found(side(149, [148, 149]), side(150, [150, 150])), 1);
    assert_eq!(found(side(645, [645, 645]), side(646, [646, 646])), 1, "what never varies is exact");
}
