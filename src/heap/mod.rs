//! Heap accounting for C and Rust alike: what each side's library allocates a connection, its peak, and what stays.
//!
//! On Linux with glibc every executable that links this crate has its own `malloc` family, which passes each call on to
//! glibc and counts it while a [`HeapWitness`] watches. Elsewhere [`supported`] says no and [`measure`] gives `None`.
//!
//! What the numbers mean:
//! * Only the thread that runs the connections is counted. Endpoints work on no other.
//! * A call counts for the side that is working when it is made. A block that one side allocates and the other gives
//!   back (a session in a cache that both share) raises the first side's `held_bytes` and lowers the second's.
//! * `bytes` are what was asked for. What is live (`peak_bytes`, `held_bytes`) is counted in what the allocator sets
//!   aside (`malloc_usable_size`), since a free does not say what had been asked for: a few bytes a block more, and not
//!   always the same few.
//! * Counting costs time, so it never runs in a timed loop. While it is off, a call costs one thread-local load more.

mod counter;
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)] // the C library's functions are defined here
mod malloc;

mod open;

use counter::{Owner, Tally};
pub use open::{OpenHeap, OpenSide, open_at_once};

use crate::engine::Side;
use crate::measure::{Failure, LoopKind, LoopPlan, LoopRun, Pair, Payload, Stop, Turn, Witness};
use crate::pipe::Pipes;

/// Connections that run first and are not counted: libraries fill tables and caches on first use.
const WARM_UP: u64 = 3;
/// Connections that are counted.
const COUNTED: u64 = 20;

/// Whether this platform's heap can be counted.
pub const fn supported() -> bool {
    cfg!(all(target_os = "linux", target_env = "gnu"))
}

/// What one owner did with the heap over one connection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapCount {
    /// Blocks handed out. A `realloc` that hands one out counts, moved or not, as valgrind counts it.
    pub allocations: u64,
    /// Bytes asked for in these calls.
    pub bytes: u64,
    /// The most bytes live at a time, above what was live before the connection.
    pub peak_bytes: u64,
    /// Bytes still live after both sides were closed and freed, less those of earlier connections given back meanwhile;
    /// so below zero where a connection frees more than it leaves.
    pub held_bytes: i64,
}

impl HeapCount {
    fn of(tally: Tally) -> Self {
        Self {
            allocations: tally.allocations,
            bytes: tally.bytes,
            peak_bytes: tally.peak.unsigned_abs(), // starts at 0 and never falls
            held_bytes: tally.live,
        }
    }
}

/// One connection's heap use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapUse {
    /// The client's library.
    pub client: HeapCount,
    /// The server's library.
    pub server: HeapCount,
    /// Outside both: what the harness did, and the libraries when it asked them what they negotiated.
    pub harness: HeapCount,
}

/// The heap use of several connections: random numbers and blinding make it vary from one to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeapSpread {
    /// What is typical of one: the median of allocations, bytes and peak, and the mean of what is held.
    pub typical: HeapUse,
    /// The lower end of what the middle 80 % of them show, each count by itself.
    pub low: HeapUse,
    /// The upper end of the same.
    pub high: HeapUse,
}

impl HeapUse {
    /// One side's share.
    pub fn side(&self, side: Side) -> HeapCount {
        match side {
            Side::Client => self.client,
            Side::Server => self.server,
        }
    }

    /// Blocks handed out to anyone.
    pub fn allocations(&self) -> u64 {
        self.client.allocations + self.server.allocations + self.harness.allocations
    }
}

/// A witness that tells the counter who is working. Counting stops when it is dropped.
#[derive(Debug)]
pub struct HeapWitness {
    /// Thread-local counters are behind this, so it stays on its thread.
    _not_send: std::marker::PhantomData<*const ()>,
}

impl HeapWitness {
    /// Starts counting on this thread, from nothing; `None` where the platform has no counter.
    pub fn start() -> Option<Self> {
        if !supported() {
            return None;
        }
        counter::take();
        counter::count_for(Some(Owner::Harness));
        Some(Self { _not_send: std::marker::PhantomData })
    }

    /// What was counted since the last call; to be called after each connection.
    pub fn end_connection(&mut self) -> HeapUse {
        let [harness, client, server] = counter::take().map(HeapCount::of);
        HeapUse { client, server, harness }
    }
}

