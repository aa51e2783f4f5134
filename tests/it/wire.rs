//! The wire observer on bytes made by hand, and the formulas on numbers worked out by hand.

use proptest::collection::vec;
use proptest::prelude::*;
use tlspair::cell::{Auth, Choice, Cipher, Group, Hello, Proto, SignatureScheme};
use tlspair::engine::{RecordHabit, Side};
use tlspair::measure::{Phase, Turn, Witness};
use tlspair::pipe::Pipes;
use tlspair::wire::oracle::{self, Habits, record_bytes};
use tlspair::wire::{ContentType, HandshakeParser, Message, Observer, RecordReader, Stage, WireCount};

use crate::support::{cell, with_cipher};

pub fn record(content_type: u8, payload: &[u8]) -> Vec<u8> {
    let length = u16::try_from(payload.len()).expect("short payloads only").to_be_bytes();
    [&[content_type, 3, 3], &length[..], payload].concat()
}

fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let length = u32::try_from(body.len()).expect("short bodies only").to_be_bytes();
    [&[kind], &length[1..], body].concat()
}

const SOME_RANDOM: [u8; 32] = [7; 32];
/// SHA-256 of "HelloRetryRequest", RFC 8446.
const RETRY_RANDOM: [u8; 32] = [
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2,
    0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
];

fn server_hello(version: u16, random: [u8; 32], cipher: u16, extensions: &[(u16, &[u8])]) -> Vec<u8> {
    let mut body = [&version.to_be_bytes()[..], &random, &[0], &cipher.to_be_bytes(), &[0]].concat();
    let mut list = Vec::new();
    for (kind, value) in extensions {
        list.extend([kind.to_be_bytes(), (value.len() as u16).to_be_bytes()].concat());
        list.extend(*value);
    }
    if !list.is_empty() {
        body.extend((list.len() as u16).to_be_bytes());
        body.extend(list);
    }
    message(2, &body)
}

/// A P-256 key share with an RSA signature scheme, its point and signature shortened.
fn server_key_exchange() -> Vec<u8> {
    message(12, &[3, 0, 23, 2, 4, 4, 4, 1, 0, 1, 9])
}

fn parsed(records: &[(Side, u8, Vec<u8>)]) -> HandshakeParser {
    let mut parser = HandshakeParser::default();
    for (side, content_type, payload) in records {
        RecordReader::default().read(&record(*content_type, payload), |content_type, bytes| {
            parser.record(*side, content_type, &bytes[5..]);
        });
    }
    parser
}

fn records_of(pieces: &[&[u8]]) -> (Vec<(ContentType, Vec<u8>)>, usize) {
    let mut reader = RecordReader::default();
    let mut found = Vec::new();
    for piece in pieces {
        reader.read(piece, |content_type, bytes| found.push((content_type, bytes.to_vec())));
    }
    (found, reader.unfinished())
}

#[test]
fn records_are_found_wherever_the_stream_is_cut() {
    let stream = [record(22, b"hello"), record(20, &[1]), record(23, b""), record(21, &[1, 0])].concat();
    let (whole, _) = records_of(&[&stream]);
    let types: Vec<ContentType> = whole.iter().map(|(content_type, _)| *content_type).collect();
    assert_eq!(
        types,
        [ContentType::Handshake, ContentType::ChangeCipherSpec, ContentType::Application, ContentType::Alert]
    );
    for first in 0..=stream.len() {
        for second in first..=stream.len() {
            let pieces = [&stream[..first], &stream[first..second], &stream[second..]];
            assert_eq!(records_of(&pieces), (whole.clone(), 0), "cut at {first} and {second}");
        }
    }
}

#[test]
fn an_unfinished_record_is_no_record_yet() {
    let stream = record(23, b"data");
    let (found, unfinished) = records_of(&[&stream[..7]]);
    assert_eq!((found.len(), unfinished), (0, 7));
}

