//! A share with its interval.

use serde::{Deserialize, Serialize};

use crate::stats::proportion_interval;

/// So many of so many, and where the chance behind it lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    /// How many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
    /// Lower end of the 95 % interval of the chance (Clopper and Pearson), 0 to 1.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Share {
    /// The share of those items that are as wanted.
    pub fn of<T>(items: &[T], is_wanted: impl Fn(&T) -> bool) -> Self {
        let count = items.iter().filter(|item| is_wanted(item)).count() as u64;
        let of = items.len() as u64;
        let bounds = proportion_interval(count, of).expect("the wanted items are some of the items");
        Self { count, of, low: bounds.low, high: bounds.high }
    }

    /// The share itself, 0 to 1; none of none.
    pub fn value(&self) -> Option<f64> {
        (self.of > 0).then(|| self.count as f64 / self.of as f64)
    }
}
