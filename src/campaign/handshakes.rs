//! The wire of handshakes as results tell it. Signatures and tickets vary in length from connection to connection, so
//! that one connection would show differences between builds that are none.

use super::trial::watched;
use super::{NoNumbers, guarded};
use crate::cell::Cell;
use crate::engine::{Engines, Start};
use crate::fixtures::Credentials;
use crate::measure::{Pair, ReadyCell, Stop};
use crate::wire::WireCount;

/// Full handshakes with an ECDSA signature, which has its greatest length in one of four: that none of so many has is
/// as unlikely as 1 in 100 million.
const WITH_ECDSA: u64 = 64;
/// Other handshakes: what is encoded as a number, such as in tickets, is short by a byte in one of two at most.
const OTHERS: u64 = 24;

/// Of full and of resumed handshakes, the largest in each count that many connections show.
pub(super) fn largest(
    engines: &Engines,
    cell: &Cell,
    stop: Stop<'_>,
) -> Result<(WireCount, WireCount), NoNumbers> {
    // What is transferred later makes no difference to the handshake.
    let brief = Cell { bytes: cell.early_data.max(1).into(), requests: 1, ..cell.clone() };
    let is_ecdsa = cell.cert.curve().is_some();
    guarded(|| {
        let ready = ReadyCell::of(engines, &brief, &Credentials::of(&brief))?;
        let mut pair = ready.pair();
        let full = largest_of(&mut pair, Start::Fresh, if is_ecdsa { WITH_ECDSA } else { OTHERS }, stop)?;
        let resumed = largest_of(&mut pair, Start::Resume, OTHERS, stop)?;
        Ok((full, resumed))
    })
}

fn largest_of(
    pair: &mut Pair<'_>,
    start: Start,
    connections: u64,
    stop: Stop<'_>,
) -> Result<WireCount, NoNumbers> {
    let mut largest = WireCount::default();
    for _ in 0..connections {
        if stop.requested() {
            return Err(NoNumbers::NotReached);
        }
        largest = largest.max_of(watched(pair, start)?.1.handshake());
    }
    Ok(largest)
}
