//! What the common engine contract cannot see from outside.

use super::*;
use crate::cell::{
    Acceleration, Alpn, Auth, Cert, Choice, Cipher, Extension, Group, Proto, Resume, SignatureScheme, Verify,
};
use crate::engine::{Negotiated, Step};
use crate::pipe::Pipes;

const RSA: &str = "ECDHE-RSA-AES128-GCM-SHA256";
const ECDSA: &str = "ECDHE-ECDSA-AES128-GCM-SHA256";

fn choice(cipher: &str) -> Choice {
    Choice { cipher: Some(Cipher::named(cipher).expect("a known cipher")), ..Choice::default() }
}

fn pin(choice: &Choice) -> Cell {
    choice.pin("bearssl", "bearssl").expect("a combination that the protocol allows")
}

/// The ClientHello that a client of the cell sends.
fn client_hello(cell: &Cell) -> Vec<u8> {
    let prepared =
        BearSsl::new().prepare(Side::Client, cell, &Credentials::of(cell)).expect("a supported cell");
    let mut client = prepared.endpoint(Start::Fresh).expect("a fresh client");
    let mut pipes = Pipes::with_capacity(1 << 12);
    assert!(client.handshake_step(&mut pipes.seen_by(Side::Client)).is_ok());
    pipes.to_server.unread().to_vec()
}

/// The contents of an extension of a ClientHello.
fn extension(hello: &[u8], wanted: u16) -> Option<Vec<u8>> {
    let u16_at = |at: usize| usize::from(u16::from_be_bytes([hello[at], hello[at + 1]]));
    let session_id = 5 + 4 + 2 + 32;
    let suites = session_id + 1 + usize::from(hello[session_id]);
    let compression = suites + 2 + u16_at(suites);
    let mut at = compression + 1 + usize::from(hello[compression]) + 2;
    while at < hello.len() {
        let (kind, length) = (u16_at(at), u16_at(at + 2));
        if kind == usize::from(wanted) {
            return Some(hello[at + 4..at + 4 + length].to_vec());
        }
        at += 4 + length;
    }
    None
}

fn numbers(list: &[u8]) -> Vec<u16> {
    list[2..].chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect()
}

/// A full and a resumed connection of the cell, with what the client and the server say of each.
fn connections(cell: &Cell) -> [[Negotiated; 2]; 2] {
    let engine = BearSsl::new();
    let prepare =
        |side| engine.prepare(side, cell, &Credentials::of(cell)).expect("a supported cell prepares");
    let [client, server] = Side::BOTH.map(prepare);
    [Start::Fresh, Start::Resume].map(|start| {
        let mut client = client.endpoint(start).expect("a client starts");
        let mut server = server.endpoint(Start::Fresh).expect("a server starts");
        let mut pipes = Pipes::with_capacity(1 << 16);
        let mut steps = [Step::Waiting; 2];
        while steps != [Step::Done; 2] {
            steps[0] = client.handshake_step(&mut pipes.seen_by(Side::Client)).expect("the client goes on");
            steps[1] = server.handshake_step(&mut pipes.seen_by(Side::Server)).expect("the server goes on");
        }
        client.keep_session().expect("a session by id");
        [client.negotiated(), server.negotiated()].map(|said| said.expect("known numbers"))
    })
}

#[test]
fn a_client_names_the_curves_of_exchange_and_key_and_no_other() {
    const GROUPS: u16 = 10;
    for group in [Group::X25519, Group::P256, Group::P384, Group::P521] {
        for cert in [Cert::P256, Cert::P384, Cert::P521] {
            let cell = pin(&Choice { group: Some(group), cert: Some(cert), ..choice(ECDSA) });
            let named = numbers(&extension(&client_hello(&cell), GROUPS).expect("ECDHE names groups"));
            let mut wanted = vec![Some(group), cert.curve().filter(|curve| *curve != group)];
            wanted.sort_by_key(|curve| curve.and_then(Group::code));
            let wanted: Vec<u16> = wanted.into_iter().flatten().filter_map(Group::code).collect();
            assert_eq!(named, wanted, "{cell}");
        }
    }
    let static_rsa = pin(&choice("AES128-GCM-SHA256"));
    assert_eq!(extension(&client_hello(&static_rsa), GROUPS), None);
}

