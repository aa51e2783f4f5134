//! A cell: one fully pinned combination of dimensions. It is what a row of a table is.

mod cipher;
mod dims;
mod feature;
mod rules;
mod signature;

use std::fmt;

pub use cipher::{Bulk, CIPHERS, Cipher, KeyExchange};
pub(crate) use dims::dimension;
pub use dims::{
    Acceleration, Alpn, Auth, Cert, Direction, Extension, Group, Hello, Proto, Resume, UnknownName, Verify,
    nearest,
};
pub use feature::Feature;
pub use signature::SignatureScheme;

/// Bytes that a write holds at most unless told otherwise: what `ssltest` used in 1997.
pub const DEFAULT_CHUNK: u32 = 8192;
/// Bytes that each side sends unless told otherwise.
pub const DEFAULT_BYTES: u64 = 1;
/// The most bytes that a cell may send one way.
pub const MAX_BYTES: u64 = 1 << 30;
/// The longest chunk: beyond it a write only grows buffers.
pub const MAX_CHUNK: u32 = 1 << 20;
/// The most writes a side's bytes may be cut into: 1 GiB in default chunks. More would keep a connection busy for
/// minutes, and its records in memory.
pub const MAX_WRITES: u64 = 1 << 17;
/// Exchanges of data on one connection unless told otherwise.
pub const DEFAULT_REQUESTS: u32 = 1;
/// The most exchanges of data on one connection.
pub const MAX_REQUESTS: u32 = 10_000;
/// The most bytes of data in one record that the protocol allows, and what cells have unless told otherwise. (SSL 2.0
/// has its own limits, see the formulas in `wire::oracle`.)
pub const MAX_RECORD_SIZE: u32 = 16384;
/// The smallest limit of a record's data that TLS can agree on (RFC 8449).
pub const MIN_RECORD_SIZE: u32 = 64;
/// The most bytes that a client may send before the handshake is over.
pub const MAX_EARLY_DATA: u32 = 16384;

/// One fully pinned combination of dimensions.
///
/// Fields are public to be read; build one with [`Choice::pin`], which applies defaults and protocol rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Id of the engine that plays the client.
    pub client: String,
    /// Id of the engine that plays the server.
    pub server: String,
    /// Protocol version.
    pub proto: Proto,
    /// Cipher suite.
    pub cipher: &'static Cipher,
    /// Key exchange group.
    pub group: Group,
    /// Kind of certificate key.
    pub cert: Cert,
    /// Certificates sent, 1 to 3; the root is never sent.
    pub chain: u8,
    /// What is checked of certificates.
    pub verify: Verify,
    /// Who shows a certificate.
    pub auth: Auth,
    /// How the reuse loop resumes.
    pub resume: Resume,
    /// Bytes sent each way.
    pub bytes: u64,
    /// Bytes that a write holds at most.
    pub chunk: u32,
    /// Who sends application data.
    pub direction: Direction,
    /// How often, on one connection, the bytes are exchanged.
    pub requests: u32,
    /// Bytes of application data that a record holds at most.
    pub record_size: u32,
    /// How many of its first bytes a resuming client sends before the handshake is over (0-RTT data).
    pub early_data: u32,
    /// Whether the server takes the client's first key share.
    pub hello: Hello,
    /// Encrypt-then-MAC, RFC 7366.
    pub etm: Extension,
    /// Extended master secret, RFC 7627.
    pub ems: Extension,
    /// Application protocol.
    pub alpn: Alpn,
    /// Whether the processor's instructions for cryptography are used.
    pub accel: Acceleration,
}

