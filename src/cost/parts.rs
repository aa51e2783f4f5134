//! The operations of one connection, side by side.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::Algorithms;
use super::{exchange, records, schedule, transcript};
use crate::cell::Cell;
use crate::engine::Side;
use crate::primitive::Primitive;
use crate::wire::Trace;

/// The operations of both sides.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BothSides {
    /// The client's.
    pub client: Vec<Part>,
    /// The server's.
    pub server: Vec<Part>,
}

impl BothSides {
    /// What both sides do in a full or resumed connection of the cell, which put `trace` on the wire.
    pub fn of(cell: &Cell, resumed: bool, trace: &Trace) -> Self {
        let of_side = |side| parts(cell, resumed, trace, side);
        Self { client: of_side(Side::Client), server: of_side(Side::Server) }
    }

    /// One side's.
    pub fn side(&self, side: Side) -> &[Part] {
        match side {
            Side::Client => &self.client,
            Side::Server => &self.server,
        }
    }
}

/// A part of a connection whose time can be told apart. Engines make their first message in one phase or the other, so that
/// setup and handshake are one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Until both sides have finished.
    Handshake,
    /// Application data, and tickets that come with it.
    Transfer,
    /// close_notify.
    Close,
}

impl Stage {
    /// All, in the order of a connection.
    pub const ALL: [Self; 3] = [Self::Handshake, Self::Transfer, Self::Close];

    /// The name used in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Handshake => "handshake",
            Self::Transfer => "transfer",
            Self::Close => "close",
        }
    }
}

/// Some operations of a kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// When.
    pub stage: Stage,
    /// What for.
    pub purpose: Cow<'static, str>,
    /// Which.
    pub primitive: Primitive,
    /// Over how many bytes each, if it takes any.
    pub bytes: Option<u64>,
    /// How many.
    pub count: u64,
    /// How much of a measured operation each is: less or more than 1 where it derives fewer or more bytes.
    pub share: f64,
}

impl Part {
    /// Operations that take no bytes.
    pub(super) fn of(purpose: &'static str, primitive: Primitive, count: u64) -> Self {
        let purpose = Cow::Borrowed(purpose);
        Self { stage: Stage::Handshake, purpose, primitive, bytes: None, count, share: 1.0 }
    }

    /// An operation over so many bytes.
    pub(super) fn over(stage: Stage, purpose: &'static str, primitive: Primitive, bytes: u64) -> Self {
        let purpose = Cow::Borrowed(purpose);
        Self { stage, purpose, primitive, bytes: Some(bytes), count: 1, share: 1.0 }
    }

    fn is_like(&self, other: &Self) -> bool {
        (self.stage, &self.purpose, self.primitive, self.bytes)
            == (other.stage, &other.purpose, other.primitive, other.bytes)
            && self.share == other.share
    }
}

/// A full or resumed connection of a cell, as one side has it.
#[derive(Clone, Copy)]
pub(super) struct OneSide<'a> {
    pub(super) cell: &'a Cell,
    pub(super) algorithms: Algorithms,
    pub(super) resumed: bool,
    /// What it put on the wire.
    pub(super) trace: &'a Trace,
    pub(super) side: Side,
}

/// What a side does in a full or resumed connection of the cell, which put `trace` on the wire. Like operations stand
/// together.
pub fn parts(cell: &Cell, resumed: bool, trace: &Trace, side: Side) -> Vec<Part> {
    let one = OneSide { cell, algorithms: Algorithms::of(cell), resumed, trace, side };
    let mut all = exchange::parts(one);
    all.extend(schedule::parts(one));
    all.extend(transcript::parts(one));
    all.extend(records::parts(one));
    let mut together: Vec<Part> = Vec::new();
    for part in all.into_iter().filter(|part| part.count > 0) {
        match together.iter_mut().find(|known| known.is_like(&part)) {
            Some(known) => known.count += part.count,
            None => together.push(part),
        }
    }
    together
}
