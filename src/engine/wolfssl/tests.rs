use std::sync::Arc;

use super::context::{Local, Pinned};
use super::{PreparedSide, WolfSsl};
use crate::cell::{Alpn, Auth, Cell, Cert, Choice, Cipher, Extension, Group, Hello, Proto, Resume, Verify};
use crate::engine::{Endpoint, Engine, EngineError, Engines, Negotiated, Prepared, Side, Start, Step};
use crate::fixtures::{Credentials, Defect};
use crate::measure::{LoopKind, LoopPlan, LoopRun, Nobody, Payload, ReadyCell, Stop, supported};
use crate::pipe::Pipes;
use crate::wire::observe;

const ALERT: u8 = 21;

fn cell(choice: &Choice) -> Cell {
    choice.pin("wolfssl", "wolfssl").expect("the protocol allows the cells tested here")
}

fn with_cipher(name: &str) -> Choice {
    Choice { cipher: Some(Cipher::named(name).expect("a known cipher")), ..Choice::default() }
}

fn tls12() -> Choice {
    with_cipher("ECDHE-RSA-AES128-GCM-SHA256")
}

/// Runs both loops of a cell, and looks at a connection of each on the wire.
#[track_caller]
fn runs(choice: &Choice) {
    let cell = cell(choice);
    let engines = Engines::built_in();
    supported(&engines, &cell).unwrap_or_else(|reason| panic!("{cell}: {reason}"));
    let ready = ReadyCell::of(&engines, &cell, &Credentials::of(&cell)).expect("supported cells prepare");
    for kind in LoopKind::BOTH {
        let plan = LoopPlan { kind, connections: 3, payload: Payload::Checked, stop: Stop::default() };
        LoopRun::of(&mut ready.pair(), plan, &mut Nobody, |_, _| {})
            .unwrap_or_else(|failure| panic!("{cell} {}: {failure}", kind.name()));
        let trace = observe(&mut ready.pair(), kind).expect("the cell has just run");
        trace.seen().check(&cell, kind == LoopKind::Reuse).expect("the wire shows what the cell says");
    }
}

fn refusal(choice: &Choice) -> String {
    supported(&Engines::built_in(), &cell(choice)).expect_err("wolfSSL lacks it").to_string()
}

/// Both sides of a cell, and the endpoints of one connection.
struct Sides {
    prepared: [Box<dyn Prepared>; 2],
    client: Box<dyn Endpoint>,
    server: Box<dyn Endpoint>,
    pipes: Pipes,
}

impl Sides {
    fn new(cell: &Cell, credentials: &Credentials) -> Self {
        let prepared = Side::BOTH
            .map(|side| WolfSsl::new().prepare(side, cell, credentials).expect("the library takes the cell"));
        let [client, server] =
            [&prepared[0], &prepared[1]].map(|side| side.endpoint(Start::Fresh).expect("an endpoint"));
        Self { prepared, client, server, pipes: Pipes::with_capacity(4096) }
    }

    fn of(choice: &Choice) -> Self {
        let cell = cell(choice);
        Self::new(&cell, &Credentials::of(&cell))
    }

    /// Steps until both sides are done, and asks both what they negotiated.
    fn handshake(&mut self) -> Result<[Negotiated; 2], EngineError> {
        let mut done = [false; 2];
        for _ in 0..6 {
            if !done[0] {
                done[0] = self.client.handshake_step(&mut self.pipes.seen_by(Side::Client))? == Step::Done;
            }
            if !done[1] {
                done[1] = self.server.handshake_step(&mut self.pipes.seen_by(Side::Server))? == Step::Done;
            }
        }
        assert_eq!(done, [true; 2], "a handshake takes fewer steps");
        Ok([self.client.negotiated()?, self.server.negotiated()?])
    }

    /// Where tickets come, the client reads them only when it reads.
    fn receive_nothing(&mut self) -> usize {
        self.client.read(&mut [0], &mut self.pipes.seen_by(Side::Client)).expect("an open connection")
    }