/// A cell not yet pinned: what was said, the rest left to the defaults.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Protocol version; by default the newest that has the cipher, or TLS 1.3 without one.
    pub proto: Option<Proto>,
    /// Cipher; by default the version's commonest (see [`default_cipher`]).
    pub cipher: Option<&'static Cipher>,
    /// Group; by default `rsa` for static RSA, else `x25519`.
    pub group: Option<Group>,
    /// Certificate; by default `p256` for ECDSA ciphers, else `rsa2048`.
    pub cert: Option<Cert>,
    /// Chain length; by default 1.
    pub chain: Option<u8>,
    /// By default `none`, the habit of `ssltest`.
    pub verify: Option<Verify>,
    /// By default `server`.
    pub auth: Option<Auth>,
    /// By default `psk-dhe` in TLS 1.3 and `session-id` before it.
    pub resume: Option<Resume>,
    /// By default 1.
    pub bytes: Option<u64>,
    /// By default 8192.
    pub chunk: Option<u32>,
    /// By default both.
    pub direction: Option<Direction>,
    /// By default 1.
    pub requests: Option<u32>,
    /// By default 16384, the most that the protocol allows.
    pub record_size: Option<u32>,
    /// By default 0.
    pub early_data: Option<u32>,
    /// By default direct.
    pub hello: Option<Hello>,
    /// By default as the libraries do.
    pub etm: Option<Extension>,
    /// By default as the libraries do.
    pub ems: Option<Extension>,
    /// By default none.
    pub alpn: Option<Alpn>,
    /// By default on.
    pub accel: Option<Acceleration>,
}

/// Why a combination is none: the protocol rules it out, whatever the engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuledOut(pub String);

impl Choice {
    /// Fills in the defaults and checks what the protocol itself demands.
    pub fn pin(&self, client: &str, server: &str) -> Result<Cell, RuledOut> {
        let proto = self.proto.unwrap_or_else(|| self.cipher.map_or(Proto::Tls13, |cipher| cipher.until));
        let cipher = self.cipher.unwrap_or_else(|| default_cipher(proto, self.cert));
        let group = self.group.unwrap_or(match cipher.kx {
            KeyExchange::StaticRsa => Group::Rsa,
            _ => Group::X25519,
        });
        let cert = self.cert.unwrap_or(match cipher.kx {
            KeyExchange::EcdheEcdsa => Cert::P256,
            _ => Cert::Rsa2048,
        });
        let resume = self.resume.unwrap_or(match proto {
            Proto::Tls13 => Resume::PskDhe,
            _ => Resume::SessionId,
        });
        let cell = Cell {
            client: client.to_owned(),
            server: server.to_owned(),
            proto,
            cipher,
            group,
            cert,
            chain: self.chain.unwrap_or(1),
            verify: self.verify.unwrap_or(Verify::None),
            auth: self.auth.unwrap_or(Auth::Server),
            resume,
            bytes: self.bytes.unwrap_or(DEFAULT_BYTES),
            chunk: self.chunk.unwrap_or(DEFAULT_CHUNK),
            direction: self.direction.unwrap_or(Direction::Both),
            requests: self.requests.unwrap_or(DEFAULT_REQUESTS),
            record_size: self.record_size.unwrap_or(MAX_RECORD_SIZE),
            early_data: self.early_data.unwrap_or(0),
            hello: self.hello.unwrap_or(Hello::Direct),
            etm: self.etm.unwrap_or(Extension::Auto),
            ems: self.ems.unwrap_or(Extension::Auto),
            alpn: self.alpn.unwrap_or(Alpn::None),
            accel: self.accel.unwrap_or(Acceleration::On),
        };
        cell.check_protocol_rules()?;
        Ok(cell)
    }
}

/// The cipher that a version is measured with when none is named: the one most used with it and with the certificate,
/// if that is named.
pub fn default_cipher(proto: Proto, cert: Option<Cert>) -> &'static Cipher {
    let is_rsa = cert.is_none_or(Cert::signs_with_rsa);
    let name = match (proto, is_rsa) {
        (Proto::Ssl2, _) => "RC4-MD5",
        (Proto::Ssl3, _) => "DES-CBC3-SHA",
        (Proto::Tls10 | Proto::Tls11, true) => "ECDHE-RSA-AES128-SHA",
        (Proto::Tls10 | Proto::Tls11, false) => "ECDHE-ECDSA-AES128-SHA",
        (Proto::Tls12, true) => "ECDHE-RSA-AES128-GCM-SHA256",
        (Proto::Tls12, false) => "ECDHE-ECDSA-AES128-GCM-SHA256",
        (Proto::Tls13, _) => "TLS_AES_128_GCM_SHA256",
    };
    Cipher::named(name).expect("the default ciphers stand in the table")
}

impl Cell {
    /// Whether client and server are the same engine.
    pub fn is_pure(&self) -> bool {
        self.client == self.server
    }

