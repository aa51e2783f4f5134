//! Where a worker works, and real work that slows a side down by a known amount.

use std::cell::Cell;
use std::time::Duration;

use cpu_time::ThreadTime;
use sha2::{Digest, Sha256};

use crate::engine::{Endpoint, EngineError, Prepared, Side, Start};
use crate::measure::ReadyCell;

/// Binds this thread to one processor; false where that cannot be done.
#[cfg(target_os = "linux")]
pub(super) fn bind_to(core: u64) -> bool {
    let mut set = rustix::thread::CpuSet::new();
    let Ok(core) = usize::try_from(core) else { return false };
    if core >= rustix::thread::CpuSet::MAX_CPU {
        return false;
    }
    set.set(core);
    rustix::thread::sched_setaffinity(None, &set).is_ok()
}

/// The last processor that this process may use: the first ones see to interrupts. None where nobody can tell.
#[cfg(target_os = "linux")]
pub fn last_core() -> Option<u64> {
    let allowed = rustix::thread::sched_getaffinity(None).ok()?;
    (0..rustix::thread::CpuSet::MAX_CPU).rev().find(|&core| allowed.is_set(core)).map(|core| core as u64)
}

/// The last processor that this process may use; none where nobody can tell.
#[cfg(not(target_os = "linux"))]
pub fn last_core() -> Option<u64> {
    None
}

/// Binds this thread to one processor; false where that cannot be done.
#[cfg(not(target_os = "linux"))]
pub(super) fn bind_to(_core: u64) -> bool {
    false
}

/// A cell whose client does `burden` of hashing beside each connection: work as real as a library's, by which
/// `selftest` finds out which slowdowns this machine lets it see.
pub(super) fn burdened(ready: ReadyCell<'_>, burden: Duration) -> ReadyCell<'_> {
    let rounds = Rounds { each: burden.as_nanos() as f64 / round_ns(), owed: Cell::new(0.0) };
    ready.wrapped(|side, inner| match side {
        Side::Client => Box::new(Burdened { inner, rounds: rounds.clone() }),
        Side::Server => inner,
    })
}

struct Burdened {
    inner: Box<dyn Prepared>,
    rounds: Rounds,
}

impl Prepared for Burdened {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        std::hint::black_box(hash_rounds(self.rounds.next()));
        self.inner.endpoint(start)
    }

    fn resumptions(&self) -> u64 {
        self.inner.resumptions()
    }
}

/// Rounds of hashing a connection. Beside a cheap connection a slowdown of a few percent is a few rounds or less than
/// one, so what is left over of a round goes to the connections that follow.
#[derive(Clone)]
struct Rounds {
    each: f64,
    owed: Cell<f64>,
}

impl Rounds {
    /// The whole rounds that are due with this connection.
    fn next(&self) -> u64 {
        let due = self.owed.get() + self.each;
        self.owed.set(due.fract());
        due as u64
    }
}

/// Hashes one block so many times over. One piece of code for all callers: inlined into each, a round would not take the
/// same time in all.
#[inline(never)]
fn hash_rounds(rounds: u64) -> [u8; 32] {
    let mut block = [0; 32];
    for _ in 0..rounds {
        block = Sha256::digest(block).into();
    }
    block
}

/// What a round takes on this machine, in nanoseconds: the median of several measurements, so that an interruption does
/// not count.
fn round_ns() -> f64 {
    const ROUNDS: u64 = 5000;
    let mut times: Vec<f64> = (0..9)
        .map(|_| {
            let start = ThreadTime::now();
            std::hint::black_box(hash_rounds(std::hint::black_box(ROUNDS)));
            start.elapsed().as_nanos() as f64 / ROUNDS as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_a_round_are_not_lost() {
        for (each, connections, expected) in [(0.25, 8, 2), (2.5, 4, 10), (3.0, 5, 15), (0.0, 100, 0)] {
            let rounds = Rounds { each, owed: Cell::new(0.0) };
            let done: u64 = (0..connections).map(|_| rounds.next()).sum();
            assert_eq!(done, expected, "{each}");
        }
    }
}
