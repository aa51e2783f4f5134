//! The same connections as the harness plays, written straight on each library's own interface: no trait, no pipe, no
//! clock, no check but that a session was really resumed. What a connection costs here is what it costs.
//!
//! TLS 1.2, ECDHE-RSA-AES128-GCM-SHA256, X25519, an RSA-2048 certificate that the client does not check, one byte each
//! way, close_notify both ways, and freeing.

pub mod mbedtls;
pub mod openssl;
pub mod rustls;

use tlspair::cell::{Cell, Choice, Cipher, Proto};

use crate::batches::Result;

/// The cell that the bare loops play, for the harness to play as well.
pub fn cell(engine: &str) -> Result<Cell> {
    let choice = Choice {
        proto: Some(Proto::Tls12),
        cipher: Some(Cipher::named("ECDHE-RSA-AES128-GCM-SHA256")?),
        ..Choice::default()
    };
    Ok(choice.pin(engine, engine)?)
}

/// What a bare loop's connections are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handshake {
    /// Each is full.
    Full,
    /// Each resumes the session of one that came before them all.
    Resumed,
}
