//! The handshake of SSL 2.0, as far as it is plain text: each message in a record of its own, until the keys are agreed
//! on; of what follows, lengths.

use super::cursor::Cursor;
use super::handshake::Message;
use super::seen::Seen;
use crate::cell::{Cipher, Group, Proto};
use crate::engine::Side;

/// Numbers of handshake messages in SSL 2.0 that travel in plain text.
pub mod message_type {
    /// The client's first message.
    pub const CLIENT_HELLO: u8 = 1;
    /// The session's master key, encrypted to the server's certificate.
    pub const CLIENT_MASTER_KEY: u8 = 2;
    /// The server's first message, with its certificate unless it resumes.
    pub const SERVER_HELLO: u8 = 4;
}

/// What a client's protected ERROR message takes up at most: MAC, three bytes, padding. A certificate takes more.
const LONGEST_ERROR: usize = 16 + 8;

/// Reads the handshake of one connection, record by record.
#[derive(Clone, Debug, Default)]
pub struct Ssl2Parser {
    /// By side: whether what follows cannot be read.
    is_protected: [bool; 2],
    has_client_finished: bool,
}

impl Ssl2Parser {
    /// Takes one record without its header. Notes in `seen` what it shows, and answers with its message if that can
    /// be read.
    pub fn record(&mut self, side: Side, payload: &[u8], seen: &mut Seen) -> Option<Message> {
        if self.is_protected[side as usize] {
            if side == Side::Client {
                self.protected_from_client(payload, seen);
            }
            return None;
        }
        let (&kind, _) = payload.split_first()?;
        match (side, kind) {
            (Side::Server, message_type::SERVER_HELLO) => {
                self.server_hello(Cursor(payload), seen);
            }
            (Side::Client, message_type::CLIENT_MASTER_KEY) => {
                self.client_master_key(Cursor(payload), seen);
            }
            _ => {}
        }
        Some(Message { side, kind, length: u32::try_from(payload.len()).unwrap_or(u32::MAX) })
    }

    fn server_hello(&mut self, mut fields: Cursor<'_>, seen: &mut Seen) -> Option<()> {
        fields.u8()?; // the message's number
        let hit = fields.u8()?;
        fields.u8()?; // the type of certificate
        seen.proto = Proto::from_code(fields.u16()?);
        seen.resumed = Some(hit != 0);
        if hit != 0 {
            self.is_protected = [true; 2];
        }
        Some(())
    }

    fn client_master_key(&mut self, mut fields: Cursor<'_>, seen: &mut Seen) -> Option<()> {
        self.is_protected = [true; 2];
        seen.group = Some(Group::Rsa);
        fields.u8()?; // the message's number
        let kind = <[u8; 3]>::try_from(fields.take(3)?).ok()?;
        // A cipher that is in no cell shows as the number that cells give to those of SSL 2.0 alone.
        let code = u16::from_be_bytes([kind[0], kind[2]]);
        seen.cipher = Some(Cipher::from_ssl2_kind(kind).map_or(code, |cipher| cipher.code));
        Some(())
    }

    /// First comes CLIENT-FINISHED. What may follow is the answer to a request for a certificate.
    fn protected_from_client(&mut self, payload: &[u8], seen: &mut Seen) {
        let shows_certificate = self.has_client_finished && payload.len() > LONGEST_ERROR;
        seen.client_cert = Some(shows_certificate || seen.client_cert == Some(true));
        self.has_client_finished = true;
    }
}
