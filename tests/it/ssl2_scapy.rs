//! SSL 2.0 against scapy, whose implementation in Python has nothing in common with ours: our client with its server, our
//! server with its client, over a loopback socket that only this test has. The engine itself knows no sockets.
//!
//! Full handshakes are scapy's automata's. These know nothing of session reuse, so for that the script beside this file
//! puts scapy's records, messages and keys into the order of the specification.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use tlspair::cell::{Auth, Cell, Cert, Choice, Proto, Verify};
use tlspair::engine::{Endpoint, Engines, Prepared, Side, Start, Step};
use tlspair::fixtures::Credentials;
use tlspair::pipe::Pipes;

use crate::support::{cell, with_cipher};

const LIMIT: Duration = Duration::from_secs(120);

/// Our names and scapy's numbers.
const CIPHERS: [(&str, &str); 3] =
    [("RC4-MD5", "010080"), ("DES-CBC-MD5", "060040"), ("DES-CBC3-MD5", "0700c0")];

/// Scapy's Python: the one that `scripts/setup test` makes, or any other that has it.
fn python() -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/python/bin/python3");
    [own, PathBuf::from("python3")].into_iter().find(|python| {
        let imports = ["-c", "import scapy.layers.tls.all, cryptography"];
        let quiet = Command::new(python).args(imports).stdout(Stdio::null()).stderr(Stdio::null()).status();
        quiet.is_ok_and(|status| status.success())
    })
}

/// Runs `test` for every cipher, or says why not.
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn for_each_cipher(test: impl Fn(&Path, &Cell, &str)) {
    let Some(python) = python() else {
        eprintln!(
            "skipped: there is no Python with scapy; `scripts/setup test` installs it into target/python"
        );
        return;
    };
    for (name, number) in CIPHERS {
        test(&python, &ssl2(with_cipher(name)), number);
    }
}

fn ssl2(choice: Choice) -> Cell {
    let (proto, cert) = (Some(Proto::Ssl2), Some(Cert::Rsa2048));
    cell("ssl2", &Choice { proto, cert, verify: Some(Verify::Name), ..choice })
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/certs/rsa2048").join(name)
}

/// Scapy at work; it ends with this.
struct Scapy {
    child: Child,
    /// What it prints, line by line: it prints much, and a full pipe would stop it.
    said: Receiver<String>,
}

impl Scapy {
    /// `side` is the one that scapy plays.
    fn start(python: &Path, role: &str, cipher: &str, side: Side, port: u16) -> Self {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/scapy_ssl2.py");
        let mut child = Command::new(python)
            .args([&script, Path::new(role), Path::new(cipher)])
            .args([fixture(&format!("{side}-1.pem")), fixture(&format!("{side}.key.pem"))])
            .arg(port.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("Python starts, since it imported scapy");
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let (tell, said) = mpsc::channel();
        std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| tell.send(line)));
        Self { child, said }
    }

    /// The port that it listens on.
    fn port(&mut self) -> u16 {
        while let Ok(line) = self.said.recv_timeout(LIMIT) {
            if let Some(port) = line.strip_prefix("port ") {
                return port.trim().parse().expect("a number");
            }
        }
        panic!("scapy has not named its port: {}", self.complaints());
    }

    /// The rest of what it says, once it has ended by itself and without an error.
    fn ends(mut self) -> String {
        let said: Vec<String> = self.said.iter().collect();
        let said = said.join("\n");
        let status = self.child.wait().expect("it was started");
        let complaints = self.complaints();
        assert!(status.success(), "scapy ended with {status}: {said}{complaints}");
        said
    }

    /// What it printed as errors; it must have ended, or be about to.
    fn complaints(&mut self) -> String {
        drop(self.child.kill());
        let mut complaints = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            stderr.read_to_string(&mut complaints).expect("scapy's errors are text");
        }
        complaints
    }
}

impl Drop for Scapy {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Our endpoint, which reads and writes pipes, with a socket at their other end.
struct Bridge {
    side: Side,
    endpoint: Box<dyn Endpoint>,
    pipes: Pipes,
    socket: TcpStream,
    started: Instant,
}

impl Bridge {
    fn new(side: Side, prepared: &dyn Prepared, start: Start, socket: TcpStream) -> Self {
        socket.set_read_timeout(Some(LIMIT)).expect("a timeout that is not zero");
        let endpoint = prepared.endpoint(start).expect("an endpoint");
        Self { side, endpoint, pipes: Pipes::with_capacity(1 << 16), socket, started: Instant::now() }
    }

    fn shake_hands(&mut self) {
        loop {
            let step = self.endpoint.handshake_step(&mut self.pipes.seen_by(self.side));
            self.flush();
            match step.unwrap_or_else(|error| panic!("our {}, handshake: {error}", self.side)) {
                Step::Done => return,
                Step::Waiting => self.fill(),
            }
        }
    }

    fn write(&mut self, data: &[u8]) {
        self.endpoint.write(data, &mut self.pipes.seen_by(self.side)).expect("an open connection");
        self.flush();
    }

    fn read(&mut self, length: usize) -> Vec<u8> {
        let mut data = vec![0; length];
        let mut count = 0;
        while count < length {
            let read = self.endpoint.read(&mut data[count..], &mut self.pipes.seen_by(self.side));
            match read.unwrap_or_else(|error| panic!("our {}, read: {error}", self.side)) {
                0 => self.fill(),
                more => count += more,
            }
        }
        data
    }

    fn flush(&mut self) {
        let outbound = self.pipes.from_side_mut(self.side);
        let count = outbound.unread().len();
        self.socket.write_all(outbound.unread()).expect("scapy listens");
        outbound.consume(count);
    }

