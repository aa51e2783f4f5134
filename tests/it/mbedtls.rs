//! What the contract does not ask of every engine: Mbed TLS's own range, words and ways.

use tlspair::cell::{Alpn, Auth, Cell, Cert, Choice, Extension, Proto, Resume, Verify};
use tlspair::engine::{Endpoint, Engines, Prepared, Side, Start, Step};
use tlspair::fixtures::{Credentials, SERVER_NAME};
use tlspair::measure::{LoopKind, supported};
use tlspair::pipe::Pipes;

use crate::support::{cell, mixed, refusal, run, run_with, with_cipher};

const ENGINE: &str = "mbedtls";

#[test]
fn ciphers_of_1997_run_with_a_512_bit_key() {
    for name in ["NULL-MD5", "RC4-MD5", "RC4-SHA", "DES-CBC-SHA", "DES-CBC3-SHA"] {
        let choice = Choice {
            proto: Some(Proto::Ssl3),
            cert: Some(Cert::Rsa512),
            bytes: Some(20_000),
            ..with_cipher(name)
        };
        for kind in LoopKind::BOTH {
            run(&cell(ENGINE, &choice), kind, 3).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }
}

#[test]
fn refusals_name_the_library_and_what_it_lacks() {
    let mutual = |name| Choice { auth: Some(Auth::Mutual), ..with_cipher(name) };
    let ecdsa = "ECDHE-ECDSA-AES128-GCM-SHA256";
    let refused = [
        (with_cipher("TLS_AES_128_GCM_SHA256"), "has no TLS 1.3"),
        (with_cipher("SEED-SHA"), "has no cipher SEED-SHA"),
        (Choice { cert: Some(Cert::Ed25519), ..with_cipher(ecdsa) }, "has no ed25519 certificates"),
        (mutual("ECDHE-RSA-AES256-GCM-SHA384"), "own hash (SHA-384), not with rsa_pkcs1_sha256"),
        (
            Choice { cert: Some(Cert::P384), ..mutual(ecdsa) },
            "own hash (SHA-256), not with ecdsa_secp384r1_sha384",
        ),
    ];
    for (choice, words) in refused {
        let reason = refusal(ENGINE, &choice);
        assert!(reason.starts_with("Mbed TLS 2.") && reason.ends_with(words), "{reason}");
    }
}

#[test]
fn handshake_signatures_are_checked_where_certificates_are_not() {
    let choice =
        Choice { auth: Some(Auth::Mutual), chain: Some(3), ..with_cipher("ECDHE-ECDSA-AES128-GCM-SHA256") };
    let cell = cell(ENGINE, &choice);
    for side in Side::BOTH {
        let mut credentials = Credentials::of(&cell);
        match side {
            Side::Client => credentials.client.key = credentials.server.key.clone(),
            Side::Server => credentials.server.key = credentials.client.key.clone(),
        }
        let error = run_with(&cell, &credentials, LoopKind::Full, 1).expect_err("another key signed");
        assert!(error.contains(side.other().name()) && error.contains("(-0x"), "{side}: {error}");
    }
}

#[test]
fn clients_send_the_name_whatever_they_verify() {
    for &verify in Verify::ALL {
        let choice = Choice { verify: Some(verify), ..with_cipher("ECDHE-RSA-AES128-GCM-SHA256") };
        let mut pair = ByHand::new(&cell(ENGINE, &choice));
        let step = pair.client.handshake_step(&mut pair.pipes.seen_by(Side::Client)).expect("a client hello");
        assert_eq!(step, Step::Waiting);
        let hello = pair.pipes.to_server.unread();
        assert!(hello.windows(SERVER_NAME.len()).any(|bytes| bytes == SERVER_NAME.as_bytes()), "{verify}");
    }
}

#[test]
fn a_changed_record_is_refused_in_the_librarys_words_and_with_an_alert() {
    for name in ["AES128-SHA", "AES128-GCM-SHA256", "NULL-SHA"] {
        let mut pair = ByHand::connected(name);
        pair.client.write(b"hello", &mut pair.pipes.seen_by(Side::Client)).expect("a write");
        *pair.pipes.to_server.unread_mut().last_mut().expect("a record") ^= 1;
        let mut received = [0; 16];
        let error = pair
            .server
            .read(&mut received, &mut pair.pipes.seen_by(Side::Server))
            .expect_err("the record was changed");
        assert_eq!(error.to_string(), "SSL - Verification of the message MAC failed (-0x7180)", "{name}");
        assert!(!pair.pipes.to_client.is_empty(), "{name}");
    }
}

#[test]
fn reading_past_the_peers_close_is_an_error() {
    let mut pair = ByHand::connected("AES128-SHA");
    let mut received = [0; 16];
    let waiting = pair.server.read(&mut received, &mut pair.pipes.seen_by(Side::Server));
    assert_eq!(waiting, Ok(0));
    let step = pair.client.close_step(&mut pair.pipes.seen_by(Side::Client));
    assert_eq!(step, Ok(Step::Waiting));
    let error = pair
        .server
        .read(&mut received, &mut pair.pipes.seen_by(Side::Server))
        .expect_err("the client has closed");
    assert_eq!(
        error.to_string(),
        "SSL - The peer notified us that the connection is going to be closed (-0x7880)"
    );
}

#[test]
fn nothing_is_kept_of_a_session_that_the_server_did_not_offer() {
    let cipher = || with_cipher("AES128-SHA");
    let ids = cell(ENGINE, &cipher());
    let tickets = cell(ENGINE, &Choice { resume: Some(Resume::Ticket), ..cipher() });
    let mut pair = ByHand::of(&tickets, &ids);
    pair.shake_hands();
    let error = pair.client.keep_session().expect_err("there is no ticket");
    assert_eq!(error.to_string(), "the server gave no session to resume");
}

#[test]
fn limits_of_records_are_the_four_of_the_extension_and_for_pairs_of_the_same_library() {
    let limited = |record_size| Choice { record_size: Some(record_size), ..with_cipher("AES128-SHA") };
    for record_size in [512, 1024, 2048, 4096] {
        assert_eq!(supported(&Engines::built_in(), &cell(ENGINE, &limited(record_size))), Ok(()));
    }
    let refusal = |cell: &Cell| supported(&Engines::built_in(), cell).expect_err("a refusal").to_string();
    let words = refusal(&cell(ENGINE, &limited(1000)));
    assert!(words.ends_with("to 512, 1024, 2048 or 4096 bytes of data, not to 1000"), "{words}");
    let words = refusal(&mixed(ENGINE, "null", &limited(1024)));
    assert!(words.contains("takes no handshake message in several records"), "{words}");
}

/// What one side pins and its peer does not agree to is an error of the side that pins it.
#[test]
fn extensions_that_the_cell_does_not_have_are_errors() {
    let plain = with_cipher("AES128-SHA");
    let etm = |etm| Choice { etm: Some(etm), ..plain.clone() };
    let ems = |ems| Choice { ems: Some(ems), ..plain.clone() };
    let small = Choice { record_size: Some(512), ..plain.clone() };
    for (client, server, words) in [
        (etm(Extension::Off), etm(Extension::On), "encrypt-then-MAC is missing"),
        (ems(Extension::Off), ems(Extension::On), "the extended master secret is missing"),
        (small, plain.clone(), "records are limited to 512 bytes of data"),
    ] {
        let mut pair = ByHand::of(&cell(ENGINE, &client), &cell(ENGINE, &server));
        pair.shake_hands();
        let error = pair.server.negotiated().expect_err(words);
        assert_eq!(error.to_string(), words);
    }
}

#[test]
fn an_application_protocol_that_the_server_does_not_choose_is_none() {
    let offered = Choice { alpn: Some(Alpn::H2), ..with_cipher("AES128-SHA") };
    let mut pair =
        ByHand::of(&cell(ENGINE, &offered), &cell(ENGINE, &Choice { alpn: None, ..offered.clone() }));
    pair.shake_hands();
    assert_eq!(pair.client.negotiated().map(|said| said.alpn), Ok(Alpn::None));
}

/// The library's documentation forbids threads to share an ECDSA context; it locks RSA keys.
#[test]
fn sides_without_ecdsa_keys_are_shared_with_the_sessions_of_the_first() {
    let made = |prepared: &dyn Prepared| prepared.share().expect("can be shared")().expect("another side");
    for (resume, verify) in
        [(Resume::SessionId, Verify::None), (Resume::Ticket, Verify::None), (Resume::Ticket, Verify::Name)]
    {
        let choice = Choice {
            resume: Some(resume),
            verify: Some(verify),
            auth: Some(Auth::Mutual),
            ..with_cipher("AES128-SHA")
        };
        let cell = cell(ENGINE, &choice);
        let [client, server] = Side::BOTH.map(|side| prepared(side, &cell));
        let mut first = ByHand::over(&*client, &*server, Start::Fresh);
        first.shake_hands();
        first.client.keep_session().expect("the server gave a session");
        assert!(made(&*client).endpoint(Start::Resume).is_err(), "a session is one thread's own");

        let mut resumed = ByHand::over(&*client, &*made(&*server), Start::Resume);
        resumed.shake_hands();
        assert_eq!(resumed.server.negotiated().map(|said| said.resumed), Ok(true), "{cell}");
    }
    let curves = cell(ENGINE, &with_cipher("ECDHE-ECDSA-AES128-GCM-SHA256"));
    assert!(prepared(Side::Client, &curves).share().is_ok(), "a client that checks nothing has no key");
    let refusal = prepared(Side::Server, &curves).share().err().map(|why| why.to_string());
    assert!(refusal.is_some_and(|words| words.contains("does not let threads share ECDSA keys")));
}

/// Both endpoints of one connection, stepped by the test.
struct ByHand {
    client: Box<dyn Endpoint>,
    server: Box<dyn Endpoint>,
    pipes: Pipes,
}

impl ByHand {
    fn new(cell: &Cell) -> Self {
        Self::of(cell, cell)
    }

    /// The two sides may be prepared for different cells.
    fn of(client: &Cell, server: &Cell) -> Self {
        Self::over(&*prepared(Side::Client, client), &*prepared(Side::Server, server), Start::Fresh)
    }

    fn over(client: &dyn Prepared, server: &dyn Prepared, start: Start) -> Self {
        Self {
            client: client.endpoint(start).expect("a client"),
            server: server.endpoint(Start::Fresh).expect("a server"),
            pipes: Pipes::with_capacity(0),
        }
    }

    fn connected(cipher: &str) -> Self {
        let mut pair = Self::new(&cell(ENGINE, &with_cipher(cipher)));
        pair.shake_hands();
        pair
    }

    fn shake_hands(&mut self) {
        let mut both = [Step::Waiting; 2];
        for _ in 0..4 {
            both = [
                self.client.handshake_step(&mut self.pipes.seen_by(Side::Client)).expect("a client's step"),
                self.server.handshake_step(&mut self.pipes.seen_by(Side::Server)).expect("a server's step"),
            ];
        }
        assert_eq!(both, [Step::Done; 2]);
    }
}

fn prepared(side: Side, cell: &Cell) -> Box<dyn Prepared> {
    let engines = Engines::built_in();
    let engine = engines.named(ENGINE).expect("a built-in engine");
    engine.prepare(side, cell, &Credentials::of(cell)).unwrap_or_else(|error| panic!("{side}: {error}"))
}
