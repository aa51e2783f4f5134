//! CPU and wall time of a loop, less the pauses.

use std::time::{Duration, Instant};

use cpu_time::ThreadTime;

/// See the module's documentation.
#[derive(Debug)]
pub(super) struct Totals {
    pub(super) cpu: Duration,
    pub(super) wall: Duration,
    since: (ThreadTime, Instant),
}

impl Totals {
    pub(super) fn start() -> Self {
        Self { cpu: Duration::ZERO, wall: Duration::ZERO, since: (ThreadTime::now(), Instant::now()) }
    }

    pub(super) fn pause(&mut self) {
        self.cpu += self.since.0.elapsed();
        self.wall += self.since.1.elapsed();
    }

    pub(super) fn resume(&mut self) {
        self.since = (ThreadTime::now(), Instant::now());
    }
}
