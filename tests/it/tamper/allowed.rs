//! The bytes that a protocol, or one library's reading of it, leaves unauthenticated. A flip there must change
//! nothing; a flip anywhere else must end in an error.
//!
//! Each rule names the libraries that it is for, as readers, and says no more than what these do: a rule that never
//! comes true for one of its libraries fails the test as well.

use tlspair::cell::{Cell, Hello, Proto};
use tlspair::engine::Side;

use super::meddler::{CHANGE_CIPHER_SPEC, HEADER, Place};

const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;
const APPLICATION: u8 = 23;

/// One flipped bit, and what is known of its place.
#[derive(Clone, Copy, Debug)]
pub struct Flip<'a> {
    /// The connection's cell.
    pub cell: &'a Cell,
    /// Who sent the byte.
    pub side: Side,
    /// Which byte.
    pub place: &'a Place,
    /// Which bit of it.
    pub bit: u8,
}

impl Flip<'_> {
    /// The id of the engine that reads the byte.
    pub fn reader(&self) -> &str {
        match self.side {
            Side::Client => &self.cell.server,
            Side::Server => &self.cell.client,
        }
    }

    fn before(&self) -> u8 {
        self.place.bytes[self.place.offset]
    }

    fn after(&self) -> u8 {
        self.before() ^ (1 << self.bit)
    }

    fn is_first_record(&self) -> bool {
        self.place.record == 0
    }

    /// Whether the record holds the client's first message.
    pub fn is_client_hello(&self) -> bool {
        self.side == Side::Client && self.is_first_record()
    }

    /// Whether the record holds the server's first message.
    pub fn is_server_hello(&self) -> bool {
        self.side == Side::Server && self.is_first_record()
    }

    /// Whether the record is protected: under TLS 1.3 the header tells, before it the ChangeCipherSpec.
    fn is_protected(&self) -> bool {
        match self.cell.proto {
            Proto::Tls13 => self.place.content_type() == APPLICATION,
            _ => self.place.after_change,
        }
    }

    fn is_tls13_protected(&self) -> bool {
        self.cell.proto == Proto::Tls13 && self.is_protected()
    }

    fn is_type(&self) -> bool {
        self.place.offset == 0
    }

    fn is_major_version(&self) -> bool {
        self.place.offset == 1
    }

    fn is_minor_version(&self) -> bool {
        self.place.offset == 2
    }

    /// The record's version as it arrives.
    fn version_after(&self) -> u16 {
        let [mut major, mut minor] = [self.place.bytes[1], self.place.bytes[2]];
        if self.is_major_version() {
            major = self.after();
        }
        if self.is_minor_version() {
            minor = self.after();
        }
        u16::from_be_bytes([major, minor])
    }

    fn is_content_of_change(&self) -> bool {
        self.place.content_type() == CHANGE_CIPHER_SPEC && self.place.offset == HEADER
    }

    /// Whether the record is in plain text and comes after a HelloRetryRequest.
    fn follows_retry(&self) -> bool {
        self.cell.hello == Hello::Retry && !self.is_first_record() && !self.is_protected()
    }

    /// Whether the server may take the client's first message for one without a session that it knows. It then passes over
    /// the 0-RTT data that follows (RFC 8446, section 4.2.10), for which our harness waits in vain.
    pub fn may_lose_early_data(&self) -> bool {
        self.cell.early_data > 0 && self.is_client_hello()
    }

    /// Whether a client's second hello comes as a record of application data: a server that has asked for it passes over such
    /// records, which may be 0-RTT data sent before (RFC 8446, section 4.2.10).
    pub fn passes_for_early_data(&self) -> bool {
        let is_hello = self.side == Side::Client && self.follows_retry();
        is_hello && self.is_type() && self.before() == HANDSHAKE && self.after() == APPLICATION
    }

    /// Whether this is part of a record's or of a plaintext handshake message's length. Made longer, it leaves its
    /// reader waiting for more, which is right of it; that the connection came to a standstill is then our error.
    pub fn is_length(&self) -> bool {
        if self.cell.proto == Proto::Ssl2 {
            return self.place.offset < self.place.header; // it holds nothing else
        }
        matches!(self.place.offset, 3 | 4)
            || self.is_message_length()
            || self.becomes_ssl2_length()
            || self.becomes_message_type()
            || self.is_passed_over()
    }

    /// s2n-tls passes records of unknown types over, as RFC 2246 (section 6) says, and takes a type with the highest bit
    /// set for the length of an SSL 2.0 record. A ChangeCipherSpec as an alert is half of one: the Finished after it is then
    /// read without decryption, with a random length. Under TLS 1.3 the library goes by the type outside the protection
    /// unless that is application data; what was data may then be the beginning of a message.
    fn is_passed_over(&self) -> bool {
        const CHANGE_CIPHER_SPEC: u8 = 20;
        const KNOWN: std::ops::RangeInclusive<u8> = CHANGE_CIPHER_SPEC..=APPLICATION;
        let is_half = self.before() == CHANGE_CIPHER_SPEC && self.after() == ALERT;
        let becomes_message = self.is_tls13_protected() && self.after() == HANDSHAKE;
        let is_incomplete = !KNOWN.contains(&self.after()) || is_half || becomes_message;
        self.reader() == "s2n" && self.is_type() && is_incomplete
    }

    /// A ChangeCipherSpec whose record type turns into Handshake is the first byte of a message: the three bytes that
    /// follow, of the encrypted Finished and so random, are its length. Most such lengths are refused as too long.
    fn becomes_message_type(&self) -> bool {
        let kind = self.place.content_type();
        self.place.offset == 0 && kind == CHANGE_CIPHER_SPEC && kind ^ (1 << self.bit) == HANDSHAKE
    }

    /// The server of OpenSSL before version 4 also takes the ClientHello of SSL 2.0, which begins with its length and a
    /// bit that says so; the third byte is then the message's type, 1, which in our header is the minor version.
    /// GnuTLS's server does so too, and waits for the message before it looks at its type.
    fn becomes_ssl2_length(&self) -> bool {
        let is_second_hello =
            self.side == Side::Client && self.follows_retry() && self.place.content_type() == HANDSHAKE;
        let is_taken = match self.reader() {
            "openssl" => self.is_client_hello() && self.place.bytes[2] == 1,
            reader => reader == "gnutls" && (self.is_client_hello() || is_second_hello),
        };
        is_taken && self.is_type() && self.bit == 7
    }

    fn is_message_length(&self) -> bool {
        if self.is_protected() || self.place.content_type() != HANDSHAKE {
            return false;
        }
        let bytes = &self.place.bytes;
        let mut at = HEADER;
        while let Some(header) = bytes.get(at..at + 4) {
            if (at + 1..at + 4).contains(&self.place.offset) {
                return true;
            }
            at += 4 + u32::from_be_bytes([0, header[1], header[2], header[3]]) as usize;
        }
        false
    }
}

