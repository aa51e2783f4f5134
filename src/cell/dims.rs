//! The values a dimension can take. Each is an enum whose names are the ones DESIGN-level documents, suites,
//! cell ids and results files use; parsing answers a wrong name with the nearest valid ones.

use std::fmt;

/// A name that a dimension does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown {dimension} `{given}`; {}", suggestion(.nearest, .valid))]
pub struct UnknownName {
    /// The dimension's name, such as `proto`.
    pub dimension: &'static str,
    /// What was written.
    pub given: String,
    /// The valid names that look most like it, best first; empty if nothing comes near.
    pub nearest: Vec<String>,
    /// Every valid name.
    pub valid: Vec<String>,
}

impl UnknownName {
    /// Finds what `given` may have meant among `valid`.
    pub fn new<'a>(dimension: &'static str, given: &str, valid: impl IntoIterator<Item = &'a str>) -> Self {
        let valid: Vec<String> = valid.into_iter().map(str::to_owned).collect();
        let nearest = nearest(given, valid.iter().map(String::as_str));
        Self { dimension, given: given.to_owned(), nearest, valid }
    }
}

/// Up to three of `valid` that look like `given`, best first; of versions and sizes that look alike, the next by value.
pub fn nearest<'a>(given: &str, valid: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let wanted = given.to_ascii_lowercase();
    let scored = valid.into_iter().map(|name| {
        let folded = name.to_ascii_lowercase();
        let distance: u32 = wanted.bytes().zip(folded.bytes()).map(|(a, b)| u32::from(a.abs_diff(b))).sum();
        (strsim::jaro_winkler(&wanted, &folded), distance, name)
    });
    let mut scored: Vec<(f64, u32, &str)> = scored.filter(|(score, ..)| *score > 0.75).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    scored.into_iter().take(3).map(|(_, _, name)| name.to_owned()).collect()
}

fn suggestion(nearest: &[String], valid: &[String]) -> String {
    if nearest.is_empty() {
        format!("valid: {}", valid.join(", "))
    } else {
        format!("did you mean {}?", nearest.join(", "))
    }
}

/// Defines an enum with one name a variant, and all that parsing and printing it need.
macro_rules! dimension {
    ($(#[$doc:meta])* $type:ident is $dimension:literal { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type { $($(#[$variant_doc])* $variant,)+ }

        impl $type {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [$type] = &[$($type::$variant,)+];

            /// The name used in suites, cell ids and results.
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name,)+ }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { f.pad(self.name()) }
        }

        impl std::str::FromStr for $type {
            type Err = UnknownName;

            fn from_str(given: &str) -> Result<Self, UnknownName> {
                Self::ALL
                    .iter()
                    .copied()
                    .find(|value| value.name().eq_ignore_ascii_case(given))
                    .ok_or_else(|| UnknownName::new($dimension, given, Self::ALL.iter().map(|v| v.name())))
            }
        }
    };
}

pub(crate) use dimension;

dimension! {
    /// A protocol version, oldest first, so that versions compare by age.
    Proto is "proto" {
        /// SSL 2.0 (1995).
        Ssl2 = "ssl2",
        /// SSL 3.0, RFC 6101.
        Ssl3 = "ssl3",
        /// TLS 1.0, RFC 2246.
        Tls10 = "tls1.0",
        /// TLS 1.1, RFC 4346.
        Tls11 = "tls1.1",
        /// TLS 1.2, RFC 5246.
        Tls12 = "tls1.2",
        /// TLS 1.3, RFC 8446.
        Tls13 = "tls1.3",
    }
}

impl Proto {
    /// The version number on the wire (`ProtocolVersion`).
    pub const fn code(self) -> u16 {
        match self {
            Self::Ssl2 => 0x0002,
            Self::Ssl3 => 0x0300,
            Self::Tls10 => 0x0301,
            Self::Tls11 => 0x0302,
            Self::Tls12 => 0x0303,
            Self::Tls13 => 0x0304,
        }
    }

    /// The version with this number on the wire.
    pub fn from_code(code: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|proto| proto.code() == code)
    }

    /// The name people write, such as `SSL 3.0`.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Ssl2 => "SSL 2.0",
            Self::Ssl3 => "SSL 3.0",
            Self::Tls10 => "TLS 1.0",
            Self::Tls11 => "TLS 1.1",
            Self::Tls12 => "TLS 1.2",
            Self::Tls13 => "TLS 1.3",
        }
    }
}

