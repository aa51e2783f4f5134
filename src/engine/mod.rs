//! What every TLS library looks like from here: one object-safe trait for the library, one for its prepared side
//! of a cell, one for an endpoint. Nothing outside this folder knows a library's name.

mod acceleration;
#[cfg(all(target_arch = "x86_64", any(feature = "rustls-aws-lc", feature = "s2n"), aws_lc_symbols))]
mod aws_lc;
#[cfg(feature = "bearssl")]
mod bearssl;
mod capabilities;
#[cfg(feature = "gnutls")]
mod gnutls;
#[cfg(target_arch = "x86_64")]
pub mod ia32cap;
#[cfg(feature = "mbedtls")]
mod mbedtls;
mod negotiated;
mod null;
#[cfg(feature = "openssl")]
pub mod openssl;
#[cfg(any(feature = "rustls-aws-lc", feature = "rustls-ring", feature = "rustls-graviola", feature = "s2n"))]
mod operations;
mod record_habit;
mod registry;
#[cfg(any(feature = "rustls-aws-lc", feature = "rustls-ring", feature = "rustls-graviola"))]
pub mod rustls;
#[cfg(feature = "s2n")]
mod s2n;
#[cfg(feature = "ssl2")]
mod ssl2;
#[cfg(feature = "wolfssl")]
mod wolfssl;

use std::fmt;

pub use acceleration::Variables;
pub use capabilities::Capabilities;
pub use negotiated::{Disagreement, Negotiated};
pub use null::Null;
pub use record_habit::RecordHabit;
pub use registry::{Engines, Home, KNOWN, KnownEngine, how_to_get};

use crate::cell::{Cell, Feature};
use crate::fixtures::Credentials;
use crate::pipe::Io;
use crate::primitive::{Input, NoOperation, Operation, Primitive};

/// Sessions that a server keeps to resume by id: the same number in every engine, so that none searches or frees more.
pub const SESSION_CACHE_SIZE: usize = 64;

/// One side of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that speaks first.
    Client,
    /// The side that answers.
    Server,
}

impl Side {
    /// Both sides, the client first.
    pub const BOTH: [Self; 2] = [Self::Client, Self::Server];

    /// The peer's side.
    pub const fn other(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }

    /// `client` or `server`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What an engine says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineInfo {
    /// Short name, the value of the `engine` dimension.
    pub id: &'static str,
    /// The library's name.
    pub library: String,
    /// The library's own version, asked from the library where it can say.
    pub version: String,
    /// How it was built: backend, flags, notable switches.
    pub build: String,
    /// False for the null engine, which speaks no TLS and is never part of "all engines".
    pub is_tls: bool,
}

/// Why an engine cannot run a cell, in words a user understands: "rustls has no SSL 3.0".
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unsupported(pub String);

/// An error of the library, in the library's own words.
///
/// It is one pointer wide, so that what a call of an engine answers fits into registers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.0)]
pub struct EngineError(Box<Words>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Words(String);

impl EngineError {
    /// Keeps what the library printed.
    pub fn new(message: impl fmt::Display) -> Self {
        Self(Box::new(Words(message.to_string())))
    }
}

/// One build of one TLS library.
///
/// It is asked from several threads where a run uses them; each thread prepares its own sides.
pub trait Engine: Send + Sync {
    /// Name, version and build.
    fn info(&self) -> EngineInfo;

    /// Whether this engine can play `side` of `cell`; asked before anything runs, and cheap. What the cell asks for
    /// beyond the ordinary is asked of [`Engine::offers`].
    fn supports(&self, cell: &Cell, side: Side) -> Result<(), Unsupported>;

    /// Whether this engine has `feature` on `side` of `cell`, which it otherwise supports. Without an answer of its own it
    /// has none, so that nothing runs which an engine would pass over in silence. (Of [`Feature::NoAcceleration`] this is
    /// not asked, but [`Engine::acceleration_switch`].)
    fn offers(&self, feature: Feature, _cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        let EngineInfo { library, version, .. } = self.info();
        Err(Unsupported(format!("{library} {version} has no way here to {feature}")))
    }

    /// Sets up what outlives a connection (context, keys, session cache, ticket keys), outside all timers.
    /// Every dimension of the cell is pinned here.
    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError>;

    /// Makes a primitive ready over `input`. Without an answer of its own the engine shows none.
    fn operation(&self, _primitive: Primitive, _input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        Err(self.has_no_such_primitive().into())
    }

    /// The refusal of a primitive that the library does not have.
    fn has_no_such_primitive(&self) -> Unsupported {
        let EngineInfo { library, version, .. } = self.info();
        Unsupported(format!("{library} {version} has no such primitive in its interface"))
    }

    /// The variables of the environment that keep the library from using the processor's instructions for cryptography,
    /// which it reads when a process starts: names and values. None of them if it never uses any.
    fn acceleration_switch(&self) -> Result<&'static [(&'static str, &'static str)], Unsupported> {
        let EngineInfo { library, version, .. } = self.info();
        Err(Unsupported(format!("{library} {version} has no switch to {}", Feature::NoAcceleration)))
    }

    /// Whether the library uses none of those instructions in this process, by what it says itself.
    fn is_unaccelerated(&self) -> bool {
        false
    }

    /// How this library cuts a write of `cell` into records, on either side.
    fn record_habit(&self, _cell: &Cell) -> RecordHabit {
        RecordHabit::Whole
    }
}