    /// What stands for the engines in tables: one id, or `client→server`.
    pub fn engines(&self) -> String {
        if self.is_pure() { self.client.clone() } else { format!("{}→{}", self.client, self.server) }
    }

    /// The dimensions in their fixed order, with their values as text and whether each is at its default.
    pub fn dimensions(&self) -> Vec<Dimension> {
        let mut all = Vec::with_capacity(22);
        if self.is_pure() {
            all.push(Dimension::new("engine", &self.client, false));
        } else {
            all.push(Dimension::new("client", &self.client, false));
            all.push(Dimension::new("server", &self.server, false));
        }
        let plain = Choice { proto: Some(self.proto), cipher: Some(self.cipher), ..Choice::default() };
        let plain =
            plain.pin(&self.client, &self.server).expect("a cell without its optional dimensions is a cell");
        all.extend([
            Dimension::new("proto", self.proto, false),
            Dimension::new("cipher", self.cipher.openssl, false),
            Dimension::new("group", self.group, self.group == plain.group),
            Dimension::new("cert", self.cert, self.cert == plain.cert),
            Dimension::number("chain", self.chain.into(), plain.chain.into()),
            Dimension::new("verify", self.verify, self.verify == plain.verify),
            Dimension::new("auth", self.auth, self.auth == plain.auth),
            Dimension::new("resume", self.resume, self.resume == plain.resume),
            Dimension::number("bytes", self.bytes, plain.bytes),
            Dimension::number("chunk", self.chunk.into(), plain.chunk.into()),
            Dimension::new("direction", self.direction, self.direction == plain.direction),
            Dimension::number("requests", self.requests.into(), plain.requests.into()),
            Dimension::number("record-size", self.record_size.into(), plain.record_size.into()),
            Dimension::number("early-data", self.early_data.into(), plain.early_data.into()),
            Dimension::new("hello", self.hello, self.hello == plain.hello),
            Dimension::new("etm", self.etm, self.etm == plain.etm),
            Dimension::new("ems", self.ems, self.ems == plain.ems),
            Dimension::new("alpn", self.alpn, self.alpn == plain.alpn),
            Dimension::new("accel", self.accel, self.accel == plain.accel),
        ]);
        all
    }

    /// The dimensions that hardly any cell changes, at their defaults.
    pub fn rare_dimensions() -> Vec<Dimension> {
        let plain = Choice::default().pin("", "").expect("the defaults are a cell");
        plain.dimensions().into_iter().skip_while(|dimension| dimension.key != "chunk").skip(1).collect()
    }

    /// The cell's id: its dimensions as `key=value` joined by `/`, without those at their default.
    pub fn id(&self) -> String {
        let parts: Vec<String> = self
            .dimensions()
            .into_iter()
            .filter(|dimension| !dimension.is_default)
            .map(|dimension| format!("{}={}", dimension.key, dimension.value))
            .collect();
        parts.join("/")
    }

    /// The signature scheme that both sides are pinned to; none for static RSA, which signs nothing.
    pub fn signature(&self) -> Option<SignatureScheme> {
        if self.cipher.kx == KeyExchange::StaticRsa {
            return None;
        }
        Some(self.certificate_signature())
    }

    /// Whether a full or a resumed handshake agrees on a new secret in the group.
    #[inline]
    pub fn has_exchange(&self, resumed: bool) -> bool {
        !resumed || self.resume == Resume::PskDhe
    }

    /// The scheme in which a side's certificate key signs under this version. A client signs in mutual
    /// authentication even where static RSA leaves the server nothing to sign.
    pub fn certificate_signature(&self) -> SignatureScheme {
        self.cert.scheme_in(self.proto)
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

/// One dimension of a cell, as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// Its name.
    pub key: &'static str,
    /// Its value.
    pub value: String,
    /// The same, for dimensions whose values are numbers.
    pub number: Option<u64>,
    /// Whether the value is what the cell would have without saying so.
    pub is_default: bool,
}

impl Dimension {
    fn new(key: &'static str, value: impl ToString, is_default: bool) -> Self {
        Self { key, value: value.to_string(), number: None, is_default }
    }

    fn number(key: &'static str, value: u64, default: u64) -> Self {
        Self { number: Some(value), ..Self::new(key, value, value == default) }
    }
}
