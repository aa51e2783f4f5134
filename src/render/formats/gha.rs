//! What github-action-benchmark takes as `customSmallerIsBetter`: a JSON array of named values. Its reference:
//! <https://github.com/benchmark-action/github-action-benchmark#tool-required>.

use std::io::{self, Write};

use serde::Serialize;

use super::metrics::{Metric, Subject, subjects};
use crate::render::Report;
use crate::render::export::Exporter;
use crate::results::write_json;

pub(in crate::render) struct Gha;

impl Exporter for Gha {
    fn name(&self) -> &'static str {
        "gha"
    }

    fn about(&self) -> &'static str {
        "customSmallerIsBetter of github-action-benchmark"
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        let entries =
            |subject: &Subject| subject.metrics.iter().map(|metric| Entry::of(subject, metric)).collect();
        let entries: Vec<Entry> = subjects(report).iter().flat_map::<Vec<Entry>, _>(entries).collect();
        write_json(&entries, out)
    }
}

/// One value. Its name alone tells it from the others, and finds the same value of the run before.
#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    unit: &'static str,
    value: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    range: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    extra: String,
}

impl Entry {
    fn of(subject: &Subject, metric: &Metric) -> Self {
        Self {
            name: format!("{} {}", subject.name, metric.measure.slug),
            unit: metric.measure.unit,
            value: metric.value,
            range: metric.interval.map(|(low, high)| range(metric.value, low, high)),
            extra: subject.about.clone(),
        }
    }
}

/// The farther end of the interval, with four digits behind the point: enough for ratios as for nanoseconds.
fn range(value: f64, low: f64, high: f64) -> String {
    let half = (high - value).max(value - low);
    format!("± {}", (half * 1e4).round() / 1e4)
}
