//! What the common engine contract cannot see from outside.

use super::*;
use crate::cell::{Auth, Cert, Choice, Cipher, Group, Resume, SignatureScheme};
use crate::engine::{Endpoint, Start, Step};
use crate::pipe::Pipes;

const TLS12: &str = "ECDHE-ECDSA-AES128-GCM-SHA256";
const TLS13: &str = "TLS_AES_128_GCM_SHA256";
const ALERT: u8 = 21;

fn engines() -> Vec<Rustls> {
    let mut engines = vec![
        #[cfg(feature = "rustls-aws-lc")]
        Rustls::aws_lc(),
        #[cfg(feature = "rustls-ring")]
        Rustls::ring(),
        #[cfg(feature = "rustls-graviola")]
        Rustls::graviola(),
    ];
    engines.retain(|engine| engine.runs_here().is_ok());
    engines
}

fn cell(cipher: &str, cert: Cert) -> Cell {
    let cipher = Some(Cipher::named(cipher).expect("a known cipher"));
    let choice = Choice { cipher, cert: Some(cert), ..Choice::default() };
    choice.pin("any", "any").expect("a combination that the protocol allows")
}

/// Both sides of one cell, for connections that a test drives itself.
struct Sides {
    client: Box<dyn Prepared>,
    server: Box<dyn Prepared>,
}

impl Sides {
    fn of(engine: &Rustls, cell: &Cell) -> Self {
        Self::with_server_cell(engine, cell, cell)
    }

    fn with_server_cell(engine: &Rustls, client: &Cell, server: &Cell) -> Self {
        let prepare = |side, cell| engine.prepare(side, cell, &Credentials::of(cell)).expect("supported");
        Self { client: prepare(Side::Client, client), server: prepare(Side::Server, server) }
    }

    fn open(&self, start: Start) -> Result<Connected, EngineError> {
        Ok(Connected {
            client: self.client.endpoint(start)?,
            server: self.server.endpoint(Start::Fresh)?,
            pipes: Pipes::with_capacity(1 << 16),
        })
    }

    fn connect(&self, start: Start) -> Result<Connected, EngineError> {
        let mut connected = self.open(start)?;
        connected.shake_hands()?;
        Ok(connected)
    }

    /// Has the client keep the session of a full handshake.
    fn keep_a_session(&self) {
        let mut first = self.connect(Start::Fresh).expect("a full handshake");
        assert_eq!(first.client_reads(&mut [0; 1]), Ok(0), "only the ticket waits");
        first.client.keep_session().expect("the server gave a session");
    }
}

struct Connected {
    client: Box<dyn Endpoint>,
    server: Box<dyn Endpoint>,
    pipes: Pipes,
}

impl Connected {
    fn shake_hands(&mut self) -> Result<(), EngineError> {
        let mut done = [false; 2];
        while done != [true; 2] {
            for (done, side) in done.iter_mut().zip(Side::BOTH) {
                if !*done {
                    *done = self.handshake_step(side)? == Step::Done;
                }
            }
        }
        Ok(())
    }

    fn handshake_step(&mut self, side: Side) -> Result<Step, EngineError> {
        let io = &mut self.pipes.seen_by(side);
        match side {
            Side::Client => self.client.handshake_step(io),
            Side::Server => self.server.handshake_step(io),
        }
    }

    fn server_writes(&mut self, data: &[u8]) {
        self.server.write(data, &mut self.pipes.seen_by(Side::Server)).expect("the connection is open");
    }

    fn client_reads(&mut self, into: &mut [u8]) -> Result<usize, EngineError> {
        self.client.read(into, &mut self.pipes.seen_by(Side::Client))
    }
}

#[test]
fn a_key_is_supported_exactly_if_the_provider_loads_it() {
    for engine in engines() {
        for &cert in Cert::ALL {
            // TLS 1.3 takes every kind of key, but no RSA key that is too short for its signatures.
            let cipher = if cert.rsa_bits().is_some() { "ECDHE-RSA-AES128-GCM-SHA256" } else { TLS13 };
            let cell = cell(cipher, cert);
            let key = config::private_key(&Credentials::of(&cell).server.key);
            let loads = engine.provider.key_provider.load_private_key(key).is_ok();
            assert_eq!(engine.supports(&cell, Side::Server).is_ok(), loads, "{}: {cert}", engine.id);
        }
    }
}

#[test]
fn reasons_name_what_is_missing() {
    for engine in engines() {
        let reason = |cipher: &str| {
            engine.supports(&cell(cipher, Cert::Rsa2048), Side::Client).map_err(|why| why.to_string())
        };
        assert_eq!(reason("AES128-GCM-SHA256"), Err("rustls offers no ciphers with static RSA".to_owned()));
        assert_eq!(reason("ECDHE-RSA-AES128-SHA"), Err("rustls offers no CBC ciphers".to_owned()));
        assert_eq!(
            reason("TLS_AES_128_CCM_SHA256"),
            Err("rustls offers no cipher TLS_AES_128_CCM_SHA256".to_owned())
        );
        assert_eq!(reason("ECDHE-RSA-AES128-GCM-SHA256"), Ok(()));
    }
}

