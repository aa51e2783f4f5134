//! What the contract does not ask of every engine: s2n-tls's own range, words and ways.

use std::thread;

use tlspair::cell::{Alpn, Auth, Cell, Choice, Group, Hello, Proto, Resume, Verify};
use tlspair::engine::{Endpoint, Engines, Prepared, Side, Start, Step};
use tlspair::fixtures::{Credentials, SERVER_NAME};
use tlspair::measure::{LoopKind, supported};
use tlspair::pipe::Pipes;

use crate::support::{cell, mixed, refusal, run, run_with, with_cipher};

const ENGINE: &str = "s2n";
const TLS12: &str = "ECDHE-ECDSA-AES128-GCM-SHA256";
const TLS13: &str = "TLS_AES_128_GCM_SHA256";

fn of(proto: Proto, cipher: &str) -> Choice {
    Choice { proto: Some(proto), ..with_cipher(cipher) }
}

/// The contract takes a refusal for an answer; these must not be refused.
#[test]
fn every_version_and_aead_has_a_policy() {
    let tls12 = [
        "AES128-GCM-SHA256",
        "AES256-GCM-SHA384",
        "ECDHE-RSA-AES128-GCM-SHA256",
        "ECDHE-RSA-AES256-GCM-SHA384",
        "ECDHE-RSA-CHACHA20-POLY1305",
        "ECDHE-ECDSA-AES128-GCM-SHA256",
        "ECDHE-ECDSA-AES256-GCM-SHA384",
        "ECDHE-ECDSA-CHACHA20-POLY1305",
    ];
    let tls13 = [TLS13, "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];
    let mut choices: Vec<Choice> = tls12.iter().map(|name| of(Proto::Tls12, name)).collect();
    choices.extend(tls13.iter().map(|name| of(Proto::Tls13, name)));
    choices.extend([of(Proto::Ssl3, "RC4-MD5"), of(Proto::Tls10, "RC4-SHA")]);
    choices.push(of(Proto::Tls11, "ECDHE-RSA-RC4-SHA"));
    for group in [Group::X25519, Group::P256, Group::P384, Group::P521, Group::X25519MlKem768] {
        choices.push(Choice { group: Some(group), ..of(Proto::Tls13, TLS13) });
    }
    for choice in choices {
        let cell = cell(ENGINE, &choice);
        assert_eq!(supported(&Engines::built_in(), &cell), Ok(()), "{cell}");
    }
}

#[test]
fn refusals_name_the_library_and_what_it_lacks() {
    let tls13 = || of(Proto::Tls13, TLS13);
    let refused = [
        (with_cipher("SEED-SHA"), "has no cipher SEED-SHA"),
        (Choice { group: Some(Group::X448), ..tls13() }, "has no group x448"),
        (Choice { auth: Some(Auth::Mutual), ..with_cipher(TLS12) }, "client certificate as a server"),
        (Choice { resume: Some(Resume::Psk), ..tls13() }, "resume without a Diffie-Hellman exchange"),
        (
            Choice { hello: Some(Hello::Retry), group: Some(Group::X25519MlKem768), ..tls13() },
            "sends a share of x25519mlkem768 at once where it offers the group",
        ),
        (
            Choice { early_data: Some(1), alpn: Some(Alpn::H2), ..tls13() },
            "turns 0-RTT data down where an application protocol was agreed on",
        ),
    ];
    for (choice, words) in refused {
        let reason = refusal(ENGINE, &choice);
        assert!(reason.contains("s2n-tls 0.") && reason.ends_with(words), "{reason}");
    }
}

/// The highest version is a variable of the whole process: connections of different versions, made at the same time, must
/// not come by each other's.
#[test]
fn versions_keep_apart_on_several_threads() {
    let protos = [
        (Proto::Ssl3, "RC4-SHA"),
        (Proto::Tls10, "RC4-SHA"),
        (Proto::Tls11, "RC4-SHA"),
        (Proto::Tls12, TLS12),
        (Proto::Tls13, TLS13),
    ];
    thread::scope(|scope| {
        for (proto, name) in protos {
            scope.spawn(move || {
                let cell = cell(ENGINE, &of(proto, name));
                run(&cell, LoopKind::Full, 30).unwrap_or_else(|error| panic!("{cell}: {error}"));
            });
        }
    });
}

#[test]
fn neither_side_goes_beyond_its_version() {
    let old = cell(ENGINE, &of(Proto::Tls10, "RC4-SHA"));
    let new = cell(ENGINE, &of(Proto::Tls12, "RC4-SHA"));
    for (client, server) in [(&old, &new), (&new, &old)] {
        let mut pair = ByHand::of(client, server);
        let failed = (0..4).any(|_| pair.step(Side::Client).is_err() || pair.step(Side::Server).is_err());
        let finished = !failed;
        let agreed = finished.then(|| pair.server.negotiated().map(|agreed| agreed.proto));
        assert!(failed || agreed == Some(Ok(server.proto)), "{client} with {server}: {agreed:?}");
        assert!(client.proto > server.proto || failed, "{client} with {server} should have failed");
    }
}

#[cfg(feature = "mbedtls")]
#[test]
fn handshake_signatures_are_checked_where_certificates_are_not() {
    // The library itself takes no key that is not its certificate's.
    let cell = mixed(ENGINE, "mbedtls", &with_cipher(TLS12));
    let mut credentials = Credentials::of(&cell);
    credentials.server.key = credentials.client.key.clone();
    let error = run_with(&cell, &credentials, LoopKind::Full, 1).expect_err("another key signed");
    assert!(error.starts_with("client, handshake: ") && error.contains("(S2N_ERR_"), "{error}");
}

#[test]
fn a_key_that_is_not_the_certificates_is_refused() {
    let cell = cell(ENGINE, &with_cipher(TLS12));
    let mut credentials = Credentials::of(&cell);
    credentials.server.key = credentials.client.key.clone();
    let error = run_with(&cell, &credentials, LoopKind::Full, 1).expect_err("another key");
    assert!(error.contains("(S2N_ERR_"), "{error}");
}

#[test]
fn clients_send_the_name_whatever_they_verify() {
    for &verify in Verify::ALL {
        let mut pair = ByHand::new(&cell(ENGINE, &Choice { verify: Some(verify), ..with_cipher(TLS12) }));
        assert_eq!(pair.step(Side::Client), Ok(Step::Waiting));
        let hello = pair.pipes.to_server.unread();
        assert!(hello.windows(SERVER_NAME.len()).any(|bytes| bytes == SERVER_NAME.as_bytes()), "{verify}");
    }
}

#[test]
fn a_changed_record_is_refused_at_once_and_in_the_librarys_words() {
    for name in [TLS12, TLS13] {
        let mut pair = ByHand::connected(&cell(ENGINE, &with_cipher(name)));
        pair.client.write(b"hello", &mut pair.pipes.seen_by(Side::Client)).expect("a write");
        *pair.pipes.to_server.unread_mut().last_mut().expect("a record") ^= 1;
        let before = std::time::Instant::now();
        let error = pair
            .server
            .read(&mut [0; 16], &mut pair.pipes.seen_by(Side::Server))
            .expect_err("the record was changed");
        assert_eq!(error.to_string(), "error decrypting data (S2N_ERR_DECRYPT)", "{name}");
        assert!(before.elapsed().as_secs() < 5, "{name}: the library slept");
    }
}

#[test]
fn reading_past_the_peers_close_is_an_error() {
    let mut pair = ByHand::connected(&cell(ENGINE, &with_cipher(TLS12)));
    let mut received = [0; 16];
    assert_eq!(pair.server.read(&mut received, &mut pair.pipes.seen_by(Side::Server)), Ok(0));
    let step = pair.client.close_step(&mut pair.pipes.seen_by(Side::Client));
    assert_eq!(step, Ok(Step::Waiting));
    let error = pair
        .server
        .read(&mut received, &mut pair.pipes.seen_by(Side::Server))
        .expect_err("the client has closed");
    assert_eq!(error.to_string(), "the peer closed the connection");
}

#[test]
fn nothing_is_kept_of_a_session_that_the_server_did_not_offer() {
    let ids = cell(ENGINE, &with_cipher(TLS12));
    let tickets = cell(ENGINE, &Choice { resume: Some(Resume::Ticket), ..with_cipher(TLS12) });
    let mut pair = ByHand::of(&tickets, &ids);
    pair.shake_hands();
    let error = pair.client.keep_session().expect_err("there is no ticket");
    assert_eq!(error.to_string(), "the server gave no session to resume");
}

#[test]
fn a_tls13_ticket_serves_once() {
    let cell = cell(ENGINE, &with_cipher(TLS13));
    let client = prepared(Side::Client, &cell);
    let server = prepared(Side::Server, &cell);
    let endpoints = |start| client.endpoint(start).map(|client| (client, server.endpoint(Start::Fresh)));
    let (client, server) = endpoints(Start::Fresh).expect("a client");
    let mut first = ByHand { client, server: server.expect("a server"), pipes: Pipes::with_capacity(0) };
    first.shake_hands();
    assert_eq!(first.client.read(&mut [0], &mut first.pipes.seen_by(Side::Client)), Ok(0), "only the ticket");
    first.client.keep_session().expect("there is a ticket");
    assert!(endpoints(Start::Resume).is_ok());
    assert!(endpoints(Start::Resume).is_err());
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
        let endpoint = |side, cell: &Cell| {
            prepared(side, cell).endpoint(Start::Fresh).unwrap_or_else(|error| panic!("{side}: {error}"))
        };
        Self {
            client: endpoint(Side::Client, client),
            server: endpoint(Side::Server, server),
            pipes: Pipes::with_capacity(0),
        }
    }

    fn connected(cell: &Cell) -> Self {
        let mut pair = Self::new(cell);
        pair.shake_hands();
        pair
    }

    fn step(&mut self, side: Side) -> Result<Step, tlspair::engine::EngineError> {
        let io = &mut self.pipes.seen_by(side);
        match side {
            Side::Client => self.client.handshake_step(io),
            Side::Server => self.server.handshake_step(io),
        }
    }

    fn shake_hands(&mut self) {
        let mut both = [Step::Waiting; 2];
        for _ in 0..4 {
            both = Side::BOTH.map(|side| self.step(side).unwrap_or_else(|error| panic!("{side}: {error}")));
        }
        assert_eq!(both, [Step::Done; 2]);
    }
}

fn prepared(side: Side, cell: &Cell) -> Box<dyn Prepared> {
    let engines = Engines::built_in();
    let engine = engines.named(ENGINE).expect("a built-in engine");
    engine.prepare(side, cell, &Credentials::of(cell)).unwrap_or_else(|error| panic!("{side}: {error}"))
}
