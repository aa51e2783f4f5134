//! From what was measured to what a results file says of it.

use super::{AppCount, CellResult, Heap, HeapSide, LoopResult, Negotiated, Wire, WireCount};
use crate::campaign::{Measurement, NoNumbers, Tried};
use crate::cell::Cell;
use crate::heap::{HeapCount, HeapUse};
use crate::wire;

impl CellResult {
    /// The result of one cell; none if its turn never came.
    pub fn of(cell: &Cell, outcome: &Result<Measurement, NoNumbers>) -> Option<Self> {
        match outcome {
            Ok(measurement) => Some(Self::measured(cell, measurement)),
            Err(NoNumbers::Unsupported(reason)) => Some(Self::unsupported(cell, reason)),
            Err(NoNumbers::Error(reason)) => Some(Self::error(cell, reason)),
            Err(NoNumbers::NotReached) => None,
        }
    }

    fn measured(cell: &Cell, measurement: &Measurement) -> Self {
        let trial = &measurement.trial;
        let mut result = Self::ok(cell, Negotiated::of(&trial.full));
        result.loops.full = measurement.full.as_ref().and_then(LoopResult::of);
        result.loops.reuse = measurement.reuse.as_ref().and_then(LoopResult::of);
        result.wire = Wire {
            full: measurement.full.as_ref().map(|_| trial.full.wire.into()),
            reuse: measurement.reuse.as_ref().map(|_| trial.resumed.wire.into()),
            app: Some(trial.full.app.into()),
        };
        result.heap = trial.heap.map(Heap::from);
        result
    }
}

impl Negotiated {
    /// What both libraries say; where both are silent, what the wire shows.
    fn of(tried: &Tried) -> Self {
        let said = Self::from(&tried.agreed);
        Self {
            group: said.group.or(tried.seen.group.map(|group| group.to_string())),
            signature: said.signature.or(tried.seen.signature.map(|scheme| scheme.to_string())),
            ..said
        }
    }
}

impl From<wire::WireCount> for WireCount {
    fn from(count: wire::WireCount) -> Self {
        let wire::WireCount {
            client_bytes,
            server_bytes,
            client_records,
            server_records,
            flights,
            post_handshake_bytes,
        } = count;
        Self { client_bytes, server_bytes, client_records, server_records, flights, post_handshake_bytes }
    }
}

impl From<wire::AppCount> for AppCount {
    fn from(count: wire::AppCount) -> Self {
        let wire::AppCount { client_bytes, server_bytes, client_records, server_records } = count;
        Self { client_bytes, server_bytes, client_records, server_records }
    }
}

impl From<HeapUse> for Heap {
    fn from(heap: HeapUse) -> Self {
        Self { client: heap.client.into(), server: heap.server.into() }
    }
}

impl From<HeapCount> for HeapSide {
    fn from(count: HeapCount) -> Self {
        let HeapCount { allocations, bytes, peak_bytes, held_bytes } = count;
        Self { allocations, bytes, peak_bytes, held_bytes }
    }
}
