//! What the evidence of a comparison says of each side by itself.

use super::{Evidence, LoopComparison, RoundTime};
use crate::stats::median;

impl Evidence {
    /// What a connection took in each process of the OLD side.
    pub fn old_times(&self) -> Vec<RoundTime> {
        match self {
            Self::Paired { rounds } => rounds.iter().map(|round| round.old).collect(),
            Self::Separate { old, .. } => old.clone(),
        }
    }

    /// What a connection took in each process of the NEW side.
    pub fn new_times(&self) -> Vec<RoundTime> {
        match self {
            Self::Paired { rounds } => rounds.iter().map(|round| round.new).collect(),
            Self::Separate { new, .. } => new.clone(),
        }
    }
}

impl LoopComparison {
    /// The OLD side's median over its processes; none if there was none.
    pub fn old_median(&self) -> Option<RoundTime> {
        RoundTime::median_of(&self.evidence.old_times())
    }

    /// The NEW side's median over its processes; none if there was none.
    pub fn new_median(&self) -> Option<RoundTime> {
        RoundTime::median_of(&self.evidence.new_times())
    }
}

impl RoundTime {
    /// The median of each time by itself; none of no times.
    pub fn median_of(times: &[Self]) -> Option<Self> {
        let median = |time: fn(&Self) -> f64| median(&times.iter().map(time).collect::<Vec<_>>());
        Some(Self {
            cpu_ns: median(|time| time.cpu_ns)?,
            wall_ns: median(|time| time.wall_ns)?,
            client_ns: median(|time| time.client_ns)?,
            server_ns: median(|time| time.server_ns)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(cpu_ns: f64, server_ns: f64) -> RoundTime {
        RoundTime { cpu_ns, wall_ns: cpu_ns + 1.0, client_ns: cpu_ns - server_ns, server_ns }
    }

    #[test]
    fn the_median_of_each_time_is_taken_by_itself() {
        let median = RoundTime::median_of(&[time(30.0, 1.0), time(10.0, 3.0), time(20.0, 9.0)]);
        let expected = RoundTime { cpu_ns: 20.0, wall_ns: 21.0, client_ns: 11.0, server_ns: 3.0 };
        assert_eq!(median, Some(expected));
    }

    #[test]
    fn an_even_number_of_times_has_the_mean_of_the_two_in_the_middle() {
        let median =
            RoundTime::median_of(&[time(10.0, 0.0), time(40.0, 0.0), time(20.0, 0.0), time(1.0, 0.0)]);
        assert_eq!(median.map(|median| median.cpu_ns), Some(15.0));
        assert_eq!(RoundTime::median_of(&[]), None);
    }

    #[test]
    fn each_side_is_found_in_either_design() {
        let (old, new) = (time(1.0, 0.0), time(2.0, 0.0));
        let separate = Evidence::Separate { old: vec![old], new: vec![new, new] };
        assert_eq!((separate.old_times(), separate.new_times()), (vec![old], vec![new, new]));
    }
}