#[test]
fn a_hello_before_tls13_says_version_cipher_group_and_signature() {
    let ecdhe_rsa_gcm = 0xc02f;
    let parser = parsed(&[
        (Side::Client, 22, message(1, &[0; 40])),
        (
            Side::Server,
            22,
            [server_hello(0x0303, SOME_RANDOM, ecdhe_rsa_gcm, &[]), message(11, &[0, 0, 4, 0, 0, 1, 9])]
                .concat(),
        ),
        (Side::Server, 22, [server_key_exchange(), message(13, &[0; 8]), message(14, &[])].concat()),
        (Side::Client, 22, [message(11, &[0, 0, 4, 0, 0, 1, 9]), message(16, &[0; 33])].concat()),
        (Side::Client, 20, vec![1]),
        (Side::Client, 22, message(20, &[0; 12])), // protected by now: not to be read
        (Side::Server, 20, vec![1]),
    ]);
    let seen = parser.seen();
    assert_eq!((seen.proto, seen.cipher), (Some(Proto::Tls12), Some(ecdhe_rsa_gcm)));
    assert_eq!((seen.group, seen.signature), (Some(Group::P256), Some(SignatureScheme::RsaPkcs1Sha256)));
    assert_eq!((seen.resumed, seen.client_cert), (Some(false), Some(true)));
    assert!(seen.certificate_request && !seen.hello_retry);
    let kinds: Vec<u8> = parser.messages().iter().map(|message| message.kind).collect();
    assert_eq!(kinds, [1, 2, 11, 12, 13, 14, 11, 16]);
    assert_eq!(parser.messages()[5], Message { side: Side::Server, kind: 14, length: 4 });
}

#[test]
fn a_server_that_needs_no_certificate_resumes() {
    let parser = parsed(&[
        (Side::Server, 22, server_hello(0x0301, SOME_RANDOM, 0x002f, &[])),
        (Side::Server, 20, vec![1]),
        (Side::Client, 20, vec![1]),
    ]);
    let seen = parser.seen();
    assert_eq!((seen.proto, seen.resumed, seen.group), (Some(Proto::Tls10), Some(true), None));
}

#[test]
fn static_rsa_shows_as_the_group_rsa() {
    let parser = parsed(&[(
        Side::Server,
        22,
        [server_hello(0x0300, SOME_RANDOM, 0x000a, &[]), message(11, &[0, 0, 0]), message(14, &[])].concat(),
    )]);
    assert_eq!((parser.seen().proto, parser.seen().group), (Some(Proto::Ssl3), Some(Group::Rsa)));
}

#[test]
fn a_tls13_hello_speaks_in_extensions_and_a_retry_is_recognised() {
    let version: (u16, &[u8]) = (43, &[3, 4]);
    let retry = server_hello(0x0303, RETRY_RANDOM, 0x1301, &[version, (51, &[0, 29])]);
    let share = [0, 29, 0, 2, 8, 8];
    let hello = server_hello(0x0303, SOME_RANDOM, 0x1301, &[(41, &[0, 0]), (51, &share), version]);
    let parser = parsed(&[
        (Side::Client, 22, message(1, &[0; 40])),
        (Side::Server, 22, retry),
        (Side::Server, 20, vec![1]),
        (Side::Client, 20, vec![1]),
        (Side::Client, 22, message(1, &[0; 50])),
        (Side::Server, 22, hello[..20].to_vec()),
        (Side::Server, 22, hello[20..].to_vec()),
    ]);
    let seen = parser.seen();
    assert_eq!((seen.proto, seen.group), (Some(Proto::Tls13), Some(Group::X25519)));
    assert_eq!((seen.resumed, seen.hello_retry), (Some(true), true));
    assert_eq!(parser.messages().len(), 4);
}

