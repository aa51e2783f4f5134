//! wolfSSL, through its own C functions.
//!
//! What wolfSSL does unasked is left as it is, because it is part of what wolfSSL costs: it offers encrypt-then-MAC and
//! the extended master secret, seeds a random number generator of its own for each connection, and masks the private
//! key anew for each. A server answers every ticket of TLS 1.2 with a new one. Three things are not as a program would find
//! them: sessions are kept in a cache of the context (see [`cache`]), 0-RTT data is not guarded against being sent again
//! (see [`resumption`]), and every size of RSA key is taken.

#![allow(unsafe_code)]

mod ability;
mod cache;
mod connection;
mod context;
mod library;
mod outcome;
mod primitives;
mod resumption;
mod session;
#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::sync::Arc;

use self::ability::Abilities;
use self::connection::Connection;
use self::context::{Local, Pinned};
use super::{Endpoint, Engine, EngineError, EngineInfo, Prepared, Share, Side, Start, Unsupported};
use crate::cell::{Cell, Feature, Proto};
use crate::fixtures::Credentials;
use crate::primitive::{Input, NoOperation, Operation, Primitive};

const ID: &str = "wolfssl";

/// See the module's documentation.
#[derive(Debug)]
pub struct WolfSsl(());

impl WolfSsl {
    /// The library as it was linked in; it is started when it is first asked something.
    pub fn new() -> Self {
        Self(())
    }
}

impl Engine for WolfSsl {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: ID,
            library: library::NAME.to_owned(),
            version: library::version(),
            build: library::build(),
            is_tls: true,
        }
    }

    fn supports(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        Abilities::get()?.check(cell, side)
    }

    fn offers(&self, feature: Feature, cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        ability::offers(feature, cell)
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        Ok(Box::new(PreparedSide(Local::of(Arc::new(Pinned::new(side, cell, credentials)?)))))
    }

    fn operation(&self, primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        primitives::operation(primitive, input)?.ok_or_else(|| {
            primitives::refusal(primitive).unwrap_or_else(|| self.has_no_such_primitive()).into()
        })
    }
}

struct PreparedSide(Rc<Local>);

impl Prepared for PreparedSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        Ok(Box::new(Connection::open(&self.0, start)?))
    }

    /// A server of TLS 1.3 counts the tickets that come from one full handshake in a byte, and fails when it is full.
    fn resumptions(&self) -> u64 {
        let Pinned { side, cell, .. } = &*self.0.pinned;
        if *side == Side::Server && cell.proto == Proto::Tls13 { u8::MAX.into() } else { u64::MAX }
    }

    fn share(&self) -> Result<Share, Unsupported> {
        if !library::is_for_threads() {
            return Err(Unsupported(format!("{} was built for one thread", library::NAME)));
        }
        let pinned = Arc::clone(&self.0.pinned);
        Ok(Box::new(move || Ok(Box::new(PreparedSide(Local::of(pinned))))))
    }
}
