//! A share of successes, and how sure it is.

use statrs::distribution::{Beta, ContinuousCDF};

use super::{Bounds, CONFIDENCE};

/// Where the true chance of success lies, after `successes` in `trials` that do not depend on each other, with a
/// confidence of at least [`CONFIDENCE`] (Clopper and Pearson, exact); none if there were more successes than trials.
/// No trials say nothing: 0 to 1.
pub fn proportion_interval(successes: u64, trials: u64) -> Option<Bounds> {
    let failures = trials.checked_sub(successes)?;
    let tail = (1.0 - CONFIDENCE) / 2.0;
    let (won, lost) = (successes as f64, failures as f64);
    let low = if successes == 0 { 0.0 } else { beta(won, lost + 1.0).inverse_cdf(tail) };
    let high = if failures == 0 { 1.0 } else { beta(won + 1.0, lost).inverse_cdf(1.0 - tail) };
    Some(Bounds { low, high })
}

fn beta(a: f64, b: f64) -> Beta {
    Beta::new(a, b).expect("both parameters are counts of at least 1")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `binom.test(k, n)$conf.int` of R.
    #[test]
    fn intervals_agree_with_the_reference() {
        for (successes, trials, low, high) in [
            (682, 925, 0.707_668_264_079_039, 0.765_406_558_241_478_1),
            (0, 10, 0.0, 0.308_497_107_818_762_94),
            (10, 10, 0.691_502_892_181_237_1, 1.0),
            (1, 20, 0.001_265_089_497_956_033_9, 0.248_732_762_772_027_72),
            (190, 200, 0.909_972_462_298_441_2, 0.975_765_834_527_891_7),
            (5, 5, 0.478_176_249_895_018_56, 1.0),
            (0, 200, 0.0, 0.018_275_340_355_148_807),
        ] {
            let found = proportion_interval(successes, trials).expect("a share");
            assert!((found.low - low).abs() < 1e-7, "{successes} of {trials}: {found:?}");
            assert!((found.high - high).abs() < 1e-7, "{successes} of {trials}: {found:?}");
        }
    }

    #[test]
    fn no_trials_say_nothing_and_more_successes_than_trials_are_refused() {
        assert_eq!(proportion_interval(0, 0), Some(Bounds { low: 0.0, high: 1.0 }));
        assert_eq!(proportion_interval(3, 2), None);
    }

    proptest! {
        #[test]
        fn the_share_itself_is_inside_and_failures_mirror_successes(trials in 1u64..2000, part in 0.0f64..=1.0) {
            let successes = (trials as f64 * part) as u64;
            let share = successes as f64 / trials as f64;
            let found = proportion_interval(successes, trials).expect("a share");
            prop_assert!(0.0 <= found.low && found.low <= share && share <= found.high && found.high <= 1.0);
            let mirrored = proportion_interval(trials - successes, trials).expect("a share");
            prop_assert!((mirrored.low - (1.0 - found.high)).abs() < 1e-7);
            prop_assert!((mirrored.high - (1.0 - found.low)).abs() < 1e-7);
        }

        #[test]
        fn more_trials_of_the_same_share_say_more(successes in 1u64..50, failures in 1u64..50) {
            let few = proportion_interval(successes, successes + failures).expect("a share");
            let many = proportion_interval(4 * successes, 4 * (successes + failures)).expect("a share");
            prop_assert!(few.low < many.low && many.high < few.high);
        }
    }
}