dimension! {
    /// How the two sides agree on keys: static RSA, or the group of an ephemeral Diffie-Hellman exchange.
    Group is "group" {
        /// No group: the client encrypts the premaster secret to the server's RSA key.
        Rsa = "rsa",
        /// Curve25519, RFC 7748.
        X25519 = "x25519",
        /// NIST P-256 (secp256r1).
        P256 = "p256",
        /// NIST P-384 (secp384r1).
        P384 = "p384",
        /// NIST P-521 (secp521r1).
        P521 = "p521",
        /// Curve448, RFC 7748.
        X448 = "x448",
        /// Finite-field Diffie-Hellman of 2048 bits, RFC 7919.
        Ffdhe2048 = "ffdhe2048",
        /// Finite-field Diffie-Hellman of 3072 bits, RFC 7919.
        Ffdhe3072 = "ffdhe3072",
        /// X25519 and ML-KEM-768 together.
        X25519MlKem768 = "x25519mlkem768",
        /// P-256 and ML-KEM-768 together.
        SecP256r1MlKem768 = "secp256r1mlkem768",
        /// ML-KEM-768 alone, FIPS 203.
        MlKem768 = "mlkem768",
    }
}

impl Group {
    /// The `NamedGroup` number, or none for static RSA.
    pub const fn code(self) -> Option<u16> {
        match self {
            Self::Rsa => None,
            Self::X25519 => Some(29),
            Self::P256 => Some(23),
            Self::P384 => Some(24),
            Self::P521 => Some(25),
            Self::X448 => Some(30),
            Self::Ffdhe2048 => Some(0x0100),
            Self::Ffdhe3072 => Some(0x0101),
            Self::X25519MlKem768 => Some(0x11ec),
            Self::SecP256r1MlKem768 => Some(0x11eb),
            Self::MlKem768 => Some(0x0201),
        }
    }

    /// The group of a client's first key share where the server is to ask for another: X25519, or P-256 beside it.
    pub const fn wrong_guess(self) -> Self {
        match self {
            Self::X25519 => Self::P256,
            _ => Self::X25519,
        }
    }

    /// Whether only TLS 1.3 has this group: key encapsulation needs its key shares, and the ciphers of earlier versions
    /// that agree on keys in a finite field are not among those of cells.
    pub const fn needs_tls13(self) -> bool {
        matches!(
            self,
            Self::Ffdhe2048
                | Self::Ffdhe3072
                | Self::X25519MlKem768
                | Self::SecP256r1MlKem768
                | Self::MlKem768
        )
    }

    /// The group with this `NamedGroup` number.
    pub fn from_code(code: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|group| group.code() == Some(code))
    }
}

dimension! {
    /// The kind of key in the certificates, on both sides and all along the chain.
    Cert is "cert" {
        /// RSA, 512 bits: the key of 1997.
        Rsa512 = "rsa512",
        /// RSA, 1024 bits.
        Rsa1024 = "rsa1024",
        /// RSA, 2048 bits.
        Rsa2048 = "rsa2048",
        /// RSA, 3072 bits.
        Rsa3072 = "rsa3072",
        /// RSA, 4096 bits.
        Rsa4096 = "rsa4096",
        /// ECDSA over NIST P-256.
        P256 = "p256",
        /// ECDSA over NIST P-384.
        P384 = "p384",
        /// ECDSA over NIST P-521.
        P521 = "p521",
        /// Ed25519, RFC 8410.
        Ed25519 = "ed25519",
        /// Ed448, RFC 8410.
        Ed448 = "ed448",
        /// RSA, 2048 bits, bound to PSS signatures by its key identifier (id-RSASSA-PSS), RFC 4055.
        RsaPss = "rsa-pss",
        /// ML-DSA-44, FIPS 204.
        MlDsa44 = "mldsa44",
        /// ML-DSA-65, FIPS 204.
        MlDsa65 = "mldsa65",
        /// ML-DSA-87, FIPS 204.
        MlDsa87 = "mldsa87",
    }
}

impl Cert {
    /// The size of the modulus, for RSA keys that may encrypt and sign.
    pub const fn rsa_bits(self) -> Option<u16> {
        match self {
            Self::Rsa512 => Some(512),
            Self::Rsa1024 => Some(1024),
            Self::Rsa2048 => Some(2048),
            Self::Rsa3072 => Some(3072),
            Self::Rsa4096 => Some(4096),
            Self::P256 | Self::P384 | Self::P521 | Self::Ed25519 | Self::Ed448 => None,
            Self::RsaPss | Self::MlDsa44 | Self::MlDsa65 | Self::MlDsa87 => None,
        }
    }