/// Graviola's own lists of schemes leave Ed25519 out in TLS 1.2.
#[cfg(feature = "rustls-graviola")]
#[test]
fn graviola_has_ed25519_in_tls13_only() {
    let engine = Rustls::graviola();
    if engine.runs_here().is_ok() {
        let answer = |cipher| engine.supports(&cell(cipher, Cert::Ed25519), Side::Server);
        assert_eq!(answer(TLS13), Ok(()));
        assert_eq!(
            answer(TLS12),
            Err(Unsupported("rustls with Graviola has no signature ed25519 in TLS 1.2".to_owned()))
        );
    }
}

#[test]
fn a_record_longer_than_the_buffer_is_read_in_parts() {
    for engine in engines() {
        for cipher in [TLS12, TLS13] {
            let mut connected =
                Sides::of(&engine, &cell(cipher, Cert::P256)).connect(Start::Fresh).expect("a handshake");
            let sent: Vec<u8> = (0..40_000_u32).map(|at| (at % 251) as u8).collect();
            connected.server_writes(&sent);
            let mut received = Vec::new();
            let mut part = [0; 777];
            loop {
                match connected.client_reads(&mut part).expect("the connection is open") {
                    0 => break,
                    count => received.extend_from_slice(&part[..count]),
                }
            }
            assert!(received == sent, "{}: {cipher}", engine.id);
        }
    }
}

#[test]
fn data_before_a_close_is_read_and_the_close_is_an_error() {
    for engine in engines() {
        for cipher in [TLS12, TLS13] {
            let mut connected =
                Sides::of(&engine, &cell(cipher, Cert::P256)).connect(Start::Fresh).expect("a handshake");
            connected.server_writes(b"last words");
            let step = connected.server.close_step(&mut connected.pipes.seen_by(Side::Server));
            assert_eq!(step, Ok(Step::Waiting));
            let mut into = [0; 100];
            assert_eq!(connected.client_reads(&mut into), Ok(10));
            assert!(connected.client_reads(&mut into).is_err(), "{}: {cipher}", engine.id);
        }
    }
}

#[test]
fn the_alert_of_a_failed_handshake_is_sent() {
    for engine in engines() {
        let other_group = Cell { group: Group::P384, ..cell(TLS12, Cert::P256) };
        let sides = Sides::with_server_cell(&engine, &cell(TLS12, Cert::P256), &other_group);
        let mut pipes = Pipes::with_capacity(1 << 16);
        let mut client = sides.client.endpoint(Start::Fresh).expect("a client");
        let mut server = sides.server.endpoint(Start::Fresh).expect("a server");
        assert_eq!(client.handshake_step(&mut pipes.seen_by(Side::Client)), Ok(Step::Waiting));
        assert!(server.handshake_step(&mut pipes.seen_by(Side::Server)).is_err());
        assert_eq!(pipes.to_client.unread().first(), Some(&ALERT), "{}", engine.id);
    }
}

#[test]
fn a_tls12_session_serves_many_times_and_a_tls13_ticket_once() {
    for engine in engines() {
        let ticket = Cell { resume: Resume::Ticket, ..cell(TLS12, Cert::P256) };
        for (cell, serves_again) in
            [(cell(TLS12, Cert::P256), true), (ticket, true), (cell(TLS13, Cert::P256), false)]
        {
            let sides = Sides::of(&engine, &cell);
            let mut first = sides.connect(Start::Fresh).expect("a full handshake");
            assert_eq!(first.client_reads(&mut [0; 1]), Ok(0), "only the ticket waits");
            first.client.keep_session().expect("the server gave a session");
            assert!(first.client.keep_session().is_err(), "a session is kept once");

            let mut resumed = sides.connect(Start::Resume).expect("a session was kept");
            assert!(resumed.client.negotiated().expect("finished").resumed, "{cell}");
            assert!(resumed.server.negotiated().expect("finished").resumed, "{cell}");
            assert_eq!(sides.connect(Start::Resume).is_ok(), serves_again, "{cell}");

            let mut fresh = sides.connect(Start::Fresh).expect("a full handshake");
            assert!(!fresh.client.negotiated().expect("finished").resumed, "{cell}");
        }
    }
}

#[test]
fn features_that_rustls_lacks_are_refused_in_words() {
    for engine in engines() {
        let cell = cell(TLS12, Cert::P256);
        let answer = |feature| engine.offers(feature, &cell, Side::Client).map_err(|why| why.to_string());
        for (feature, words) in [
            (Feature::PskOnly, "rustls resumes with a Diffie-Hellman exchange only (psk_dhe_ke)"),
            (Feature::EncryptThenMac(true), "rustls offers no CBC ciphers, and so no encrypt-then-MAC"),
            (
                Feature::ExtendedMasterSecret(false),
                "rustls always offers the extended master secret, and always takes it",
            ),
        ] {
            assert_eq!(answer(feature), Err(words.to_owned()));
        }
        assert_eq!(answer(Feature::ExtendedMasterSecret(true)), Ok(()));
    }
}

