//! Every engine on the wire where cells ask for more than the ordinary: what the extensions, the limits of records, other
//! first key shares and every kind of signature make of the bytes, by arithmetic from the standards.

use tlspair::cell::{Auth, Bulk, Cell, Cert, Choice, Extension, Hello, Proto};
use tlspair::engine::Side;
use tlspair::measure::LoopKind;
use tlspair::wire::message_type::{CERTIFICATE_VERIFY, CLIENT_HELLO, SERVER_HELLO};
use tlspair::wire::oracle::{self, Habits, record_bytes};
use tlspair::wire::{ContentType, Record, Trace};

use crate::engines;
use crate::support::{every_cipher, every_exchange, every_feature};
use crate::wire_engines::{
    der_lengths, for_each_trace, handshake_records, hash_bytes, plus, share, signature, speaks_tls,
};

/// Every CBC cipher with encrypt-then-MAC switched on, and off.
fn switched_macs() -> Vec<Choice> {
    let mut all = Vec::new();
    for etm in [Extension::On, Extension::Off] {
        let of_cbc = every_cipher(20_000, 8192).into_iter();
        let of_cbc = of_cbc.filter(|choice| choice.cipher.is_some_and(|c| matches!(c.bulk, Bulk::Cbc(_))));
        all.extend(of_cbc.map(|choice| Choice { etm: Some(etm), ..choice }));
    }
    all
}

#[test]
fn data_under_every_feature_follows_the_formulas() {
    let engines = engines();
    for_each_trace(&[switched_macs(), every_feature()].concat(), |cell, kind, trace| {
        let habits = Habits::of(&engines, cell, trace.seen()).expect("a built-in engine");
        if speaks_tls(cell) && cell.etm != Extension::Auto {
            assert_eq!(habits.encrypt_then_mac, cell.etm == Extension::On, "{cell}");
        }
        oracle::check_app(&trace.app(), cell, &habits, kind == LoopKind::Reuse)
            .unwrap_or_else(|error| panic!("{cell} {}: {error}", kind.name()));
        assert_eq!(trace.unfinished_bytes(), 0, "{cell}");
    });
}

/// RFC 7366: the MAC covers the padded ciphertext, so that it is added after rounding up to whole blocks.
#[test]
fn the_mac_is_inside_or_outside_of_what_is_padded() {
    for_each_trace(&switched_macs(), |cell, kind, trace| {
        let Bulk::Cbc(block) = cell.cipher.bulk else { panic!("{cell} is no CBC cipher") };
        if !speaks_tls(cell) {
            return;
        }
        let (mac, block) = (u32::from(cell.cipher.mac), u32::from(block));
        let initial_vector = if cell.proto >= Proto::Tls11 { block } else { 0 };
        let finished = 16;
        let wanted = match cell.etm {
            Extension::On => (finished + 1_u32).next_multiple_of(block) + mac,
            _ => (finished + mac + 1).next_multiple_of(block),
        };
        for side in Side::BOTH {
            let last = handshake_records(trace, side).last().map(|record| record.length);
            assert_eq!(last, Some(5 + initial_vector + wanted), "{cell} {} {side}", kind.name());
        }
    });
}

/// RFC 8446, 4.1.2: after a HelloRetryRequest a client repeats its hello with another key share, and with the cookie if
/// there is one.
#[test]
fn a_hello_after_a_retry_request_differs_by_its_key_share() {
    for_each_trace(&every_feature(), |cell, kind, trace| {
        if !speaks_tls(cell) || cell.hello != Hello::Retry {
            return;
        }
        let lengths = |wanted| {
            let found = trace.messages().iter().filter(move |message| message.kind == wanted);
            found.map(|message| message.length).collect::<Vec<_>>()
        };
        let (clients, servers) = (lengths(CLIENT_HELLO), lengths(SERVER_HELLO));
        assert_eq!((clients.len(), servers.len()), (2, 2), "{cell} {}", kind.name());
        // Of the key_share extension, a HelloRetryRequest has type, length and group.
        let without_session_id = 4 + 2 + 32 + 1 + 2 + 1 + 2 + 6 + 6;
        let beyond = servers[0] - without_session_id;
        let cookie = if beyond >= 32 { beyond - 32 } else { beyond };
        let guess = cell.group.wrong_guess();
        let wanted = clients[0] + share(cell.group, Side::Client) - share(guess, Side::Client) + cookie;
        assert_eq!(clients[1], wanted, "{cell} {}: {clients:?}, cookie of {cookie}", kind.name());
    });
}

fn client_certificates() -> Vec<Choice> {
    every_exchange(Cert::ALL, |choice, cert| {
        choice.cert = Some(cert);
        choice.auth = Some(Auth::Mutual);
    })
}

/// Before TLS 1.2 the scheme is not named. In SSL 2.0 the signature is part of a message that is encrypted.
#[test]
fn a_client_that_is_asked_signs_in_the_size_of_its_key() {
    for_each_trace(&client_certificates(), |cell, kind, trace| {
        if !speaks_tls(cell) || matches!(cell.proto, Proto::Ssl2 | Proto::Tls13) {
            return;
        }
        let found = trace.messages().iter().find(|message| message.kind == CERTIFICATE_VERIFY);
        let found = found.map(|message| message.length);
        if kind == LoopKind::Reuse {
            return assert_eq!(found, None, "{cell}");
        }
        let scheme = if cell.proto == Proto::Tls12 { 2 } else { 0 };
        let wanted = plus(signature(cell.cert), 4 + scheme + 2);
        assert!(found.is_some_and(|found| wanted.contains(&found)), "{cell}: {found:?}, not {wanted:?}");
    });
}

/// Bytes of the messages in a side's protected handshake records of TLS 1.3.
fn protected_messages(cell: &Cell, trace: &Trace, side: Side) -> u32 {
    let protection = record_bytes(0, cell.proto, cell.cipher, false) as u32;
    let is_protected = |record: &&Record| record.content_type == ContentType::Application;
    handshake_records(trace, side).filter(is_protected).map(|record| record.length - protection).sum()
}

#[test]
fn a_tls13_client_flight_holds_its_certificates_signature_and_finished() {
    for_each_trace(&client_certificates(), |cell, kind, trace| {
        if !speaks_tls(cell) || cell.proto != Proto::Tls13 {
            return;
        }
        let finished = 4 + hash_bytes(cell);
        let chain: u32 = der_lengths(cell, Side::Client).iter().map(|length| 3 + length + 2).sum();
        let wanted = match kind {
            LoopKind::Full => plus(signature(cell.cert), (4 + 1 + 3 + chain) + (4 + 2 + 2) + finished),
            LoopKind::Reuse => finished..=finished,
        };
        let found = protected_messages(cell, trace, Side::Client);
        assert!(wanted.contains(&found), "{cell} {}: {found}, not {wanted:?}", kind.name());
    });
}