#[test]
fn what_the_wire_shows_is_held_against_the_cell() {
    let wanted = cell("x", &with_cipher("ECDHE-RSA-AES128-GCM-SHA256"));
    let seen_with = |cipher, extra: &[u8]| {
        let server = [&server_hello(0x0303, SOME_RANDOM, cipher, &[]), extra].concat();
        *parsed(&[(Side::Server, 22, server), (Side::Server, 20, vec![1])]).seen()
    };
    let certificate = message(11, &[0, 0, 4, 0, 0, 1, 9]);
    let words = |seen: tlspair::wire::Seen, resumed| seen.check(&wanted, resumed).unwrap_err().to_string();

    let full = seen_with(0xc02f, &certificate);
    assert_eq!(full.check(&wanted, false), Ok(()));
    assert_eq!(words(full, true), "the wire shows handshake full, not resumed");
    assert_eq!(
        words(seen_with(0xc030, &certificate), false),
        "the wire shows cipher ECDHE-RSA-AES256-GCM-SHA384, not ECDHE-RSA-AES128-GCM-SHA256"
    );
    let other_group = seen_with(0xc02f, &[certificate, server_key_exchange()].concat());
    assert_eq!(words(other_group, false), "the wire shows group p256, not x25519");

    let mutual = Choice { auth: Some(Auth::Mutual), ..with_cipher("AES128-SHA") };
    let mutual = cell("x", &Choice { proto: Some(Proto::Tls12), ..mutual });
    let server = [server_hello(0x0303, SOME_RANDOM, 0x002f, &[]), message(11, &[0, 0, 1, 9])].concat();
    let parser = parsed(&[(Side::Server, 22, server), (Side::Client, 20, vec![1])]);
    let error = parser.seen().check(&mutual, false).expect_err("no certificate was shown");
    assert_eq!(error.to_string(), "the wire shows client certificate absent, not shown");
}

/// Plays a connection to an observer: each step is a turn and what its library sends in it.
fn observed(steps: &[(Phase, Side, bool, Vec<u8>)]) -> Observer {
    let mut pipes = Pipes::with_capacity(1000);
    pipes.to_server.write(b"left from before");
    pipes.reset();
    let mut observer = Observer::default();
    for (phase, side, peer_done, sent) in steps {
        observer.turn(Turn::Library { phase: *phase, side: *side, peer_done: *peer_done }, &mut pipes);
        pipes.seen_by(*side).outbound.write(sent);
        if *phase == Phase::Transfer {
            observer.turn(Turn::Harness, &mut pipes);
        }
        let inbound = pipes.seen_by(*side).inbound;
        let unread = inbound.unread().len();
        inbound.consume(unread / 2); // a reader may leave something
    }
    observer.turn(Turn::Harness, &mut pipes);
    observer
}

#[test]
fn tickets_count_neither_as_handshake_nor_as_flight() {
    use Phase::{Close, Handshake, Setup, Transfer};
    use Side::{Client, Server};
    let data = |length| record(23, &vec![0; length]);
    let observer = observed(&[
        (Setup, Client, false, vec![]),
        (Setup, Server, false, vec![]),
        (Handshake, Client, false, record(22, &[1; 95])),
        (Handshake, Server, false, [record(22, &[2; 95]), data(195)].concat()),
        (Handshake, Client, false, [record(20, &[1]), data(45)].concat()),
        (Handshake, Server, true, data(75)),
        (Transfer, Client, false, data(20)),
        (Transfer, Server, false, data(25)), // a late ticket: the server is receiving
        (Transfer, Server, false, [data(30), data(0)].concat()),
        (Transfer, Client, false, vec![]),
        (Close, Client, false, data(19)),
        (Close, Server, false, record(21, &[1, 0])),
        (Close, Client, false, vec![]),
    ]);
    let trace = observer.trace();
    let wanted = WireCount {
        client_bytes: 100 + 6 + 50,
        server_bytes: 100 + 200,
        client_records: 3,
        server_records: 2,
        flights: 3,
        post_handshake_bytes: 80 + 30,
    };
    assert_eq!(trace.handshake(), wanted);
    let app = trace.app();
    assert_eq!((app.client_bytes, app.client_records), (25, 1));
    assert_eq!((app.server_bytes, app.server_records), (35 + 5, 2));
    let closing = trace.records().iter().filter(|record| record.stage == Stage::Close).count();
    assert_eq!((closing, trace.unfinished_bytes()), (2, 0));
}

