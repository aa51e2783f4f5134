//! BearSSL, from TLS 1.0 to TLS 1.2, through its C functions.
//!
//! The library allocates nothing: a program brings the memory for its contexts and for the records on their way in and
//! out. So does this engine, for each connection anew. What it allocates there, in the phase `setup`, is part of what a
//! program pays that uses BearSSL, and counts as such: a context, two buffers for whole records (the sizes are those that
//! the library advises), and the validator of certificates where a side has to look at any.
//!
//! Of the implementations that the library has of one algorithm it is asked once which suits the machine, as its
//! documentation advises; connections then name it.

#![allow(unsafe_code)]

mod checker;
mod connection;
mod identity;
mod implementations;
mod library;
mod object;
mod pinned;
mod primitives;
mod sys;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use self::connection::Connection;
use self::library::{Library, build, version};
use self::pinned::Pinned;
use super::{Endpoint, Engine, EngineError, EngineInfo, Prepared, RecordHabit, Side, Start, Unsupported};
use crate::cell::{Cell, Feature};
use crate::fixtures::Credentials;
use crate::primitive::{Input, NoOperation, Operation, Primitive};

/// See the module's documentation.
pub struct BearSsl(Library);

impl BearSsl {
    /// The library as it was linked in; it needs no setting up.
    pub fn new() -> Self {
        Self(Library::as_linked())
    }
}

impl Engine for BearSsl {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: "bearssl",
            library: "BearSSL".to_owned(),
            version: version().to_owned(),
            build: build(&self.0.implementations),
            is_tls: true,
        }
    }

    fn supports(&self, cell: &Cell, side: Side) -> Result<(), Unsupported> {
        self.0.check(cell, side)
    }

    fn offers(&self, feature: Feature, _cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        Library::offers(feature)
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        Ok(Box::new(PreparedSide(Pinned::new(&self.0, side, cell, credentials)?)))
    }

    fn operation(&self, primitive: Primitive, input: &Input) -> Result<Box<dyn Operation>, NoOperation> {
        primitives::operation(&self.0, primitive, input)?.ok_or_else(|| self.has_no_such_primitive().into())
    }

    fn record_habit(&self, cell: &Cell) -> RecordHabit {
        RecordHabit::OneOfWhole.where_needed(cell)
    }
}

struct PreparedSide(Rc<Pinned>);

impl Prepared for PreparedSide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        Ok(Box::new(Connection::open(&self.0, start)?))
    }
}
