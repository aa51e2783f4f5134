use tlspair::cell::{Alpn, Cell, Choice, Cipher, Extension, Group, Hello, Proto, Verify};
use tlspair::engine::{Endpoint, Engine, EngineError, Prepared, Side, Start, Step};
use tlspair::fixtures::{Credentials, Defect};
use tlspair::pipe::Pipes;

use crate::BoringSsl;

const APPLICATION: u8 = 23;

fn cell(choice: &Choice) -> Cell {
    choice.pin("boringssl", "boringssl").expect("the protocol allows the cells tested here")
}

/// Both sides of a cell, and the endpoints of one connection.
struct Sides {
    client_side: Box<dyn Prepared>,
    server_side: Box<dyn Prepared>,
    client: Box<dyn Endpoint>,
    server: Box<dyn Endpoint>,
    pipes: Pipes,
}

impl Sides {
    fn new(cell: &Cell, credentials: &Credentials) -> Self {
        let prepare = |side| BoringSsl::new().prepare(side, cell, credentials).expect("a supported cell");
        let (client_side, server_side) = (prepare(Side::Client), prepare(Side::Server));
        let client = client_side.endpoint(Start::Fresh).expect("an endpoint");
        let server = server_side.endpoint(Start::Fresh).expect("an endpoint");
        Self { client_side, server_side, client, server, pipes: Pipes::with_capacity(4096) }
    }

    /// Closes this connection; the next one resumes its session.
    fn resume(&mut self) {
        self.client.keep_session().expect("a session");
        for (side, wanted) in
            [(Side::Client, Step::Waiting), (Side::Server, Step::Done), (Side::Client, Step::Done)]
        {
            assert_eq!(self.close(side), Ok(wanted), "{side}");
        }
        self.client = self.client_side.endpoint(Start::Resume).expect("an endpoint");
        self.server = self.server_side.endpoint(Start::Fresh).expect("an endpoint");
    }

    fn close(&mut self, side: Side) -> Result<Step, EngineError> {
        let io = &mut self.pipes.seen_by(side);
        match side {
            Side::Client => self.client.close_step(io),
            Side::Server => self.server.close_step(io),
        }
    }

    fn step(&mut self, side: Side) -> Result<Step, EngineError> {
        let io = &mut self.pipes.seen_by(side);
        match side {
            Side::Client => self.client.handshake_step(io),
            Side::Server => self.server.handshake_step(io),
        }
    }

    /// Steps until both sides are done.
    fn handshake(&mut self) -> Result<(), EngineError> {
        let (mut client, mut server) = (Step::Waiting, Step::Waiting);
        for _ in 0..8 {
            if client == Step::Waiting {
                client = self.step(Side::Client)?;
            }
            if server == Step::Waiting {
                server = self.step(Side::Server)?;
            }
            if (client, server) == (Step::Done, Step::Done) {
                return Ok(());
            }
        }
        Err(EngineError::new("the sides wait for each other"))
    }

    /// The client reads what has come; no data is expected.
    fn read_tickets(&mut self) {
        let count = self.client.read(&mut [0; 8], &mut self.pipes.seen_by(Side::Client));
        assert_eq!(count, Ok(0), "a ticket is no data");
    }
}

/// The content types of the records in `bytes`.
fn records(mut bytes: &[u8]) -> Vec<u8> {
    let mut kinds = Vec::new();
    while let [kind, _, _, high, low, rest @ ..] = bytes {
        kinds.push(*kind);
        bytes = &rest[usize::from(u16::from_be_bytes([*high, *low]))..];
    }
    kinds
}

#[test]
fn refusals_name_the_library_and_what_it_lacks() {
    let engine = BoringSsl::new();
    let refusal = |proto, cipher| {
        let cipher = Some(Cipher::named(cipher).expect("a known cipher"));
        let cell = cell(&Choice { proto: Some(proto), cipher, ..Choice::default() });
        engine.supports(&cell, Side::Client).expect_err("BoringSSL lacks it").to_string()
    };
    let name = format!("BoringSSL ({})", engine.info().version);
    assert_eq!(refusal(Proto::Ssl3, "DES-CBC3-SHA"), format!("{name} has no SSL 3.0"));
    assert_eq!(refusal(Proto::Tls12, "RC4-SHA"), format!("{name} has no cipher RC4-SHA"));
}

