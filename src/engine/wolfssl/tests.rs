use super::WolfSsl;
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
    let size = Choice { record_size: Some(1000), ..tls12() };
    assert!(refusal(&size).ends_with("to 512, 1024, 2048 or 4096 bytes of data, not to 1000"));
}

#[test]
fn resumption_by_ticket_is_refused_by_a_library_without_tickets() {
    if super::library::has_tickets() {
        return;
    }
    let ticket = Choice { resume: Some(Resume::Ticket), ..tls12() };
    assert!(refusal(&ticket).ends_with("has no session tickets here"));
    assert!(refusal(&Choice::default()).ends_with("and so resumes nothing in TLS 1.3"));
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
    sides.handshake().expect("a good connection");
    sides.client.keep_session().expect("a session");
    for _ in 0..40 {
        Sides::new(&cell, &credentials).handshake().expect("a good connection");
    }
    sides.pipes.reset();
    sides.client = sides.prepared[0].endpoint(Start::Resume).expect("an endpoint");
    sides.server = sides.prepared[1].endpoint(Start::Fresh).expect("an endpoint");
    let agreed = sides.handshake().expect("a good connection");
    assert!(agreed.iter().all(|negotiated| negotiated.resumed));
}

/// Full handshakes of TLS 1.3 need no tickets.
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
