//! JUnit XML, which CI services show as a test report: a test case a cell and loop, and one for what was counted.
//!
//! What a service shows of a case that did not pass is the text of the element in some and its `message` in others, so
//! both say it.

use std::io::{self, Write};

use quick_junit::{NonSuccessKind, Property, TestCase, TestCaseStatus, TestSuite};

use super::metrics::{
    Metric, of_explained_sides, of_loop, of_operation, of_predicted_sides, of_side, of_times,
};
use crate::measure::LoopKind;
use crate::render::compare::{Row, Standing};
use crate::render::export::Exporter;
use crate::render::page::engine_words;
use crate::render::{Report, loop_name};
use crate::results::{
    CellComparison, CellResult, Comparability, Comparison, Dims, Document, EngineEntry, Explanation, Machine,
    Prediction, Speed, Status,
};

pub(in crate::render) struct Junit;

impl Exporter for Junit {
    fn name(&self) -> &'static str {
        "junit"
    }

    fn about(&self) -> &'static str {
        "JUnit XML, for the test reports of CI services"
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        let suite = match report {
            Report::Cells(document) | Report::Classic { document, .. } => of_document(document),
            Report::Comparison(comparison) => of_comparison(comparison),
            Report::Speed(speed) => of_speed(speed),
            Report::Explanation(explanation) => of_explanation(explanation),
            Report::Prediction(prediction) => of_prediction(prediction),
        };
        let mut junit = quick_junit::Report::new("tlspair");
        junit.add_test_suite(suite);
        let xml = junit.to_string().map_err(io::Error::other)?;
        out.write_all(xml.as_bytes())
    }
}

fn of_document(document: &Document) -> TestSuite {
    let mut suite = suite("tlspair run", &document.machine, document.complete);
    suite.add_properties(engine_properties("engine", &document.engines));
    suite.add_test_cases(document.cells.iter().flat_map(result_cases));
    suite
}

fn of_speed(speed: &Speed) -> TestSuite {
    let mut suite = suite("tlspair speed", &speed.machine, speed.complete);
    suite.add_properties(engine_properties("engine", &speed.engines));
    suite.add_test_cases(speed.primitives.iter().map(|result| {
        let mut case = TestCase::new(result.name(), status_of(result.status, result.reason.as_deref()));
        case.set_classname(result.engine.as_str());
        with_numbers(case, of_operation(result).as_slice())
    }));
    suite
}

fn of_explanation(explanation: &Explanation) -> TestSuite {
    let mut suite = suite("tlspair explain", &explanation.machine, explanation.complete);
    suite.add_properties(engine_properties("engine", &explanation.engines));
    suite.add_test_cases(explanation.cells.iter().map(|cell| {
        let status = status_of(cell.status, cell.reason.as_deref());
        let case = case(&format!("{}/loop={}", cell.id, cell.loop_name), &cell.dims, status);
        with_numbers(case, of_explained_sides(cell).as_ref().map_or(&[], |sides| sides.as_slice()))
    }));
    suite
}

fn of_prediction(prediction: &Prediction) -> TestSuite {
    let mut suite = suite("tlspair predict", &prediction.machine, prediction.complete);
    suite.add_property(("device", prediction.device.id.as_str()));
    suite.add_test_cases(prediction.cells.iter().map(|cell| {
        let status = status_of(cell.status, cell.reason.as_deref());
        let case = case(&format!("{}/loop={}", cell.id, cell.loop_name), &cell.dims, status);
        with_numbers(case, of_predicted_sides(cell).as_ref().map_or(&[], |sides| sides.as_slice()))
    }));
    suite
}

fn status_of(status: Status, reason: Option<&str>) -> TestCaseStatus {
    let reason = reason.unwrap_or_default();
    match status {
        Status::Ok => TestCaseStatus::success(),
        Status::Unsupported => said(TestCaseStatus::skipped(), "unsupported", reason),
        Status::Error => said(TestCaseStatus::non_success(NonSuccessKind::Error), "error", reason),
    }
}

