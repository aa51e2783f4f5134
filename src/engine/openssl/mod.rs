//! OpenSSL, through its own C interface: SSL 3.0 to TLS 1.3.
//!
//! What OpenSSL does unasked is left as it is, because it is part of what OpenSSL costs: encrypt-then-MAC and the
//! extended master secret are offered, TLS 1.3 speaks in its middlebox-compatible form, CBC writes in SSL 3.0 and
//! TLS 1.0 begin with an empty record, a record is read as header and body apart (no read-ahead), and buffers stay
//! with the connection until it is freed. Compression is not compiled in. A server's CertificateRequest names no
//! authorities. A client that is to resume without a key exchange offers one beside it, and makes the key in vain.
//! A limit of records holds for handshake messages as well. Without a cache, 0-RTT data could be replayed: that guard is
//! left to the application, so that tickets are all a server needs.

mod agreed;
mod context;
mod endpoint;
mod ffi;
pub(super) mod library;
mod pipe_bio;
mod primitives;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use endpoint::OpenSslSide;
use library::Capabilities;
use primitives::Refusal;

use super::{Engine, EngineError, EngineInfo, Prepared, RecordHabit, Side, Unsupported};
use crate::cell::{Cell, Feature, Proto};
use crate::fixtures::Credentials;
use crate::primitive::{Input, NoOperation, Operation, Primitive};

const ID: &str = "openssl";

/// See the module's documentation.
#[derive(Debug)]
pub struct OpenSsl {
    id: &'static str,
    capabilities: OnceLock<Result<Capabilities, EngineError>>,
    info: OnceLock<EngineInfo>,
}

impl OpenSsl {
    /// The engine; the library is started when it is first asked something.
    pub fn new() -> Self {
        Self::named(ID)
    }

    /// The same engine under another id, for an executable that is linked with another OpenSSL.
    pub fn named(id: &'static str) -> Self {
        Self { id, capabilities: OnceLock::new(), info: OnceLock::new() }
    }

    fn capabilities(&self) -> Result<&Capabilities, &EngineError> {
        self.capabilities.get_or_init(Capabilities::probe).as_ref()
    }
}

impl Default for OpenSsl {
    fn default() -> Self {
        Self::new()
    }
}

impl Engine for OpenSsl {
    fn info(&self) -> EngineInfo {
        let info = || match self.capabilities() {
            Ok(capabilities) => capabilities.info(self.id),
            Err(error) => EngineInfo {
                id: self.id,
                library: "OpenSSL".to_owned(),
                version: library::version(),
                build: format!("does not start: {error}"),
                is_tls: true,
            },
        };
        self.info.get_or_init(info).clone()
    }

    fn supports(&self, cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        match self.capabilities() {
            Ok(capabilities) => capabilities.check(cell),
            Err(error) => Err(Unsupported(format!("OpenSSL does not start: {error}"))),
        }
    }

    fn offers(&self, feature: Feature, _cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        match self.capabilities() {
            Ok(capabilities) => capabilities.check_feature(feature),
            Err(error) => Err(Unsupported(format!("OpenSSL does not start: {error}"))),
        }
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        library::start()?;
        Ok(Box::new(OpenSslSide::new(side, cell, credentials)?))
    }

    fn operation(&self, primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        library::start()?;
        primitives::operation(primitive, input).map_err(|refusal| match refusal {
            Refusal::Missing => self.has_no_such_primitive().into(),
            Refusal::Failed(error) => error.into(),
        })
    }

    #[cfg(target_arch = "x86_64")]
    fn acceleration_switch(&self) -> Result<&'static [(&'static str, &'static str)], Unsupported> {
        Ok(super::ia32cap::SWITCH)
    }

    #[cfg(target_arch = "x86_64")]
    fn is_unaccelerated(&self) -> bool {
        library::ia32cap().is_some_and(super::ia32cap::are_cleared)
    }

    fn record_habit(&self, cell: &Cell) -> RecordHabit {
        // OpenSSL does not know the stitched RC4-MD5 of x86-64 for RC4, and treats it like a block cipher.
        let is_taken_for_cbc =
            cfg!(target_arch = "x86_64") && cell.proto == Proto::Tls10 && cell.cipher.openssl == "RC4-MD5";
        if is_taken_for_cbc { RecordHabit::EmptyFirst } else { RecordHabit::EmptyFirst.where_needed(cell) }
    }
}
