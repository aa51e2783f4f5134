//! Many connections open at the same time: what each keeps while it does nothing, and what all leave behind.

use super::{HeapUse, HeapWitness};
use crate::engine::Side;
use crate::measure::{Failure, OpenConnections, Pair, Stop};

/// What one side's library keeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenSide {
    /// Live bytes that a connection adds: the median over all.
    pub each_bytes: u64,
    /// Live bytes of all open connections together, with what caches took for them.
    pub total_bytes: u64,
    /// What is still live once all are closed and freed: sessions in a cache, pools.
    pub left_bytes: i64,
}

/// What connections keep that are open at the same time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OpenHeap {
    /// How many.
    pub connections: u64,
    /// The client's library.
    pub client: OpenSide,
    /// The server's library.
    pub server: OpenSide,
}

/// Opens `connections` with full handshakes and one exchange of the cell's data each, looks at what is live, and closes
/// them. `None` where the platform has no counter, or if told to stop before all were open.
///
/// A few connections run before, so that what a library sets up once does not count.
pub fn open_at_once(
    pair: &mut Pair<'_>,
    connections: u64,
    stop: Stop<'_>,
) -> Result<Option<OpenHeap>, Failure> {
    let mut open = OpenConnections::over(pair);
    open.warm_up(super::WARM_UP)?;
    let Some(mut witness) = HeapWitness::start() else { return Ok(None) };
    let mut each = Vec::with_capacity(connections as usize);
    for _ in 0..connections {
        if stop.requested() {
            return Ok(None);
        }
        open.one_more(&mut witness)?;
        each.push(witness.end_connection());
    }
    open.close_all(&mut witness)?;
    let closing = witness.end_connection();
    let of_side = |side: Side| OpenSide::of(side, &each, &closing);
    Ok(Some(OpenHeap { connections, client: of_side(Side::Client), server: of_side(Side::Server) }))
}

impl OpenSide {
    fn of(side: Side, each: &[HeapUse], closing: &HeapUse) -> Self {
        let live = |uses: &HeapUse| uses.side(side).held_bytes;
        let total: i64 = each.iter().map(live).sum();
        Self {
            each_bytes: super::median(each.iter().map(|uses| live(uses).max(0).unsigned_abs())),
            total_bytes: total.max(0).unsigned_abs(),
            left_bytes: total + live(closing),
        }
    }
}