fn result_cases(cell: &CellResult) -> Vec<TestCase> {
    let status = status_of(cell.status, cell.reason.as_deref());
    let ran = |kind| {
        let result = cell.loops.of(kind)?;
        let case = case(&loop_name(&cell.id, kind), &cell.dims, status.clone());
        Some(with_numbers(case, &of_loop(cell, kind, result)))
    };
    let cases: Vec<TestCase> = LoopKind::BOTH.into_iter().filter_map(ran).collect();
    if cases.is_empty() { vec![case(&cell.id, &cell.dims, status)] } else { cases }
}

fn of_comparison(comparison: &Comparison) -> TestSuite {
    let mut suite = suite("tlspair compare", &comparison.machine, comparison.complete);
    for (name, side) in [("old", &comparison.old), ("new", &comparison.new)] {
        suite.add_property((name, side.name.as_str()));
        suite.add_properties(engine_properties(name, &side.engines));
    }
    suite.add_test_cases(Row::all(comparison).into_iter().map(row_case));
    suite.add_test_cases(comparison.cells.iter().filter_map(counted_case));
    suite
}

fn row_case(row: Row<'_>) -> TestCase {
    let standing = row.standing();
    let status = match standing {
        Standing::Regression | Standing::Lost => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Standing::Error => TestCaseStatus::non_success(NonSuccessKind::Error),
        // Neither passed nor failed: nobody knows.
        Standing::Inconclusive | Standing::Gained | Standing::Neither => TestCaseStatus::skipped(),
        Standing::Improvement | Standing::Unchanged | Standing::Counted => TestCaseStatus::success(),
    };
    let mut case = case(&row.name(), &row.cell.dims, said(status, standing.name(), &row.words()));
    case.add_property(("verdict", standing.name()));
    if let Some((kind, times)) = row.timed {
        case = with_numbers(case, &of_times(times));
        let counted = row.cell.counted.iter().flat_map(|counted| of_side(&counted.new, kind));
        case = with_numbers(case, &counted.collect::<Vec<_>>());
        case.add_properties(times.doubts.iter().map(|doubt| Property::new("doubt", doubt.as_str())));
    }
    case
}

/// What was counted of a cell on both sides, as a test of its own: it fails if something grew by more than allowed.
fn counted_case(cell: &CellComparison) -> Option<TestCase> {
    if cell.status != Comparability::Compared || (cell.counted.is_none() && cell.changes.is_empty()) {
        return None;
    }
    let grown: Vec<&str> = cell
        .changes
        .iter()
        .filter(|change| change.is_regression)
        .map(|change| change.words.as_str())
        .collect();
    let status = if grown.is_empty() {
        TestCaseStatus::success()
    } else {
        said(TestCaseStatus::non_success(NonSuccessKind::Failure), "regression", &grown.join("; "))
    };
    let mut case = case(&format!("{}/counted", cell.id), &cell.dims, status);
    case.add_properties(
        cell.changes
            .iter()
            .map(|change| Property::new(change.metric.as_str(), format!("{} → {}", change.old, change.new))),
    );
    Some(case)
}

fn suite(name: &str, machine: &Machine, complete: bool) -> TestSuite {
    let mut suite = TestSuite::new(name);
    suite.add_property(("cpu", machine.cpu.as_deref().unwrap_or("unknown")));
    suite.add_property(("date", machine.date.as_str()));
    suite.add_property(("complete", if complete { "true" } else { "false" }));
    suite
}

fn engine_properties(prefix: &str, engines: &[EngineEntry]) -> Vec<Property> {
    engines
        .iter()
        .map(|engine| Property::new(format!("{prefix}.{}", engine.id), engine_words(engine)))
        .collect()
}

/// The engines are the class, as services group by it.
fn case(name: &str, dims: &Dims, status: TestCaseStatus) -> TestCase {
    let mut case = TestCase::new(name, status);
    case.set_classname(dims.engines().unwrap_or_else(|| "tlspair".to_owned()));
    case
}

fn said(mut status: TestCaseStatus, kind: &str, words: &str) -> TestCaseStatus {
    status.set_type(kind).set_message(words).set_description(words);
    status
}

fn with_numbers(mut case: TestCase, metrics: &[Metric]) -> TestCase {
    case.add_properties(
        metrics.iter().map(|metric| Property::new(metric.measure.slug, metric.value.to_string())),
    );
    case
}