    /// Shakes hands, and keeps the session.
    fn keep(&mut self) -> [Negotiated; 2] {
        let agreed = self.handshake().expect("a good connection");
        assert_eq!(self.receive_nothing(), 0);
        self.client.keep_session().expect("a session");
        agreed
    }

    /// Begins a connection that resumes the kept session.
    fn resume(&mut self) {
        self.pipes.reset();
        self.client = self.prepared[0].endpoint(Start::Resume).expect("an endpoint");
        self.server = self.prepared[1].endpoint(Start::Fresh).expect("an endpoint");
    }
}

#[test]
fn refusals_name_the_library_and_what_it_lacks() {
    let version = WolfSsl::new().info().version;
    let refused = [
        (with_cipher("DES-CBC3-SHA"), "no cipher DES-CBC3-SHA"),
        (Choice { proto: Some(Proto::Tls11), ..with_cipher("AES128-SHA") }, "no TLS 1.1"),
        (Choice { group: Some(Group::X448), ..tls12() }, "no group x448"),
        (
            Choice { cert: Some(Cert::Ed25519), ..with_cipher("ECDHE-ECDSA-AES128-GCM-SHA256") },
            "no ed25519 certificates",
        ),
    ];
    for (choice, words) in refused {
        assert_eq!(refusal(&choice), format!("wolfSSL {version} has {words}"));
    }
    let chain = Choice { auth: Some(Auth::Mutual), chain: Some(2), ..tls12() };
    assert!(
        refusal(&chain).ends_with("checks the signatures inside a client's chain whenever it asks for one")
    );
    let sha1 = Choice { cert: Some(Cert::Rsa1024), ..Choice::default() };
    assert!(refusal(&sha1).ends_with("they are signed with SHA-1, which no peer asks for"));
    let early =
        Choice { early_data: Some(600), bytes: Some(600), record_size: Some(512), ..Choice::default() };
    assert!(refusal(&early).ends_with("once the server has answered, and so not those of 0-RTT data"));
    let size = Choice { record_size: Some(1000), ..tls12() };
    assert!(refusal(&size).ends_with("to 512, 1024, 2048 or 4096 bytes of data, not to 1000"));
}

#[test]
fn every_way_of_resumption_runs_with_and_without_a_clients_certificate() {
    let tls13 = Choice::default();
    for auth in [Auth::Server, Auth::Mutual] {
        for (resume, choice) in [
            (Resume::SessionId, tls12()),
            (Resume::Ticket, tls12()),
            (Resume::Ticket, with_cipher("AES128-SHA")),
            (Resume::PskDhe, tls13.clone()),
            (Resume::Psk, tls13.clone()),
        ] {
            runs(&Choice { resume: Some(resume), auth: Some(auth), ..choice });
        }
    }
}

#[test]
fn early_data_is_taken_whatever_else_is_sent() {
    for (early_data, bytes) in [(1, 1), (1, 100_000), (5000, 5000), (16384, 16384), (16384, 100_000)] {
        for resume in [Resume::PskDhe, Resume::Psk] {
            runs(&Choice {
                early_data: Some(early_data),
                bytes: Some(bytes),
                chunk: Some(20_000),
                resume: Some(resume),
                ..Choice::default()
            });
        }
    }
}

/// Without a word in the session's ticket the library would go on to a handshake without such data.
#[test]
fn early_data_that_the_server_does_not_take_is_an_error() {
    let plain = cell(&Choice::default());
    let mut sides = Sides::new(&plain, &Credentials::of(&plain));
    sides.keep();
    sides.resume();
    let error = sides.client.write_early(&[0], &mut sides.pipes.seen_by(Side::Client));
    assert_eq!(error.expect_err("the server takes none").to_string(), "sent 0 of 1 bytes of 0-RTT data");
}

#[test]
fn tickets_are_not_given_to_who_resumes_by_id() {
    let ids = cell(&tls12());
    let tickets = cell(&Choice { resume: Some(Resume::Ticket), ..tls12() });
    let mut sides = Sides::new(&ids, &Credentials::of(&ids));
    let client =
        WolfSsl::new().prepare(Side::Client, &tickets, &Credentials::of(&tickets)).expect("a client");
    sides.client = client.endpoint(Start::Fresh).expect("an endpoint");
    sides.handshake().expect("a good connection");
    let error = sides.client.keep_session().expect_err("there is no ticket");
    assert_eq!(error.to_string(), "the server gave no session to resume");
}