#[test]
fn a_record_cut_by_a_hand_over_is_one_record() {
    use Phase::{Handshake, Setup};
    let hello = record(22, &[1; 95]);
    let observer = observed(&[
        (Setup, Side::Client, false, vec![]),
        (Handshake, Side::Client, false, hello[..3].to_vec()),
        (Handshake, Side::Server, false, vec![]),
        (Handshake, Side::Client, false, hello[3..60].to_vec()),
        (Handshake, Side::Client, false, hello[60..].to_vec()),
    ]);
    let count = observer.trace().handshake();
    assert_eq!((count.client_bytes, count.client_records, count.flights), (100, 1, 1));
}

#[test]
fn a_new_connection_starts_a_new_trace() {
    use Phase::{Handshake, Setup};
    let observer = observed(&[
        (Setup, Side::Client, false, vec![]),
        (Handshake, Side::Client, false, record(22, &[1; 95])[..50].to_vec()),
        (Setup, Side::Client, false, vec![]),
        (Handshake, Side::Client, false, record(22, &[1; 5])),
    ]);
    let count = observer.trace().handshake();
    assert_eq!((count.client_bytes, count.client_records), (10, 1));
}

proptest! {
    #[test]
    fn every_byte_is_in_a_record_or_unfinished_whatever_comes(pieces in vec(vec(any::<u8>(), 0..40), 0..8)) {
        let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let total: usize = pieces.iter().map(|piece| piece.len()).sum();
        let (found, unfinished) = records_of(&pieces);
        let found: usize = found.iter().map(|(_, bytes)| bytes.len()).sum();
        prop_assert_eq!(found + unfinished, total);
    }

    #[test]
    fn no_handshake_bytes_make_the_parser_panic(
        payloads in vec((any::<bool>(), 20u8..24, vec(any::<u8>(), 0..60)), 0..8),
    ) {
        let records: Vec<_> = payloads
            .into_iter()
            .map(|(client, content_type, payload)| {
                (if client { Side::Client } else { Side::Server }, content_type, payload)
            })
            .collect();
        parsed(&records);
    }

    #[test]
    fn no_damaged_hello_makes_the_parser_panic(at in 0usize..60, byte in any::<u8>(), cut in 0usize..60) {
        let mut hello = server_hello(0x0303, SOME_RANDOM, 0xc02f, &[(43, &[3, 4]), (51, &[0, 29, 0, 1, 8])]);
        hello.extend(server_key_exchange());
        hello[at] = byte;
        hello.truncate(hello.len() - cut);
        parsed(&[(Side::Server, 22, hello)]);
    }
}

