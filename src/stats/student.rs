//! Means and how sure they are: Student's interval and one-sided tests for one list of values and, by Welch, for the
//! difference of two.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::{Bounds, CONFIDENCE};

/// A mean, or the difference of two, that was estimated with a normal error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The estimate itself.
    pub mean: f64,
    /// Its standard error; 0 where the values did not vary at all.
    pub standard_error: f64,
    /// What the error was estimated from.
    pub freedom: Freedom,
}

/// How well a standard error is known, which decides the distribution of an error in units of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Freedom {
    /// Estimated with so many degrees of freedom: Student's t.
    Degrees(f64),
    /// Known beforehand: the normal distribution.
    Known,
}

impl Estimate {
    /// The mean of values that do not depend on each other, with n−1 degrees of freedom; none for fewer than 2.
    pub fn of(values: &[f64]) -> Option<Self> {
        let sample = Sample::of(values)?;
        Some(Self {
            mean: sample.mean,
            standard_error: sample.error_variance()?.sqrt(),
            freedom: Freedom::Degrees(sample.count - 1.0),
        })
    }

    /// The mean of `new` less that of `old`, whose variances may differ (Welch, with the degrees of freedom of
    /// Welch and Satterthwaite); none if either has fewer than 2 values.
    pub fn difference(old: &[f64], new: &[f64]) -> Option<Self> {
        let (old, new) = (Sample::of(old)?, Sample::of(new)?);
        let (old_part, new_part) = (old.error_variance()?, new.error_variance()?);
        let variance = old_part + new_part;
        // Shares instead of squares of variances: these are tiny and would underflow.
        let weight = |part: f64, sample: &Sample| (part / variance).powi(2) / (sample.count - 1.0);
        let degrees = if variance > 0.0 {
            (weight(old_part, &old) + weight(new_part, &new)).recip()
        } else {
            old.count + new.count - 2.0
        };
        Some(Self {
            mean: new.mean - old.mean,
            standard_error: variance.sqrt(),
            freedom: Freedom::Degrees(degrees),
        })
    }

    /// The same where each value is known to vary with the standard deviation `deviation`, so that a single value a
    /// side will do; none if either has none.
    pub fn difference_knowing(old: &[f64], new: &[f64], deviation: f64) -> Option<Self> {
        let (old, new) = (Sample::of(old)?, Sample::of(new)?);
        Some(Self {
            mean: new.mean - old.mean,
            standard_error: deviation * (old.count.recip() + new.count.recip()).sqrt(),
            freedom: Freedom::Known,
        })
    }

    /// Where the true mean lies, with a confidence of [`CONFIDENCE`].
    pub fn interval(&self) -> Bounds {
        let upper = 1.0 - (1.0 - CONFIDENCE) / 2.0;
        let quantile = match self.freedom {
            Freedom::Degrees(degrees) => student(degrees).inverse_cdf(upper),
            Freedom::Known => Normal::standard().inverse_cdf(upper),
        };
        let half_width = quantile * self.standard_error;
        Bounds { low: self.mean - half_width, high: self.mean + half_width }
    }

    /// One-sided p against "the true mean is not more than `bound`". Where nothing varies it is 0 or 1.
    pub fn p_above(&self, bound: f64) -> f64 {
        let distance = self.mean - bound;
        if self.standard_error == 0.0 {
            return if distance > 0.0 { 0.0 } else { 1.0 };
        }
        let errors = distance / self.standard_error;
        match self.freedom {
            Freedom::Degrees(degrees) => student(degrees).sf(errors),
            Freedom::Known => Normal::standard().sf(errors),
        }
    }

    /// One-sided p against "the true mean is not less than `bound`".
    pub fn p_below(&self, bound: f64) -> f64 {
        Self { mean: -self.mean, ..*self }.p_above(-bound)
    }
}

/// The mean of values, or none if there are none. Equal values have exactly their own value as mean.
pub fn mean(values: &[f64]) -> Option<f64> {
    Sample::of(values).map(|sample| sample.mean)
}

struct Sample {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Sample {
    fn of(values: &[f64]) -> Option<Self> {
        let first = *values.first()?;
        let count = values.len() as f64;
        // Relative to the first value, so that equal values have no rounding errors and hence no variance.
        let mean = first + values.iter().map(|value| value - first).sum::<f64>() / count;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum();
        Some(Self { count, mean, squares })
    }

