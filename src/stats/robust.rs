//! The middle of values and which are far from it, whatever the far ones are.

/// How many standard deviations of a normal distribution a median absolute deviation is.
const DEVIATIONS_PER_MAD: f64 = 1.4826;
/// From how many standard deviations on a value is far from the rest. Iglewicz and Hoaglin (1993) advise 3.5.
const FAR: f64 = 3.5;

/// The middle value, or the mean of the two middle ones; none if there are none.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len().is_multiple_of(2) {
        Some((sorted[sorted.len() / 2 - 1] + upper) / 2.0)
    } else {
        Some(upper)
    }
}

/// The quantile `p` (0 to 1) of values in any order, by the same rule as [`quantile`](super::quantile); none of none.
pub fn quantile_of(values: &[f64], p: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let position = p * sorted.len().checked_sub(1)? as f64;
    let below = position.floor() as usize;
    let above = (below + 1).min(sorted.len() - 1);
    Some(sorted[below] + (sorted[above] - sorted[below]) * (position - below as f64))
}

/// Places of the values that are farther from the median than 3.5 robust standard deviations (those of the median
/// absolute deviation), and farther than `tolerance`, in ascending order.
pub fn far_from_median(values: &[f64], tolerance: f64) -> Vec<usize> {
    let Some(middle) = median(values) else { return Vec::new() };
    let distances: Vec<f64> = values.iter().map(|value| (value - middle).abs()).collect();
    let deviation = median(&distances).expect("as many distances as values, and these have a median");
    let limit = (FAR * DEVIATIONS_PER_MAD * deviation).max(tolerance);
    (0..values.len()).filter(|&place| distances[place] > limit).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_median_is_the_middle() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[9.0, 1.0, 2.0, 4.0]), Some(3.0));
    }

    /// Values from R: `quantile(c(15, 20, 35, 40, 50, 1000), c(.5, .95, 0, 1))`.
    #[test]
    fn quantiles_agree_with_the_reference() {
        let values = [1000.0, 15.0, 50.0, 20.0, 40.0, 35.0];
        for (p, expected) in [(0.5, 37.5), (0.95, 762.5), (0.0, 15.0), (1.0, 1000.0)] {
            let found = quantile_of(&values, p).expect("there are values");
            assert!((found - expected).abs() < 1e-9, "{p}: {found}");
        }
        assert_eq!((quantile_of(&[7.0], 0.95), quantile_of(&[], 0.95)), (Some(7.0), None));
    }

    #[test]
    fn a_value_far_from_the_others_is_found() {
        let values = [0.010, 0.012, 0.011, 0.2, 0.009, 0.010, -0.1];
        assert_eq!(far_from_median(&values, 0.01), [3, 6]);
        assert_eq!(far_from_median(&values, 0.15), [3]);
        assert_eq!(far_from_median(&[], 0.01), [0usize; 0]);
    }

    #[test]
    fn where_most_are_equal_the_tolerance_decides() {
        let values = [0.0, 0.0, 0.0, 0.0, 0.005, 0.02];
        assert_eq!(far_from_median(&values, 0.01), [5]);
    }

    #[test]
    fn two_values_are_never_far_from_each_other() {
        assert_eq!(far_from_median(&[0.0, 100.0], 0.01), [0usize; 0]);
    }

    proptest! {
        #[test]
        fn never_are_more_than_half_far(values in prop::collection::vec(-1.0f64..1.0, 0..40)) {
            prop_assert!(far_from_median(&values, 0.0).len() * 2 <= values.len());
        }

        #[test]
        fn mirrored_values_have_the_same_places(values in prop::collection::vec(-1.0f64..1.0, 0..40)) {
            let mirrored: Vec<f64> = values.iter().map(|value| -value).collect();
            prop_assert_eq!(far_from_median(&values, 0.1), far_from_median(&mirrored, 0.1));
        }
    }
}
