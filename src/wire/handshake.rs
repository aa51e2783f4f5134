//! The handshake messages that travel in plain text: all of them up to ChangeCipherSpec before TLS 1.3, only the hellos
//! since.

use super::cursor::Cursor;
use super::record::ContentType;
use super::seen::Seen;
use super::ssl2::Ssl2Parser;
use crate::cell::{Cipher, Group, KeyExchange, Proto, SignatureScheme};
use crate::engine::Side;

/// Numbers of handshake messages.
pub mod message_type {
    /// The client's first message.
    pub const CLIENT_HELLO: u8 = 1;
    /// The server's first message; HelloRetryRequest has this number too.
    pub const SERVER_HELLO: u8 = 2;
    /// A session ticket.
    pub const NEW_SESSION_TICKET: u8 = 4;
    /// A certificate chain.
    pub const CERTIFICATE: u8 = 11;
    /// The server's share of an ephemeral key exchange, signed (up to TLS 1.2).
    pub const SERVER_KEY_EXCHANGE: u8 = 12;
    /// The server wants a client certificate.
    pub const CERTIFICATE_REQUEST: u8 = 13;
    /// The end of the server's first flight (up to TLS 1.2).
    pub const SERVER_HELLO_DONE: u8 = 14;
    /// The proof that a side has its certificate's key.
    pub const CERTIFICATE_VERIFY: u8 = 15;
    /// The client's share or the encrypted premaster secret (up to TLS 1.2).
    pub const CLIENT_KEY_EXCHANGE: u8 = 16;
}

/// One plaintext handshake message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message {
    /// Who sent it.
    pub side: Side,
    /// Its number, see [`message_type`], or in SSL 2.0 `ssl2_message_type`.
    pub kind: u8,
    /// Its bytes with its own header (4 bytes; in SSL 2.0 only the number), without record headers.
    pub length: u32,
}

/// Reads the plaintext handshake of one connection, record by record. What it does not understand it passes over.
#[derive(Clone, Debug, Default)]
pub struct HandshakeParser {
    messages: Vec<Message>,
    seen: Seen,
    sides: [OneSide; 2],
    ssl2: Ssl2Parser,
}

#[derive(Clone, Debug, Default)]
struct OneSide {
    /// Messages may span records, and records may hold several.
    pending: Vec<u8>,
    /// Since ChangeCipherSpec: what follows cannot be read.
    is_protected: bool,
    has_shown_certificate: bool,
}

/// The random number by which a ServerHello is known as HelloRetryRequest (RFC 8446, 4.1.3).
const HELLO_RETRY: [u8; 32] = [
    0xcf, 0x21, 0xad, 0x74, 0xe5, 0x9a, 0x61, 0x11, 0xbe, 0x1d, 0x8c, 0x02, 0x1e, 0x65, 0xb8, 0x91, 0xc2,
    0xa2, 0x11, 0x16, 0x7a, 0xbb, 0x8c, 0x5e, 0x07, 0x9e, 0x09, 0xe2, 0xc8, 0xa8, 0x33, 0x9c,
];
const HEADER: usize = 4;
/// No plaintext message of ours comes near; a longer one is not a message.
const MAX_MESSAGE: usize = 1 << 17;
const EXTENSION_ENCRYPT_THEN_MAC: u16 = 22;
const EXTENSION_EXTENDED_MASTER_SECRET: u16 = 23;
const EXTENSION_PRE_SHARED_KEY: u16 = 41;
const EXTENSION_SUPPORTED_VERSIONS: u16 = 43;
const EXTENSION_KEY_SHARE: u16 = 51;
const CURVE_BY_NAME: u8 = 3;

impl HandshakeParser {
    /// The messages so far.
    pub fn messages(&self) -> &[Message] {
        &self.messages
    }

    /// What they say.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    /// Takes one record of the handshake, without its header.
    pub fn record(&mut self, side: Side, content_type: ContentType, payload: &[u8]) {
        match content_type {
            ContentType::Ssl2 => self.messages.extend(self.ssl2.record(side, payload, &mut self.seen)),
            ContentType::ChangeCipherSpec => self.change_cipher_spec(side),
            ContentType::Handshake if !self.sides[side as usize].is_protected => {
                let mut pending = std::mem::take(&mut self.sides[side as usize].pending);
                pending.extend_from_slice(payload);
                let rest = self.take_messages(side, &pending);
                pending.drain(..pending.len() - rest);
                self.sides[side as usize].pending = pending;
            }
            _ => {}
        }
    }

    /// TLS 1.3 sends this record for old middleboxes only.
    fn change_cipher_spec(&mut self, side: Side) {
        if self.seen.proto == Some(Proto::Tls13) {
            return;
        }
        let this = &mut self.sides[side as usize];
        this.is_protected = true;
        this.pending.clear();
        let has_shown_certificate = this.has_shown_certificate;
        if self.seen.proto.is_none() {
            return;
        }
        match side {
            // A server that resumes goes from its hello straight to ChangeCipherSpec.
            Side::Server => self.seen.resumed = Some(!has_shown_certificate),
            Side::Client => self.seen.client_cert = Some(has_shown_certificate),
        }
    }

