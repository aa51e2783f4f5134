//! Formats of other tools, against their definitions. `SNAPSHOTS=overwrite` renews the snapshots.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use snapbox::assert_data_eq;
use tlspair::measure::LoopKind;
use tlspair::render::Report;
use tlspair::render::export::EXPORTERS;
use tlspair::results::{CellResult, Document, LoopResult};

use crate::comparisons::{paired, separate};
use crate::documents::{classic_document, classic_rows, empty, sample, timed};
use crate::gobench::{GoFile, parse};
use crate::render::written;

/// Writes a report in one of the formats.
fn export(format: &str, report: &Report<'_>) -> String {
    let exporter = EXPORTERS.iter().find(|exporter| exporter.name() == format).expect(format);
    written(|out| exporter.write(report, out))
}

fn json(format: &str, report: &Report<'_>) -> Value {
    serde_json::from_str(&export(format, report)).expect("JSON")
}

fn go(report: &Report<'_>) -> GoFile {
    parse(&export("gobench", report)).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn junit(report: &Report<'_>) -> quick_junit::TestSuite {
    let mut read = quick_junit::Report::deserialize_from_str(&export("junit", report)).expect("JUnit XML");
    assert_eq!(read.test_suites.len(), 1);
    read.test_suites.remove(0)
}

#[test]
fn results_in_each_format() {
    let document = sample();
    let report = Report::Cells(&document);
    assert_data_eq!(export("bmf", &report), snapbox::file!["../snapshots/run.bmf.json"].raw());
    assert_data_eq!(export("gha", &report), snapbox::file!["../snapshots/run.gha.json"].raw());
    assert_data_eq!(export("junit", &report), snapbox::file!["../snapshots/run.junit.xml"].raw());
    assert_data_eq!(export("gobench", &report), snapbox::file!["../snapshots/run.gobench.txt"].raw());
}

#[test]
fn comparisons_in_each_format() {
    let comparison = paired();
    let report = Report::Comparison(&comparison);
    assert_data_eq!(export("bmf", &report), snapbox::file!["../snapshots/comparison.bmf.json"].raw());
    assert_data_eq!(export("gha", &report), snapbox::file!["../snapshots/comparison.gha.json"].raw());
    assert_data_eq!(export("junit", &report), snapbox::file!["../snapshots/comparison.junit.xml"].raw());
    assert_data_eq!(export("gobench", &report), snapbox::file!["../snapshots/comparison.gobench.txt"].raw());
}

#[test]
fn every_format_is_explained_and_takes_every_report() {
    let documentation = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/FORMAT.md"))
        .expect("the documentation is there");
    let (document, nothing, classic) = (sample(), empty(), classic_document());
    let rows = classic_rows(&classic);
    let (paired, separate) = (paired(), separate());
    for exporter in EXPORTERS {
        let row = format!("| `{}` |", exporter.name());
        assert!(documentation.contains(&row), "docs/FORMAT.md has no row {row}");
        if exporter.only_of().is_some() {
            continue; // its sub-command's tests have it
        }
        for report in [
            Report::Cells(&document),
            Report::Cells(&nothing),
            Report::Classic { document: &classic, rows: &rows },
            Report::Comparison(&paired),
            Report::Comparison(&separate),
        ] {
            assert!(export(exporter.name(), &report).ends_with('\n'), "{}: {report:?}", exporter.name());
        }
    }
}

/// The schema of the Bencher Metric Format: objects of objects with `value`, `lower_value` and `upper_value`.
#[test]
fn bmf_is_benchmarks_of_measures_of_numbers() {
    let (document, comparison) = (sample(), paired());
    for report in [Report::Cells(&document), Report::Comparison(&comparison)] {
        let value = json("bmf", &report);
        for (name, measures) in value.as_object().expect("benchmarks") {
            assert!(name.len() <= 1024 && name.contains("/loop="), "{name}");
            for (slug, metric) in measures.as_object().expect("measures") {
                let is_slug = slug.len() <= 64 && slug.chars().all(|it| it.is_ascii_lowercase() || it == '-');
                assert!(is_slug, "{slug}");
                let metric = metric.as_object().expect("a metric");
                assert!(metric.values().all(Value::is_number), "{metric:?}");
                assert!(
                    metric.keys().all(|key| ["value", "lower_value", "upper_value"].contains(&key.as_str()))
                );
                let number = |key: &str| metric.get(key).and_then(Value::as_f64);
                let value = number("value").expect("a value");
                assert!(number("lower_value").is_none_or(|low| low <= value), "{metric:?}");
                assert!(number("upper_value").is_none_or(|high| value <= high), "{metric:?}");
            }
        }
    }
}

#[test]
fn bmf_has_the_median_with_its_interval_and_what_was_counted() {
    let document = sample();
    let value = json("bmf", &Report::Cells(&document));
    let name = format!("{}/loop=full", document.cells[0].id);
    assert_eq!(value[&name]["latency"]["value"], 100_350.0);
    assert_eq!(value[&name]["latency"]["lower_value"], 100_000.0);
    assert_eq!(value[&name]["handshake-server-bytes"]["value"], 1400.0);
    assert_eq!(value[&name]["server-allocations"]["value"], 305.0);
    assert_eq!(value.as_object().expect("benchmarks").len(), 4, "cells that did not run have no numbers");
}

#[test]
fn gha_is_an_array_of_uniquely_named_values() {
    let (document, comparison) = (sample(), paired());
    for report in [Report::Cells(&document), Report::Comparison(&comparison)] {
        let value = json("gha", &report);
        let entries = value.as_array().expect("an array");
        let mut names = BTreeSet::new();
        for entry in entries {
            let text = |key: &str| entry.get(key).map(|text| text.as_str().expect("text"));
            assert!(names.insert(text("name").expect("a name")), "{entry} comes twice");
            assert!(text("unit").is_some_and(|unit| !unit.is_empty()), "{entry}");
            assert!(entry["value"].is_number(), "{entry}");
            assert!(text("range").is_none_or(|range| range.starts_with("± ")), "{entry}");
            assert!(text("extra").is_none_or(|extra| !extra.is_empty()), "{entry}");
        }
        let bmf = json("bmf", &report);
        let measures = bmf.as_object().expect("benchmarks").values();
        let measures: usize = measures.map(|measures| measures.as_object().expect("measures").len()).sum();
        assert_eq!(entries.len(), measures, "the same numbers in either format");
    }
}

#[test]
fn junit_of_results_has_errors_for_errors_and_skips_what_is_unsupported() {
    let document = sample();
    let suite = junit(&Report::Cells(&document));
    assert_eq!((suite.tests, suite.errors, suite.skipped, suite.failures), (6, 1, 1, 0));
    let names: BTreeSet<&str> = suite.test_cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), 6, "equal names hide each other");
}

