//! What a GitHub workflow gets to see: annotations, and the summary of a step.

use std::fs;
use std::path::Path;
use std::process::Command;

use tlspair::render::Report;
use tlspair::render::github::{Annotation, Level, annotations};

use crate::cli::{OK, Ran, program};
use crate::comparisons::paired;
use crate::documents::sample;

fn lines(report: &Report<'_>, strict: bool) -> Vec<String> {
    annotations(report, strict).iter().map(ToString::to_string).collect()
}

/// A short run, as a step of a workflow with this summary.
fn step(arguments: &str, summary: &Path) -> Command {
    let mut command = program();
    command.args("run --engine null --num 3 --quiet".split(' ')).args(arguments.split_whitespace());
    command.env("GITHUB_ACTIONS", "true").env("GITHUB_STEP_SUMMARY", summary);
    command
}

fn ran(mut command: Command) -> Ran {
    command.output().expect("the program starts").into()
}

#[test]
fn each_regression_and_error_of_a_comparison_is_one_annotation() {
    let comparison = paired();
    let lines = lines(&Report::Comparison(&comparison), false);
    let starts: Vec<&str> = lines.iter().map(|line| line.rsplit_once("::").expect("a message").0).collect();
    let error = |word: &str| format!("::error title=tlspair%3A {word}");
    assert_eq!(starts, [error("regression"), error("regression"), error("lost"), error("error")]);
    assert!(
        lines[0].ends_with(
            "loop=full: regression: CPU time +4.9 %25 [+4.1, +5.7] (101 → 106 µs), threshold 3 %25"
        )
    );
    assert!(lines[1].ends_with("the server allocates 50 times more (305 → 355)"), "{}", lines[1]);
    assert!(lines[3].ends_with("the worker died, 100 %25 sure:%0Asignal 11"), "{}", lines[3]);
}

#[test]
fn what_is_inconclusive_is_a_warning_if_strict() {
    let comparison = paired();
    let strict = annotations(&Report::Comparison(&comparison), true);
    let warnings: Vec<&Annotation> = strict.iter().filter(|found| found.level == Level::Warning).collect();
    assert_eq!(warnings.len(), 1);
    assert!(
        warnings[0].to_string().starts_with("::warning title=tlspair%3A inconclusive::"),
        "{}",
        warnings[0]
    );
    assert_eq!(strict.len(), annotations(&Report::Comparison(&comparison), false).len() + 1);
}

#[test]
fn errors_of_a_run_are_annotations_and_unsupported_cells_are_not() {
    let document = sample();
    assert_eq!(
        lines(&Report::Cells(&document), true),
        [format!(
            "::error title=tlspair%3A error::{}: server, handshake: bad | record",
            document.cells[3].id
        )]
    );
}

#[test]
fn properties_and_messages_are_escaped_as_github_asks() {
    let annotation = Annotation {
        level: Level::Error,
        title: "50 %: a, b\r\n".to_owned(),
        message: "50 %: a, b\r\n::error::c".to_owned(),
    };
    assert_eq!(annotation.to_string(), "::error title=50 %25%3A a%2C b%0D%0A::50 %25: a, b%0D%0A::error::c");
}

#[test]
fn the_table_is_appended_to_the_step_s_summary() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let summary = folder.path().join("summary.md");
    fs::write(&summary, "# Before\n").expect("a file");
    for json in ["", "--json"] {
        let before = fs::read_to_string(&summary).expect("it is there");
        let ran = ran(step(json, &summary)).ends(OK);
        assert!(!ran.stdout.contains("::error"), "{}", ran.stdout);
        let after = fs::read_to_string(&summary).expect("it is there");
        let added = after.strip_prefix(&before).expect("what was there is kept");
        assert!(added.contains("| null |") && added.ends_with("\n\n"), "{added}");
    }
}

#[test]
fn a_summary_that_cannot_be_written_is_a_warning() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let ran = ran(step("", &folder.path().join("nowhere/summary.md"))).ends(OK);
    assert!(ran.stderr.starts_with("warning: cannot append to the step summary "), "{}", ran.stderr);
    assert!(ran.stdout.contains("null"), "{}", ran.stdout);
}

#[test]
fn a_summary_beyond_what_github_takes_is_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let summary = folder.path().join("summary.md");
    let before = "x".repeat(1024 * 1024);
    fs::write(&summary, &before).expect("a file");
    let ran = ran(step("", &summary)).ends(OK);
    assert!(ran.stderr.contains("GitHub takes 1048576 of a step; export md=FILE instead"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(&summary).expect("it is there"), before);
}

#[test]
fn elsewhere_nothing_is_annotated() {
    let mut command = program();
    command.args("run --engine null --num 3 --quiet".split(' '));
    let ran = ran(command).ends(OK);
    assert_eq!(ran.stderr, "");
}
