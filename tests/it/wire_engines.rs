//! Every engine on the wire: records, flights, what the plaintext shows, and message sizes by arithmetic from the
//! standards, apart from the code under test.

use std::ops::RangeInclusive;

use tlspair::cell::{Auth, Bulk, Cell, Cert, Choice, Direction, Group, Hello, KeyExchange, Proto, Resume};
use tlspair::engine::Side;
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, ReadyCell, supported};
use tlspair::wire::message_type::{
    CERTIFICATE, CLIENT_KEY_EXCHANGE, SERVER_HELLO, SERVER_HELLO_DONE, SERVER_KEY_EXCHANGE,
};
use tlspair::wire::oracle::{self, Habits, record_bytes};
use tlspair::wire::{ContentType, Record, Stage, Trace, observe, ssl2_message_type};

use crate::engines;
use crate::support::{engines_under_test, every_cipher, every_exchange, every_feature};

/// Traces of every cell that an engine of this executable can run, of each kind of loop.
pub fn for_each_trace(choices: &[Choice], mut check: impl FnMut(&Cell, LoopKind, &Trace)) {
    let engines = engines();
    let mut ran = 0;
    for id in engines_under_test().into_iter().chain(["null"]) {
        let cells = choices.iter().filter_map(|choice| choice.pin(id, id).ok());
        for cell in cells.filter(|cell| supported(&engines, cell).is_ok()) {
            let ready =
                ReadyCell::of(&engines, &cell, &Credentials::of(&cell)).expect("supported cells prepare");
            for kind in LoopKind::BOTH {
                let trace = observe(&mut ready.pair(), kind)
                    .unwrap_or_else(|failure| panic!("{cell} {}: {failure}", kind.name()));
                check(&cell, kind, &trace);
                ran += 1;
            }
        }
    }
    assert!(ran > 0);
}

pub fn speaks_tls(cell: &Cell) -> bool {
    engines().tls_ids().contains(&cell.client.as_str())
}

fn every_dimension_of_the_handshake() -> Vec<Choice> {
    let mut all = every_exchange(Group::ALL, |choice, group| choice.group = Some(group));
    all.extend(every_exchange(Cert::ALL, |choice, cert| choice.cert = Some(cert)));
    all.extend(every_exchange(Auth::ALL, |choice, auth| choice.auth = Some(auth)));
    all.extend(every_exchange(Resume::ALL, |choice, resume| choice.resume = Some(resume)));
    all.extend(every_exchange(&[2, 3], |choice, chain| choice.chain = Some(chain)));
    all
}

#[test]
fn data_records_and_bytes_follow_the_formulas() {
    let engines = engines();
    for (bytes, chunk) in [(1, 8192), (20_000, 8192), (40_000, 20_000)] {
        for_each_trace(&every_cipher(bytes, chunk), |cell, kind, trace| {
            let resumed = kind == LoopKind::Reuse;
            let habits = Habits::of(&engines, cell, trace.seen()).expect("a built-in engine");
            oracle::check_app(&trace.app(), cell, &habits, resumed)
                .unwrap_or_else(|error| panic!("{cell}: {error}"));
            assert_eq!(trace.unfinished_bytes(), 0, "{cell}");
        });
    }
}

#[test]
fn data_of_several_requests_and_of_one_way_transfers_follows_the_formulas() {
    let engines = engines();
    let kept_open = [(Direction::Both, 3), (Direction::Up, 1), (Direction::Up, 2), (Direction::Down, 2)];
    let choices = every_exchange(&kept_open, |choice, (direction, requests)| {
        choice.bytes = Some(10_000);
        choice.direction = Some(direction);
        choice.requests = Some(requests);
    });
    for_each_trace(&choices, |cell, kind, trace| {
        let habits = Habits::of(&engines, cell, trace.seen()).expect("a built-in engine");
        oracle::check_app(&trace.app(), cell, &habits, kind == LoopKind::Reuse)
            .unwrap_or_else(|error| panic!("{cell} {}: {error}", kind.name()));
    });
}

