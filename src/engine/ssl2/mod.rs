//! SSL 2.0, both sides, written for this project: the protocol by its specification (K. Hickman, "The SSL Protocol",
//! Netscape, 9 February 1995), the cryptography by OpenSSL. No library that can still be built speaks it, and without it
//! the table of 1997 cannot be repeated.
//!
//! It runs in memory only: there is no way to open a socket with it, and none may be added, because the protocol is
//! broken (RFC 6176 forbids it). Nothing protects the handshake, so whoever is on the wire chooses the cipher, or takes
//! a peer back to this version; the length of a record's padding is in no MAC; MACs are plain MD5 under the very key
//! that encrypts; and since nothing announces the end of data, a connection cut short looks like one that ended.
//!
//! How the specification was read where it leaves a choice, or where implementations of its time differed:
//! * Each handshake message fills a record of its own. A protected record has padding only if its cipher needs some, and
//!   the header of three bytes only if it has padding.
//! * A record of data holds 16384 bytes at most, as in every later version, and 16360 under a block cipher: with more,
//!   padding might take it past the 16383 bytes that a header with a padding length can tell.
//! * DES-CBC-MD5 takes its keys from MD5 over master key, challenge and connection id without a digit in between, as the
//!   specification says (section 5.5.2); SSLeay put a "0" there.
//! * A server sends SERVER-VERIFY as soon as it has the keys, which is before CLIENT-FINISHED when it resumes. Full and
//!   resumed handshakes alike take four flights; a client certificate takes two more.
//! * A session keeps the client's certificate: it is asked for in full handshakes only, as in every later version.
//! * Sessions live until their place in the cache is needed, not for the 100 seconds that the specification
//!   recommends. A connection that fails ends its session, as it demands.
//! * There is no closing alert: to close means to close the transport. Here a side that closes sends nothing, and
//!   fails if the peer sent what nobody has read.

mod cache;
mod client;
mod connection;
mod keys;
mod message;
mod record;
mod server;
mod side;
#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::sync::OnceLock;

use self::connection::Connection;
use self::keys::Suite;
use self::side::Ssl2Side;
use super::openssl::library;
use super::{Endpoint, Engine, EngineError, EngineInfo, Prepared, Side, Start, Unsupported};
use crate::cell::{CIPHERS, Cell, Proto};
use crate::fixtures::Credentials;
use crate::primitive::{Input, NoOperation, Operation, Primitive};

const ID: &str = "ssl2";

/// See the module's documentation.
#[derive(Debug, Default)]
pub struct Ssl2 {
    /// Numbers of the ciphers of SSL 2.0 that this build of OpenSSL can do.
    ciphers: OnceLock<Result<Vec<u16>, EngineError>>,
}

impl Ssl2 {
    /// The engine; OpenSSL is started when it is first asked something.
    pub fn new() -> Self {
        Self::default()
    }

    fn ciphers(&self) -> Result<&[u16], &EngineError> {
        let probe = || {
            library::start()?;
            let of_ssl2 = CIPHERS.iter().filter(|cipher| cipher.fits(Proto::Ssl2));
            let found =
                of_ssl2.filter(|cipher| Suite::of(cipher).is_ok()).map(|cipher| cipher.code).collect();
            drop(openssl::error::ErrorStack::get()); // what the refusals left behind
            Ok(found)
        };
        self.ciphers.get_or_init(probe).as_ref().map(Vec::as_slice)
    }
}

impl Engine for Ssl2 {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: ID,
            library: "tlspair's own SSL 2.0".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            build: format!(
                "protocol code of this project, cryptography of OpenSSL {}, in memory only",
                library::version()
            ),
            is_tls: true,
        }
    }

    fn supports(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        if cell.proto != Proto::Ssl2 {
            return Err(Unsupported(format!("the ssl2 engine has no {}", cell.proto.title())));
        }
        let peer = match side {
            Side::Client => &cell.server,
            Side::Server => &cell.client,
        };
        if peer != ID {
            return Err(Unsupported(format!(
                "the ssl2 engine pairs with itself only, not with {peer}: nobody else speaks SSL 2.0"
            )));
        }
        let ciphers =
            self.ciphers().map_err(|error| Unsupported(format!("OpenSSL does not start: {error}")))?;
        if !ciphers.contains(&cell.cipher.code) {
            return Err(Unsupported(format!(
                "OpenSSL {} cannot do the encryption of {}",
                library::version(),
                cell.cipher.openssl
            )));
        }
        Ok(())
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        library::start()?;
        Ok(Box::new(PreparedSide(Rc::new(Ssl2Side::new(side, cell, credentials)?))))
    }

    /// Its cryptography is OpenSSL's.
    fn operation(&self, primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        super::openssl::OpenSsl::new().operation(primitive, input)
    }
}

struct PreparedSide(Rc<Ssl2Side>);

impl Prepared for PreparedSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        Ok(Box::new(Connection::open(Rc::clone(&self.0), start)?))
    }
}