#[test]
fn junit_of_a_comparison_fails_for_regressions_only() {
    let comparison = paired();
    let suite = junit(&Report::Comparison(&comparison));
    // 12 rows and 4 cells with counts; a slower loop, a lost cell, grown allocations; inconclusive, gained, neither.
    assert_eq!((suite.tests, suite.failures, suite.errors, suite.skipped), (16, 3, 1, 3));
    let messages: Vec<String> = suite
        .test_cases
        .iter()
        .filter_map(|case| match &case.status {
            quick_junit::TestCaseStatus::NonSuccess { message, .. } => {
                message.as_ref().map(|message| message.as_str().to_owned())
            }
            _ => None,
        })
        .collect();
    assert!(
        messages
            .contains(&"regression: CPU time +4.9 % [+4.1, +5.7] (101 → 106 µs), threshold 3 %".to_owned()),
        "{messages:?}"
    );
    assert!(messages.contains(&"the server allocates 50 times more (305 → 355)".to_owned()), "{messages:?}");
}

#[test]
fn gobench_of_results_has_ten_values_of_a_loop_that_add_up_to_its_samples() {
    let mut document = sample();
    for (kind, connections) in [(LoopKind::Full, 1000), (LoopKind::Reuse, 1000)] {
        document.cells[0].loops.set(kind, LoopResult::of(&timed(kind, connections, 100_000)));
    }
    let file = go(&Report::Cells(&document));
    for (kind, skipped) in [(LoopKind::Full, 0), (LoopKind::Reuse, 1)] {
        let name = format!("Connection/{}/loop={}", document.cells[0].id, kind.name());
        let blocks: Vec<(u64, f64)> = file
            .results
            .iter()
            .filter(|result| result.name == name)
            .filter_map(|result| Some((result.iterations, *result.values.get("ns/op")?)))
            .collect();
        assert_eq!(blocks.len(), 10);
        let result = document.cells[0].loops.of(kind).expect("it ran");
        let samples: u64 = result.samples_ns[skipped..].iter().sum();
        let sum: f64 = blocks.iter().map(|&(iterations, mean)| iterations as f64 * mean).sum();
        assert!((sum - samples as f64).abs() < 1e-6 * sum, "{sum}, not {samples}");
        assert_eq!(blocks.iter().map(|(iterations, _)| iterations).sum::<u64>(), 1000 - skipped as u64);
    }
}

