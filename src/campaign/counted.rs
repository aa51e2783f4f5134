//! What a comparison counts of a cell without a clock. Signatures and tickets vary in length from connection to
//! connection, so that one connection would show differences that are none.

use super::trial::watched;
use super::{NoNumbers, guarded, trial};
use crate::cell::Cell;
use crate::engine::{Engines, Start};
use crate::fixtures::Credentials;
use crate::measure::{Pair, ReadyCell, Stop};
use crate::results::{CellResult, CountedSide};
use crate::wire::WireCount;

/// Handshakes of each kind. An ECDSA signature has its greatest length in one of four: that none of so many has is as
/// unlikely as 1 in 100 million.
const HANDSHAKES: u64 = 64;

/// Counts a cell: heap and application records as in a trial, and of the handshake the largest that many connections
/// show in each count.
pub fn counted(engines: &Engines, cell: &Cell, stop: Stop<'_>) -> Result<CountedSide, NoNumbers> {
    let CellResult { negotiated, mut wire, heap, .. } = CellResult::tried(cell, &trial(engines, cell, stop)?);
    // What is transferred later makes no difference to the handshake.
    let brief = Cell { bytes: 1, ..cell.clone() };
    let (full, resumed) = guarded(|| {
        let ready = ReadyCell::of(engines, &brief, &Credentials::of(&brief))?;
        let mut pair = ready.pair();
        Ok((largest(&mut pair, Start::Fresh, stop)?, largest(&mut pair, Start::Resume, stop)?))
    })?;
    wire.full = Some(full.into());
    wire.reuse = Some(resumed.into());
    Ok(CountedSide { negotiated, wire, heap })
}

fn largest(pair: &mut Pair<'_>, start: Start, stop: Stop<'_>) -> Result<WireCount, NoNumbers> {
    let mut largest = WireCount::default();
    for _ in 0..HANDSHAKES {
        if stop.requested() {
            return Err(NoNumbers::NotReached);
        }
        largest = largest.max_of(watched(pair, start)?.1.handshake());
    }
    Ok(largest)
}
