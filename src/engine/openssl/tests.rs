use super::OpenSsl;
use crate::cell::{Alpn, Cell, Choice, Cipher, Feature, Proto, Resume, Verify};
use crate::engine::{Endpoint, Engine, EngineError, Prepared, Side, Start, Step};
use crate::fixtures::{Credentials, Defect};
use crate::pipe::Pipes;

const ALERT: u8 = 21;
const APPLICATION: u8 = 23;

fn cell(choice: &Choice) -> Cell {
    choice.pin("openssl", "openssl").expect("the protocol allows the cells tested here")
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
        Self::of_two(cell, cell, credentials)
    }

    /// A client and a server that do not want the same.
    fn of_two(client: &Cell, server: &Cell, credentials: &Credentials) -> Self {
        let prepare = |side, cell| OpenSsl::new().prepare(side, cell, credentials).expect("a supported cell");
        let (client_side, server_side) = (prepare(Side::Client, client), prepare(Side::Server, server));
        let client = client_side.endpoint(Start::Fresh).expect("an endpoint");
        let server = server_side.endpoint(Start::Fresh).expect("an endpoint");
        Self { client_side, server_side, client, server, pipes: Pipes::with_capacity(4096) }
    }

    /// Closes this connection; the next one resumes its session.
    fn resume(&mut self) {
        self.client.keep_session().expect("a session");
        self.resume_kept();
    }

    /// Closes this connection; the next one resumes the session that was kept before.
    fn resume_kept(&mut self) {
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

    /// Steps until both sides are done. The client of TLS 1.3 is done first.
    fn handshake(&mut self) -> Result<(), EngineError> {
        let (mut client, mut server) = (Step::Waiting, Step::Waiting);
        while (client, server) != (Step::Done, Step::Done) {
            if client == Step::Waiting {
                client = self.step(Side::Client)?;
            }
            if server == Step::Waiting {
                server = self.step(Side::Server)?;
            }
        }
        Ok(())
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
    let engine = OpenSsl::new();
    let refusal = |proto, cipher| {
        let cipher = Some(Cipher::named(cipher).expect("a known cipher"));
        let cell = cell(&Choice { proto: Some(proto), cipher, ..Choice::default() });
        engine.supports(&cell, Side::Client).expect_err("OpenSSL lacks it").to_string()
    };
    let version = engine.info().version;
    assert_eq!(refusal(Proto::Ssl2, "RC4-MD5"), format!("OpenSSL {version} has no SSL 2.0"));
    assert_eq!(refusal(Proto::Ssl3, "DES-CBC-SHA"), format!("OpenSSL {version} has no cipher DES-CBC-SHA"));
}

#[test]
fn tls13_sends_exactly_one_ticket_after_each_handshake() {
    let cell = cell(&Choice::default());
    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    for resumed in [false, true, true] {
        sides.handshake().expect("a good connection");
        assert_eq!(records(sides.pipes.to_client.unread()), [APPLICATION]);
        let count = sides.client.read(&mut [0; 8], &mut sides.pipes.seen_by(Side::Client));
        assert_eq!(count, Ok(0), "a ticket is no data");
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
fn a_refused_certificate_is_explained_and_answered_with_an_alert() {
    let cell = cell(&Choice { proto: Some(Proto::Tls12), verify: Some(Verify::Chain), ..Choice::default() });
    let credentials = Credentials::of(&cell).with_defect(cell.cert, Side::Server, Defect::Expired);
    let mut sides = Sides::new(&cell, &credentials);
    let error = sides.handshake().expect_err("an expired certificate");
    assert_eq!(error.to_string(), "certificate verify failed: certificate has expired");
    assert_eq!(records(sides.pipes.to_server.unread()), [ALERT]);
}

#[test]
fn changed_records_and_closes_are_errors_to_a_reader() {
    let cell = cell(&Choice { proto: Some(Proto::Tls12), ..Choice::default() });
    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    sides.handshake().expect("a good connection");
    sides.client.write(b"data", &mut sides.pipes.seen_by(Side::Client)).expect("room in the pipe");
    *sides.pipes.to_server.unread_mut().last_mut().expect("a record") ^= 1;
    assert!(sides.server.read(&mut [0; 8], &mut sides.pipes.seen_by(Side::Server)).is_err());

    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    sides.handshake().expect("a good connection");
    assert_eq!(sides.close(Side::Client), Ok(Step::Waiting));
    let closed = sides.server.read(&mut [0; 8], &mut sides.pipes.seen_by(Side::Server));
    assert_eq!(closed.expect_err("a close").to_string(), "the peer closed the connection");
    assert_eq!(sides.close(Side::Server), Ok(Step::Done));
    assert_eq!(sides.close(Side::Client), Ok(Step::Done));
}

#[test]
fn a_session_whose_connection_was_cut_off_is_not_offered() {
    let cell = cell(&Choice { proto: Some(Proto::Tls12), ..Choice::default() });
    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    sides.handshake().expect("a good connection");
    sides.client.keep_session().expect("a session");
    sides.client = sides.client_side.endpoint(Start::Fresh).expect("an endpoint");
    assert!(sides.client_side.endpoint(Start::Resume).is_err());
}

#[test]
fn records_are_limited_as_far_as_the_library_allows() {
    let engine = OpenSsl::new();
    let version = engine.info().version;
    let offer = |bytes| {
        let cell = cell(&Choice { record_size: Some(bytes), ..Choice::default() });
        engine.offers(Feature::RecordSize(bytes), &cell, Side::Client).map_err(|refusal| refusal.to_string())
    };
    assert_eq!(offer(512), Ok(()));
    let words = format!("OpenSSL {version} limits records to 512 bytes of data at least, not to 511");
    assert_eq!(offer(511), Err(words));
}

#[test]
fn a_resumption_that_agrees_on_a_key_all_the_same_is_noticed() {
    let of = |resume| cell(&Choice { resume: Some(resume), ..Choice::default() });
    let (psk, psk_dhe) = (of(Resume::Psk), of(Resume::PskDhe));
    let mut sides = Sides::of_two(&psk, &psk_dhe, &Credentials::of(&psk));
    for resumed in [false, true] {
        sides.handshake().expect("a connection, though not the one wanted");
        let agreed = sides.client.negotiated();
        assert_eq!(agreed.is_err(), resumed, "{agreed:?}");
        sides.client.read(&mut [0; 8], &mut sides.pipes.seen_by(Side::Client)).expect("a ticket");
        sides.resume();
    }
}

/// A full handshake, after which the client sends `data` to a server that resumes.
fn with_early_data(data: &[u8]) -> Sides {
    let cell = cell(&Choice { early_data: Some(4), bytes: Some(4), ..Choice::default() });
    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    sides.handshake().expect("a good connection");
    sides.client.read(&mut [0; 8], &mut sides.pipes.seen_by(Side::Client)).expect("a ticket");
    sides.resume();
    sides.client.write_early(data, &mut sides.pipes.seen_by(Side::Client)).expect("0-RTT data");
    sides
}

/// The server remembers nothing of a session, so that it takes the same one twice.
#[test]
fn early_data_is_taken_of_stateless_tickets() {
    let mut sides = with_early_data(b"data");
    for _ in 0..2 {
        let mut taken = [0; 8];
        let count = sides.server.read_early(&mut taken, &mut sides.pipes.seen_by(Side::Server));
        assert_eq!(count.map(|count| &taken[..count]), Ok(&b"data"[..]));
        sides.handshake().expect("a good connection");
        for endpoint in [&mut sides.client, &mut sides.server] {
            assert_eq!(
                endpoint.negotiated().map(|agreed| (agreed.resumed, agreed.early_data)),
                Ok((true, true))
            );
        }
        sides.client.read(&mut [0; 8], &mut sides.pipes.seen_by(Side::Client)).expect("a ticket");
        sides.resume_kept();
        sides.client.write_early(b"data", &mut sides.pipes.seen_by(Side::Client)).expect("0-RTT data");
    }
}

#[test]
fn early_data_that_nobody_has_read_is_not_lost_in_silence() {
    let mut sides = with_early_data(b"data");
    sides.server.read_early(&mut [0; 1], &mut sides.pipes.seen_by(Side::Server)).expect("a byte");
    let error = sides.handshake().expect_err("three bytes are left");
    assert_eq!(error.to_string(), "the client sends more 0-RTT data than was agreed on");
}

#[test]
fn peers_without_a_common_application_protocol_do_not_connect() {
    let of = |alpn| cell(&Choice { alpn: Some(alpn), ..Choice::default() });
    let (h2, http11) = (of(Alpn::H2), of(Alpn::Http11));
    let mut sides = Sides::of_two(&h2, &http11, &Credentials::of(&h2));
    let error = sides.handshake().expect_err("no common protocol");
    assert_eq!(error.to_string(), "no application protocol");
}