#[test]
fn a_tls13_ticket_serves_once() {
    let mut sides = Sides::of(&Choice::default());
    sides.keep();
    sides.resume();
    assert!(sides.prepared[0].endpoint(Start::Resume).is_err());
    assert!(sides.keep().iter().all(|negotiated| negotiated.resumed));
}

#[test]
fn a_server_that_gives_no_new_ticket_is_noticed() {
    let cell = cell(&Choice::default());
    let credentials = Credentials::of(&cell);
    let server = Arc::new(Pinned::new(Side::Server, &cell, &credentials).expect("a server"));
    let mut sides = Sides::new(&cell, &credentials);
    sides.prepared[1] = Box::new(PreparedSide(Local::of(Arc::clone(&server))));
    sides.server = sides.prepared[1].endpoint(Start::Fresh).expect("an endpoint");
    sides.keep();
    // SAFETY: the context lives.
    unsafe { wolfssl_sys::wolfSSL_CTX_set_num_tickets(server.context.at(), 0) };
    sides.resume();
    assert!(sides.handshake().expect("a good connection").iter().all(|negotiated| negotiated.resumed));
    assert_eq!(sides.receive_nothing(), 0);
    let error = sides.client.keep_session().expect_err("there is no new ticket");
    assert_eq!(error.to_string(), "the server gave no new ticket");
}

#[test]
fn records_are_limited_to_the_cells_size_on_both_sides() {
    for record_size in [512, 1024, 2048, 4096] {
        runs(&Choice { record_size: Some(record_size), bytes: Some(10_000), ..tls12() });
    }
}

/// The library leaves a limit out that its peer does not answer, which must not pass for the cell.
#[test]
fn a_limit_of_records_that_the_peer_does_not_know_is_noticed() {
    let limited = cell(&Choice { record_size: Some(512), ..tls12() });
    let plain = cell(&tls12());
    let mut sides = Sides::of(&tls12());
    let client = WolfSsl::new().prepare(Side::Client, &plain, &Credentials::of(&plain)).expect("a client");
    let server =
        WolfSsl::new().prepare(Side::Server, &limited, &Credentials::of(&limited)).expect("a server");
    sides.client = client.endpoint(Start::Fresh).expect("an endpoint");
    sides.server = server.endpoint(Start::Fresh).expect("an endpoint");
    let error = sides.handshake().expect_err("the server limits nothing");
    assert_eq!(error.to_string(), "records hold 16384 bytes of data at most, not 512");
}

#[test]
fn application_protocols_are_agreed_on() {
    for alpn in [Alpn::H2, Alpn::Http11] {
        runs(&Choice { alpn: Some(alpn), ..tls12() });
    }
}

#[test]
fn extensions_are_switched_on_and_off() {
    for switch in [Extension::On, Extension::Off] {
        runs(&Choice { ems: Some(switch), ..tls12() });
        runs(&Choice { etm: Some(switch), ..with_cipher("AES128-SHA256") });
    }
}

#[test]
fn clients_sign_in_the_cells_scheme() {
    let ecdsa = "ECDHE-ECDSA-AES128-GCM-SHA256";
    for (name, cert) in [
        ("AES128-SHA", Cert::Rsa2048),
        ("ECDHE-RSA-AES128-GCM-SHA256", Cert::Rsa2048),
        (ecdsa, Cert::P256),
        (ecdsa, Cert::P384),
        (ecdsa, Cert::P521),
    ] {
        for verify in [Verify::None, Verify::Name] {
            let choice = Choice {
                auth: Some(Auth::Mutual),
                cert: Some(cert),
                verify: Some(verify),
                ..with_cipher(name)
            };
            runs(&choice);
        }
    }
}

