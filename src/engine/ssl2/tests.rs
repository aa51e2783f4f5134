use openssl::md_ctx::MdCtx;

use super::Ssl2;
use super::cache::{Session, SessionCache};
use super::keys::{KeyMaterial, MAX_BLOCK, MAX_KEY, Suite};
use super::message::{ClientHello, Fault, kind};
use super::record::{MAX_DATA, MAX_DATA_IN_BLOCKS, Records};
use crate::cell::{Auth, Cell, Cert, Choice, Cipher, Proto};
use crate::engine::{Endpoint, Engine, EngineError, Prepared, SESSION_CACHE_SIZE, Side, Start, Step};
use crate::fixtures::Credentials;
use crate::pipe::{Pipe, Pipes};

fn cell(cipher: &str) -> Cell {
    let cipher = Cipher::named(cipher).expect("a known cipher");
    let choice = Choice {
        proto: Some(Proto::Ssl2),
        cipher: Some(cipher),
        cert: Some(Cert::Rsa512),
        ..Choice::default()
    };
    choice.pin("ssl2", "ssl2").expect("the protocol allows the cells tested here")
}

fn prepare(side: Side, cell: &Cell) -> Box<dyn Prepared> {
    Ssl2::new().prepare(side, cell, &Credentials::of(cell)).expect("a supported cell")
}

/// The endpoints of one connection.
struct Sides {
    client: Box<dyn Endpoint>,
    server: Box<dyn Endpoint>,
    pipes: Pipes,
}

impl Sides {
    fn of(client: &dyn Prepared, start: Start, server: &dyn Prepared) -> Self {
        Self {
            client: client.endpoint(start).expect("an endpoint"),
            server: server.endpoint(Start::Fresh).expect("an endpoint"),
            pipes: Pipes::with_capacity(4096),
        }
    }

    fn step(&mut self, side: Side) -> Result<Step, EngineError> {
        let io = &mut self.pipes.seen_by(side);
        match side {
            Side::Client => self.client.handshake_step(io),
            Side::Server => self.server.handshake_step(io),
        }
    }

    /// Steps until both are done or one fails; says which and why.
    fn shake_hands(&mut self) -> Result<(), (Side, String)> {
        for _ in 0..10 {
            let client = self.step(Side::Client).map_err(|error| (Side::Client, error.to_string()))?;
            let server = self.step(Side::Server).map_err(|error| (Side::Server, error.to_string()))?;
            if (client, server) == (Step::Done, Step::Done) {
                return Ok(());
            }
        }
        panic!("the handshake does not end");
    }

    fn resumed(&mut self) -> bool {
        let resumed = |endpoint: &mut Box<dyn Endpoint>| endpoint.negotiated().expect("it is over").resumed;
        let both = [resumed(&mut self.client), resumed(&mut self.server)];
        assert_eq!(both[0], both[1]);
        both[0]
    }
}

fn words<T: std::fmt::Debug>(outcome: Result<T, EngineError>) -> String {
    outcome.expect_err("it must fail").to_string()
}

#[test]
fn what_is_not_ssl2_among_itself_is_refused_in_words() {
    let engine = Ssl2::new();
    let refusal = |cell: &Cell, side| engine.supports(cell, side).expect_err("not supported").to_string();
    let tls = Choice::default().pin("ssl2", "ssl2").expect("a cell");
    assert_eq!(refusal(&tls, Side::Server), "the ssl2 engine has no TLS 1.3");
    let mixed = Cell { server: "openssl".to_owned(), ..cell("RC4-MD5") };
    assert_eq!(
        refusal(&mixed, Side::Client),
        "the ssl2 engine pairs with itself only, not with openssl: nobody else speaks SSL 2.0"
    );
    let chain = Choice { proto: Some(Proto::Ssl2), chain: Some(2), ..Choice::default() };
    let ruled_out = chain.pin("ssl2", "ssl2").expect_err("one certificate only").to_string();
    assert_eq!(ruled_out, "SSL 2.0 has room for one certificate, not for 2");
}

#[test]
fn a_peer_is_told_that_there_is_no_common_cipher() {
    let (client, server) =
        (prepare(Side::Client, &cell("RC4-MD5")), prepare(Side::Server, &cell("DES-CBC-MD5")));
    let mut sides = Sides::of(&*client, Start::Fresh, &*server);
    let failed = sides.shake_hands();
    assert_eq!(failed, Err((Side::Server, "the client offers no cipher that the server has".to_owned())));
    assert_eq!(words(sides.step(Side::Client)), "the peer gave up: no cipher");
}

#[test]
fn a_client_without_a_certificate_says_so_when_it_is_asked() {
    let plain = cell("DES-CBC3-MD5");
    let mutual = Cell { auth: Auth::Mutual, ..plain.clone() };
    let (client, server) = (prepare(Side::Client, &plain), prepare(Side::Server, &mutual));
    let failed = Sides::of(&*client, Start::Fresh, &*server).shake_hands();
    assert_eq!(failed, Err((Side::Server, "the peer gave up: no certificate".to_owned())));
}

#[test]
fn a_client_hello_of_another_version_is_refused() {
    let mut hello = Vec::new();
    ClientHello { ciphers: &[1, 0, 0x80], session_id: &[], challenge: &[7; 16] }.write(&mut hello);
    assert!(ClientHello::read(&hello).is_ok());
    hello[1..3].copy_from_slice(&[3, 0]);
    assert_eq!(words(ClientHello::read(&hello)), "the client wants version 3.0");
    assert_eq!(
        words(ClientHello::read(&Fault::BadCertificate.message())),
        "the peer gave up: bad certificate"
    );
    assert_eq!(
        words(ClientHello::read(&[kind::SERVER_VERIFY])),
        "SERVER-VERIFY came where CLIENT-HELLO was due"
    );
}

