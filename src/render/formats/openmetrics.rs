//! The text format of OpenMetrics, which Prometheus and its kin read. Its definition:
//! <https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md>.

use std::io::{self, Write};

use super::metrics::{self, Measure};
use crate::render::Report;
use crate::render::export::Exporter;

pub(in crate::render) struct OpenMetrics;

impl Exporter for OpenMetrics {
    fn name(&self) -> &'static str {
        "openmetrics"
    }

    fn about(&self) -> &'static str {
        "OpenMetrics text, for Prometheus and its kin"
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        let subjects = metrics::subjects(report);
        let mut families: Vec<&'static Measure> = Vec::new();
        for metric in subjects.iter().flat_map(|subject| &subject.metrics) {
            if !families.iter().any(|known| known.slug == metric.measure.slug) {
                families.push(metric.measure);
            }
        }
        // All samples of a family stand together.
        for family in families {
            let (name, unit) = (name(family), unit(family));
            writeln!(out, "# TYPE {name} gauge")?;
            writeln!(out, "# UNIT {name} {unit}")?;
            for subject in &subjects {
                for metric in subject.metrics.iter().filter(|metric| metric.measure.slug == family.slug) {
                    let (of, by) = (escaped(&subject.name), escaped(&subject.about));
                    writeln!(out, "{name}{{of=\"{of}\",by=\"{by}\"}} {}", scaled(family, metric.value))?;
                }
            }
        }
        writeln!(out, "# EOF")
    }
}

/// A family's name ends with its unit.
fn name(measure: &Measure) -> String {
    let (what, unit) = (measure.slug.replace('-', "_"), unit(measure));
    if what.ends_with(unit) { format!("tlspair_{what}") } else { format!("tlspair_{what}_{unit}") }
}

/// Base units: seconds, bytes, and counts of whatever they count.
fn unit(measure: &Measure) -> &'static str {
    match measure.unit {
        "ns" => "seconds",
        "new/old" => "ratio",
        unit => unit,
    }
}

fn scaled(measure: &Measure, value: f64) -> f64 {
    if measure.unit == "ns" { value / 1e9 } else { value }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