/// Each side cuts its data in its own way, and encrypt-then-MAC needs both.
#[test]
fn data_of_mixed_pairs_follows_the_habits_of_both_engines() {
    let engines = engines();
    let ids = engines.tls_ids();
    let mut choices = every_cipher(20_000, 8192);
    choices.retain(|choice| choice.cipher.is_some_and(|cipher| matches!(cipher.bulk, Bulk::Cbc(_))));
    for (client, server) in ids.iter().flat_map(|client| ids.iter().map(move |server| (*client, *server))) {
        for cell in choices.iter().filter_map(|choice| choice.pin(client, server).ok()) {
            if client == server || supported(&engines, &cell).is_err() {
                continue;
            }
            let ready =
                ReadyCell::of(&engines, &cell, &Credentials::of(&cell)).expect("supported cells prepare");
            let trace =
                observe(&mut ready.pair(), LoopKind::Full).unwrap_or_else(|error| panic!("{cell}: {error}"));
            let habits = Habits::of(&engines, &cell, trace.seen()).expect("a built-in engine");
            oracle::check_app(&trace.app(), &cell, &habits, false)
                .unwrap_or_else(|error| panic!("{cell}: {error}"));
        }
    }
}

#[test]
fn flights_are_those_of_the_protocol() {
    let choices = [every_cipher(1, 8192), every_dimension_of_the_handshake(), every_feature()].concat();
    for_each_trace(&choices, |cell, kind, trace| {
        let resumed = kind == LoopKind::Reuse;
        assert_eq!(trace.seen().hello_retry, cell.hello == Hello::Retry, "{cell} {}", kind.name());
        oracle::check_flights(&trace.handshake(), cell, resumed)
            .unwrap_or_else(|error| panic!("{cell} {}: {error}: {:?}", kind.name(), trace.records()));
        let tickets = trace.handshake().post_handshake_bytes;
        assert!(cell.proto == Proto::Tls13 || tickets == 0, "{cell}: {tickets} bytes after the handshake");
    });
}

#[test]
fn the_plaintext_shows_what_the_cell_says() {
    let choices = [every_cipher(1, 8192), every_dimension_of_the_handshake(), every_feature()].concat();
    for_each_trace(&choices, |cell, kind, trace| {
        let resumed = kind == LoopKind::Reuse;
        let seen = trace.seen();
        seen.check(cell, resumed).unwrap_or_else(|error| panic!("{cell} {}: {error}", kind.name()));
        if !speaks_tls(cell) {
            return assert_eq!(seen.proto, None);
        }
        assert_eq!((seen.proto, seen.resumed), (Some(cell.proto), Some(resumed)), "{cell}");
        let is_tls13 = cell.proto == Proto::Tls13;
        assert_eq!(seen.group.is_some(), cell.has_exchange(resumed), "{cell} {}", kind.name());
        assert_eq!(seen.client_cert.is_some(), !is_tls13, "{cell}");
        let shows_signature = cell.proto == Proto::Tls12 && cell.group != Group::Rsa && !resumed;
        assert_eq!(seen.signature.is_some(), shows_signature, "{cell}");
    });
}

/// Bytes of a public key share, by side.
pub fn share(group: Group, side: Side) -> u32 {
    match (group, side) {
        (Group::Rsa, _) => 0,
        (Group::X25519, _) => 32,
        (Group::P256, _) => 65,
        (Group::P384, _) => 97,
        (Group::P521, _) => 133,
        (Group::X448, _) => 56,
        (Group::Ffdhe2048, _) => 256,
        (Group::Ffdhe3072, _) => 384,
        (Group::X25519MlKem768, Side::Client) => 1216,
        (Group::X25519MlKem768, Side::Server) => 1120,
        (Group::SecP256r1MlKem768, Side::Client) => 1249,
        (Group::SecP256r1MlKem768, Side::Server) => 1153,
        (Group::MlKem768, Side::Client) => 1184,
        (Group::MlKem768, Side::Server) => 1088,
    }
}

