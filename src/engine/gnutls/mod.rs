//! GnuTLS as the system has it, from TLS 1.0 to TLS 1.3, through its C functions: every connection does what a C
//! program that uses the library would do, and no wrapper stands inside the timers.

#![allow(unsafe_code)]

mod ability;
mod connection;
mod library;
mod names;
mod object;
mod outcome;
mod pinned;
mod primitives;
mod priority;
mod store;
mod sys;
mod transport;

use std::rc::Rc;
use std::sync::Arc;

use self::connection::Connection;
use self::pinned::{Local, Pinned};
use super::{Endpoint, Engine, EngineError, EngineInfo, Prepared, Share, Side, Start, Unsupported};
use crate::cell::{Cell, Feature};
use crate::fixtures::Credentials;
use crate::primitive::{Input, NoOperation, Operation, Primitive};

/// See the module's documentation.
#[derive(Debug)]
pub struct GnuTls(());

impl GnuTls {
    /// The library as it was linked in, set up once for the process.
    pub fn new() -> Self {
        library::start();
        Self(())
    }
}

impl Engine for GnuTls {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: "gnutls",
            library: "GnuTLS".to_owned(),
            version: library::version(),
            build: library::build(),
            is_tls: true,
        }
    }

    fn supports(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        ability::supports(cell, side)
    }

    fn offers(&self, feature: Feature, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        ability::offers(feature, cell, side)
    }

    fn acceleration_switch(&self) -> Result<&'static [(&'static str, &'static str)], Unsupported> {
        Err(ability::no_switch())
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        Ok(Box::new(PreparedSide(Local::of(Pinned::new(side, cell, credentials)?))))
    }

    fn operation(&self, primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        primitives::operation(primitive, input)?.ok_or_else(|| self.has_no_such_primitive().into())
    }
}

struct PreparedSide(Rc<Local>);

impl Prepared for PreparedSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        Ok(Connection::open(&self.0, start)?)
    }

    fn share(&self) -> Result<Share, Unsupported> {
        let pinned = Arc::clone(&self.0.pinned);
        Ok(Box::new(move || Ok(Box::new(PreparedSide(Local::of(pinned))))))
    }
}