#[test]
fn record_sizes_are_those_worked_out_by_hand() {
    use Proto::{Ssl2, Ssl3, Tls10, Tls11, Tls12, Tls13};
    let rows = [
        // (cipher, version, fragment, encrypt-then-MAC, bytes)
        ("RC4-MD5", Ssl2, 1, false, 2 + 16 + 1),
        ("RC4-MD5", Ssl2, 8192, false, 2 + 16 + 8192),
        ("DES-CBC-MD5", Ssl2, 0, false, 2 + 16),
        ("DES-CBC-MD5", Ssl2, 1, false, 3 + 24),
        ("DES-CBC3-MD5", Ssl2, 8, false, 2 + 24),
        ("DES-CBC3-MD5", Ssl2, 8191, false, 3 + 8208),
        ("DES-CBC3-MD5", Ssl2, 8192, false, 2 + 8208),
        ("NULL-MD5", Ssl3, 1, false, 5 + 1 + 16),
        ("RC4-SHA", Tls12, 100, true, 5 + 100 + 20),
        ("DES-CBC3-SHA", Ssl3, 8192, false, 5 + 8216),
        ("DES-CBC3-SHA", Ssl3, 0, false, 5 + 24),
        ("DES-CBC3-SHA", Ssl3, 1, true, 5 + 24),
        ("AES128-SHA", Tls10, 1, false, 5 + 32),
        ("AES128-SHA", Tls11, 1, false, 5 + 16 + 32),
        ("AES128-SHA", Tls10, 1, true, 5 + 16 + 20),
        ("AES128-SHA", Tls12, 1, true, 5 + 16 + 16 + 20),
        ("AES128-SHA256", Tls12, 16, false, 5 + 16 + 64),
        ("AES128-SHA256", Tls12, 16, true, 5 + 16 + 32 + 32),
        ("ECDHE-RSA-AES256-SHA384", Tls12, 15, false, 5 + 16 + 64),
        ("ECDHE-RSA-AES128-GCM-SHA256", Tls12, 1, true, 30),
        ("AES128-CCM8", Tls12, 1, false, 22),
        ("ECDHE-RSA-CHACHA20-POLY1305", Tls12, 1, false, 22),
        ("TLS_AES_128_GCM_SHA256", Tls13, 1, false, 23),
        ("TLS_CHACHA20_POLY1305_SHA256", Tls13, 16384, false, 16406),
        ("TLS_AES_128_CCM_8_SHA256", Tls13, 1, false, 15),
    ];
    for (name, proto, fragment, encrypt_then_mac, bytes) in rows {
        let cipher = Cipher::named(name).expect("a known cipher");
        assert_eq!(
            record_bytes(fragment, proto, cipher, encrypt_then_mac),
            bytes,
            "{name} {proto} {fragment}"
        );
    }
}

fn habits(habit: RecordHabit) -> Habits {
    Habits { client: habit, server: habit, encrypt_then_mac: false }
}