/// Bytes of a signature. ECDSA: two integers of up to the curve's size as DER, rarely more than a few bytes short.
pub fn signature(cert: Cert) -> RangeInclusive<u32> {
    match cert {
        Cert::Ed25519 => 64..=64,
        Cert::P256 => 66..=72,
        Cert::P384 => 98..=104,
        Cert::P521 => 132..=139,
        Cert::Ed448 => 114..=114,
        Cert::RsaPss => 256..=256,
        Cert::MlDsa44 => 2420..=2420,
        Cert::MlDsa65 => 3309..=3309,
        Cert::MlDsa87 => 4627..=4627,
        _ => {
            let modulus = u32::from(cert.rsa_bits().expect("the rest are RSA")) / 8;
            modulus..=modulus
        }
    }
}

pub fn der_lengths(cell: &Cell, side: Side) -> Vec<u32> {
    Credentials::of(cell).identity(side).chain.iter().map(|der| der.len() as u32).collect()
}

pub fn plus(range: RangeInclusive<u32>, more: u32) -> RangeInclusive<u32> {
    range.start() + more..=range.end() + more
}

#[test]
fn plaintext_messages_have_the_sizes_of_the_standards() {
    let choices = every_dimension_of_the_handshake();
    for_each_trace(&choices, |cell, kind, trace| {
        let is_classic_tls = (Proto::Ssl3..=Proto::Tls12).contains(&cell.proto);
        if !speaks_tls(cell) || !is_classic_tls || kind == LoopKind::Reuse {
            return;
        }
        let length_of = |side, kind| {
            trace
                .messages()
                .iter()
                .find(|message| (message.side, message.kind) == (side, kind))
                .map(|m| m.length)
        };
        let chain = |side| 4 + 3 + der_lengths(cell, side).iter().map(|length| 3 + length).sum::<u32>();
        assert_eq!(length_of(Side::Server, CERTIFICATE), Some(chain(Side::Server)), "{cell}");
        if cell.auth == Auth::Mutual {
            assert_eq!(length_of(Side::Client, CERTIFICATE), Some(chain(Side::Client)), "{cell}");
        }
        assert_eq!(length_of(Side::Server, SERVER_HELLO_DONE), Some(4), "{cell}");
        let client_share = length_of(Side::Client, CLIENT_KEY_EXCHANGE);
        let server_share = length_of(Side::Server, SERVER_KEY_EXCHANGE);
        if cell.cipher.kx == KeyExchange::StaticRsa {
            let modulus = u32::from(cell.cert.rsa_bits().expect("static RSA has an RSA key")) / 8;
            let length_field = if cell.proto == Proto::Ssl3 { 0 } else { 2 };
            assert_eq!(client_share, Some(4 + length_field + modulus), "{cell}");
            assert_eq!(server_share, None, "{cell}");
        } else {
            assert_eq!(client_share, Some(4 + 1 + share(cell.group, Side::Client)), "{cell}");
            let scheme = if cell.proto == Proto::Tls12 { 2 } else { 0 };
            let unsigned = 4 + (1 + 2 + 1 + share(cell.group, Side::Server)) + scheme + 2;
            let wanted = plus(signature(cell.cert), unsigned);
            assert!(server_share.is_some_and(|found| wanted.contains(&found)), "{cell}: {server_share:?}");
        }
    });
}

