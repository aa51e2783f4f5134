//! The operations of a connection against the message flows of the standards: who signs, who verifies, who derives what,
//! and over how many bytes.

use tlspair::cell::{Auth, Cell, Cert, Choice, Group, Hello, Proto, Resume, Verify};
use tlspair::cost::{BothSides, Part, Stage, messages};
use tlspair::engine::Side;
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, ReadyCell, supported};
use tlspair::primitive::Primitive;
use tlspair::wire::observe;

use crate::engines;
use crate::support::{cell, engines_under_test, with_cipher};

/// What a connection of the cell is made of, played by the first engine that can.
fn operations(choice: &Choice, kind: LoopKind) -> (Cell, BothSides) {
    let engines = engines();
    let cells = engines_under_test().into_iter().map(|id| cell(id, choice));
    let able: Vec<Cell> = cells.filter(|cell| supported(&engines, cell).is_ok()).collect();
    let cell = able.first().unwrap_or_else(|| panic!("no engine for {choice:?}")).clone();
    let ready = ReadyCell::of(&engines, &cell, &Credentials::of(&cell)).expect("supported cells prepare");
    let trace = observe(&mut ready.pair(), kind).expect("it connects");
    let both = BothSides::of(&cell, kind == LoopKind::Reuse, &trace);
    (cell, both)
}

/// Names and numbers of the operations with public keys, in the order of a connection.
fn public_key(parts: &[Part]) -> Vec<String> {
    let is_wanted = |part: &&Part| {
        matches!(part.primitive.kind(), "signature" | "certificate" | "RSA encryption" | "key exchange")
    };
    parts.iter().filter(is_wanted).map(|part| format!("{} {}", part.count, part.primitive)).collect()
}

/// How many of a primitive a side performs.
fn count(parts: &[Part], wanted: impl Fn(Primitive) -> bool) -> u64 {
    parts.iter().filter(|part| wanted(part.primitive)).map(|part| part.count).sum()
}

fn tls13(choice: Choice) -> Choice {
    Choice { proto: Some(Proto::Tls13), ..choice }
}

