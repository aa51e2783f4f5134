//! The loops of a cell in a results file.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::RoundTime;
use crate::measure::{LoopKind, Phase, SideTimes, TimedLoop};
use crate::stats::Summary;

/// The two loops of a cell; null for one that did not run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Loops {
    /// Every handshake was full.
    pub full: Option<LoopResult>,
    /// The first handshake was full, the others resumed.
    pub reuse: Option<LoopResult>,
}

/// One loop.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LoopResult {
    /// Connections that ran, each verified.
    pub connections: u64,
    /// Those that both sides say were resumed.
    pub resumed: u64,
    /// CPU time of the whole loop, both sides and the harness, in nanoseconds.
    pub cpu_ns: u64,
    /// Wall-clock time of the whole loop, in nanoseconds.
    pub wall_ns: u64,
    /// Whether wall-clock and CPU time differ by more than 10 %: something else ran meanwhile, so doubt the times.
    pub cpu_wall_differ: bool,
    /// What the samples say.
    pub per_connection_ns: PerConnection,
    /// Where the time of the whole loop went, by phase and side.
    pub phases: Phases,
    /// The first connection's part of that, by side: in a reuse loop it is the one full handshake.
    pub first_connection: SideNs,
    /// What a connection took in each of several fresh processes, which baselines are compared by; empty unless asked
    /// for.
    #[serde(default)]
    pub rounds: Vec<RoundTime>,
    /// One sample a connection, in the order in which they ran: nanoseconds in the hands of both libraries.
    pub samples_ns: Vec<u64>,
}

/// Descriptive statistics of the samples, in nanoseconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PerConnection {
    /// The fastest.
    pub min: u64,
    /// The middle one, or the mean of the two middle ones.
    pub median: f64,
    /// Lower end of the median's 95 % interval by order statistics; null for fewer than 6 samples.
    pub median_low: Option<u64>,
    /// Upper end of the same interval.
    pub median_high: Option<u64>,
    /// The quantile 0.95, interpolated linearly at position 0.95·(n−1).
    pub p95: f64,
    /// The quantile 0.99, interpolated likewise.
    pub p99: f64,
    /// The arithmetic mean.
    pub mean: f64,
}

/// Where the time of a loop went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Phases {
    /// Creation of both endpoints.
    pub setup: SideNs,
    /// Until both sides had finished the handshake.
    pub handshake: SideNs,
    /// Application data, both ways.
    pub transfer: SideNs,
    /// close_notify both ways, and freeing.
    pub close: SideNs,
}

/// Nanoseconds in each side's hands, over the whole loop, from the monotonic clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SideNs {
    /// The client's.
    pub client_ns: u64,
    /// The server's.
    pub server_ns: u64,
}

impl Loops {
    /// One of them.
    pub fn of(&self, kind: LoopKind) -> Option<&LoopResult> {
        match kind {
            LoopKind::Full => self.full.as_ref(),
            LoopKind::Reuse => self.reuse.as_ref(),
        }
    }

    /// One of them, to be changed.
    pub fn of_mut(&mut self, kind: LoopKind) -> Option<&mut LoopResult> {
        match kind {
            LoopKind::Full => self.full.as_mut(),
            LoopKind::Reuse => self.reuse.as_mut(),
        }
    }

    /// Sets one of them.
    pub fn set(&mut self, kind: LoopKind, result: Option<LoopResult>) {
        match kind {
            LoopKind::Full => self.full = result,
            LoopKind::Reuse => self.reuse = result,
        }
    }
}

impl PerConnection {
    /// The farther end of the median's 95 % interval, in ns; none for too few samples.
    pub fn median_uncertainty(&self) -> Option<f64> {
        let (low, high) = (self.median_low? as f64, self.median_high? as f64);
        Some((high - self.median).max(self.median - low))
    }
}

impl LoopResult {
    /// From what was measured; none if no connection ran.
    pub fn of(timed: &TimedLoop) -> Option<Self> {
        let summary = Summary::of(&timed.samples_ns)?;
        let cpu_ns = timed.cpu.as_nanos() as u64;
        let wall_ns = timed.wall.as_nanos() as u64;
        let phase = |phase| SideNs::from(timed.split.phase(phase));
        Some(Self {
            connections: timed.run.connections,
            resumed: timed.run.resumed,
            cpu_ns,
            wall_ns,
            cpu_wall_differ: differ(cpu_ns, wall_ns),
            per_connection_ns: summary.into(),
            phases: Phases {
                setup: phase(Phase::Setup),
                handshake: phase(Phase::Handshake),
                transfer: phase(Phase::Transfer),
                close: phase(Phase::Close),
            },
            first_connection: timed.first.into(),
            rounds: Vec::new(),
            samples_ns: timed.samples_ns.clone(),
        })
    }