#[test]
fn transfers_are_those_worked_out_by_hand() {
    let of = |proto, name, bytes, chunk, habit: RecordHabit| {
        let choice =
            Choice { proto: Some(proto), bytes: Some(bytes), chunk: Some(chunk), ..with_cipher(name) };
        let cell = cell("x", &choice);
        let app = oracle::expected_app(&cell, &habits(habit.where_needed(&cell)), false);
        assert_eq!((app.client_bytes, app.client_records), (app.server_bytes, app.server_records));
        (app.client_records, app.client_bytes)
    };
    use RecordHabit::{EmptyFirst, OneOfWhole, OneThenRest, PaddedTo16, Unprotected, Whole};
    // 12 writes of 8192 bytes and one of 4096, as in the table of 1997.
    assert_eq!(of(Proto::Ssl3, "DES-CBC3-SHA", 102_400, 8192, Whole), (13, 12 * 8221 + 4125));
    assert_eq!(of(Proto::Ssl3, "DES-CBC3-SHA", 102_400, 8192, EmptyFirst), (26, 12 * 8250 + 29 + 4125));
    assert_eq!(of(Proto::Ssl3, "DES-CBC3-SHA", 102_400, 8192, OneThenRest), (26, 12 * 8250 + 29 + 4125));
    // One byte is not split; an empty record comes before it all the same.
    assert_eq!(of(Proto::Ssl3, "DES-CBC3-SHA", 1, 8192, OneThenRest), (1, 29));
    assert_eq!(of(Proto::Ssl3, "DES-CBC3-SHA", 1, 8192, EmptyFirst), (2, 58));
    // 1 + 16384, or 1 + 16383 and the last byte by itself.
    assert_eq!(of(Proto::Tls10, "AES128-SHA", 16_385, 20_000, OneThenRest), (2, 37 + 16_421));
    assert_eq!(of(Proto::Tls10, "AES128-SHA", 16_385, 20_000, OneOfWhole), (3, 37 + 16_421 + 37));
    // No countermeasure where none is needed.
    assert_eq!(of(Proto::Tls11, "AES128-SHA", 1, 8192, EmptyFirst), (1, 53));
    assert_eq!(of(Proto::Ssl3, "RC4-MD5", 2, 8192, OneThenRest), (1, 23));
    // SSL 2.0 needs padding for what does not fill blocks, and then has room for less: 16384 = 16360 + 24.
    assert_eq!(of(Proto::Ssl2, "RC4-MD5", 16384, 16384, Whole), (1, 2 + 16 + 16384));
    assert_eq!(of(Proto::Ssl2, "DES-CBC3-MD5", 16384, 16384, Whole), (2, (2 + 16376) + (2 + 40)));
    assert_eq!(of(Proto::Ssl2, "DES-CBC3-MD5", 102_400, 8192, Whole), (13, 12 * 8210 + 4114));
    // 20000 = 16384 + 3616.
    assert_eq!(of(Proto::Tls13, "TLS_AES_128_GCM_SHA256", 40_000, 20_000, Whole), (4, 40_000 + 4 * 22));
    let cell = cell("x", &Choice { bytes: Some(40_000), chunk: Some(20_000), ..Choice::default() });
    let app = oracle::expected_app(&cell, &habits(Unprotected), false);
    assert_eq!((app.client_records, app.client_bytes), (4, 40_000 + 4 * 5));
    // 20000 = 16383 + 3617, each with a byte of its type in blocks of 16, and no more padding than that.
    let app = oracle::expected_app(&cell, &habits(PaddedTo16), false);
    assert_eq!((app.client_records, app.client_bytes), (4, 2 * (5 + 16_384 + 16) + 2 * (5 + 3632 + 16)));
}

#[test]
fn a_wrong_count_is_named_with_both_numbers() {
    let cell = cell("x", &Choice::default());
    let mut count = oracle::expected_app(&cell, &habits(RecordHabit::Whole), false);
    assert_eq!(oracle::check_app(&count, &cell, &habits(RecordHabit::Whole), false), Ok(()));
    count.server_bytes += 80;
    let error =
        oracle::check_app(&count, &cell, &habits(RecordHabit::Whole), false).expect_err("80 bytes too many");
    assert_eq!(
        error.to_string(),
        "server's data bytes (as few records as possible): 103 on the wire, 23 by the formula"
    );
}

#[test]
fn flights_depend_on_version_resumption_and_retry() {
    let of = |proto, hello| {
        let choice = Choice { proto: Some(proto), hello: Some(hello), ..Choice::default() };
        move |resumed| oracle::expected_flights(&cell("x", &choice), resumed)
    };
    assert_eq!([false, true].map(of(Proto::Tls12, Hello::Direct)), [4, 3]);
    assert_eq!([false, true].map(of(Proto::Ssl3, Hello::Direct)), [4, 3]);
    assert_eq!([false, true].map(of(Proto::Tls13, Hello::Direct)), [3, 3]);
    assert_eq!([false, true].map(of(Proto::Ssl2, Hello::Direct)), [4, 4]);
    let mutual = Choice { auth: Some(Auth::Mutual), ..with_cipher("DES-CBC3-MD5") };
    let mutual = cell("x", &mutual);
    assert_eq!([false, true].map(|resumed| oracle::expected_flights(&mutual, resumed)), [6, 4]);
    assert_eq!([false, true].map(of(Proto::Tls13, Hello::Retry)), [5, 5]);
    let count = WireCount { flights: 5, ..WireCount::default() };
    let error =
        oracle::check_flights(&count, &cell("x", &Choice::default()), false).expect_err("two too many");
    assert_eq!(error.to_string(), "flights: 5 on the wire, 3 by the formula");
}
