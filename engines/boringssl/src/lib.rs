//! BoringSSL, as the crate boring-sys brings it: TLS 1.0 to TLS 1.3.
//!
//! What BoringSSL does unasked is left as it is, because it is part of what BoringSSL costs: the extended master secret
//! is always agreed on, TLS 1.3 speaks in its middlebox-compatible form, and a record of CBC in TLS 1.0 is not split.
//! Encrypt-then-MAC, compression and renegotiation it does not have, and neither GREASE nor permuted extensions, which
//! are a browser's, are switched on. TLS 1.3 ciphers, which it would choose by the processor, are pinned by a list of
//! one.

mod context;
mod endpoint;
mod key;
mod library;
mod pipe_bio;
mod primitives;
#[cfg(target_arch = "x86_64")]
mod processor;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use endpoint::BoringSide;
use library::Capabilities;
use primitives::Refusal;
use tlspair::cell::{Cell, Feature};
#[cfg(target_arch = "x86_64")]
use tlspair::engine::ia32cap;
use tlspair::engine::{Engine, EngineError, EngineInfo, Prepared, Side, Unsupported};
use tlspair::fixtures::Credentials;
use tlspair::primitive::{Input, NoOperation, Operation, Primitive};

/// See the crate's documentation.
#[derive(Debug, Default)]
pub struct BoringSsl {
    capabilities: OnceLock<Capabilities>,
}

impl BoringSsl {
    /// The engine; the library is asked what it has when somebody first asks the engine.
    pub fn new() -> Self {
        Self::default()
    }

    fn capabilities(&self) -> &Capabilities {
        self.capabilities.get_or_init(Capabilities::probe)
    }
}

impl Engine for BoringSsl {
    fn info(&self) -> EngineInfo {
        library::info()
    }

    fn supports(&self, cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        self.capabilities().check(cell)
    }

    fn offers(&self, feature: Feature, cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        library::offers(feature, cell)
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        Ok(Box::new(BoringSide::new(side, cell, credentials)?))
    }

    fn operation(&self, primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        primitives::operation(primitive, input).map_err(|refusal| match refusal {
            Refusal::Missing => self.has_no_such_primitive().into(),
            Refusal::Other(words) => library::refusal(words).into(),
            Refusal::Failed(error) => error.into(),
        })
    }

    #[cfg(target_arch = "x86_64")]
    fn acceleration_switch(&self) -> Result<&'static [(&'static str, &'static str)], Unsupported> {
        Ok(ia32cap::SWITCH)
    }

    #[cfg(target_arch = "x86_64")]
    fn is_unaccelerated(&self) -> bool {
        ia32cap::are_cleared(processor::ia32cap())
    }
}