/// What some libraries leave unauthenticated.
pub struct Rule {
    /// The libraries, as readers.
    pub readers: &'static [&'static str],
    /// Why a flip does no harm.
    pub reason: &'static str,
    /// Whether a flip, read by one of these libraries, is meant.
    applies: fn(&Flip<'_>) -> bool,
}

const OPENSSL: &[&str] = &["openssl", "openssl-4"];
const RUSTLS: &[&str] = &["rustls-aws-lc", "rustls-ring", "rustls-graviola"];

/// Every rule.
pub static RULES: &[Rule] = &[
    Rule {
        readers: OPENSSL,
        reason: "headers of plaintext records are in no transcript, and OpenSSL compares a record's minor version \
                 only once the version is agreed on: not in the first record of either side",
        applies: |flip| flip.is_first_record() && flip.is_minor_version(),
    },
    Rule {
        readers: OPENSSL,
        reason: "headers of plaintext records are in no transcript, and after a HelloRetryRequest OpenSSL compares no \
                 record's version until the second hellos have passed",
        applies: |flip| flip.follows_retry() && (flip.is_major_version() || flip.is_minor_version()),
    },
    Rule {
        readers: &["s2n"],
        reason: "the same goes for servers of s2n-tls",
        applies: |flip| {
            let is_version = flip.is_major_version() || flip.is_minor_version();
            is_version && flip.follows_retry() && flip.side == Side::Client
        },
    },
    Rule {
        readers: &["gnutls"],
        reason: "the same goes for minor versions and GnuTLS, whose servers compare the client's ChangeCipherSpec",
        applies: |flip| {
            let is_compared = flip.side == Side::Client && flip.place.content_type() == CHANGE_CIPHER_SPEC;
            flip.follows_retry() && flip.is_minor_version() && !is_compared
        },
    },
    Rule {
        readers: &["mbedtls"],
        reason: "a server takes a ClientHello in a record of any version from 3.0 up",
        applies: |flip| {
            flip.is_client_hello()
                && (flip.is_minor_version() || (flip.is_major_version() && flip.after() > 3))
        },
    },
    Rule {
        readers: &["mbedtls"],
        reason: "headers of plaintext records are in no transcript, and Mbed TLS takes every minor version that is \
                 not above its highest",
        applies: |flip| {
            !flip.is_client_hello()
                && !flip.is_protected()
                && flip.is_minor_version()
                && flip.after() < flip.before()
        },
    },
    Rule {
        readers: &["mbedtls-3.6"],
        reason: "a server of TLS 1.2 takes a ClientHello in a record of any version at all",
        applies: |flip| {
            let is_version = flip.is_major_version() || flip.is_minor_version();
            is_version && flip.is_client_hello() && flip.cell.proto == Proto::Tls12
        },
    },
    Rule {
        readers: &["mbedtls-3.6"],
        reason: "headers of plaintext records are in no transcript, and Mbed TLS 3.6 takes every version that is not \
                 above its highest",
        applies: |flip| {
            let is_version = flip.is_major_version() || flip.is_minor_version();
            is_version && !flip.is_protected() && flip.version_after() <= flip.cell.proto.code()
        },
    },
    Rule {
        readers: &["wolfssl"],
        reason: "headers of plaintext records are in no transcript, and a server takes a ClientHello in a record of any \
                 version at all",
        applies: |flip| flip.is_client_hello() && (flip.is_major_version() || flip.is_minor_version()),
    },
    Rule {
        readers: RUSTLS,
        reason: "headers of plaintext records are in no transcript, and rustls takes any minor version",
        applies: |flip| !flip.is_protected() && flip.is_minor_version(),
    },
    Rule {
        readers: &["boringssl"],
        reason: "headers of plaintext records are in no transcript, and BoringSSL takes any minor version until it has \
                 keys, which it has before TLS 1.3's ChangeCipherSpec, unless that follows a HelloRetryRequest",
        applies: |flip| {
            let is_change = flip.place.content_type() == CHANGE_CIPHER_SPEC;
            let has_keys = flip.cell.proto == Proto::Tls13 && is_change && flip.cell.hello != Hello::Retry;
            !flip.is_protected() && flip.is_minor_version() && !has_keys
        },
    },
    Rule {
        readers: RUSTLS,
        reason: "TLS 1.3 wants the version of protected records ignored, and rustls authenticates the constant",
        applies: |flip| flip.is_tls13_protected() && flip.is_minor_version(),
    },
    Rule {
        readers: RUSTLS,
        reason: "under TLS 1.3 rustls authenticates the constant type and goes by the type inside the protection",
        applies: |flip| {
            flip.is_tls13_protected() && flip.is_type() && matches!(flip.after(), ALERT | HANDSHAKE)
        },
    },
    Rule {
        readers: &["s2n"],
        reason: "headers of plaintext records are in no transcript, and s2n-tls compares a record's version only once \
                 the version is agreed on: not in the first record of either side",
        applies: |flip| flip.is_first_record() && (flip.is_major_version() || flip.is_minor_version()),
    },
    Rule {
        readers: &["s2n"],
        reason: "s2n-tls compares ten times the major version plus the minor, in eight bits, which loses the highest bit \
                 of the major version; only a MAC, and the AEADs of TLS 1.3, are over the header as it came",
        applies: |flip| {
            let has_mac = flip.is_protected() && flip.cell.cipher.mac > 0 && flip.cell.proto > Proto::Ssl3;
            let is_covered = has_mac || flip.is_tls13_protected();
            !flip.is_first_record() && flip.is_major_version() && flip.bit == 7 && !is_covered
        },
    },
    Rule {
        readers: &["bearssl"],
        reason: "headers of plaintext records are in no transcript, and BearSSL compares each record's minor version with \
                 that of the record before it: the first, which a server reads before it has agreed on any, may have any",
        applies: |flip| flip.is_client_hello() && flip.is_minor_version(),
    },
    Rule {
        readers: &["gnutls"],
        reason: "headers of plaintext records are in no transcript, and GnuTLS compares a record's minor version only \
                 once the version is agreed on: not in the first record of either side",
        applies: |flip| flip.is_first_record() && flip.is_minor_version(),
    },
    Rule {
        readers: &["gnutls"],
        reason: "a ChangeCipherSpec is in no transcript, and up to TLS 1.2 GnuTLS takes one with any content",
        applies: |flip| flip.is_content_of_change() && flip.cell.proto <= Proto::Tls12,
    },
    Rule {
        readers: &["gnutls"],
        reason: "under TLS 1.3 GnuTLS authenticates the constant type and goes by the type inside the protection",
        applies: |flip| {
            flip.is_tls13_protected() && flip.is_type() && matches!(flip.after(), ALERT | HANDSHAKE)
        },
    },
];

/// The rule by which a flip must do no harm, if there is one, by its place in [`RULES`].
pub fn rule_for(flip: &Flip<'_>) -> Option<usize> {
    RULES.iter().position(|rule| rule.readers.contains(&flip.reader()) && (rule.applies)(flip))
}
