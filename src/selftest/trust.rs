//! What a machine can be trusted with.

use serde::{Deserialize, Serialize};

use super::noise::LEAST_COMPARISONS;
use super::probe::Probe;
use super::share::Share;
use crate::render::number::{count, counted, percent_short};

/// Which slowdowns this machine finds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Trust {
    /// The smallest slowdown that was found, like all larger ones that were tried; null if there is none.
    pub from: Option<f64>,
    /// The same in words, and what to do.
    pub words: String,
}

/// What part of the loops slowed down must be found.
pub const FOUND_SHARE: f64 = 0.9;

impl Trust {
    /// Decides by the comparison where nothing was slowed down, and those where something was, in `rounds` rounds.
    pub fn of(same: &Probe, slowed: &[Probe], rounds: u64, threshold: f64) -> Self {
        if same.comparisons() == 0 {
            return Self::none("Nothing can be said of this machine: no loop was compared.".to_owned());
        }
        if same.has_false_regression() {
            return Self::none(format!(
                "This machine cannot be trusted at {}: {} came out as a regression although nothing had changed. {}",
                counted(rounds, "round"),
                false_alarms(same),
                advice(rounds),
            ));
        }
        if slowed.is_empty() {
            return Self::none(format!(
                "No false alarm in {} at {}; which slowdowns would be found was not tried.",
                of_the_same(same),
                counted(rounds, "round"),
            ));
        }
        match smallest_found(slowed, threshold) {
            Some(found) => {
                Self { from: Some(found.slowdown), words: trusted(same, found, rounds, threshold) }
            }
            None => Self::none(untrusted(slowed, rounds, threshold)),
        }
    }

    fn none(words: String) -> Self {
        Self { from: None, words }
    }
}

/// The smallest slowdown such that it and all larger ones were found.
fn smallest_found(slowed: &[Probe], threshold: f64) -> Option<&Probe> {
    let mut largest_first: Vec<&Probe> = slowed.iter().collect();
    largest_first.sort_by(|one, other| other.slowdown.total_cmp(&one.slowdown));
    largest_first.into_iter().take_while(|probe| is_found(probe.found(threshold))).last()
}

fn is_found(share: &Share) -> bool {
    share.value().is_some_and(|value| value >= FOUND_SHARE)
}

fn trusted(same: &Probe, found: &Probe, rounds: u64, threshold: f64) -> String {
    let Share { count: number, of, .. } = *found.found(threshold);
    let mut words = format!(
        "This machine can be trusted to find slowdowns of {} and more at {}: no false alarm in {}, and {} of {} slowed \
         down by so much {}.",
        percent_short(found.slowdown),
        counted(rounds, "round"),
        of_the_same(same),
        count(number),
        counted(of, "loop"),
        if found.slowdown > threshold {
            "were found"
        } else {
            "were shown to be slower than the noise floor"
        },
    );
    if found.slowdown <= threshold {
        words.push_str(&format!(
            " To be called a regression takes {} as well, unless `--fail-threshold` says less.",
            percent_short(threshold)
        ));
    }
    if of < LEAST_COMPARISONS {
        words.push_str(" These are few loops to rest on: name more cells.");
    }
    words
}

fn untrusted(slowed: &[Probe], rounds: u64, threshold: f64) -> String {
    let largest = slowed.iter().max_by(|one, other| one.slowdown.total_cmp(&other.slowdown));
    let found = largest.map_or_else(String::new, |probe| {
        let Share { count: number, of, .. } = *probe.found(threshold);
        let slowdown = percent_short(probe.slowdown);
        format!(": of slowdowns of {slowdown}, {} of {} were found", count(number), count(of))
    });
    format!(
        "At {} this machine cannot be trusted with any slowdown that was tried{found}. {}",
        counted(rounds, "round"),
        advice(rounds),
    )
}

fn of_the_same(same: &Probe) -> String {
    format!("{} of the program with itself", counted(same.comparisons(), "comparison"))
}

fn false_alarms(same: &Probe) -> String {
    let times = format!("{} of {}", count(same.regressions.count), of_the_same(same));
    match (same.regressions.count, same.differences.len() as u64) {
        (_, 0) => times,
        (0, counts) => format!("{} in what was counted", counted(counts, "difference")),
        (_, counts) => format!("{times}, and {} in what was counted,", counted(counts, "difference")),
    }
}

/// What helps.
fn advice(rounds: u64) -> String {
    const SURE_ROUNDS: u64 = 20;
    let rounds = if rounds < SURE_ROUNDS { "take more rounds (`--confirm` takes 20), or " } else { "" };
    let quieter = "use a quieter machine: end other programs, and avoid shared processors";
    let mut advice = format!("{rounds}{quieter}.");
    advice[..1].make_ascii_uppercase();
    advice
}