/// Of the specification of SSL 2.0, section 5.5 and 5.6: fixed bytes, lengths of two bytes, then the fields. A challenge,
/// a connection id and a session id have 16 bytes here, and one cipher is offered.
#[test]
fn messages_of_ssl2_have_the_sizes_of_the_specification() {
    let choices = [every_cipher(1, 8192), every_dimension_of_the_handshake()].concat();
    for_each_ssl2_trace(&choices, |cell, kind, trace| {
        let lengths: Vec<(u8, u32)> =
            trace.messages().iter().map(|message| (message.kind, message.length)).collect();
        let modulus = u32::from(cell.cert.rsa_bits().expect("SSL 2.0 has RSA keys only")) / 8;
        let initial_vector = if matches!(cell.cipher.bulk, Bulk::Cbc(_)) { 8 } else { 0 };
        let certificate: u32 = der_lengths(cell, Side::Server).iter().sum();
        let wanted = match kind {
            LoopKind::Full => vec![
                (ssl2_message_type::CLIENT_HELLO, 3 + 6 + 3 + 16),
                (ssl2_message_type::SERVER_HELLO, 5 + 6 + certificate + 3 + 16),
                (ssl2_message_type::CLIENT_MASTER_KEY, 4 + 6 + modulus + initial_vector),
            ],
            LoopKind::Reuse => vec![
                (ssl2_message_type::CLIENT_HELLO, 3 + 6 + 3 + 16 + 16),
                (ssl2_message_type::SERVER_HELLO, 5 + 6 + 16),
            ],
        };
        assert_eq!(lengths, wanted, "{cell} {}", kind.name());
    });
}

/// CLIENT-FINISHED, SERVER-VERIFY and SERVER-FINISHED hold one byte and 16 more, REQUEST-CERTIFICATE two.
#[test]
fn protected_messages_of_ssl2_fill_a_record_each() {
    let choices = [every_cipher(1, 8192), every_dimension_of_the_handshake()].concat();
    for_each_ssl2_trace(&choices, |cell, kind, trace| {
        let record = |message| record_bytes(message, cell.proto, cell.cipher, false);
        let asks = cell.auth == Auth::Mutual && kind == LoopKind::Full;
        let modulus = u64::from(cell.cert.rsa_bits().expect("SSL 2.0 has RSA keys only")) / 8;
        let certificate: u64 = der_lengths(cell, Side::Client).iter().map(|&length| u64::from(length)).sum();
        let plain = |side| trace.messages().iter().filter(|message| message.side == side).count();
        let protected = |side| -> Vec<u64> {
            handshake_records(trace, side).skip(plain(side)).map(|record| u64::from(record.length)).collect()
        };
        let client = [record(17)].into_iter().chain(asks.then(|| record(2 + 4 + certificate + modulus)));
        let server = [record(17)].into_iter().chain(asks.then(|| record(18))).chain([record(17)]);
        assert_eq!(protected(Side::Client), client.collect::<Vec<_>>(), "{cell} {}", kind.name());
        assert_eq!(protected(Side::Server), server.collect::<Vec<_>>(), "{cell} {}", kind.name());
    });
}

/// Traces of SSL 2.0, where an engine under test has it.
fn for_each_ssl2_trace(choices: &[Choice], mut check: impl FnMut(&Cell, LoopKind, &Trace)) {
    let of_ssl2: Vec<Choice> =
        choices.iter().filter(|choice| choice.proto == Some(Proto::Ssl2)).cloned().collect();
    for_each_trace(&of_ssl2, |cell, kind, trace| {
        if speaks_tls(cell) {
            check(cell, kind, trace);
        }
    });
}

pub fn handshake_records(trace: &Trace, side: Side) -> impl Iterator<Item = &Record> {
    trace.records().iter().filter(move |record| record.side == side && record.stage == Stage::Handshake)
}

#[test]
fn finished_fills_the_first_record_after_change_cipher_spec() {
    let engines = engines();
    for_each_trace(&every_cipher(1, 8192), |cell, kind, trace| {
        if !speaks_tls(cell) || !(Proto::Ssl3..=Proto::Tls12).contains(&cell.proto) {
            return;
        }
        let habits = Habits::of(&engines, cell, trace.seen()).expect("a built-in engine");
        let finished = if cell.proto == Proto::Ssl3 { 40 } else { 16 };
        let wanted = record_bytes(finished, cell.proto, cell.cipher, habits.encrypt_then_mac);
        for side in Side::BOTH {
            let lengths: Vec<u64> = handshake_records(trace, side)
                .skip_while(|record| record.content_type != ContentType::ChangeCipherSpec)
                .map(|record| u64::from(record.length))
                .collect();
            assert_eq!(lengths, [6, wanted], "{cell} {} {side}", kind.name());
        }
    });
}