/// A hash that the cipher's records or its Finished need can be signed with as well: the library has one set for all.
#[test]
fn a_client_names_signatures_of_the_cell_s_kind_of_key_and_of_the_hashes_that_it_needs() {
    const SIGNATURES: u16 = 13;
    for (cipher, cert, wanted) in [
        (RSA, Cert::Rsa2048, vec![0x0401]),
        (ECDSA, Cert::P256, vec![0x0403]),
        (ECDSA, Cert::P384, vec![0x0403, 0x0503]),
        ("ECDHE-RSA-AES128-SHA", Cert::Rsa2048, vec![0x0401, 0x0201]),
        ("ECDHE-ECDSA-AES256-GCM-SHA384", Cert::P384, vec![0x0503]),
    ] {
        let cell = pin(&Choice { cert: Some(cert), ..choice(cipher) });
        let named = extension(&client_hello(&cell), SIGNATURES).expect("TLS 1.2 names signatures");
        assert_eq!(numbers(&named), wanted, "{cell}");
    }
}

#[test]
fn the_server_says_how_it_signed_and_both_sides_in_which_group() {
    for (proto, cipher, cert, signature) in [
        (Proto::Tls10, "ECDHE-RSA-AES128-SHA", Cert::Rsa2048, SignatureScheme::RsaPkcs1Md5Sha1),
        (Proto::Tls11, "ECDHE-ECDSA-AES128-SHA", Cert::P256, SignatureScheme::EcdsaSha1),
        (Proto::Tls12, ECDSA, Cert::P384, SignatureScheme::EcdsaSecp384r1Sha384),
        (Proto::Tls12, RSA, Cert::Rsa2048, SignatureScheme::RsaPkcs1Sha256),
    ] {
        let cell = pin(&Choice {
            proto: Some(proto),
            cert: Some(cert),
            group: Some(Group::P384),
            auth: Some(Auth::Mutual),
            ..choice(cipher)
        });
        let [[client, server], resumed] = connections(&cell);
        assert_eq!((client.group, server.group), (Some(Group::P384), Some(Group::P384)), "{cell}");
        assert_eq!((client.signature, server.signature), (None, Some(signature)), "{cell}");
        for said in resumed {
            assert!(said.resumed && said.client_cert, "{cell}: {said:?}");
            assert_eq!((said.group, said.signature), (None, None), "{cell}");
        }
    }
}

#[test]
fn application_protocols_are_agreed_on_in_full_and_resumed_handshakes() {
    for &alpn in Alpn::ALL {
        let cell = pin(&Choice { alpn: Some(alpn), ..choice(ECDSA) });
        for said in connections(&cell).as_flattened() {
            assert_eq!(said.alpn, alpn);
        }
    }
}

/// What a client that writes `bytes` at once puts on the wire, as the lengths of its records.
fn records(cell: &Cell, bytes: usize) -> Vec<usize> {
    let engine = BearSsl::new();
    let prepare =
        |side| engine.prepare(side, cell, &Credentials::of(cell)).expect("a supported cell prepares");
    let [client, server] = Side::BOTH.map(prepare);
    let mut client = client.endpoint(Start::Fresh).expect("a client starts");
    let mut server = server.endpoint(Start::Fresh).expect("a server starts");
    let mut pipes = Pipes::with_capacity(1 << 16);
    while client.handshake_step(&mut pipes.seen_by(Side::Client)) != Ok(Step::Done) {
        assert!(server.handshake_step(&mut pipes.seen_by(Side::Server)).is_ok());
    }
    client.write(&vec![7; bytes], &mut pipes.seen_by(Side::Client)).expect("an open connection");
    let mut lengths = Vec::new();
    let mut sent = pipes.to_server.unread();
    while let [_, _, _, high, low, rest @ ..] = sent {
        let length = usize::from(u16::from_be_bytes([*high, *low]));
        lengths.push(length);
        sent = &rest[length..];
    }
    lengths
}