#[test]
fn each_tls13_cipher_can_be_pinned_whatever_the_processor() {
    for name in ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"] {
        let cipher = Some(Cipher::named(name).expect("a known cipher"));
        let cell = cell(&Choice { cipher, ..Choice::default() });
        let mut sides = Sides::new(&cell, &Credentials::of(&cell));
        sides.handshake().expect("a good connection");
        assert_eq!(sides.client.negotiated().map(|negotiated| negotiated.cipher), Ok(cell.cipher.code));
    }
}

#[test]
fn tls13_sends_exactly_one_ticket_after_each_handshake() {
    let cell = cell(&Choice::default());
    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    for resumed in [false, true, true] {
        sides.handshake().expect("a good connection");
        assert_eq!(records(sides.pipes.to_client.unread()), [APPLICATION]);
        sides.read_tickets();
        assert_eq!(sides.client.negotiated().map(|negotiated| negotiated.resumed), Ok(resumed));
        sides.resume();
    }
}

#[test]
fn a_tls13_session_cannot_be_kept_before_its_ticket_was_read() {
    let cell = cell(&Choice::default());
    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    sides.handshake().expect("a good connection");
    assert!(sides.client.keep_session().is_err());
}

#[test]
fn a_refused_certificate_is_explained() {
    let cell = cell(&Choice { proto: Some(Proto::Tls12), verify: Some(Verify::Chain), ..Choice::default() });
    let credentials = Credentials::of(&cell).with_defect(cell.cert, Side::Server, Defect::Expired);
    let mut sides = Sides::new(&cell, &credentials);
    let error = sides.handshake().expect_err("an expired certificate");
    assert_eq!(error.to_string(), "CERTIFICATE_VERIFY_FAILED: certificate has expired");
}

#[test]
fn a_server_asks_for_another_key_share_where_the_cell_says_so() {
    for group in [Group::X25519, Group::P384, Group::X25519MlKem768] {
        let cell = cell(&Choice { hello: Some(Hello::Retry), group: Some(group), ..Choice::default() });
        let mut sides = Sides::new(&cell, &Credentials::of(&cell));
        for resumed in [false, true] {
            sides.handshake().expect("a good connection");
            sides.read_tickets();
            let negotiated = sides.client.negotiated().expect("the retry is checked here");
            assert_eq!((negotiated.group, negotiated.resumed), (Some(group), resumed));
            sides.server.negotiated().expect("and here");
            sides.resume();
        }
    }
}

#[test]
fn application_protocols_are_agreed_on() {
    for proto in [Proto::Tls12, Proto::Tls13] {
        let cell = cell(&Choice {
            proto: Some(proto),
            alpn: Some(Alpn::Http11),
            ems: (proto == Proto::Tls12).then_some(Extension::On),
            ..Choice::default()
        });
        let mut sides = Sides::new(&cell, &Credentials::of(&cell));
        sides.handshake().expect("a good connection");
        assert_eq!(sides.client.negotiated().map(|negotiated| negotiated.alpn), Ok(Alpn::Http11));
        assert_eq!(sides.server.negotiated().map(|negotiated| negotiated.alpn), Ok(Alpn::Http11));
    }
}

#[test]
fn early_data_arrives_before_the_handshake_is_over() {
    let data = [7; 14336];
    let early = data.len() as u32;
    let cell = cell(&Choice {
        early_data: Some(early),
        bytes: Some(early.into()),
        chunk: Some(early),
        ..Choice::default()
    });
    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    sides.handshake().expect("a good connection");
    sides.read_tickets();
    for _ in 0..2 {
        sides.resume();
        sides.client.write_early(&data, &mut sides.pipes.seen_by(Side::Client)).expect("0-RTT data");
        let mut received = vec![0; data.len() + 1];
        let mut count = 0;
        while count < data.len() {
            let io = &mut sides.pipes.seen_by(Side::Server);
            count += sides.server.read_early(&mut received[count..], io).expect("0-RTT data");
        }
        assert_eq!(&received[..count], data);
        sides.handshake().expect("a good connection");
        for negotiated in [sides.client.negotiated(), sides.server.negotiated()] {
            assert_eq!(
                negotiated.map(|negotiated| (negotiated.resumed, negotiated.early_data)),
                Ok((true, true))
            );
        }
        sides.read_tickets();
    }
}
