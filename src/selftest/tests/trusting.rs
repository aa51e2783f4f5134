//! What a machine is trusted with, and in which words.

use super::sample::{probe, same};
use crate::selftest::{Probe, Trust};

const THRESHOLD: f64 = 0.03;

fn trust(same: &Probe, slowed: &[Probe]) -> Trust {
    Trust::of(same, slowed, 10, THRESHOLD)
}

#[test]
fn the_smallest_slowdown_found_in_nine_of_ten_is_trusted() {
    let slowed = [probe(0.02, 20, 5), probe(0.05, 20, 18), probe(0.1, 20, 20)];
    let trust = trust(&same(20, 0), &slowed);
    assert_eq!(trust.from, Some(0.05));
    assert_eq!(
        trust.words,
        "This machine can be trusted to find slowdowns of 5 % and more at 10 rounds: no false alarm in 20 comparisons \
         of the program with itself, and 18 of 20 loops slowed down by so much were found."
    );
}

#[test]
fn less_than_nine_of_ten_is_not_enough() {
    assert_eq!(trust(&same(20, 0), &[probe(0.05, 20, 17), probe(0.1, 20, 20)]).from, Some(0.1));
}

#[test]
fn a_larger_slowdown_that_was_missed_counts_against_the_smaller_ones() {
    let trust = trust(&same(20, 0), &[probe(0.05, 20, 20), probe(0.1, 20, 10)]);
    assert_eq!(trust.from, None);
    assert_eq!(
        trust.words,
        "At 10 rounds this machine cannot be trusted with any slowdown that was tried: of slowdowns of 10 %, 10 of 20 \
         were found. Take more rounds (`--confirm` takes 20), or use a quieter machine: end other programs, and avoid \
         shared processors."
    );
}

#[test]
fn a_slowdown_below_the_threshold_is_found_where_it_is_above_the_noise_floor() {
    let two_percent = probe(0.02, 20, 20);
    assert_eq!((two_percent.regressions.count, two_percent.slower.count), (0, 20));
    let trust = trust(&same(20, 0), &[two_percent, probe(0.05, 20, 20)]);
    assert_eq!(trust.from, Some(0.02));
    assert!(trust.words.contains("shown to be slower than the noise floor"), "{}", trust.words);
    assert!(trust.words.contains("takes 3 % as well"), "{}", trust.words);
}

#[test]
fn one_false_alarm_is_one_too_many() {
    let trust = trust(&same(20, 1), &[probe(0.1, 20, 20)]);
    assert_eq!(trust.from, None);
    assert!(
        trust.words.starts_with(
            "This machine cannot be trusted at 10 rounds: 1 of 20 comparisons of the program with itself came out as a \
             regression although nothing had changed."
        ),
        "{}",
        trust.words
    );
}

#[test]
fn rounds_that_are_many_already_are_not_advised() {
    let words = Trust::of(&same(20, 1), &[], 20, THRESHOLD).words;
    assert!(words.contains("Use a quieter machine") && !words.contains("--confirm"), "{words}");
}

#[test]
fn what_was_not_tried_is_not_said() {
    assert_eq!(
        trust(&same(20, 0), &[]).words,
        "No false alarm in 20 comparisons of the program with itself at 10 rounds; which slowdowns would be found was \
         not tried."
    );
    assert_eq!(
        trust(&same(0, 0), &[probe(0.1, 20, 20)]).words,
        "Nothing can be said of this machine: no loop was compared."
    );
}

#[test]
fn few_loops_are_called_few() {
    let trust = trust(&same(4, 0), &[probe(0.05, 4, 4)]);
    assert_eq!(trust.from, Some(0.05));
    assert!(trust.words.ends_with("These are few loops to rest on: name more cells."), "{}", trust.words);
}
