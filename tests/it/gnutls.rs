//! What the contract does not ask of every engine: GnuTLS's own range, words and ways.

use std::fs;
use std::process::Command;

use tlspair::cell::{Acceleration, Auth, Cell, Cert, Choice, Extension, Group, Proto, Resume, Verify};
use tlspair::engine::{Endpoint, Engines, Prepared, Side, Start, Step};
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, ReadyCell, supported};
use tlspair::pipe::Pipes;
use tlspair::wire::{Stage, observe};

use crate::support::{cell, refusal, run, run_with, with_cipher};

const ENGINE: &str = "gnutls";

#[test]
fn refusals_name_the_library_and_what_it_lacks() {
    let ecdsa = "ECDHE-ECDSA-AES128-GCM-SHA256";
    let tls13 = "TLS_AES_128_GCM_SHA256";
    let refused = [
        (Choice { proto: Some(Proto::Ssl3), ..with_cipher("AES128-SHA") }, "has no SSL 3.0"),
        (with_cipher("SEED-SHA"), "has no cipher SEED-SHA"),
        (Choice { group: Some(Group::MlKem768), ..with_cipher(tls13) }, "has no group mlkem768"),
        (Choice { cert: Some(Cert::MlDsa44), ..with_cipher(tls13) }, "has no mldsa44 signatures"),
        (
            Choice { record_size: Some(511), ..with_cipher(ecdsa) },
            "does not limit records to 511 bytes of data: The request is invalid. (-50)",
        ),
        (
            Choice { accel: Some(Acceleration::Off), ..with_cipher(ecdsa) },
            "are not to be asked whether they do without the processor's instructions for cryptography",
        ),
    ];
    for (choice, words) in refused {
        let reason = refusal(ENGINE, &choice);
        assert!(reason.starts_with("GnuTLS 3.") && reason.ends_with(words), "{reason}");
    }
}

/// The others' rounding can make a ticket older than it is in the server's eyes.
#[cfg(all(feature = "openssl", feature = "rustls-ring"))]
#[test]
fn early_data_are_taken_of_clients_that_do_not_round_up() {
    let with = |client: &str| {
        let choice =
            Choice { early_data: Some(100), bytes: Some(100), ..with_cipher("TLS_AES_128_GCM_SHA256") };
        choice.pin(client, ENGINE).expect("a cell")
    };
    let cell = with("openssl");
    run(&cell, LoopKind::Reuse, 200).unwrap_or_else(|error| panic!("{cell}: {error}"));
    let refused = supported(&Engines::built_in(), &with("rustls-ring")).expect_err("it rounds").to_string();
    assert!(refused.contains("a rustls-ring client may, as it rounds times"), "{refused}");
}

/// The library would refuse much of this if it were left to its defaults: SHA-1, 512 bits.
#[test]
fn every_kind_of_certificate_is_checked_as_a_chain() {
    let mut ran = 0;
    for proto in [Proto::Tls10, Proto::Tls12, Proto::Tls13] {
        for &cert in Cert::ALL {
            let choice = Choice {
                proto: Some(proto),
                cert: Some(cert),
                chain: Some(3),
                auth: Some(Auth::Mutual),
                verify: Some(Verify::Name),
                ..Choice::default()
            };
            let Ok(cell) = choice.pin(ENGINE, ENGINE) else { continue };
            if supported(&Engines::built_in(), &cell).is_ok() {
                run(&cell, LoopKind::Full, 1).unwrap_or_else(|error| panic!("{cell}: {error}"));
                ran += 1;
            }
        }
    }
    assert!(ran >= 25, "{ran}");
}

#[test]
fn handshake_signatures_are_checked_where_certificates_are_not() {
    for name in ["ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA", "TLS_AES_128_GCM_SHA256"] {
        let choice =
            Choice { auth: Some(Auth::Mutual), cert: Some(Cert::P256), chain: Some(3), ..with_cipher(name) };
        let cell = cell(ENGINE, &choice);
        for side in Side::BOTH {
            let mut credentials = Credentials::of(&cell);
            match side {
                Side::Client => credentials.client.key = credentials.server.key.clone(),
                Side::Server => credentials.server.key = credentials.client.key.clone(),
            }
            let error = run_with(&cell, &credentials, LoopKind::Full, 1).expect_err("another key signed");
            let words = "Public key signature verification has failed. (-89)";
            assert!(error.contains(side.other().name()) && error.contains(words), "{side}: {error}");
        }
    }
}

#[test]
fn refused_certificates_are_so_in_the_librarys_words() {
    let choice = Choice { verify: Some(Verify::Chain), ..with_cipher("ECDHE-RSA-AES128-GCM-SHA256") };
    let cell = cell(ENGINE, &choice);
    let other = Credentials::of(&self::cell(ENGINE, &Choice { cert: Some(Cert::Rsa3072), ..choice }));
    let credentials = Credentials { root: other.root, ..Credentials::of(&cell) };
    let error = run_with(&cell, &credentials, LoopKind::Full, 1).expect_err("nobody trusts that root");
    let words = "Error in the certificate verification. (-348): The certificate is NOT trusted. \
                 The certificate issuer is unknown.";
    assert_eq!(error, format!("client, handshake: {words}"));
}