#[test]
fn records_hold_what_the_cell_says_at_most() {
    let gcm = |data: usize| 8 + data + 16;
    let cell = |record_size| pin(&Choice { record_size, ..choice(ECDSA) });
    assert_eq!(records(&cell(Some(1000)), 2500), [1000, 1000, 500].map(gcm));
    assert_eq!(records(&cell(Some(64)), 65), [64, 1].map(gcm));
    assert_eq!(records(&cell(None), 16384 + 1), [16384, 1].map(gcm));
    let chained = |data: usize| (data + 20 + 1).next_multiple_of(16);
    let cell = |record_size| {
        pin(&Choice { proto: Some(Proto::Tls10), record_size, ..choice("ECDHE-RSA-AES128-SHA") })
    };
    assert_eq!(records(&cell(Some(1000)), 2500), [1, 1000, 1, 1000, 1, 497].map(chained));
    assert_eq!(records(&cell(None), 16384 + 1), [1, 16383, 1].map(chained));
}

#[test]
fn what_the_library_lacks_is_refused_in_words() {
    let engine = BearSsl::new();
    let version = library::version();
    for (changed, words) in [
        (Choice { resume: Some(Resume::Ticket), ..choice(RSA) }, "no session tickets"),
        (Choice { ems: Some(Extension::On), ..choice(RSA) }, "no extended master secret"),
        (Choice { etm: Some(Extension::On), ..choice("AES128-SHA") }, "no encrypt-then-MAC"),
        (Choice { cert: Some(Cert::Ed25519), ..choice(ECDSA) }, "no ed25519 certificates"),
        (choice("TLS_AES_128_GCM_SHA256"), "no TLS 1.3"),
    ] {
        let engine: &dyn Engine = &engine;
        let refusal = engine.can_play(&pin(&changed), Side::Client).expect_err("refused").to_string();
        assert_eq!(refusal, format!("BearSSL {version} has {words}"));
    }
    let old_key = Choice { cert: Some(Cert::Rsa512), verify: Some(Verify::Chain), ..choice("AES128-SHA") };
    let checked_by = |side| engine.supports(&pin(&old_key), side).is_err();
    assert_eq!(Side::BOTH.map(checked_by), [true, false], "the client alone looks at a chain");
}

/// An extension that the library does not know is off for sure.
#[test]
fn extensions_that_the_library_does_not_know_can_be_off() {
    let engine = BearSsl::new();
    let engine: &dyn Engine = &engine;
    let off = Some(Extension::Off);
    let cell = pin(&Choice { ems: off, etm: off, ..choice("ECDHE-RSA-AES128-SHA") });
    for side in Side::BOTH {
        assert_eq!(engine.can_play(&cell, side), Ok(()));
    }
    let hello = client_hello(&cell);
    assert_eq!([22, 23, 35].map(|unknown| extension(&hello, unknown)), [None, None, None]);
}

#[test]
fn without_acceleration_the_implementations_are_portable() {
    let chosen = Library::as_linked().implementations;
    let portable = chosen.without_acceleration().names();
    assert_eq!(portable.len(), chosen.names().len(), "each has a name: {portable:?}");
    assert!(portable.iter().all(|name| name.contains("portable C")), "{portable:?}");
    let cell = pin(&Choice { accel: Some(Acceleration::Off), ..choice(ECDSA) });
    assert!(connections(&cell).as_flattened().iter().all(|said| said.cipher == cell.cipher.code));
}

#[test]
fn errors_are_in_the_words_of_the_header() {
    let said = |code: u32| object::error(code.cast_signed()).to_string();
    assert_eq!(
        said(sys::BR_ERR_BAD_FINISHED),
        "Finished message from peer does not match the expected value (BR_ERR_BAD_FINISHED)"
    );
    assert_eq!(
        said(sys::BR_ERR_X509_EXPIRED),
        "certificate is expired or not yet valid (BR_ERR_X509_EXPIRED)"
    );
    assert_eq!(said(sys::BR_ERR_RECV_FATAL_ALERT + 40), "received fatal alert 40 (BR_ERR_RECV_FATAL_ALERT)");
    assert_eq!(said(sys::BR_ERR_SEND_FATAL_ALERT + 70), "sent fatal alert 70 (BR_ERR_SEND_FATAL_ALERT)");
}