#[test]
fn gobench_parts_results_by_nothing_that_an_upgrade_changes() {
    let (before, mut after) = (sample(), sample());
    after.machine.date = "2027-01-02T03:04:05Z".to_owned();
    after.machine.kernel = Some("7.0.0".to_owned());
    after.tool.version = "0.2.0".to_owned();
    after.engines[0].version = "4.0.0".to_owned();
    let config = |document: &Document| go(&Report::Cells(document)).results[0].config.clone();
    assert_eq!(config(&before), config(&after));
    assert_eq!(config(&before)["goarch"], "amd64");
}

#[test]
fn gobench_of_a_comparison_has_a_line_for_each_process_of_each_side() {
    let comparison = paired();
    let file = go(&Report::Comparison(&comparison));
    let of =
        |side: &str| file.results.iter().filter(|result| result.config["side"] == side).collect::<Vec<_>>();
    let (old, new) = (of("old"), of("new"));
    assert_eq!((old.len(), new.len()), (8 * 3, 8 * 3), "8 loops in 3 rounds");
    for (old, new) in old.iter().zip(&new) {
        assert_eq!(old.name, new.name, "the sides meet in one row");
        assert!(["ns/op", "wall-ns/op", "client-ns/op"].iter().all(|unit| new.values.contains_key(*unit)));
    }
    let separate = separate();
    assert_eq!(go(&Report::Comparison(&separate)).results.len(), 6);
}

#[test]
fn gobench_says_which_units_are_exact_and_uses_them() {
    let document = sample();
    let file = go(&Report::Cells(&document));
    let exact: BTreeSet<&str> = file
        .units
        .iter()
        .filter(|(_, _, value)| value == "exact")
        .map(|(unit, _, _)| unit.as_str())
        .collect();
    let used: BTreeSet<&str> =
        file.results.iter().flat_map(|result| result.values.keys()).map(String::as_str).collect();
    let timed: Vec<&str> = used.difference(&exact).copied().collect();
    assert_eq!(timed, ["client-ns/op", "ns/op", "server-ns/op"]);
    assert!(exact.iter().all(|unit| used.contains(unit)), "{exact:?}");
}

#[test]
fn a_name_with_spaces_stays_one_word() {
    let mut document = sample();
    document.cells.truncate(1);
    document.cells[0] = CellResult { id: "engine=my engine".to_owned(), ..document.cells[0].clone() };
    let file = go(&Report::Cells(&document));
    assert!(file.results.iter().all(|result| result.name.starts_with("Connection/engine=my_engine/loop=")));
}

/// Families one after the other, each sample in base units, and the end marked.
#[test]
fn openmetrics_has_families_with_units() {
    let text = export("openmetrics", &Report::Cells(&sample()));
    assert!(text.ends_with("# EOF\n"), "{text}");
    let mut family = "";
    let mut samples = 0;
    for line in text.lines().take_while(|line| *line != "# EOF") {
        match line.strip_prefix("# TYPE ").or_else(|| line.strip_prefix("# UNIT ")) {
            Some(rest) => {
                let (name, word) = rest.split_once(' ').expect("a name and a word");
                family = name;
                assert!(word == "gauge" || name.ends_with(word), "{line}");
            }
            None => {
                let (labels, value) = line.rsplit_once(' ').expect("a sample and its value");
                assert!(labels.starts_with(&format!("{family}{{of=\"")), "{line} in {family}");
                let value: f64 = value.parse().expect("a number");
                assert!(!family.ends_with("seconds") || value < 1.0, "{line}");
                samples += 1;
            }
        }
    }
    assert!(samples >= 10, "{text}");
}
