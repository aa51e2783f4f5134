//! A cell: one fully pinned combination of dimensions. It is what a row of a table is.

mod cipher;
mod dims;

use std::fmt;

pub use cipher::{Bulk, CIPHERS, Cipher, KeyExchange};
pub use dims::{Auth, Cert, Group, Proto, Resume, SignatureScheme, UnknownName, Verify, nearest};

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
        };
        cell.check_protocol_rules()?;
        Ok(cell)
    }
}

/// The cipher that a version is measured with when none is named: the one most used with it and with the certificate,
/// if that is named.
pub fn default_cipher(proto: Proto, cert: Option<Cert>) -> &'static Cipher {
    let is_rsa = cert.is_none_or(|cert| cert.rsa_bits().is_some());
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
        let mut all = Vec::with_capacity(13);
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
            Dimension::new("chain", self.chain, self.chain == plain.chain),
            Dimension::new("verify", self.verify, self.verify == plain.verify),
            Dimension::new("auth", self.auth, self.auth == plain.auth),
            Dimension::new("resume", self.resume, self.resume == plain.resume),
            Dimension::new("bytes", self.bytes, self.bytes == plain.bytes),
            Dimension::new("chunk", self.chunk, self.chunk == plain.chunk),
        ]);
        all
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

    /// The scheme in which a side's certificate key signs under this version. A client signs in mutual
    /// authentication even where static RSA leaves the server nothing to sign.
    pub fn certificate_signature(&self) -> SignatureScheme {
        let before_tls12 = self.proto < Proto::Tls12;
        match self.cert {
            Cert::Ed25519 => SignatureScheme::Ed25519,
            Cert::P256 | Cert::P384 if before_tls12 => SignatureScheme::EcdsaSha1,
            Cert::P256 => SignatureScheme::EcdsaSecp256r1Sha256,
            Cert::P384 => SignatureScheme::EcdsaSecp384r1Sha384,
            _ if before_tls12 => SignatureScheme::RsaPkcs1Md5Sha1,
            _ if self.proto == Proto::Tls12 => SignatureScheme::RsaPkcs1Sha256,
            _ => SignatureScheme::RsaPssRsaeSha256,
        }
    }

    fn check_protocol_rules(&self) -> Result<(), RuledOut> {
        let Self { proto, cipher, group, cert, resume, .. } = self;
        let ruled_out = |why: String| Err(RuledOut(why));
        if !cipher.fits(*proto) {
            return ruled_out(format!("{} has no cipher {}", proto.title(), cipher.openssl));
        }
        if (*group == Group::Rsa) != (cipher.kx == KeyExchange::StaticRsa) {
            return ruled_out(match group {
                Group::Rsa => format!("{} agrees on keys in a group, not by static RSA", cipher.openssl),
                _ => format!("{} agrees on keys by static RSA, not in group {group}", cipher.openssl),
            });
        }
        if *group == Group::X25519MlKem768 && *proto != Proto::Tls13 {
            return ruled_out(format!("{} has no group {group}", proto.title()));
        }
        let needs_rsa = matches!(cipher.kx, KeyExchange::StaticRsa | KeyExchange::EcdheRsa);
        let needs_ecdsa = cipher.kx == KeyExchange::EcdheEcdsa;
        if (needs_rsa && cert.rsa_bits().is_none()) || (needs_ecdsa && cert.rsa_bits().is_some()) {
            return ruled_out(format!("{} does not go with a {cert} certificate", cipher.openssl));
        }
        if *cert == Cert::Ed25519 && *proto < Proto::Tls12 {
            return ruled_out(format!("{} has no Ed25519 signatures", proto.title()));
        }
        if *cert == Cert::Rsa512 && *proto == Proto::Tls13 {
            return ruled_out("an RSA-PSS signature over SHA-256 does not fit a 512-bit modulus".to_owned());
        }
        if (*resume == Resume::PskDhe) != (*proto == Proto::Tls13) {
            return ruled_out(format!("{} does not resume by {resume}", proto.title()));
        }
        if *resume == Resume::Ticket && *proto < Proto::Tls10 {
            return ruled_out(format!("{} has no extensions, so no session tickets", proto.title()));
        }
        if self.auth == Auth::Mutual && *proto == Proto::Ssl3 && cert.rsa_bits().is_none() {
            return ruled_out(format!("{} clients sign with RSA only", proto.title()));
        }
        self.check_numbers()
    }

    fn check_numbers(&self) -> Result<(), RuledOut> {
        if !(1..=3).contains(&self.chain) {
            return Err(RuledOut(format!("chain must be 1, 2 or 3, not {}", self.chain)));
        }
        if self.bytes == 0 || self.bytes > MAX_BYTES {
            return Err(RuledOut(format!("bytes must be 1 to {MAX_BYTES} (1 GiB), not {}", self.bytes)));
        }
        if self.chunk == 0 || self.chunk > MAX_CHUNK {
            return Err(RuledOut(format!("chunk must be 1 to {MAX_CHUNK}, not {}", self.chunk)));
        }
        let writes = self.bytes.div_ceil(u64::from(self.chunk));
        if writes > MAX_WRITES {
            let least = self.bytes.div_ceil(MAX_WRITES);
            return Err(RuledOut(format!(
                "{} bytes in chunks of {} are {writes} writes, more than {MAX_WRITES}: chunk must be at least {least}",
                self.bytes, self.chunk
            )));
        }
        Ok(())
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
    /// Whether the value is what the cell would have without saying so.
    pub is_default: bool,
}

impl Dimension {
    fn new(key: &'static str, value: impl ToString, is_default: bool) -> Self {
        Self { key, value: value.to_string(), is_default }
    }
}
