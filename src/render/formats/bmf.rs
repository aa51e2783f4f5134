//! Bencher Metric Format: one JSON object of benchmarks, each an object of measures. Its reference:
//! <https://bencher.dev/docs/reference/bencher-metric-format/>.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::metrics::{Metric, subjects};
use crate::render::Report;
use crate::render::export::Exporter;
use crate::results::write_json;

pub(in crate::render) struct Bmf;

impl Exporter for Bmf {
    fn name(&self) -> &'static str {
        "bmf"
    }

    fn about(&self) -> &'static str {
        "Bencher Metric Format, for bencher.dev"
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        let benchmarks = subjects(report).into_iter().map(|subject| {
            let measures =
                subject.metrics.iter().map(|metric| (metric.measure.slug.to_owned(), value(metric)));
            (subject.name, Value::Object(measures.collect()))
        });
        write_json(&Value::Object(benchmarks.collect::<Map<_, _>>()), out)
    }
}

fn value(metric: &Metric) -> Value {
    let value = metric.value;
    match metric.interval {
        Some((low, high)) => json!({ "value": value, "lower_value": low, "upper_value": high }),
        None => json!({ "value": value }),
    }
}