    /// Reads the complete messages at the beginning of `bytes`; says how many bytes are left.
    fn take_messages(&mut self, side: Side, mut bytes: &[u8]) -> usize {
        while let Some((header, rest)) = bytes.split_at_checked(HEADER) {
            let length = u32::from_be_bytes([0, header[1], header[2], header[3]]) as usize;
            if length > MAX_MESSAGE {
                self.sides[side as usize].is_protected = true;
                return 0;
            }
            let Some((body, rest)) = rest.split_at_checked(length) else { break };
            self.message(side, header[0], body);
            bytes = rest;
        }
        bytes.len()
    }

    fn message(&mut self, side: Side, kind: u8, body: &[u8]) {
        self.messages.push(Message { side, kind, length: (HEADER + body.len()) as u32 });
        let fields = Cursor(body);
        match (side, kind) {
            (Side::Server, message_type::SERVER_HELLO) => {
                if let Some(hello) = ServerHello::read(fields) {
                    self.server_hello(&hello);
                }
            }
            (_, message_type::CERTIFICATE) => {
                let is_empty = matches!(Cursor(body).u24(), None | Some(0));
                self.sides[side as usize].has_shown_certificate = !is_empty;
            }
            (Side::Server, message_type::SERVER_KEY_EXCHANGE) => {
                self.server_key_exchange(fields);
            }
            (Side::Server, message_type::CERTIFICATE_REQUEST) => self.seen.certificate_request = true,
            (Side::Server, message_type::SERVER_HELLO_DONE) => {
                let is_static_rsa = self.key_exchange() == Some(KeyExchange::StaticRsa);
                self.seen.group = if is_static_rsa { Some(Group::Rsa) } else { self.seen.group };
            }
            _ => {}
        }
    }

    fn server_hello(&mut self, hello: &ServerHello) {
        let seen = &mut self.seen;
        seen.proto = Proto::from_code(hello.version);
        seen.cipher = Some(hello.cipher);
        seen.group = hello.group.and_then(Group::from_code);
        seen.hello_retry |= hello.is_retry;
        if seen.proto == Some(Proto::Tls13) {
            if !hello.is_retry {
                seen.resumed = Some(hello.has_pre_shared_key);
            }
        } else {
            seen.encrypt_then_mac = Some(hello.has_encrypt_then_mac);
            seen.extended_master_secret = Some(hello.has_extended_master_secret);
        }
    }

    fn key_exchange(&self) -> Option<KeyExchange> {
        self.seen.cipher.and_then(Cipher::from_code).map(|cipher| cipher.kx)
    }

    /// Curve, point and signature, for the elliptic-curve exchanges; nothing else is in the table of ciphers.
    fn server_key_exchange(&mut self, mut fields: Cursor<'_>) -> Option<()> {
        let is_ecdhe = matches!(self.key_exchange(), Some(KeyExchange::EcdheRsa | KeyExchange::EcdheEcdsa));
        if !is_ecdhe || fields.u8()? != CURVE_BY_NAME {
            return None;
        }
        self.seen.group = Group::from_code(fields.u16()?);
        fields.vector8()?;
        if self.seen.proto == Some(Proto::Tls12) {
            self.seen.signature = SignatureScheme::from_code(fields.u16()?);
        }
        Some(())
    }
}

/// The fields of a ServerHello that say what was agreed on.
struct ServerHello {
    version: u16,
    cipher: u16,
    group: Option<u16>,
    has_pre_shared_key: bool,
    has_encrypt_then_mac: bool,
    has_extended_master_secret: bool,
    is_retry: bool,
}

impl ServerHello {
    fn read(mut fields: Cursor<'_>) -> Option<Self> {
        let legacy_version = fields.u16()?;
        let random = fields.take(HELLO_RETRY.len())?;
        fields.vector8()?; // session id
        let cipher = fields.u16()?;
        fields.u8()?; // compression
        let mut hello = Self {
            version: legacy_version,
            cipher,
            group: None,
            has_pre_shared_key: false,
            has_encrypt_then_mac: false,
            has_extended_master_secret: false,
            is_retry: random == HELLO_RETRY,
        };
        if let Some(extensions) = fields.vector16() {
            hello.read_extensions(Cursor(extensions));
        }
        Some(hello)
    }

    fn read_extensions(&mut self, mut extensions: Cursor<'_>) -> Option<()> {
        loop {
            let kind = extensions.u16()?;
            let mut value = Cursor(extensions.vector16()?);
            match kind {
                EXTENSION_SUPPORTED_VERSIONS => self.version = value.u16()?,
                EXTENSION_KEY_SHARE => self.group = value.u16(),
                EXTENSION_ENCRYPT_THEN_MAC => self.has_encrypt_then_mac = true,
                EXTENSION_EXTENDED_MASTER_SECRET => self.has_extended_master_secret = true,
                EXTENSION_PRE_SHARED_KEY => self.has_pre_shared_key = true,
                _ => {}
            }
        }
    }
}
