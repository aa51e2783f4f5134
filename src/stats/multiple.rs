//! p values of many tests, adjusted so that the family as a whole keeps its error: an adjusted p at most α rejects.

/// Adjusted after Benjamini and Hochberg (1995): rejecting what is at most q keeps the expected share of false
/// rejections among all rejections at most q. In the order of `p_values`, each of which is in 0 to 1.
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let mut adjusted = vec![1.0; count];
    let mut smallest: f64 = 1.0;
    for (rank, place) in ascending(p_values).into_iter().enumerate().rev() {
        smallest = smallest.min(p_values[place] * count as f64 / (rank + 1) as f64);
        adjusted[place] = smallest;
    }
    adjusted
}

/// Adjusted after Holm (1979): rejecting what is at most α keeps the chance of any false rejection at most α. In the
/// order of `p_values`, each of which is in 0 to 1.
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let count = p_values.len();
    let mut adjusted = vec![1.0; count];
    let mut largest: f64 = 0.0;
    for (rank, place) in ascending(p_values).into_iter().enumerate() {
        largest = largest.max(p_values[place] * (count - rank) as f64).min(1.0);
        adjusted[place] = largest;
    }
    adjusted
}

/// Places of the values from the smallest to the largest.
fn ascending(p_values: &[f64]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..p_values.len()).collect();
    places.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The example of Benjamini and Hochberg's paper, not in order.
    const EXAMPLE: [f64; 15] = [
        0.3240, 0.0001, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0004, 0.0344, 0.0459, 1.0, 0.4262, 0.5719,
        0.6528, 0.7590,
    ];

    fn assert_near(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-8, "{found} instead of {expected}");
        }
    }

    /// `p.adjust(p, "BH")` of R.
    #[test]
    fn benjamini_hochberg_agrees_with_the_reference() {
        assert_near(
            &benjamini_hochberg(&EXAMPLE),
            &[
                0.486, 0.0015, 0.0095, 0.035625, 0.0603, 0.06385714, 0.06385714, 0.003, 0.0645, 0.0765, 1.0,
                0.58118182, 0.714875, 0.75323077, 0.81321429,
            ],
        );
    }

    /// `p.adjust(p, "holm")` of R.
    #[test]
    fn holm_agrees_with_the_reference() {
        assert_near(
            &holm(&EXAMPLE),
            &[
                1.0, 0.0015, 0.0247, 0.114, 0.2211, 0.278, 0.278, 0.0056, 0.278, 0.3213, 1.0, 1.0, 1.0, 1.0,
                1.0,
            ],
        );
    }

    #[test]
    fn one_test_and_none_need_no_adjustment() {
        assert_eq!((benjamini_hochberg(&[]), holm(&[])), (vec![], vec![]));
        assert_eq!((benjamini_hochberg(&[0.03]), holm(&[0.03])), (vec![0.03], vec![0.03]));
    }

    #[test]
    fn certain_and_hopeless_stay_what_they_are() {
        assert_eq!(benjamini_hochberg(&[1.0, 0.0, 1.0]), [1.0, 0.0, 1.0]);
        assert_eq!(holm(&[1.0, 0.0, 1.0]), [1.0, 0.0, 1.0]);
    }

    proptest! {
        #[test]
        fn adjusted_values_are_between_the_plain_one_and_bonferronis(p in prop::collection::vec(0.0f64..=1.0, 1..40)) {
            let (bh, holm) = (benjamini_hochberg(&p), holm(&p));
            for place in 0..p.len() {
                let bonferroni = (p[place] * p.len() as f64).min(1.0);
                // A last digit may be lost in multiplying and dividing by the same number.
                prop_assert!(p[place] <= bh[place] * (1.0 + 1e-12));
                prop_assert!(bh[place] <= holm[place] * (1.0 + 1e-12));
                prop_assert!(holm[place] <= bonferroni * (1.0 + 1e-12));
            }
        }

        #[test]
        fn the_order_of_tests_changes_nothing(p in prop::collection::vec(0.0f64..=1.0, 1..40)) {
            let reversed: Vec<f64> = p.iter().rev().copied().collect();
            for adjust in [benjamini_hochberg, holm] {
                let mut of_reversed = adjust(&reversed);
                of_reversed.reverse();
                prop_assert_eq!(of_reversed, adjust(&p));
            }
        }

        #[test]
        fn a_smaller_p_never_has_a_larger_adjusted_one(p in prop::collection::vec(0.0f64..=1.0, 2..40)) {
            for adjust in [benjamini_hochberg, holm] {
                let adjusted = adjust(&p);
                let places = ascending(&p);
                prop_assert!(places.windows(2).all(|pair| adjusted[pair[0]] <= adjusted[pair[1]]));
            }
        }
    }
}