    /// Whether the key signs with RSA, whatever else it may do.
    pub const fn signs_with_rsa(self) -> bool {
        self.rsa_bits().is_some() || matches!(self, Self::RsaPss)
    }

    /// The curve of an ECDSA key, as a group.
    pub const fn curve(self) -> Option<Group> {
        match self {
            Self::P256 => Some(Group::P256),
            Self::P384 => Some(Group::P384),
            Self::P521 => Some(Group::P521),
            _ => None,
        }
    }

    /// The first version in which the key can sign.
    pub const fn since(self) -> Proto {
        match self {
            Self::MlDsa44 | Self::MlDsa65 | Self::MlDsa87 => Proto::Tls13,
            Self::Ed25519 | Self::Ed448 | Self::RsaPss => Proto::Tls12,
            Self::P256 | Self::P384 | Self::P521 => Proto::Tls10,
            _ => Proto::Ssl2,
        }
    }

    /// The RSA key kind with a modulus of `bits`.
    pub fn from_rsa_bits(bits: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|cert| cert.rsa_bits() == Some(bits))
    }
}

dimension! {
    /// What is checked of the peer's certificate. The handshake's own signatures are checked in all three.
    Verify is "verify" {
        /// Nothing: any certificate is taken.
        None = "none",
        /// The chain is built and checked up to the trusted root.
        Chain = "chain",
        /// The chain, and that the leaf names the host asked for.
        Name = "name",
    }
}

dimension! {
    /// Who shows a certificate.
    Auth is "auth" {
        /// The server only.
        Server = "server",
        /// Both sides.
        Mutual = "mutual",
    }
}

dimension! {
    /// By which mechanism the connections of the reuse loop resume.
    Resume is "resume" {
        /// The server keeps the session in its cache under an id (up to TLS 1.2).
        SessionId = "session-id",
        /// The server seals the session into a ticket, RFC 5077 (up to TLS 1.2).
        Ticket = "ticket",
        /// A TLS 1.3 pre-shared key from a ticket, with a fresh Diffie-Hellman exchange.
        PskDhe = "psk-dhe",
        /// A TLS 1.3 pre-shared key from a ticket alone.
        Psk = "psk",
    }
}

impl Resume {
    /// Whether a session serves one resumption only: TLS 1.3 tickets are not used twice (RFC 8446, C.4).
    pub const fn is_single_use(self) -> bool {
        matches!(self, Self::PskDhe | Self::Psk)
    }
}

dimension! {
    /// Whether the server takes the client's first key share.
    Hello is "hello" {
        /// The first ClientHello has the key share that the server wants.
        Direct = "direct",
        /// The client guesses wrong, and the server asks for another key share (HelloRetryRequest).
        Retry = "retry",
    }
}

dimension! {
    /// What becomes of an extension that peers may or may not agree on.
    Extension is "extension" {
        /// Each library offers it or not, as it does if left alone.
        Auto = "auto",
        /// It is agreed on.
        On = "on",
        /// It is not offered.
        Off = "off",
    }
}

dimension! {
    /// The application protocol that the client offers and the server selects (RFC 7301).
    Alpn is "alpn" {
        /// The extension is not sent.
        None = "none",
        /// HTTP/2.
        H2 = "h2",
        /// HTTP/1.1.
        Http11 = "http1.1",
    }
}

impl Alpn {
    /// The identifier on the wire; none for no extension.
    pub const fn identifier(self) -> Option<&'static [u8]> {
        match self {
            Self::None => None,
            Self::H2 => Some(b"h2"),
            Self::Http11 => Some(b"http/1.1"),
        }
    }

    /// The value with this identifier, an empty one for no protocol.
    pub fn from_identifier(identifier: &[u8]) -> Option<Self> {
        let wanted = (!identifier.is_empty()).then_some(identifier);
        Self::ALL.iter().copied().find(|alpn| alpn.identifier() == wanted)
    }
}

dimension! {
    /// Who sends application data.
    Direction is "direction" {
        /// The client, then the server: a request and its answer.
        Both = "both",
        /// The client only: an upload.
        Up = "up",
        /// The server only: a download.
        Down = "down",
    }
}

dimension! {
    /// Whether the library may use the processor's instructions for cryptography.
    Acceleration is "accel" {
        /// Whatever the processor has.
        On = "on",
        /// None, by the library's own switch.
        Off = "off",
    }
}
