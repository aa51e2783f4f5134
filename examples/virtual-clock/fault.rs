//! What can go wrong with a worker.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a worker that is out of order says so")]

use std::io::{self, Write};
use std::process::{self, ExitCode};
use std::str::FromStr;
use std::thread;
use std::time::Duration;

use tlspair::worker::{Build, Hello, PROTOCOL, Reply};

/// A fault and its occasions.
#[derive(Debug)]
pub struct Fault {
    /// What goes wrong.
    pub kind: FaultKind,
    /// Numbers of requests, of all processes together, at which it does; 1 for the first.
    pub at: Vec<u64>,
    /// It also does at each request about a cell with this in its id.
    pub cells: Option<String>,
}

/// What goes wrong instead of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It aborts.
    Abort,
    /// It reads where it must not.
    Segfault,
    /// It panics.
    Panic,
    /// It never answers.
    Hang,
    /// It says what is no reply.
    Nonsense,
    /// It says what is not even text.
    Bytes,
    /// It answers another question.
    OtherAnswer,
    /// It ends in the middle of a reply.
    HalfAnswer,
    /// It ends as if all were well.
    Eof,
}

/// The kinds by what `VIRTUAL_FAULT` calls them.
const KINDS: [(&str, FaultKind); 9] = [
    ("abort", FaultKind::Abort),
    ("segfault", FaultKind::Segfault),
    ("panic", FaultKind::Panic),
    ("hang", FaultKind::Hang),
    ("nonsense", FaultKind::Nonsense),
    ("bytes", FaultKind::Bytes),
    ("other-answer", FaultKind::OtherAnswer),
    ("half-answer", FaultKind::HalfAnswer),
    ("eof", FaultKind::Eof),
];

impl FromStr for FaultKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = KINDS.iter().find(|(name, _)| *name == text);
        found.map(|(_, kind)| *kind).ok_or_else(|| format!("no fault {text}"))
    }
}

impl Fault {
    /// Goes wrong, if this is the occasion.
    pub fn strike(&self, request: u64, id: &str) -> io::Result<()> {
        let is_its_cell = self.cells.as_ref().is_some_and(|cells| id.contains(cells));
        if self.at.contains(&request) || is_its_cell { self.kind.strike(request) } else { Ok(()) }
    }
}

impl FaultKind {
    fn strike(self, request: u64) -> io::Result<()> {
        eprintln!("{self:?} at request {request}");
        let mut replies = io::stdout().lock();
        match self {
            Self::Abort => process::abort(),
            // The first one finds the handler of Rust's runtime, which looks for an overflow of the stack.
            Self::Segfault => loop {
                rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::SEGV)?;
            },
            Self::Panic => panic!("out of order"),
            Self::Hang => sleep_for_ever(),
            Self::Nonsense => writeln!(replies, "what was the question?"),
            Self::Bytes => replies.write_all(b"\xff\x00\xfe{]\n"),
            Self::OtherAnswer => writeln!(
                replies,
                r#"{{"progress":{{"done":1,"per_connection_ns":1}}}}{}"#,
                "\n\"opened\"\n\"opened\""
            ),
            Self::HalfAnswer => {
                replies.write_all(b"{\"batch\":{\"connections\":1,\"cpu")?;
                replies.flush()?;
                process::exit(0)
            }
            Self::Eof => process::exit(0),
        }
    }
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}

/// Answers the first request as a later version would.
pub fn speak_another_protocol() -> ExitCode {
    let hello = Hello {
        protocol: PROTOCOL + 1,
        version: "99.0.0".to_owned(),
        build: Build::this_one(),
        hash: String::new(),
        engines: Vec::new(),
        other_engines: Vec::new(),
        core: None,
    };
    let reply = serde_json::to_string(&Reply::Hello(Box::new(hello))).expect("replies are plain JSON");
    println!("{reply}");
    sleep_for_ever()
}
