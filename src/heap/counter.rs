//! What the allocator's calls add up to, for the thread that makes them.
//!
//! Everything here is called from within `malloc`, so nothing here allocates: the counters are thread-local cells with
//! constant first values and nothing to drop, which an executable reaches by a fixed offset.

use std::cell::Cell;

/// Who is working when the allocator is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// The harness.
    Harness,
    /// The client's library.
    Client,
    /// The server's library.
    Server,
}

impl Owner {
    /// Everyone, in the order of the counters.
    pub const ALL: [Self; 3] = [Self::Harness, Self::Client, Self::Server];
}

/// What one owner did since the last [`take`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Blocks handed out; a `realloc` that hands out a block counts, moved or not.
    pub allocations: u64,
    /// Bytes asked for in these calls.
    pub bytes: u64,
    /// Bytes set aside for blocks handed out, less those of blocks given back.
    pub live: i64,
    /// The highest that `live` ever was.
    pub peak: i64,
}

impl Tally {
    const NOTHING: Self = Self { allocations: 0, bytes: 0, live: 0, peak: 0 };
}

thread_local! {
    /// Whose calls are counted on this thread; nobody's unless a measurement runs.
    static OWNER: Cell<Option<Owner>> = const { Cell::new(None) };
    static TALLIES: [Cell<Tally>; 3] = const { [const { Cell::new(Tally::NOTHING) }; 3] };
}

/// Counts this thread's calls for `owner` from now on; `None` stops counting.
#[inline]
pub fn count_for(owner: Option<Owner>) {
    OWNER.set(owner);
}

/// Whether this thread's calls are counted.
#[inline]
pub fn is_on() -> bool {
    OWNER.get().is_some()
}

/// A block was handed out: `asked` bytes were wanted, `set_aside` were given.
#[inline]
pub fn allocated(asked: usize, set_aside: usize) {
    change(|tally| {
        tally.allocations += 1;
        tally.bytes += asked as u64;
        tally.live += set_aside as i64;
        tally.peak = tally.peak.max(tally.live);
    });
}

/// A block for which `set_aside` bytes had been given came back.
#[inline]
pub fn freed(set_aside: usize) {
    change(|tally| tally.live -= set_aside as i64);
}

/// Everyone's tally so far, in the order of [`Owner::ALL`]; all start again from nothing.
pub fn take() -> [Tally; 3] {
    Owner::ALL.map(|owner| TALLIES.with(|tallies| tallies[owner as usize].replace(Tally::NOTHING)))
}

#[inline]
fn change(change: impl FnOnce(&mut Tally)) {
    let Some(owner) = OWNER.get() else { return };
    TALLIES.with(|tallies| {
        let tally = &tallies[owner as usize];
        let mut changed = tally.get();
        change(&mut changed);
        tally.set(changed);
    });
}
