//! Mbed TLS 3.6, TLS 1.2 and 1.3, with the configuration that it is shipped with and through its C functions: every
//! connection does what a C program that uses the library would do.
//!
//! What the library does unasked is left as it is, because it is part of what it costs: TLS 1.3 speaks in its
//! middlebox-compatible form and pads its records to a multiple of 16 bytes, and TLS 1.2 agrees on the extended master
//! secret and, with CBC ciphers, on encrypt-then-MAC.

#![allow(unsafe_code)]

mod ability;
mod connection;
mod library;
mod object;
mod pinned;
mod primitives;
mod random;
mod sys;
#[cfg(test)]
mod tests;
mod transport;
mod verification;

use std::rc::Rc;

use tlspair::cell::{Cell, Feature, Proto};
use tlspair::engine::{
    Endpoint, Engine, EngineError, EngineInfo, Prepared, RecordHabit, Share, Side, Start, Unsupported,
};
use tlspair::fixtures::Credentials;
use tlspair::primitive::{Input, NoOperation, Operation, Primitive};

use crate::connection::{Connection, OneThread};
use crate::pinned::Pinned;

/// The engine's id.
const ID: &str = "mbedtls-3.6";

/// See the crate's documentation.
#[derive(Clone, Copy, Debug)]
pub struct MbedTls36;

impl Engine for MbedTls36 {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: ID,
            library: "Mbed TLS".to_owned(),
            version: library::version(),
            build: library::build(),
            is_tls: true,
        }
    }

    fn supports(&self, cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        ability::check(cell)
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
        Ok(Box::new(PreparedSide(OneThread::over(Pinned::new(side, cell, credentials)?))))
    }

    fn operation(&self, primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        primitives::operation(primitive, input)?.ok_or_else(|| self.has_no_such_primitive().into())
    }

    fn acceleration_switch(&self) -> Result<&'static [(&'static str, &'static str)], Unsupported> {
        Err(Unsupported(format!(
            "Mbed TLS {} uses AES instructions if it was compiled with them and CPUID names them, and has no switch",
            library::version()
        )))
    }

    fn record_habit(&self, cell: &Cell) -> RecordHabit {
        if cell.proto == Proto::Tls13 { RecordHabit::PaddedTo16 } else { RecordHabit::Whole }
    }
}

struct PreparedSide(Rc<OneThread>);

impl Prepared for PreparedSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        Ok(Connection::open(&self.0, start)?)
    }

    fn share(&self) -> Result<Share, Unsupported> {
        let pinned = self.0.pinned();
        Ok(Box::new(move || Ok(Box::new(PreparedSide(OneThread::over(pinned))))))
    }
}