/// The library itself says nothing of a HelloRetryRequest once the session is resumed.
#[test]
fn a_retry_request_that_the_cell_does_not_have_is_an_error_and_so_is_its_absence() {
    for engine in engines() {
        let direct = cell(TLS13, Cert::P256);
        let retry = Cell { hello: Hello::Retry, ..direct.clone() };
        for (client, server, words) in [
            (&retry, &direct, "the handshake took a HelloRetryRequest"),
            (&direct, &retry, "the handshake took no HelloRetryRequest"),
        ] {
            let sides = Sides::with_server_cell(&engine, client, server);
            sides.keep_a_session();
            for start in [Start::Fresh, Start::Resume] {
                let mut connected = sides.connect(start).expect("a handshake");
                assert_eq!(
                    connected.client.negotiated().map(|said| said.resumed),
                    Ok(start == Start::Resume)
                );
                let error = connected.server.negotiated().expect_err(words).to_string();
                assert_eq!(error, words, "{} {start:?}", engine.id);
            }
        }
    }
}

/// The loops take turns between pairs, and the heap's count holds many connections of one pair open.
#[test]
fn connections_that_take_turns_do_not_mix_up_what_they_saw() {
    for engine in engines() {
        for cipher in [TLS12, TLS13] {
            let sides = Sides::of(&engine, &Cell { auth: Auth::Mutual, ..cell(cipher, Cert::P256) });
            sides.keep_a_session();
            let mut resumed = sides.open(Start::Resume).expect("a session was kept");
            let mut full = sides.open(Start::Fresh).expect("no session is needed");
            for round in 1..=3 {
                for side in Side::BOTH {
                    for connected in [&mut full, &mut resumed] {
                        let step = connected.handshake_step(side).expect("a step");
                        assert!(step == Step::Done || round < 3, "{} {cipher} {side}", engine.id);
                    }
                }
            }
            let scheme = Some(SignatureScheme::EcdsaSecp256r1Sha256);
            for (connected, is_resumed, signature) in [(&mut full, false, scheme), (&mut resumed, true, None)]
            {
                for endpoint in [&mut connected.client, &mut connected.server] {
                    let said = endpoint.negotiated().expect("both have finished");
                    let found = (said.resumed, said.signature, said.client_cert);
                    assert_eq!(found, (is_resumed, signature, true), "{} {cipher}", engine.id);
                }
            }
        }
    }
}

#[test]
fn early_data_needs_a_session_that_allows_it_and_a_server_that_takes_it() {
    for engine in engines() {
        let without = cell(TLS13, Cert::P256);
        let with = Cell { bytes: 10, early_data: 10, ..without.clone() };
        for (client, server) in [(&with, &without), (&without, &with)] {
            let sides = Sides::with_server_cell(&engine, client, server);
            sides.keep_a_session();
            let mut connected = sides.open(Start::Resume).expect("a session was kept");
            let sent = connected.client.write_early(&[7; 10], &mut connected.pipes.seen_by(Side::Client));
            let words = "the session allows no 0-RTT data";
            assert_eq!(sent.map_err(|error| error.to_string()), Err(words.to_owned()), "{}", engine.id);
        }

        let sides = Sides::of(&engine, &with);
        sides.keep_a_session();
        let mut connected = sides.open(Start::Resume).expect("a session was kept");
        let (mut into, data) = ([0; 20], [7; 10]);
        let sent = connected.client.write_early(&data, &mut connected.pipes.seen_by(Side::Client));
        assert_eq!(sent, Ok(()));
        let received = connected.server.read_early(&mut into, &mut connected.pipes.seen_by(Side::Server));
        assert_eq!((received, &into[..10]), (Ok(10), &data[..]), "{}", engine.id);
        connected.shake_hands().expect("the handshake goes on");
        for endpoint in [&mut connected.client, &mut connected.server] {
            assert_eq!(endpoint.negotiated().map(|said| said.early_data), Ok(true), "{}", engine.id);
        }
    }
}

/// A cache and a ticket key serve all shares of a server; the session of a client is nobody else's.
#[test]
fn a_shared_server_resumes_the_sessions_of_the_first_and_a_shared_client_has_none() {
    let made = |prepared: &dyn Prepared| prepared.share().expect("can be shared")().expect("another side");
    for engine in engines() {
        let early = Cell { bytes: 10, early_data: 10, ..cell(TLS13, Cert::P256) };
        for cell in [cell(TLS12, Cert::P256), cell(TLS13, Cert::P256), early] {
            let Sides { client, server } = Sides::of(&engine, &cell);
            let sides = Sides { server: made(&*server), client };
            sides.keep_a_session();
            let other = Sides { client: made(&*sides.client), server };
            assert!(other.connect(Start::Resume).is_err(), "{cell}");

            let sides = Sides { server: other.server, ..sides };
            let mut resumed = sides.connect(Start::Resume).expect("a session was kept");
            assert_eq!(resumed.server.negotiated().map(|said| said.resumed), Ok(true), "{cell}");
        }
    }
}