    /// What a connection took in each process that measured it: by rounds, or in the one that ran the loop. The one full
    /// handshake of a reuse loop does not count.
    pub fn processes(&self) -> Vec<RoundTime> {
        if !self.rounds.is_empty() {
            return self.rounds.clone();
        }
        let all = self.phases.total();
        let is_reuse = self.resumed > 0 && self.connections > 1;
        let first = if is_reuse { self.first_connection } else { SideNs::default() };
        let counted = (self.connections - u64::from(is_reuse)) as f64;
        let (client, server) = (all.client_ns - first.client_ns, all.server_ns - first.server_ns);
        // The loop's clocks do not know the first connection apart; the libraries' does.
        let rest = (client + server) as f64 / (all.client_ns + all.server_ns) as f64;
        let share = client as f64 / (client + server) as f64;
        let cpu_ns = self.cpu_ns as f64 * rest / counted;
        vec![RoundTime {
            cpu_ns,
            wall_ns: self.wall_ns as f64 * rest / counted,
            client_ns: cpu_ns * share,
            server_ns: cpu_ns * (1.0 - share),
        }]
    }

    /// CPU seconds of the whole loop.
    pub fn cpu_seconds(&self) -> f64 {
        self.cpu_ns as f64 / 1e9
    }

    /// Connections that one CPU second pays for; none where the clock saw no time pass.
    pub fn connections_per_second(&self) -> Option<f64> {
        (self.cpu_ns > 0).then(|| self.connections as f64 / self.cpu_seconds())
    }

    /// The client's and the server's share of a connection, together 1. The one full handshake of a reuse loop does not
    /// count. None where no time passed.
    pub fn shares(&self) -> Option<(f64, f64)> {
        let SideNs { mut client_ns, mut server_ns } = self.phases.total();
        if self.resumed > 0 {
            client_ns = client_ns.saturating_sub(self.first_connection.client_ns);
            server_ns = server_ns.saturating_sub(self.first_connection.server_ns);
        }
        let total = (client_ns + server_ns) as f64;
        (total > 0.0).then(|| (client_ns as f64 / total, server_ns as f64 / total))
    }

    /// CPU nanoseconds of one connection in the client's and in the server's hands: the loop's mean, by their shares.
    pub fn sides_cpu_ns(&self) -> Option<(f64, f64)> {
        let mean = self.cpu_ns as f64 / self.connections as f64;
        let (client, server) = self.shares()?;
        Some((client * mean, server * mean))
    }

    /// Half the width of the 95 % interval of a connection's mean time, as a part of that mean, from the samples'
    /// spread. The one full handshake of a reuse loop does not count. None for fewer than 6 samples.
    pub fn mean_uncertainty(&self) -> Option<f64> {
        let samples = &self.samples_ns[usize::from(self.resumed > 0)..];
        if samples.len() < 6 {
            return None;
        }
        let count = samples.len() as f64;
        let mean = samples.iter().map(|&ns| ns as f64).sum::<f64>() / count;
        let variance = samples.iter().map(|&ns| (ns as f64 - mean).powi(2)).sum::<f64>() / (count - 1.0);
        Some(1.96 * (variance / count).sqrt() / mean)
    }
}

impl Phases {
    /// Name and times of each phase, in their order.
    pub fn named(&self) -> [(&'static str, SideNs); 4] {
        [
            (Phase::Setup.name(), self.setup),
            (Phase::Handshake.name(), self.handshake),
            (Phase::Transfer.name(), self.transfer),
            (Phase::Close.name(), self.close),
        ]
    }

    /// All phases together.
    pub fn total(&self) -> SideNs {
        self.named().iter().fold(SideNs::default(), |sum, (_, times)| SideNs {
            client_ns: sum.client_ns + times.client_ns,
            server_ns: sum.server_ns + times.server_ns,
        })
    }
}

impl From<SideTimes> for SideNs {
    fn from(times: SideTimes) -> Self {
        Self { client_ns: times.client_ns, server_ns: times.server_ns }
    }
}

impl From<Summary> for PerConnection {
    fn from(summary: Summary) -> Self {
        let interval = summary.median_interval;
        Self {
            min: summary.min_ns,
            median: to_picosecond(summary.median_ns),
            median_low: interval.map(|interval| interval.low_ns),
            median_high: interval.map(|interval| interval.high_ns),
            p95: to_picosecond(summary.p95_ns),
            p99: to_picosecond(summary.p99_ns),
            mean: to_picosecond(summary.mean_ns),
        }
    }
}

/// Whether wall-clock and CPU time differ by more than a tenth of the CPU time.
fn differ(cpu_ns: u64, wall_ns: u64) -> bool {
    u128::from(cpu_ns.abs_diff(wall_ns)) * 10 > u128::from(cpu_ns)
}

/// Rounds away the digits that are noise of binary fractions only.
fn to_picosecond(ns: f64) -> f64 {
    (ns * 1e3).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tenth_is_the_limit_between_wall_and_cpu() {
        assert!(!differ(1000, 1000));
        assert!(!differ(1000, 1100));
        assert!(differ(1000, 1101));
        assert!(!differ(1000, 900));
        assert!(differ(1000, 899));
        assert!(!differ(0, 0));
        assert!(differ(0, 1));
    }
}