    /// The square of the mean's standard error.
    fn error_variance(&self) -> Option<f64> {
        (self.count > 1.0).then(|| self.squares / (self.count - 1.0) / self.count)
    }
}

fn student(degrees: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, degrees).expect("two values or more leave at least one degree of freedom")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Student's own data of 1908, the set `sleep` of R: hours of sleep gained with two drugs by the same ten people.
    const FIRST_DRUG: [f64; 10] = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    const SECOND_DRUG: [f64; 10] = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];

    fn assert_near(found: f64, expected: f64) {
        let error = (found - expected).abs() / expected.abs().max(f64::MIN_POSITIVE);
        assert!(error < 1e-7, "{found} instead of {expected}");
    }

    /// `qt(0.975, df)` and `pt(3, df, lower.tail = FALSE)` of R.
    #[test]
    fn quantiles_and_tails_of_t_agree_with_the_reference_table() {
        for (degrees, quantile, tail) in [
            (1.0, 12.706_204_736_174_694, 0.102_416_382_349_566_72),
            (2.0, 4.302_652_729_749_462, 0.047_732_983_133_354_56),
            (4.0, 2.776_445_105_197_793_4, 0.019_970_984_035_859_413),
            (9.0, 2.262_157_162_798_205, 0.007_478_181_955_207_111),
            (19.0, 2.093_024_054_408_308_7, 0.003_680_862_091_934_319),
            (17.776, 2.102_821_310_380_221, 0.003_881_928_173_265_726),
            (100.0, 1.983_971_518_523_551_8, 0.001_703_957_671_664_723_3),
        ] {
            let estimate = Estimate { mean: 0.0, standard_error: 1.0, freedom: Freedom::Degrees(degrees) };
            assert_near(estimate.interval().high, quantile);
            assert_near(estimate.interval().low, -quantile);
            assert_near(estimate.p_above(-3.0), tail);
            assert_near(estimate.p_above(3.0), 1.0 - tail);
            assert_near(estimate.p_below(3.0), tail);
        }
    }

    /// `pt(30, 9, lower.tail = FALSE)` of R: small tails are not lost in 1 − (1 − p).
    #[test]
    fn very_small_tails_keep_their_digits() {
        let estimate = Estimate { mean: 30.0, standard_error: 1.0, freedom: Freedom::Degrees(9.0) };
        assert_near(estimate.p_above(0.0), 1.241_852_352_079_132_7e-10);
    }

    #[test]
    fn a_known_error_is_normal() {
        let estimate = Estimate::difference_knowing(&[1.0], &[4.0], 2f64.sqrt()).expect("a value a side");
        assert_eq!(estimate.mean, 3.0);
        assert_near(estimate.standard_error, 2.0);
        assert_near(estimate.interval().high, 3.0 + 2.0 * 1.959_963_984_540_054);
        assert_near(estimate.p_above(0.0), 0.066_807_201_268_858_07);
        let more = Estimate::difference_knowing(&[1.0; 4], &[4.0], 2.0).expect("values");
        assert_near(more.standard_error, 5f64.sqrt());
    }

    /// `t.test(d)`, `t.test(d, mu = -2.5, alternative = "greater")` and `t.test(d, mu = -1, alternative = "less")` of
    /// R, d the paired differences.
    #[test]
    fn one_sample_agrees_with_the_reference() {
        let differences: Vec<f64> =
            FIRST_DRUG.iter().zip(SECOND_DRUG).map(|(first, second)| first - second).collect();
        let estimate = Estimate::of(&differences).expect("ten values");
        assert_near(estimate.mean, -1.58);
        assert_near(estimate.interval().low, -2.459_885_763_276_983);
        assert_near(estimate.interval().high, -0.700_114_236_723_017_5);
        assert_near(estimate.p_below(0.0), 0.002_832_890_197_384_273 / 2.0);
        assert_near(estimate.p_above(-2.5), 0.021_116_860_246_500_77);
        assert_near(estimate.p_below(-1.0), 0.085_055_885_448_711_45);
    }

    /// `t.test(extra ~ group, data = sleep)` of R.
    #[test]
    fn two_samples_agree_with_the_reference() {
        let estimate = Estimate::difference(&SECOND_DRUG, &FIRST_DRUG).expect("ten values each");
        let Freedom::Degrees(degrees) = estimate.freedom else { panic!("{estimate:?}") };
        assert_near(degrees, 17.776_473_516_178_488);
        assert_near(estimate.interval().low, -3.365_483_230_711_710_4);
        assert_near(estimate.interval().high, 0.205_483_230_711_711_37);
        assert_near(estimate.p_below(0.0), 0.079_394_140_187_358_3 / 2.0);
    }

    #[test]
    fn too_few_values_have_no_estimate() {
        assert_eq!(mean(&[]), None);
        assert_eq!(Estimate::of(&[1.0]), None);
        assert_eq!(Estimate::difference(&[1.0], &[1.0, 2.0]), None);
        assert_eq!(Estimate::difference(&[1.0, 2.0], &[1.0]), None);
        assert_eq!(Estimate::difference_knowing(&[], &[1.0], 1.0), None);
    }

    #[test]
    fn values_that_do_not_vary_leave_no_doubt() {
        // The sum of ten times 0.1 is not 1, but the mean must be 0.1 all the same.
        let same = Estimate::of(&[0.1; 10]).expect("ten values");
        assert_eq!((same.mean, same.standard_error), (0.1, 0.0));
        assert_eq!(same.interval(), Bounds { low: 0.1, high: 0.1 });
        assert_eq!((same.p_above(0.09), same.p_above(0.1), same.p_above(0.11)), (0.0, 1.0, 1.0));
        assert_eq!((same.p_below(0.09), same.p_below(0.1), same.p_below(0.11)), (1.0, 1.0, 0.0));
        let apart = Estimate::difference(&[0.1; 3], &[0.3; 5]).expect("values");
        assert_eq!((apart.standard_error, apart.freedom), (0.0, Freedom::Degrees(6.0)));
        assert_eq!(apart.p_above(0.0), 0.0);
    }

    proptest! {
        #[test]
        fn both_sides_of_a_test_make_one(values in prop::collection::vec(-1.0f64..1.0, 2..30), bound in -1.0f64..1.0) {
            let estimate = Estimate::of(&values).expect("two values or more");
            prop_assume!(estimate.standard_error > 0.0);
            prop_assert!((estimate.p_above(bound) + estimate.p_below(bound) - 1.0).abs() < 1e-9);
        }

        /// An interval and a test at half its chance of error say the same.
        #[test]
        fn the_interval_ends_where_the_test_turns(values in prop::collection::vec(-1.0f64..1.0, 2..30)) {
            let estimate = Estimate::of(&values).expect("two values or more");
            prop_assume!(estimate.standard_error > 1e-9);
            let Bounds { low, high } = estimate.interval();
            prop_assert!((estimate.p_above(low) - 0.025).abs() < 1e-6);
            prop_assert!((estimate.p_below(high) - 0.025).abs() < 1e-6);
        }

        #[test]
        fn a_mirrored_sample_has_the_mirrored_estimate(values in prop::collection::vec(-1.0f64..1.0, 2..30)) {
            let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
            let plain = Estimate::of(&values).expect("two values or more");
            let mirrored = Estimate::of(&mirrored).expect("two values or more");
            prop_assert_eq!(plain.mean, -mirrored.mean);
            prop_assert_eq!(plain.p_above(0.1), mirrored.p_below(-0.1));
            prop_assert_eq!(plain.interval().low, -mirrored.interval().high);
        }

        #[test]
        fn welch_is_between_the_smaller_and_the_joint_freedom(
            old in prop::collection::vec(-1.0f64..1.0, 2..12),
            new in prop::collection::vec(-1.0f64..1.0, 2..12),
        ) {
            let estimate = Estimate::difference(&old, &new).expect("two values or more");
            let Freedom::Degrees(degrees) = estimate.freedom else { panic!("{estimate:?}") };
            let smaller = old.len().min(new.len()) as f64 - 1.0;
            prop_assert!(degrees >= smaller - 1e-9);
            prop_assert!(degrees <= (old.len() + new.len()) as f64 - 2.0 + 1e-9);
        }
    }
}
