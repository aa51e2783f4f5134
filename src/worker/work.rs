//! Where a worker works, and real work that slows a side down by a known amount.

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
    let rounds = (burden.as_nanos() as f64 / round_ns()).round() as u64;
    ready.wrapped(|side, inner| match side {
        Side::Client => Box::new(Burdened { inner, rounds }),
        Side::Server => inner,
    })
}

struct Burdened {
    inner: Box<dyn Prepared>,
    rounds: u64,
}

impl Prepared for Burdened {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        std::hint::black_box(hash_rounds(self.rounds));
        self.inner.endpoint(start)
    }
}

/// Hashes one block so many times over.
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