/// One side of a cell, ready to make endpoints. Clients keep the session to resume in here.
pub trait Prepared {
    /// Creates an endpoint for one connection. `start` matters to clients only: a server resumes if asked to.
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError>;

    /// How often the sessions that come from one full handshake can be resumed, each from the one before.
    fn resumptions(&self) -> u64 {
        u64::MAX
    }

    /// What makes, on another thread, a side with the same context of the library and the same cache and ticket keys, as
    /// the threads of one program share them. The session that a client resumes is each thread's own.
    fn share(&self) -> Result<Share, Unsupported> {
        Err(Unsupported("its contexts are not for several threads at once".to_owned()))
    }
}

/// See [`Prepared::share`]; called once, on the thread that uses what it makes.
pub type Share = Box<dyn FnOnce() -> Result<Box<dyn Prepared>, EngineError> + Send>;

/// Whether a client offers a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// A full handshake: no session is offered.
    Fresh,
    /// Offers the session that [`Endpoint::keep_session`] kept last.
    Resume,
}

/// How far a step came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum Step {
    /// This side has finished what was asked.
    Done,
    /// The peer has to act first.
    Waiting,
}

/// One side of one connection. Dropping it frees it, inside the timers.
///
/// A step reads what it can from `io.inbound`, writes what it has to `io.outbound`, and never blocks.
/// Any error ends the connection; alerts the library wants to send are in `io.outbound` by then.
pub trait Endpoint {
    /// Client, before the first step of a resumed handshake: sends `data` as 0-RTT data, behind the ClientHello. Only
    /// engines that offer [`Feature::EarlyData`] are asked.
    fn write_early(&mut self, _data: &[u8], _io: &mut Io<'_>) -> Result<(), EngineError> {
        Err(EngineError::new("this engine sends no 0-RTT data"))
    }

    /// Server, in place of its first steps of such a handshake: takes what is there of the client's 0-RTT data, up to
    /// `into.len()` bytes, and answers the ClientHello in between.
    fn read_early(&mut self, _into: &mut [u8], _io: &mut Io<'_>) -> Result<usize, EngineError> {
        Err(EngineError::new("this engine takes no 0-RTT data"))
    }

    /// Carries the handshake on. `Done` once this side may send and receive application data.
    fn handshake_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError>;

    /// Sends `data`, all of it, as one write of the library.
    fn write(&mut self, data: &[u8], io: &mut Io<'_>) -> Result<(), EngineError>;

    /// Receives up to `into.len()` bytes of application data and handles whatever else waits (tickets).
    /// 0 means that no more can be had until the peer sends. A close by the peer is an error here.
    fn read(&mut self, into: &mut [u8], io: &mut Io<'_>) -> Result<usize, EngineError>;

    /// Sends close_notify if not yet sent, and waits for the peer's. `Done` once both have passed.
    fn close_step(&mut self, io: &mut Io<'_>) -> Result<Step, EngineError>;

    /// What the library says was negotiated. Called after the handshake, outside the timers: cheap, no formatting.
    fn negotiated(&mut self) -> Result<Negotiated, EngineError>;

    /// Client only: keeps this connection's session (or ticket, the newest) for the next [`Start::Resume`].
    /// Called after data has been received, inside the timers.
    fn keep_session(&mut self) -> Result<(), EngineError>;
}