impl Drop for HeapWitness {
    fn drop(&mut self) {
        counter::count_for(None);
    }
}

impl Witness for HeapWitness {
    #[inline]
    fn turn(&mut self, next: Turn, _pipes: &mut Pipes) {
        counter::count_for(Some(match next {
            Turn::Harness => Owner::Harness,
            Turn::Library { side: Side::Client, .. } => Owner::Client,
            Turn::Library { side: Side::Server, .. } => Owner::Server,
        }));
    }
}

/// Counts the heap use of a few connections of this kind, after some that warm up. `None` where the platform has no
/// counter.
pub fn measure(pair: &mut Pair<'_>, kind: LoopKind) -> Result<Option<HeapSpread>, Failure> {
    measure_unless(Stop::default(), pair, kind)
}

/// The same, unless told to stop before all connections have run; then `None` too.
pub fn measure_unless(
    stop: Stop<'_>,
    pair: &mut Pair<'_>,
    kind: LoopKind,
) -> Result<Option<HeapSpread>, Failure> {
    let connections = WARM_UP + COUNTED;
    let plan = LoopPlan { kind, connections, payload: Payload::Plain, stop };
    let uses = each_of(pair, plan)?.filter(|uses| uses.len() as u64 == connections);
    Ok(uses.map(|uses| HeapSpread::of(&uses[WARM_UP as usize..])))
}

/// The heap use of each connection of a loop, in their order. `None` where the platform has no counter.
pub fn each(pair: &mut Pair<'_>, kind: LoopKind, connections: u64) -> Result<Option<Vec<HeapUse>>, Failure> {
    each_of(pair, LoopPlan { kind, connections, payload: Payload::Plain, stop: Stop::default() })
}

fn each_of(pair: &mut Pair<'_>, plan: LoopPlan<'_>) -> Result<Option<Vec<HeapUse>>, Failure> {
    let mut uses = Vec::with_capacity(plan.connections as usize);
    let Some(mut witness) = HeapWitness::start() else { return Ok(None) };
    LoopRun::of(pair, plan, &mut witness, |witness, _| uses.push(witness.end_connection()))?;
    Ok(Some(uses))
}

impl HeapSpread {
    /// Of at least one connection.
    fn of(uses: &[HeapUse]) -> Self {
        let summed_up = |by: fn(&[HeapCount]) -> HeapCount| {
            let of = |share: fn(&HeapUse) -> HeapCount| by(&uses.iter().map(share).collect::<Vec<_>>());
            HeapUse {
                client: of(|one| one.client),
                server: of(|one| one.server),
                harness: of(|one| one.harness),
            }
        };
        Self { typical: summed_up(typical), low: summed_up(low), high: summed_up(high) }
    }
}

fn typical(all: &[HeapCount]) -> HeapCount {
    HeapCount {
        allocations: median(all.iter().map(|count| count.allocations)),
        bytes: median(all.iter().map(|count| count.bytes)),
        peak_bytes: median(all.iter().map(|count| count.peak_bytes)),
        held_bytes: mean(all.iter().map(|count| count.held_bytes)),
    }
}

fn low(all: &[HeapCount]) -> HeapCount {
    at(all, all.len() / 10)
}

fn high(all: &[HeapCount]) -> HeapCount {
    at(all, all.len() - 1 - all.len() / 10)
}

/// What stands at this place, 0 for the first, when each count is sorted by itself.
fn at(all: &[HeapCount], place: usize) -> HeapCount {
    HeapCount {
        allocations: sorted(all.iter().map(|count| count.allocations))[place],
        bytes: sorted(all.iter().map(|count| count.bytes))[place],
        peak_bytes: sorted(all.iter().map(|count| count.peak_bytes))[place],
        held_bytes: sorted(all.iter().map(|count| count.held_bytes))[place],
    }
}

fn sorted<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut sorted: Vec<T> = values.collect();
    sorted.sort_unstable();
    sorted
}

/// The middle one, and of two middle ones the lower: a number that really occurred.
fn median(values: impl Iterator<Item = u64>) -> u64 {
    let sorted = sorted(values);
    sorted[(sorted.len() - 1) / 2]
}

/// Rounded to the nearest.
fn mean(values: impl ExactSizeIterator<Item = i64>) -> i64 {
    let count = values.len() as f64;
    (values.sum::<i64>() as f64 / count).round() as i64
}
