//! The interval of a median by order statistics: it supposes nothing about the shape of the distribution, which for
//! times is skewed. It does suppose that samples do not depend on each other.

/// Two samples between which the median of what was sampled lies, with at least 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The lower end.
    pub low_ns: u64,
    /// The upper end.
    pub high_ns: u64,
}

/// The chance that the true median lies beyond one end.
const TAIL: f64 = 0.025;

/// The 95 % interval of the median of samples in ascending order; none for fewer than 6, because then not even the
/// smallest and the largest sample enclose it surely enough.
///
/// The number of samples below the true median is binomial with chance ½, so the k-th smallest and the k-th largest
/// sample enclose it with confidence `1 − 2·P(X ≤ k−1)`. The narrowest such pair is taken.
pub fn median_interval(sorted: &[u64]) -> Option<Interval> {
    let rank = rank(sorted.len())?;
    Some(Interval { low_ns: sorted[rank - 1], high_ns: sorted[sorted.len() - rank] })
}

/// The greatest k ≥ 1 with `P(X ≤ k−1) ≤ TAIL` for X binomial over `count` fair throws.
fn rank(count: usize) -> Option<usize> {
    // From the middle outwards, where the terms are largest: nothing underflows, however many samples there are.
    let half = count / 2;
    let (mut at, mut chance, mut at_most) = if count.is_multiple_of(2) {
        let chance = middle_chance(half);
        (half, chance, 0.5 + chance / 2.0)
    } else {
        (half, middle_chance(half + 1), 0.5)
    };
    // Here `chance` is P(X = at) and `at_most` is P(X ≤ at).
    while at_most > TAIL {
        if at == 0 {
            return None;
        }
        at_most -= chance;
        chance *= at as f64 / (count - at + 1) as f64;
        at -= 1;
    }
    Some(at + 1)
}

/// The chance of exactly `half` heads in 2·`half` throws.
fn middle_chance(half: usize) -> f64 {
    (1..=half).map(|pair| (2 * pair - 1) as f64 / (2 * pair) as f64).product()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published table of ranks for the 95 % interval of a median.
    #[test]
    fn ranks_agree_with_the_reference_table() {
        for (count, expected) in [
            (5, None),
            (6, Some(1)),
            (8, Some(1)),
            (9, Some(2)),
            (10, Some(2)),
            (12, Some(3)),
            (20, Some(6)),
            (25, Some(8)),
            (30, Some(10)),
            (50, Some(18)),
            (100, Some(40)),
        ] {
            assert_eq!(rank(count), expected, "{count} samples");
        }
    }

    #[test]
    fn few_samples_have_no_interval() {
        assert_eq!(median_interval(&[]), None);
        assert_eq!(median_interval(&[1, 2, 3, 4, 5]), None);
        assert_eq!(median_interval(&[1, 2, 3, 4, 5, 6]), Some(Interval { low_ns: 1, high_ns: 6 }));
    }

    /// For many samples the rank nears n/2 − 0.98·√n.
    #[test]
    fn many_samples_agree_with_the_normal_approximation() {
        for count in [1_000, 10_001, 1_000_000] {
            let normal = count as f64 / 2.0 - 1.959_964 * (count as f64).sqrt() / 2.0;
            let exact = rank(count).expect("enough samples") as f64;
            assert!((exact - normal).abs() <= 1.0, "{count}: {exact} beside {normal}");
        }
    }

    /// A fixed sequence of pseudo-random lists: at least 93 of 100 intervals hold the true median.
    #[test]
    fn intervals_cover_the_true_median() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 34
        };
        let middle = 1u64 << 29;
        let covered = (0..2000)
            .filter(|_| {
                let mut sorted: Vec<u64> = (0..51).map(|_| next()).collect();
                sorted.sort_unstable();
                let interval = median_interval(&sorted).expect("enough samples");
                (interval.low_ns..=interval.high_ns).contains(&middle)
            })
            .count();
        assert!((1860..=1990).contains(&covered), "{covered} of 2000");
    }
}