    fn fill(&mut self) {
        assert!(self.started.elapsed() < LIMIT, "it takes too long");
        let mut bytes = [0; 4096];
        let count = self.socket.read(&mut bytes).expect("scapy answers in time");
        assert!(count > 0, "scapy has closed the connection");
        self.pipes.from_side_mut(self.side.other()).write(&bytes[..count]);
    }

    /// Checks what was negotiated, in our engine's words.
    fn check(&mut self, cell: &Cell, resumed: bool) {
        let negotiated = self.endpoint.negotiated().expect("the handshake is over");
        assert_eq!(negotiated.check(cell, self.side, resumed), Ok(()));
    }
}

fn prepare(side: Side, cell: &Cell) -> Box<dyn Prepared> {
    let engines = Engines::built_in();
    let engine = engines.named("ssl2").expect("the test has the feature");
    engine.prepare(side, cell, &Credentials::of(cell)).expect("a supported cell")
}

fn connect(port: u16) -> TcpStream {
    TcpStream::connect(("127.0.0.1", port)).expect("scapy listens")
}

fn accept(listener: &TcpListener, scapy: &mut Scapy) -> TcpStream {
    listener.set_nonblocking(true).expect("a socket of our own");
    let started = Instant::now();
    loop {
        if let Ok((socket, _)) = listener.accept() {
            socket.set_nonblocking(false).expect("a socket of our own");
            return socket;
        }
        let ended = scapy.child.try_wait().expect("it was started");
        assert!(ended.is_none(), "scapy ended before it connected: {}", scapy.complaints());
        assert!(started.elapsed() < LIMIT, "scapy does not connect");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Data with every length of padding at its end, none of which scapy takes for a message.
fn messages() -> Vec<Vec<u8>> {
    (0..8).map(|more| b"from our side ".iter().copied().cycle().take(5000 + more).collect()).collect()
}

fn our_client_with_the_automaton(python: &Path, cell: &Cell, number: &str, role: &str) {
    let mut scapy = Scapy::start(python, role, number, Side::Server, 0);
    let client = prepare(Side::Client, cell);
    let mut bridge = Bridge::new(Side::Client, &*client, Start::Fresh, connect(scapy.port()));
    bridge.shake_hands();
    bridge.check(cell, false);
    for message in messages() {
        bridge.write(&message);
        assert_eq!(bridge.read(message.len()), message, "{cell}");
    }
    bridge.write(b"stop_server");
    assert_eq!(bridge.read(7), b"goodbye");
    scapy.ends();
}

fn our_server_with_the_automaton(python: &Path, cell: &Cell, number: &str) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
    let port = listener.local_addr().expect("it is bound").port();
    let mut scapy = Scapy::start(python, "automaton-client", number, Side::Client, port);
    let server = prepare(Side::Server, cell);
    let mut bridge = Bridge::new(Side::Server, &*server, Start::Fresh, accept(&listener, &mut scapy));
    bridge.shake_hands();
    bridge.check(cell, false);
    assert_eq!(bridge.read(10), b"from scapy", "{cell}");
    bridge.write(b"goodbye, from our side");
    assert_eq!(bridge.read(7), b"goodbye");
    let said = scapy.ends();
    assert!(said.contains("goodbye, from our side"), "{said}");
}

#[test]
fn our_client_gets_on_with_scapy_s_server() {
    for_each_cipher(|python, cell, number| {
        our_client_with_the_automaton(python, cell, number, "automaton-server");
    });
}

#[test]
fn our_server_gets_on_with_scapy_s_client() {
    for_each_cipher(our_server_with_the_automaton);
}

#[test]
fn client_certificates_are_what_scapy_takes_and_shows() {
    for_each_cipher(|python, cell, number| {
        let mutual = Cell { auth: Auth::Mutual, ..cell.clone() };
        our_client_with_the_automaton(python, &mutual, number, "asking-server");
        our_server_with_the_automaton(python, &mutual, number);
    });
}

#[test]
fn our_client_resumes_with_scapy_s_keys() {
    for_each_cipher(|python, cell, number| {
        let mut scapy = Scapy::start(python, "resuming-server", number, Side::Server, 0);
        let port = scapy.port();
        let client = prepare(Side::Client, cell);
        for start in [Start::Fresh, Start::Resume] {
            let mut bridge = Bridge::new(Side::Client, &*client, start, connect(port));
            bridge.shake_hands();
            bridge.check(cell, start == Start::Resume);
            for message in messages() {
                bridge.write(&message);
                assert_eq!(bridge.read(message.len()), message, "{cell}");
            }
            bridge.endpoint.keep_session().expect("the server has named one");
            bridge.write(b"end");
        }
        assert!(scapy.ends().contains("full\nresumed"));
    });
}

#[test]
fn our_server_resumes_with_scapy_s_keys() {
    /// Of the script's messages.
    const LENGTHS: [usize; 3] = [11 * 500, 1, 12];
    for_each_cipher(|python, cell, number| {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("it is bound").port();
        let mut scapy = Scapy::start(python, "resuming-client", number, Side::Client, port);
        let server = prepare(Side::Server, cell);
        for resumed in [false, true] {
            let mut bridge = Bridge::new(Side::Server, &*server, Start::Fresh, accept(&listener, &mut scapy));
            bridge.shake_hands();
            bridge.check(cell, resumed);
            for length in LENGTHS {
                let message = bridge.read(length);
                bridge.write(&message);
            }
        }
        assert!(scapy.ends().contains("full\nresumed"));
    });
}