#[test]
fn public_key_operations_are_those_of_the_message_flow() {
    let plain = || tls13(Choice::default());
    let hybrid = tls13(Choice { group: Some(Group::X25519MlKem768), ..Choice::default() });
    let mutual = tls13(Choice {
        cert: Some(Cert::P256),
        auth: Some(Auth::Mutual),
        verify: Some(Verify::Chain),
        chain: Some(3),
        ..Choice::default()
    });
    let retry = tls13(Choice { hello: Some(Hello::Retry), ..Choice::default() });
    let psk = tls13(Choice { resume: Some(Resume::Psk), ..Choice::default() });
    let static_rsa = with_cipher("AES128-SHA");
    let ecdhe = with_cipher("ECDHE-RSA-AES128-GCM-SHA256");
    let exchange = ["1 x25519-keygen", "1 x25519-agree"];
    let none: [&str; 0] = [];
    let with = |more: &[&'static str]| [&exchange[..], more].concat();
    let (full, reuse) = (LoopKind::Full, LoopKind::Reuse);
    for (choice, kind, client, server) in [
        (plain(), full, with(&["1 rsa2048-verify", "1 rsa2048-certificate"]), with(&["1 rsa2048-sign"])),
        (plain(), reuse, exchange.to_vec(), exchange.to_vec()),
        (psk, reuse, none.to_vec(), none.to_vec()),
        (
            hybrid,
            reuse,
            vec!["1 mlkem768-keygen", "1 x25519-keygen", "1 mlkem768-decapsulate", "1 x25519-agree"],
            vec!["1 x25519-keygen", "1 mlkem768-encapsulate", "1 x25519-agree"],
        ),
        (retry, reuse, vec!["1 p256-keygen", "1 x25519-keygen", "1 x25519-agree"], exchange.to_vec()),
        (
            mutual,
            full,
            with(&["1 p256-sign", "1 p256-verify", "3 p256-verify", "3 p256-certificate"]),
            with(&["1 p256-sign", "1 p256-verify", "3 p256-verify", "3 p256-certificate"]),
        ),
        (
            ecdhe.clone(),
            full,
            with(&["1 rsa2048-verify", "1 rsa2048-certificate"]),
            with(&["1 rsa2048-sign"]),
        ),
        (ecdhe, reuse, none.to_vec(), none.to_vec()),
        (
            static_rsa.clone(),
            full,
            vec!["1 rsa2048-encrypt", "1 rsa2048-certificate"],
            vec!["1 rsa2048-decrypt"],
        ),
        (static_rsa, reuse, none.to_vec(), none.to_vec()),
    ] {
        let (cell, both) = operations(&choice, kind);
        for (side, expected) in [(Side::Client, client), (Side::Server, server)] {
            assert_eq!(public_key(both.side(side)), expected, "{cell} {}, {side}", kind.name());
        }
    }
}

/// RFC 5246, section 8.1 and 6.3: master secret, key block and two Finished messages; a resumed session has its master
/// secret. RFC 8446, section 7.1: three extractions, and what is expanded from them.
#[test]
fn keys_are_derived_as_the_standards_say() {
    let prf = |primitive| matches!(primitive, Primitive::Prf(_));
    let extract = |primitive| matches!(primitive, Primitive::HkdfExtract(_));
    let expand = |primitive| matches!(primitive, Primitive::HkdfExpand(_));
    let tls12 = with_cipher("ECDHE-RSA-AES128-GCM-SHA256");
    let of = |choice: &Choice, kind| operations(choice, kind).1;
    for (kind, prfs, expansions) in [(LoopKind::Full, 4, 19), (LoopKind::Reuse, 3, 21)] {
        let (old, new) = (of(&tls12, kind), of(&tls13(Choice::default()), kind));
        for side in Side::BOTH {
            assert_eq!(count(old.side(side), prf), prfs, "{side}, {}", kind.name());
            let new = new.side(side);
            assert_eq!((count(new, extract), count(new, expand)), (3, expansions), "{side}, {}", kind.name());
        }
    }
}

/// Up to TLS 1.2 all but the last two messages are in plain text, and can be counted; in TLS 1.3 the flow of the standard
/// counts (RFC 8446, section 2).
#[test]
fn handshakes_have_the_messages_of_the_standards() {
    let flow = |choice: &Choice, kind| {
        let (cell, _) = operations(choice, kind);
        messages(&cell, kind == LoopKind::Reuse)
    };
    let tls13 = tls13(Choice::default());
    assert_eq!((flow(&tls13, LoopKind::Full), flow(&tls13, LoopKind::Reuse)), (8, 6));
    let plain = Choice { resume: Some(Resume::SessionId), ..with_cipher("ECDHE-RSA-AES128-GCM-SHA256") };
    let mutual = Choice { auth: Some(Auth::Mutual), ..plain.clone() };
    let static_rsa = Choice { resume: Some(Resume::SessionId), ..with_cipher("AES128-SHA") };
    for choice in [plain, mutual, static_rsa] {
        for kind in LoopKind::BOTH {
            let engines = engines();
            let id = engines_under_test()[0];
            let cell = cell(id, &choice);
            let ready = ReadyCell::of(&engines, &cell, &Credentials::of(&cell)).expect("it can");
            let trace = observe(&mut ready.pair(), kind).expect("it connects");
            let changes = 2;
            let seen = trace.messages().len() as u64 + changes + 2;
            assert_eq!(messages(&cell, kind == LoopKind::Reuse), seen, "{cell} {}", kind.name());
        }
    }
}

/// RFC 8446, section 4.1.2: after a HelloRetryRequest the client says hello anew, with a binder of its own.
#[test]
fn a_second_hello_has_a_second_binder() {
    let binders = |choice, side| {
        let (_, both) = operations(&choice, LoopKind::Reuse);
        let parts = both.side(side).iter().filter(|part| part.purpose == "binder of the session");
        parts.map(|part| part.count).sum::<u64>()
    };
    let retry = || tls13(Choice { hello: Some(Hello::Retry), ..Choice::default() });
    assert_eq!((binders(retry(), Side::Client), binders(retry(), Side::Server)), (2, 1));
    let direct = || tls13(Choice::default());
    assert_eq!((binders(direct(), Side::Client), binders(direct(), Side::Server)), (1, 1));
}

/// What one side seals the other opens, record by record, over the same bytes.
#[test]
fn both_sides_protect_the_same_bytes() {
    for choice in [
        tls13(Choice { bytes: Some(100_000), ..Choice::default() }),
        Choice { bytes: Some(20_000), ..with_cipher("ECDHE-RSA-AES128-GCM-SHA256") },
        Choice { bytes: Some(20_000), proto: Some(Proto::Tls10), ..with_cipher("AES128-SHA") },
        Choice { bytes: Some(20_000), ..with_cipher("DES-CBC3-MD5") },
    ] {
        for kind in LoopKind::BOTH {
            let (cell, both) = operations(&choice, kind);
            let volume = |side, sealed: bool| -> (u64, u64) {
                let wanted = both.side(side).iter().filter(|part| match part.primitive {
                    Primitive::Encrypt(_) => sealed,
                    Primitive::Decrypt(_) => !sealed,
                    _ => false,
                });
                wanted.fold((0, 0), |(count, bytes), part| {
                    (count + part.count, bytes + part.count * part.bytes.unwrap_or_default())
                })
            };
            for side in Side::BOTH {
                assert_eq!(volume(side, true), volume(side.other(), false), "{cell} {}", kind.name());
            }
            let data: u64 = both
                .side(Side::Client)
                .iter()
                .filter(|part| {
                    part.stage == Stage::Transfer && matches!(part.primitive, Primitive::Encrypt(_))
                })
                .map(|part| part.count * part.bytes.unwrap_or_default())
                .sum();
            assert!(data >= cell.bytes && data <= cell.bytes + cell.bytes / 50, "{cell}: {data}");
        }
    }
}

/// By hand: 20,000 bytes in records of 8192, 8192 and 3616, each with the byte of its type.
#[test]
fn records_of_data_are_as_long_as_arithmetic_says() {
    let choice = tls13(Choice { bytes: Some(20_000), ..Choice::default() });
    let (_, both) = operations(&choice, LoopKind::Full);
    let data: Vec<(u64, Option<u64>)> = both
        .client
        .iter()
        .filter(|part| part.purpose == "data" && matches!(part.primitive, Primitive::Encrypt(_)))
        .map(|part| (part.count, part.bytes))
        .collect();
    assert_eq!(data, [(2, Some(8193)), (1, Some(3617))]);
}