/// wolfSSL does not load a key that does not go with its certificate; Mbed TLS signs with it.
#[cfg(feature = "mbedtls")]
#[test]
fn handshake_signatures_are_checked_where_certificates_are_not() {
    let choice = Choice { auth: Some(Auth::Mutual), ..with_cipher("ECDHE-ECDSA-AES128-GCM-SHA256") };
    for (side, client, server) in [(Side::Client, "mbedtls", "wolfssl"), (Side::Server, "wolfssl", "mbedtls")]
    {
        let cell = choice.pin(client, server).expect("the protocol allows it");
        let mut credentials = Credentials::of(&cell);
        match side {
            Side::Client => credentials.client.key = credentials.server.key.clone(),
            Side::Server => credentials.server.key = credentials.client.key.clone(),
        }
        let engines = Engines::built_in();
        let ready = ReadyCell::of(&engines, &cell, &credentials).expect("both sides prepare");
        let failure = ready.pair().connect(Start::Fresh, false, Payload::Plain, &mut Nobody);
        let failure = failure.expect_err("another key signed").to_string();
        assert!(failure.starts_with(side.other().name()) && failure.contains("(-"), "{side}: {failure}");
    }
}

#[test]
fn a_refused_certificate_is_explained_and_answered_with_an_alert() {
    let cell = cell(&Choice { verify: Some(Verify::Chain), ..tls12() });
    let credentials = Credentials::of(&cell).with_defect(cell.cert, Side::Server, Defect::Expired);
    let mut sides = Sides::new(&cell, &credentials);
    let error = sides.handshake().expect_err("an expired certificate");
    assert_eq!(error.to_string(), "ASN date error, current date is after expiration (-151)");
    assert_eq!(sides.pipes.to_server.unread()[0], ALERT);
}

#[test]
fn a_changed_close_is_an_error_and_does_not_go_on_for_ever() {
    let mut sides = Sides::of(&tls12());
    sides.handshake().expect("a good connection");
    assert_eq!(sides.client.close_step(&mut sides.pipes.seen_by(Side::Client)), Ok(Step::Waiting));
    *sides.pipes.to_server.unread_mut().last_mut().expect("a record") ^= 1;
    let error = sides.server.close_step(&mut sides.pipes.seen_by(Side::Server));
    assert!(error.expect_err("a changed record").to_string().contains("(-"));
}

#[test]
fn sessions_of_two_servers_do_not_push_out_each_other() {
    let cell = cell(&tls12());
    let credentials = Credentials::of(&cell);
    let mut sides = Sides::new(&cell, &credentials);
    sides.keep();
    for _ in 0..40 {
        Sides::new(&cell, &credentials).handshake().expect("a good connection");
    }
    sides.resume();
    let agreed = sides.handshake().expect("a good connection");
    assert!(agreed.iter().all(|negotiated| negotiated.resumed));
}

#[test]
fn tls13_pins_groups_and_schemes_on_both_sides() {
    let groups = [
        Group::X25519,
        Group::P256,
        Group::P384,
        Group::P521,
        Group::Ffdhe2048,
        Group::X25519MlKem768,
        Group::SecP256r1MlKem768,
    ];
    for (group, hello) in groups.iter().flat_map(|&group| [(group, Hello::Direct), (group, Hello::Retry)]) {
        for cert in [Cert::Rsa2048, Cert::P256, Cert::P384, Cert::P521] {
            let choice =
                Choice { group: Some(group), hello: Some(hello), cert: Some(cert), ..Choice::default() };
            runs(&choice);
            let cell = cell(&choice);
            let mut sides = Sides::new(&cell, &Credentials::of(&cell));
            let agreed = sides.handshake().unwrap_or_else(|error| panic!("{cell}: {error}"));
            for (side, negotiated) in Side::BOTH.into_iter().zip(agreed) {
                assert_eq!(negotiated.group, Some(group), "{cell} {side}");
                assert_eq!(negotiated.signature, cell.signature(), "{cell} {side}");
                assert_eq!(negotiated.proto, Proto::Tls13, "{cell} {side}");
            }
        }
    }
}