#[test]
fn a_forgotten_session_gives_way_to_a_new_one_without_a_word() {
    let plain = cell("RC4-MD5");
    let client = prepare(Side::Client, &plain);
    let mut sides = Sides::of(&*client, Start::Fresh, &*prepare(Side::Server, &plain));
    sides.shake_hands().expect("a full handshake");
    sides.client.keep_session().expect("a session");
    let another_server = prepare(Side::Server, &plain);
    let mut sides = Sides::of(&*client, Start::Resume, &*another_server);
    sides.shake_hands().expect("a full handshake");
    assert!(!sides.resumed(), "both say so, and the harness refuses it");
}

#[test]
fn a_connection_that_fails_takes_its_session_along() {
    let plain = cell("RC4-MD5");
    let (client, server) = (prepare(Side::Client, &plain), prepare(Side::Server, &plain));
    let mut sides = Sides::of(&*client, Start::Fresh, &*server);
    sides.shake_hands().expect("a full handshake");
    sides.client.keep_session().expect("a session");

    let mut sides = Sides::of(&*client, Start::Resume, &*server);
    sides.shake_hands().expect("a resumed handshake");
    assert!(sides.resumed());
    sides.client.write(b"data", &mut sides.pipes.seen_by(Side::Client)).expect("it is open");
    sides.pipes.to_server.unread_mut()[10] ^= 1;
    let read = sides.server.read(&mut [0; 4], &mut sides.pipes.seen_by(Side::Server));
    assert_eq!(words(read), "a record's MAC is wrong");

    let mut sides = Sides::of(&*client, Start::Resume, &*server);
    sides.shake_hands().expect("a full handshake");
    assert!(!sides.resumed());
}

#[test]
fn a_side_that_closes_says_nothing_and_fails_if_data_are_left() {
    let plain = cell("DES-CBC3-MD5");
    let (client, server) = (prepare(Side::Client, &plain), prepare(Side::Server, &plain));
    let mut sides = Sides::of(&*client, Start::Fresh, &*server);
    sides.shake_hands().expect("a full handshake");
    let io = &mut sides.pipes.seen_by(Side::Client);
    assert_eq!(sides.client.close_step(io), Ok(Step::Waiting));
    assert!(sides.pipes.to_server.is_empty());
    assert_eq!(sides.server.close_step(&mut sides.pipes.seen_by(Side::Server)), Ok(Step::Done));
    assert_eq!(sides.client.close_step(&mut sides.pipes.seen_by(Side::Client)), Ok(Step::Done));
    let late = sides.client.write(b"late", &mut sides.pipes.seen_by(Side::Client));
    assert_eq!(words(late), "the connection is closed");

    let mut sides = Sides::of(&*client, Start::Fresh, &*server);
    sides.shake_hands().expect("a full handshake");
    sides.client.write(b"two", &mut sides.pipes.seen_by(Side::Client)).expect("it is open");
    let io = &mut sides.pipes.seen_by(Side::Server);
    assert_eq!(sides.server.read(&mut [0; 2], io), Ok(2));
    assert_eq!(words(sides.server.close_step(io)), "the peer sent data that nobody has read");
}

#[test]
fn the_cache_keeps_as_many_sessions_as_every_engine() {
    let session =
        Session { cipher: [0; 3], master_key: [0; MAX_KEY], argument: [0; MAX_BLOCK], client_cert: false };
    let mut cache = SessionCache::default();
    for number in 0..=SESSION_CACHE_SIZE {
        cache.keep([number as u8; 16], session);
    }
    let found = (0..=SESSION_CACHE_SIZE).filter(|number| cache.find(&[*number as u8; 16]).is_some());
    assert_eq!(found.collect::<Vec<_>>(), (1..=SESSION_CACHE_SIZE).collect::<Vec<_>>());
    cache.forget(&[1; 16]);
    cache.keep([200; 16], session);
    assert!(cache.find(&[2; 16]).is_some(), "there was room");
    assert!(cache.find(&[1; 15]).is_none() && cache.find(&[]).is_none());
}

/// The longest data of a record, and what is around it, in every length of padding.
#[test]
fn records_of_every_length_of_padding_come_back_up_to_the_longest() {
    for (name, longest) in [("RC4-MD5", MAX_DATA), ("DES-CBC-MD5", MAX_DATA_IN_BLOCKS)] {
        let suite = Suite::of(cell(name).cipher).expect("OpenSSL has it");
        let mut digest = MdCtx::new().expect("memory");
        let keys = KeyMaterial::derive(&suite, &mut digest, &[1; 16], &[2; 16], &[3; 16]).expect("MD5 works");
        let [mut sender, mut receiver] = [Side::Client, Side::Server].map(|side| {
            let mut records = Records::new().expect("memory");
            let argument = &[4; 8][..suite.argument_bytes];
            records.protect(&suite, side, &keys, argument).expect("OpenSSL has the cipher");
            records
        });
        let mut pipe = Pipe::with_capacity(0);
        for length in (0..40).chain(longest - 20..=longest) {
            let data: Vec<u8> = (0..length).map(|at| at as u8).collect();
            sender.send(&suite, &data, &mut pipe).expect("it fits");
            let place = receiver.receive(&suite, &mut pipe).expect("it is whole").expect("it is there");
            assert_eq!(receiver.newest()[place], data, "{name} {length}");
        }
        assert!(pipe.is_empty());
    }
}
