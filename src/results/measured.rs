//! From what was measured to what a results file says of it.

use super::{
    AppCount, CellResult, Heap, HeapRange, HeapSide, Measured, Negotiated, Status, Wire, WireCount,
    WorkloadResult,
};
use crate::campaign::{NoNumbers, Trial, Tried, Workload};
use crate::cell::Cell;
use crate::engine::Side;
use crate::heap::{HeapCount, HeapSpread};
use crate::wire;

impl CellResult {
    /// The result of one cell; none if its turn never came.
    pub fn of(cell: &Cell, outcome: Result<Self, NoNumbers>) -> Option<Self> {
        match outcome {
            Ok(result) => Some(result),
            Err(why) => why.into_row().map(|(status, reason)| Self::without_numbers(cell, status, reason)),
        }
    }

    /// What a trial showed of a cell, without loops.
    pub fn tried(cell: &Cell, trial: &Trial) -> Self {
        let mut result = Self::ok(cell, Negotiated::of(&trial.full));
        result.wire = Wire {
            full: Some(trial.full.wire.into()),
            reuse: Some(trial.resumed.wire.into()),
            app: Some(trial.full.app.into()),
        };
        result.heap = trial.heap.map(Heap::from);
        result
    }

    /// Forgets what was counted of a loop that was not timed.
    pub fn keep_wire_of_loops(&mut self) {
        self.wire.full = self.wire.full.filter(|_| self.loops.full.is_some());
        self.wire.reuse = self.wire.reuse.filter(|_| self.loops.reuse.is_some());
    }
}

impl WorkloadResult {
    /// What came of a workload; none if its turn never came.
    pub fn of(workload: Workload, outcome: Result<Measured, NoNumbers>) -> Option<Self> {
        let (status, measured, reason) = match outcome {
            Ok(measured) => (Status::Ok, Some(measured), None),
            Err(why) => why.into_row().map(|(status, reason)| (status, None, Some(reason)))?,
        };
        Some(Self { workload, measured, reason, failed: status == Status::Error })
    }
}

impl Negotiated {
    /// What both libraries say; where both are silent, what the wire shows.
    fn of(tried: &Tried) -> Self {
        let said = Self::from(&tried.agreed);
        Self {
            group: said.group.or(tried.seen.group.map(|group| group.to_string())),
            signature: said.signature.or(tried.seen.signature.map(|scheme| scheme.to_string())),
            encrypt_then_mac: tried.seen.encrypt_then_mac,
            extended_master_secret: tried.seen.extended_master_secret,
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

impl From<HeapSpread> for Heap {
    fn from(heap: HeapSpread) -> Self {
        Self { client: HeapSide::of(&heap, Side::Client), server: HeapSide::of(&heap, Side::Server) }
    }
}

impl HeapSide {
    fn of(heap: &HeapSpread, side: Side) -> Self {
        let HeapCount { allocations, bytes, peak_bytes, held_bytes } = heap.typical.side(side);
        let (low, high) = (heap.low.side(side), heap.high.side(side));
        let range = HeapRange {
            allocations: [low.allocations, high.allocations],
            bytes: [low.bytes, high.bytes],
            peak_bytes: [low.peak_bytes, high.peak_bytes],
            held_bytes: [low.held_bytes, high.held_bytes],
        };
        Self { allocations, bytes, peak_bytes, held_bytes, range: Some(range) }
    }
}