#[test]
fn a_changed_record_is_refused_in_the_librarys_words_and_with_an_alert() {
    for name in ["AES128-SHA", "AES128-GCM-SHA256", "NULL-SHA", "TLS_AES_128_GCM_SHA256"] {
        let mut pair = ByHand::connected(name);
        pair.client.write(b"hello", &mut pair.pipes.seen_by(Side::Client)).expect("a write");
        *pair.pipes.to_server.unread_mut().last_mut().expect("a record") ^= 1;
        let before = pair.pipes.to_client.written();
        let mut received = [0; 16];
        let error = pair
            .server
            .read(&mut received, &mut pair.pipes.seen_by(Side::Server))
            .expect_err("the record was changed");
        assert_eq!(error.to_string(), "Decryption has failed. (-24)", "{name}");
        assert!(pair.pipes.to_client.written() > before, "{name}");
        let error = pair.client.read(&mut received, &mut pair.pipes.seen_by(Side::Client));
        let error = error.expect_err("the server has sent an alert").to_string();
        assert_eq!(error, "A TLS fatal alert has been received. (-12): Bad record MAC", "{name}");
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
    assert_eq!(error.to_string(), "the peer closed the connection");
}

/// The other way round nobody can tell: the library's servers give every session an id, whether they keep it or not.
#[test]
fn nothing_is_kept_of_a_ticket_that_the_server_did_not_send() {
    let by = |resume| cell(ENGINE, &Choice { resume: Some(resume), ..with_cipher("AES128-SHA") });
    let mut pair = ByHand::of(&by(Resume::Ticket), &by(Resume::SessionId));
    pair.shake_hands();
    let error = pair.client.keep_session().expect_err("there is no ticket");
    assert_eq!(error.to_string(), "the server gave no session to resume");
}

/// The library would send two by itself.
#[test]
fn a_tls13_server_sends_one_ticket() {
    let cell = cell(ENGINE, &with_cipher("TLS_AES_128_GCM_SHA256"));
    let ready = ReadyCell::of(&Engines::built_in(), &cell, &Credentials::of(&cell))
        .map(|ready| LoopKind::BOTH.map(|kind| observe(&mut ready.pair(), kind)))
        .expect("the cell prepares");
    for trace in ready {
        let trace = trace.expect("the cell runs");
        let tickets = trace.records().iter().filter(|record| record.stage == Stage::PostHandshake);
        assert_eq!(tickets.map(|record| record.side).collect::<Vec<_>>(), [Side::Server]);
    }
}

/// RFC 7627 is agreed on whenever both know it, and before GnuTLS 3.8 no switch insists on it: the endpoint looks.
#[test]
fn a_peer_without_the_extended_master_secret_is_refused_where_it_must_be() {
    let with = |ems| cell(ENGINE, &Choice { ems: Some(ems), ..with_cipher("AES128-SHA") });
    let mut pair = ByHand::of(&with(Extension::On), &with(Extension::Off));
    pair.shake_hands();
    let error = pair.client.negotiated().expect_err("the server does without");
    assert_eq!(error.to_string(), "the extended master secret was not agreed on");
    assert!(pair.server.negotiated().is_ok());
}

/// A configuration of the machine's that forbids what a cell is about does not change the cell.
#[test]
fn the_system_s_configuration_has_no_say() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("gnutls.conf");
    fs::write(&file, "[overrides]\ntls-disabled-cipher = AES-128-GCM\ndisabled-version = TLS1.3\n")
        .expect("a file");
    let output = Command::new(env!("CARGO_BIN_EXE_tlspair"))
        .args(["run", "--engine", ENGINE, "--proto", "tls1.3", "--num", "2", "--json"])
        .env("GNUTLS_SYSTEM_PRIORITY_FILE", file)
        .output()
        .expect("the program starts");
    let results: serde_json::Value = serde_json::from_slice(&output.stdout).expect("results are JSON");
    assert_eq!(results["cells"][0]["status"], "ok", "{results}");
    let build = results["engines"][0]["build"].as_str().unwrap_or_default();
    assert!(build.contains("no system-wide configuration"), "{build}");
}

/// Both endpoints of one connection, stepped by the test.
struct ByHand {
    client: Box<dyn Endpoint>,
    server: Box<dyn Endpoint>,
    pipes: Pipes,
}

impl ByHand {
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

    fn connected(cipher: &str) -> Self {
        let cell = cell(ENGINE, &with_cipher(cipher));
        let mut pair = Self::of(&cell, &cell);
        pair.shake_hands();
        pair
    }

    fn shake_hands(&mut self) {
        let mut both = [Step::Waiting; 2];
        for _ in 0..4 {
            let steps: [(&mut dyn Endpoint, Side); 2] =
                [(&mut *self.client, Side::Client), (&mut *self.server, Side::Server)];
            for (place, (endpoint, side)) in steps.into_iter().enumerate() {
                if both[place] == Step::Waiting {
                    let step = endpoint.handshake_step(&mut self.pipes.seen_by(side));
                    both[place] = step.unwrap_or_else(|error| panic!("{side}: {error}"));
                }
            }
        }
        assert_eq!(both, [Step::Done; 2]);
    }
}

fn prepared(side: Side, cell: &Cell) -> Box<dyn Prepared> {
    let engines = Engines::built_in();
    let engine = engines.named(ENGINE).expect("a built-in engine");
    engine.prepare(side, cell, &Credentials::of(cell)).unwrap_or_else(|error| panic!("{side}: {error}"))
}