pub fn hash_bytes(cell: &Cell) -> u32 {
    if cell.cipher.iana.ends_with("SHA384") { 48 } else { 32 }
}

/// Bytes of the key_share extension: type, length, group, length, share. A resumption without an exchange has none.
fn key_share_extension(cell: &Cell, resumed: bool) -> u32 {
    if cell.has_exchange(resumed) { 8 + share(cell.group, Side::Server) } else { 0 }
}

#[test]
fn tls13_hellos_and_finished_have_the_sizes_of_the_standard() {
    let groups = every_exchange(Group::ALL, |choice, group| choice.group = Some(group));
    let choices = [every_cipher(1, 8192), groups, every_feature()].concat();
    let engines = engines();
    for_each_trace(&choices, |cell, kind, trace| {
        if !speaks_tls(cell) || cell.proto != Proto::Tls13 {
            return;
        }
        let resumed = kind == LoopKind::Reuse;
        let psk = if resumed { 6 } else { 0 };
        // Header, version, random, empty session id, cipher, compression, length of extensions, supported_versions.
        let plain = 4 + 2 + 32 + 1 + 2 + 1 + 2 + 6 + key_share_extension(cell, resumed) + psk;
        let hello = trace.messages().iter().rfind(|message| message.kind == SERVER_HELLO).map(|m| m.length);
        let with_session_id = plain + 32;
        assert!(hello == Some(plain) || hello == Some(with_session_id), "{cell}: {hello:?}, not {plain}");

        let habit = engines.named(&cell.client).expect("a built-in engine").record_habit(cell);
        let record =
            |message: u32| record_bytes(habit.padded(message.into()), cell.proto, cell.cipher, false);
        let protected: Vec<u64> = handshake_records(trace, Side::Client)
            .filter(|record| record.content_type == ContentType::Application)
            .map(|record| u64::from(record.length))
            .collect();
        let finished = record(4 + hash_bytes(cell));
        let end_of_early_data = record(4);
        match (resumed, cell.early_data, cell.auth) {
            (false, _, Auth::Mutual) => {
                assert!(protected.ends_with(&[finished]) || protected.len() == 1, "{cell}")
            }
            (true, 1.., _) => assert_eq!(protected, [end_of_early_data, finished], "{cell}"),
            _ => assert_eq!(protected, [finished], "{cell} {}", kind.name()),
        }
    });
}

/// EncryptedExtensions is the one message of the server's protected flight whose size a library may choose.
#[test]
fn a_tls13_server_flight_holds_its_certificates_signature_and_finished() {
    let mut choices = every_exchange(Cert::ALL, |choice, cert| choice.cert = Some(cert));
    choices.extend(every_exchange(&[2, 3], |choice, chain| choice.chain = Some(chain)));
    let engines = engines();
    for_each_trace(&choices, |cell, kind, trace| {
        if !speaks_tls(cell) || cell.proto != Proto::Tls13 {
            return;
        }
        let protection = record_bytes(0, cell.proto, cell.cipher, false) as u32;
        let contents: Vec<u32> = handshake_records(trace, Side::Server)
            .filter(|record| record.content_type == ContentType::Application)
            .map(|record| record.length - protection)
            .collect();
        let messages: u32 = contents.iter().sum();
        let finished = 4 + hash_bytes(cell);
        let chain: u32 = der_lengths(cell, Side::Server).iter().map(|length| 3 + length + 2).sum();
        let known = match kind {
            LoopKind::Full => plus(signature(cell.cert), (4 + 1 + 3 + chain) + (4 + 2 + 2) + finished),
            LoopKind::Reuse => finished..=finished,
        };
        let smallest = 6;
        // A byte of content is padded to this many.
        let habit = engines.named(&cell.server).expect("a built-in engine").record_habit(cell);
        let padding = (habit.padded(1) as u32 - 1) * contents.len() as u32;
        let ample = 40 + padding;
        let wanted = known.start() + smallest..=known.end() + ample;
        assert!(wanted.contains(&messages), "{cell} {}: {messages}, not {wanted:?}", kind.name());
    });
}
