//! The names of dimensions, as suites, filters and flags write them.

use crate::cell::{
    MAX_BYTES, MAX_CHUNK, MAX_EARLY_DATA, MAX_RECORD_SIZE, MAX_REQUESTS, MIN_RECORD_SIZE, UnknownName,
};
use crate::mistake::Mistake;

/// A dimension's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// One engine for both sides.
    Engine,
    /// The client's engine.
    Client,
    /// The server's engine.
    Server,
    /// Protocol version.
    Proto,
    /// Cipher suite.
    Cipher,
    /// Key exchange group.
    Group,
    /// Kind of certificate key.
    Cert,
    /// Certificates sent.
    Chain,
    /// What is checked of certificates.
    Verify,
    /// Who shows a certificate.
    Auth,
    /// How the reuse loop resumes.
    Resume,
    /// Bytes sent each way.
    Bytes,
    /// Bytes that a write holds at most.
    Chunk,
    /// Who sends application data.
    Direction,
    /// How often the bytes are exchanged.
    Requests,
    /// Bytes that a record holds at most.
    RecordSize,
    /// Bytes of 0-RTT data.
    EarlyData,
    /// Whether the server asks for another key share.
    Hello,
    /// Encrypt-then-MAC.
    Etm,
    /// Extended master secret.
    Ems,
    /// Application protocol.
    Alpn,
    /// Whether the processor's instructions for cryptography are used.
    Accel,
}

impl Key {
    /// Every dimension, in the order of cell ids.
    pub const ALL: [Self; 22] = [
        Self::Engine,
        Self::Client,
        Self::Server,
        Self::Proto,
        Self::Cipher,
        Self::Group,
        Self::Cert,
        Self::Chain,
        Self::Verify,
        Self::Auth,
        Self::Resume,
        Self::Bytes,
        Self::Chunk,
        Self::Direction,
        Self::Requests,
        Self::RecordSize,
        Self::EarlyData,
        Self::Hello,
        Self::Etm,
        Self::Ems,
        Self::Alpn,
        Self::Accel,
    ];

    /// The name in suites, filters, flags and cell ids.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Client => "client",
            Self::Server => "server",
            Self::Proto => "proto",
            Self::Cipher => "cipher",
            Self::Group => "group",
            Self::Cert => "cert",
            Self::Chain => "chain",
            Self::Verify => "verify",
            Self::Auth => "auth",
            Self::Resume => "resume",
            Self::Bytes => "bytes",
            Self::Chunk => "chunk",
            Self::Direction => "direction",
            Self::Requests => "requests",
            Self::RecordSize => "record-size",
            Self::EarlyData => "early-data",
            Self::Hello => "hello",
            Self::Etm => "etm",
            Self::Ems => "ems",
            Self::Alpn => "alpn",
            Self::Accel => "accel",
        }
    }

    /// Finds a dimension by its name.
    pub fn named(given: &str) -> Result<Self, UnknownName> {
        Self::ALL
            .into_iter()
            .find(|key| key.name() == given)
            .ok_or_else(|| UnknownName::new("dimension", given, Self::ALL.iter().map(|key| key.name())))
    }

    /// The smallest and the largest value, for dimensions whose values are numbers.
    pub const fn limits(self) -> Option<(u64, u64)> {
        match self {
            Self::Chain => Some((1, 3)),
            Self::Bytes => Some((1, MAX_BYTES)),
            Self::Chunk => Some((1, MAX_CHUNK as u64)),
            Self::Requests => Some((1, MAX_REQUESTS as u64)),
            Self::RecordSize => Some((MIN_RECORD_SIZE as u64, MAX_RECORD_SIZE as u64)),
            Self::EarlyData => Some((0, MAX_EARLY_DATA as u64)),
            _ => None,
        }
    }

    /// Whether the values are engine ids.
    pub const fn is_engine(self) -> bool {
        matches!(self, Self::Engine | Self::Client | Self::Server)
    }

    /// Engines are given either by `engine` or by `client` and `server`. Says which key is wrong, and why.
    pub(super) fn check_engines(given: impl Fn(Self) -> bool) -> Result<(), (Self, Mistake)> {
        let hint = "give `engine` alone, or `client` and `server`";
        match [Self::Engine, Self::Client, Self::Server].map(given) {
            [true, true, _] | [true, _, true] => {
                Err((Self::Engine, Mistake::new("`engine` beside `client` or `server`", hint)))
            }
            [_, true, false] => Err((Self::Client, Mistake::new("`client` without `server`", hint))),
            [_, false, true] => Err((Self::Server, Mistake::new("`server` without `client`", hint))),
            _ => Ok(()),
        }
    }
}
