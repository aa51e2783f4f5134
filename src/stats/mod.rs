//! What a list of samples says: exact descriptive statistics and how sure the median is; and what many lists of them
//! say together: means with their intervals, tests, and tests of many things at once.

mod median;
mod multiple;
mod proportion;
mod robust;
mod student;

pub use median::{Interval, median_interval};
pub use multiple::{benjamini_hochberg, holm};
pub use proportion::proportion_interval;
pub use robust::{far_from_median, median, quantile_of};
pub use student::{Estimate, Freedom, mean};

/// The confidence of every interval of this crate.
pub const CONFIDENCE: f64 = 0.95;

/// Two numbers between which something lies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Describes at least one sample, in nanoseconds.
///
/// A quantile `p` of n sorted samples is read at position `p·(n−1)`, counted from 0, and lies on the straight line
/// between the two samples beside that position (type 7 of Hyndman and Fan, the default of R and NumPy). The median
/// is the quantile 0.5.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How many samples there were.
    pub count: usize,
    /// The smallest.
    pub min_ns: u64,
    /// The middle one, or the mean of the two middle ones.
    pub median_ns: f64,
    /// The quantile 0.95.
    pub p95_ns: f64,
    /// The quantile 0.99.
    pub p99_ns: f64,
    /// The arithmetic mean.
    pub mean_ns: f64,
    /// Where the median of what was sampled lies, with 95 % confidence; none for fewer than 6 samples.
    pub median_interval: Option<Interval>,
}

impl Summary {
    /// Describes `samples`, in any order; none if there are none.
    pub fn of(samples: &[u64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_unstable();
        let min_ns = *sorted.first()?;
        let sum: u128 = sorted.iter().map(|&sample| u128::from(sample)).sum();
        Some(Self {
            count: sorted.len(),
            min_ns,
            median_ns: quantile(&sorted, 0.5),
            p95_ns: quantile(&sorted, 0.95),
            p99_ns: quantile(&sorted, 0.99),
            mean_ns: sum as f64 / sorted.len() as f64,
            median_interval: median_interval(&sorted),
        })
    }
}

/// The quantile `p` (0 to 1) of samples in ascending order, of which there must be one at least; see [`Summary`].
pub fn quantile(sorted: &[u64], p: f64) -> f64 {
    let position = p * (sorted.len() - 1) as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    let step = (sorted[above] - sorted[below]) as f64;
    sorted[below] as f64 + step * (position - below as f64)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_samples_have_no_summary() {
        assert_eq!(Summary::of(&[]), None);
    }

    #[test]
    fn one_sample_is_all_of_its_quantiles() {
        let summary = Summary::of(&[7]).expect("one sample");
        assert_eq!((summary.min_ns, summary.median_ns, summary.p95_ns, summary.p99_ns), (7, 7.0, 7.0, 7.0));
        assert_eq!((summary.mean_ns, summary.count, summary.median_interval), (7.0, 1, None));
    }

    /// Values from R: `quantile(c(15, 20, 35, 40, 50, 1000), c(.5, .95, .99))`.
    #[test]
    fn quantiles_agree_with_the_reference() {
        let summary = Summary::of(&[1000, 15, 50, 20, 40, 35]).expect("six samples");
        assert_eq!(summary.median_ns, 37.5);
        assert!((summary.p95_ns - 762.5).abs() < 1e-9);
        assert!((summary.p99_ns - 952.5).abs() < 1e-9);
        assert!((summary.mean_ns - 1160.0 / 6.0).abs() < 1e-9);
    }

    #[test]
    fn the_largest_values_do_not_overflow() {
        let summary = Summary::of(&[u64::MAX; 8]).expect("eight samples");
        assert_eq!(summary.mean_ns, u64::MAX as f64);
    }

    proptest! {
        #[test]
        fn statistics_are_ordered_and_ignore_order(mut samples in prop::collection::vec(0u64..1 << 50, 1..300)) {
            let summary = Summary::of(&samples).expect("samples");
            let max = *samples.iter().max().expect("samples") as f64;
            prop_assert!(summary.min_ns as f64 <= summary.median_ns);
            prop_assert!(summary.median_ns <= summary.p95_ns && summary.p95_ns <= summary.p99_ns);
            prop_assert!(summary.p99_ns <= max);
            prop_assert!(summary.min_ns as f64 <= summary.mean_ns && summary.mean_ns <= max);
            if let Some(interval) = summary.median_interval {
                prop_assert!(interval.low_ns as f64 <= summary.median_ns);
                prop_assert!(summary.median_ns <= interval.high_ns as f64);
            }
            samples.reverse();
            prop_assert_eq!(Summary::of(&samples), Some(summary));
        }

        #[test]
        fn a_shift_shifts_and_a_scale_scales(samples in prop::collection::vec(0u64..1 << 30, 1..100)) {
            let plain = Summary::of(&samples).expect("samples");
            let moved: Vec<u64> = samples.iter().map(|sample| sample * 2 + 1000).collect();
            let moved = Summary::of(&moved).expect("samples");
            prop_assert!((moved.median_ns - (plain.median_ns * 2.0 + 1000.0)).abs() < 1e-3);
            prop_assert!((moved.p95_ns - (plain.p95_ns * 2.0 + 1000.0)).abs() < 1e-3);
            prop_assert!((moved.mean_ns - (plain.mean_ns * 2.0 + 1000.0)).abs() < 1e-3);
        }
    }
}
