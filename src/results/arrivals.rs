//! When answers arrive over a link, of cells in a results file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CellResult, LoopResult, Phases, SideNs};
use crate::link::{Arrival, Link, Traffic};
use crate::measure::LoopKind;

/// When a client has the answer to its first request; null for a loop that did not run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Arrivals {
    /// On a connection with a full handshake.
    pub full: Option<Arrival>,
    /// On a resumed one.
    pub reuse: Option<Arrival>,
}

impl Arrivals {
    /// Over `link`.
    pub fn of(link: &Link, cell: &CellResult) -> Self {
        let of = |kind| {
            let traffic = Traffic::of(cell, kind)?;
            let requests = cell.dims.number("requests").unwrap_or(1).max(1);
            link.arrival(&traffic, until_answered_ns(cell.loops.of(kind)?, requests))
        };
        Self { full: of(LoopKind::Full), reuse: of(LoopKind::Reuse) }
    }

    /// Of one loop.
    pub fn of_loop(&self, kind: LoopKind) -> Option<&Arrival> {
        match kind {
            LoopKind::Full => self.full.as_ref(),
            LoopKind::Reuse => self.reuse.as_ref(),
        }
    }
}

impl Traffic {
    /// What a connection of this kind put on the wire; none if it was not counted.
    pub fn of(cell: &CellResult, kind: LoopKind) -> Option<Self> {
        let handshake = cell.wire.handshake(kind)?;
        let app = cell.wire.app?;
        let number = |key| cell.dims.number(key).unwrap_or_default();
        let requests = number("requests").max(1);
        Some(Self {
            flights: handshake.flights,
            early_data: kind == LoopKind::Reuse && number("early-data") >= number("bytes"),
            handshake: [handshake.client_bytes, handshake.server_bytes],
            data: [app.client_bytes / requests, app.server_bytes / requests],
        })
    }
}

/// What the processors take of the median connection until the first answer is there: all but the close, and of the transfer
/// one request's part.
fn until_answered_ns(timed: &LoopResult, requests: u64) -> f64 {
    let Phases { setup, handshake, transfer, close } = timed.phases;
    let both = |sides: SideNs| (sides.client_ns + sides.server_ns) as f64;
    let until = both(setup) + both(handshake) + both(transfer) / requests as f64;
    let all = both(setup) + both(handshake) + both(transfer) + both(close);
    if all > 0.0 { timed.per_connection_ns.median * until / all } else { 0.0 }
}
