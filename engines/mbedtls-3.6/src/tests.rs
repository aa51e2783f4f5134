use tlspair::cell::{
    Alpn, Auth, Cell, Choice, Cipher, Extension, Feature, Group, Hello, Proto, Resume, Verify,
};
use tlspair::engine::{Endpoint, Engine, EngineError, Prepared, Side, Start, Step};
use tlspair::fixtures::{Credentials, Defect};
use tlspair::pipe::Pipes;

use crate::{ID, MbedTls36};

const APPLICATION: u8 = 23;

fn cell(choice: &Choice) -> Cell {
    choice.pin(ID, ID).expect("the protocol allows the cells tested here")
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
        let prepare = |side| MbedTls36.prepare(side, cell, credentials).expect("a supported cell");
        Self::over(prepare(Side::Client), prepare(Side::Server))
    }

    fn over(client_side: Box<dyn Prepared>, server_side: Box<dyn Prepared>) -> Self {
        let client = client_side.endpoint(Start::Fresh).expect("an endpoint");
        let server = server_side.endpoint(Start::Fresh).expect("an endpoint");
        Self { client_side, server_side, client, server, pipes: Pipes::with_capacity(4096) }
    }

    /// The next connection resumes this one's session.
    fn resume(&mut self) {
        self.client.keep_session().expect("a session");
        self.client = self.client_side.endpoint(Start::Resume).expect("an endpoint");
        self.server = self.server_side.endpoint(Start::Fresh).expect("an endpoint");
    }

    fn handshake(&mut self) -> Result<(), EngineError> {
        let (mut client, mut server) = (Step::Waiting, Step::Waiting);
        for _ in 0..8 {
            if client == Step::Waiting {
                client = self.client.handshake_step(&mut self.pipes.seen_by(Side::Client))?;
            }
            if server == Step::Waiting {
                server = self.server.handshake_step(&mut self.pipes.seen_by(Side::Server))?;
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

/// The content types and the lengths of the records in `bytes`.
fn records(mut bytes: &[u8]) -> Vec<(u8, u16)> {
    let mut found = Vec::new();
    while let [kind, _, _, high, low, rest @ ..] = bytes {
        let length = u16::from_be_bytes([*high, *low]);
        found.push((*kind, length));
        bytes = &rest[usize::from(length)..];
    }
    found
}

#[test]
fn the_library_has_its_own_configuration_and_what_the_engine_added() {
    let info = MbedTls36.info();
    assert!(info.version.starts_with("3.6."), "{}", info.version);
    let wanted = "default configuration and mutexes and a callback for trusted certificates, assembly";
    assert!(info.build.contains(wanted), "{}", info.build);
}

#[test]
fn refusals_name_the_library_and_what_it_lacks() {
    let name = format!("Mbed TLS {}", MbedTls36.info().version);
    let refusal = |choice: Choice| {
        MbedTls36.supports(&cell(&choice), Side::Client).expect_err("the library lacks it").to_string()
    };
    let of_cipher = |proto, cipher| {
        let cipher = Some(Cipher::named(cipher).expect("a known cipher"));
        refusal(Choice { proto: Some(proto), cipher, ..Choice::default() })
    };
    assert_eq!(of_cipher(Proto::Ssl3, "DES-CBC3-SHA"), format!("{name} has no SSL 3.0"));
    assert_eq!(of_cipher(Proto::Tls12, "RC4-SHA"), format!("{name} has no cipher RC4-SHA"));
    // In the environment's flags for another version of the library.
    assert_eq!(of_cipher(Proto::Tls12, "NULL-SHA256"), format!("{name} has no cipher NULL-SHA256"));
    let hybrid = Choice { group: Some(Group::X25519MlKem768), ..Choice::default() };
    assert_eq!(refusal(hybrid), format!("{name} has no group x25519mlkem768"));
}

#[test]
fn features_that_the_library_has_not_are_refused_in_words() {
    let name = format!("Mbed TLS {}", MbedTls36.info().version);
    let refusal = |feature, cell: &Cell| {
        MbedTls36.offers(feature, cell, Side::Server).expect_err("the library lacks it").to_string()
    };
    let early = cell(&Choice { early_data: Some(1), ..Choice::default() });
    assert_eq!(
        refusal(Feature::EarlyData, &early),
        format!("{name} has no 0-RTT data in its default configuration")
    );
    let short = cell(&Choice { record_size: Some(512), ..Choice::default() });
    assert_eq!(
        refusal(Feature::RecordSize(512), &short),
        format!("{name} limits records to 511, 1023, 2047 or 4095 bytes in TLS 1.3")
    );
    let psk = Choice { resume: Some(Resume::Psk), ..Choice::default() };
    let foreign = psk.pin("openssl", ID).expect("a cell");
    assert_eq!(
        refusal(Feature::PskOnly, &foreign),
        format!(
            "{name} prefers a full handshake as a server, unless a client can only resume without a \
             Diffie-Hellman exchange"
        )
    );
}

#[test]
fn tls13_sends_exactly_one_ticket_after_each_handshake() {
    for resume in [Resume::PskDhe, Resume::Psk] {
        let cell = cell(&Choice { resume: Some(resume), ..Choice::default() });
        let mut sides = Sides::new(&cell, &Credentials::of(&cell));
        for resumed in [false, true, true] {
            sides.handshake().expect("a good connection");
            let kinds: Vec<u8> =
                records(sides.pipes.to_client.unread()).iter().map(|(kind, _)| *kind).collect();
            assert_eq!(kinds, [APPLICATION]);
            sides.read_tickets();
            assert_eq!(sides.client.negotiated().map(|negotiated| negotiated.resumed), Ok(resumed));
            sides.resume();
        }
    }
}

#[test]
fn a_tls13_session_cannot_be_kept_before_its_ticket_was_read() {
    let cell = cell(&Choice::default());
    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    sides.handshake().expect("a good connection");
    assert!(sides.client.keep_session().is_err());
    sides.read_tickets();
    sides.resume();
    sides.handshake().expect("a good connection");
    assert!(sides.client.keep_session().is_err(), "the ticket that was offered is used up");
}

#[test]
fn tls13_data_is_padded_to_whole_blocks() {
    let cell = cell(&Choice::default());
    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    sides.handshake().expect("a good connection");
    for (length, padded) in [(1, 16), (15, 16), (16, 32), (16383, 16384)] {
        sides.client.write(&vec![0; length], &mut sides.pipes.seen_by(Side::Client)).expect("a write");
        assert_eq!(records(sides.pipes.to_server.unread()), [(APPLICATION, padded + 16)], "{length}");
        sides.pipes.reset();
    }
}

#[test]
fn a_server_remembers_under_tls13_that_clients_showed_certificates() {
    let cell = cell(&Choice { auth: Some(Auth::Mutual), ..Choice::default() });
    let mut sides = Sides::new(&cell, &Credentials::of(&cell));
    for resumed in [false, true] {
        sides.handshake().expect("a good connection");
        sides.read_tickets();
        let negotiated = sides.server.negotiated().expect("a good connection");
        assert_eq!((negotiated.resumed, negotiated.client_cert), (resumed, true));
        sides.resume();
    }
}

#[test]
fn a_client_that_shows_no_certificate_is_found_out() {
    let mutual = cell(&Choice { auth: Some(Auth::Mutual), ..Choice::default() });
    let plain = cell(&Choice::default());
    let credentials = Credentials::of(&mutual);
    let client_side = MbedTls36.prepare(Side::Client, &plain, &credentials).expect("a supported cell");
    let server_side = MbedTls36.prepare(Side::Server, &mutual, &credentials).expect("a supported cell");
    let mut sides = Sides::over(client_side, server_side);
    for _ in 0..2 {
        sides.handshake().expect("nothing is verified");
        sides.read_tickets();
        assert_eq!(sides.server.negotiated().map(|negotiated| negotiated.client_cert), Ok(false));
        sides.resume();
    }
}

#[test]
fn a_refused_certificate_is_explained() {
    for proto in [Proto::Tls12, Proto::Tls13] {
        let choice = Choice { proto: Some(proto), verify: Some(Verify::Chain), ..Choice::default() };
        let cell = cell(&choice);
        let credentials = Credentials::of(&cell).with_defect(cell.cert, Side::Server, Defect::Expired);
        let mut sides = Sides::new(&cell, &credentials);
        let error = sides.handshake().expect_err("an expired certificate").to_string();
        assert!(error.ends_with("The certificate validity has expired"), "{error}");
    }
}

#[test]
fn a_server_asks_for_another_key_share_where_the_cell_says_so() {
    for group in [Group::X25519, Group::P384, Group::Ffdhe2048] {
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
fn extensions_are_switched_and_checked() {
    let cipher = Some(Cipher::named("ECDHE-RSA-AES128-SHA").expect("a known cipher"));
    let of = |extension| {
        let proto = Some(Proto::Tls12);
        let (etm, ems) = (Some(extension), Some(extension));
        cell(&Choice { proto, cipher, etm, ems, alpn: Some(Alpn::Http11), ..Choice::default() })
    };
    for extension in [Extension::On, Extension::Off] {
        let cell = of(extension);
        let mut sides = Sides::new(&cell, &Credentials::of(&cell));
        sides.handshake().expect("a good connection");
        for negotiated in [sides.client.negotiated(), sides.server.negotiated()] {
            assert_eq!(negotiated.map(|negotiated| negotiated.alpn), Ok(Alpn::Http11));
        }
    }
    let (on, off) = (of(Extension::On), of(Extension::Off));
    let credentials = Credentials::of(&on);
    let client_side = MbedTls36.prepare(Side::Client, &off, &credentials).expect("a supported cell");
    let server_side = MbedTls36.prepare(Side::Server, &on, &credentials).expect("a supported cell");
    let mut sides = Sides::over(client_side, server_side);
    sides.handshake().expect("a good connection");
    let error = sides.server.negotiated().expect_err("the client did not offer it").to_string();
    assert_eq!(error, "encrypt-then-MAC was not agreed on");
}

#[test]
fn contexts_are_shared_by_threads() {
    for proto in [Proto::Tls12, Proto::Tls13] {
        let cell = cell(&Choice { proto: Some(proto), auth: Some(Auth::Mutual), ..Choice::default() });
        let credentials = Credentials::of(&cell);
        let prepare = |side| MbedTls36.prepare(side, &cell, &credentials).expect("a supported cell");
        let (client, server) = (prepare(Side::Client), prepare(Side::Server));
        let shares = [(); 4].map(|()| [&client, &server].map(|side| side.share().expect("they are shared")));
        std::thread::scope(|scope| {
            for [client, server] in shares {
                scope.spawn(|| {
                    let [client, server] = [client, server].map(|share| share().expect("a side"));
                    let mut sides = Sides::over(client, server);
                    for connection in 0..20 {
                        sides.handshake().expect("a good connection");
                        sides.read_tickets();
                        let resumed = sides.server.negotiated().map(|negotiated| negotiated.resumed);
                        assert_eq!(resumed, Ok(connection > 0));
                        sides.resume();
                    }
                });
            }
        });
    }
}
