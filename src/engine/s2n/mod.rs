//! s2n-tls over AWS-LC, from SSL 3.0 to TLS 1.3, through its C functions: every connection does what a C program that
//! uses the library would do, and no wrapper stands inside the timers.
//!
//! The library is configured by policies, named sets of many ciphers and groups. Here each side of a cell gets a policy
//! of its own, with one of each (see `policy`), which the library reads back before anything runs.
//!
//! What the library does unasked is left as it is: the extended master secret is offered, TLS 1.3 clients speak in the
//! middlebox-compatible form, a record is read as header and body apart, every handshake message goes into a record of its
//! own, and an error sends no alert before a delay that a simulator does not wait for. Two things are not: records hold up
//! to 16384 bytes, as elsewhere, where the library alone would send 8 KiB; and nothing ever sleeps.

#![allow(unsafe_code)]

mod ability;
mod cache;
mod certificate;
mod connection;
mod internals;
mod library;
mod names;
mod own;
mod pem;
mod pinned;
mod policy;
#[cfg(aws_lc_symbols)]
mod primitives;

use std::rc::Rc;
use std::sync::Arc;

use self::connection::Connection;
use self::own::Own;
use self::pinned::Pinned;
use super::{
    Endpoint, Engine, EngineError, EngineInfo, Prepared, RecordHabit, Share, Side, Start, Unsupported,
};
use crate::cell::{Cell, Feature, Proto};
use crate::fixtures::Credentials;
#[cfg(aws_lc_symbols)]
use crate::primitive::{Input, NoOperation, Operation, Primitive};

/// See the module's documentation.
#[derive(Debug)]
pub struct S2n(());

impl S2n {
    /// The library as it was linked in; it is started when it is first asked something.
    pub fn new() -> Self {
        Self(())
    }
}

impl Engine for S2n {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: "s2n",
            library: "s2n-tls".to_owned(),
            version: library::VERSION.to_owned(),
            build: build(),
            is_tls: true,
        }
    }

    fn supports(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        ability::check(cell, side)
    }

    fn offers(&self, feature: Feature, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        ability::offers(feature, cell, side)
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        self.supports(cell, side).map_err(EngineError::new)?;
        library::start();
        Ok(Box::new(PreparedSide::over(Pinned::new(side, cell, credentials)?)))
    }

    #[cfg(aws_lc_symbols)]
    fn operation(&self, primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        library::start();
        primitives::operation(primitive, input)
    }

    #[cfg(all(target_arch = "x86_64", aws_lc_symbols))]
    fn acceleration_switch(&self) -> Result<&'static [(&'static str, &'static str)], Unsupported> {
        Ok(super::ia32cap::SWITCH)
    }

    #[cfg(all(target_arch = "x86_64", aws_lc_symbols))]
    fn is_unaccelerated(&self) -> bool {
        super::ia32cap::are_cleared(super::aws_lc::ia32cap())
    }

    /// The library does not know its composite implementations of CBC ciphers, which SSL 3.0 has none of, for CBC.
    fn record_habit(&self, cell: &Cell) -> RecordHabit {
        library::start();
        let is_composite = cell.proto > Proto::Ssl3
            && internals::suite(cell.cipher).is_some_and(|suite| suite.is_composite());
        if is_composite { RecordHabit::Whole } else { RecordHabit::ClientOneThenRest.where_needed(cell) }
    }
}

struct PreparedSide(Rc<Own>);

impl PreparedSide {
    fn over(pinned: Arc<Pinned>) -> Self {
        Self(Rc::new(Own::new(pinned)))
    }
}

impl Prepared for PreparedSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        Ok(Connection::open(&self.0, start)?)
    }

    /// A configuration is made for several threads; the pipes and the kept session are each thread's own.
    fn share(&self) -> Result<Share, Unsupported> {
        let pinned = Arc::clone(&self.0.pinned);
        Ok(Box::new(move || {
            library::start();
            Ok(Box::new(Self::over(pinned)))
        }))
    }
}

fn build() -> String {
    format!(
        "AWS-LC (aws-lc-sys {}), static, opt-level {}, memory by the program's allocator",
        library::CRYPTOGRAPHY_VERSION,
        env!("TLSPAIR_OPT_LEVEL")
    )
}
