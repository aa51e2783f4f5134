//! What a GitHub workflow shows beside a report: annotations for what needs a look. Their grammar:
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.

use std::fmt;

use super::Report;
use super::compare::{Row, Standing};
use crate::results::{Comparison, Document, Explanation, Prediction, Speed, Status};

/// The most that GitHub takes of one step's summary, in bytes.
pub const SUMMARY_LIMIT: usize = 1024 * 1024;

/// One annotation; its `Display` is the workflow command, without a line feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotation {
    /// Whether it is an error or a warning.
    pub level: Level,
    /// What it is about, in a word or two.
    pub title: String,
    /// What there is to say.
    pub message: String,
}

/// How loud an annotation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Shown in red.
    Error,
    /// Shown in yellow.
    Warning,
}

/// One annotation for each regression and each cell that failed, the most important first because GitHub shows ten of a
/// step; if `strict`, one for each inconclusive comparison too.
pub fn annotations(report: &Report<'_>, strict: bool) -> Vec<Annotation> {
    match report {
        Report::Cells(document) | Report::Classic { document, .. } => of_document(document),
        Report::Comparison(comparison) => of_comparison(comparison, strict),
        Report::Speed(speed) => of_speed(speed),
        Report::Explanation(explanation) => of_explanation(explanation),
        Report::Prediction(prediction) => of_prediction(prediction),
    }
}

fn of_document(document: &Document) -> Vec<Annotation> {
    let failed = document.cells.iter().filter(|cell| cell.status == Status::Error);
    failed.map(|cell| Annotation::of_failure(&cell.id, cell.reason.as_deref())).collect()
}

fn of_speed(speed: &Speed) -> Vec<Annotation> {
    let failed = speed.primitives.iter().filter(|result| result.status == Status::Error);
    failed.map(|result| Annotation::of_failure(&result.name(), result.reason.as_deref())).collect()
}

fn of_explanation(explanation: &Explanation) -> Vec<Annotation> {
    let failed = explanation.cells.iter().filter(|cell| cell.status == Status::Error);
    failed.map(|cell| Annotation::of_failure(&cell.id, cell.reason.as_deref())).collect()
}

fn of_prediction(prediction: &Prediction) -> Vec<Annotation> {
    let failed = prediction.cells.iter().filter(|cell| cell.status == Status::Error);
    failed.map(|cell| Annotation::of_failure(&cell.id, cell.reason.as_deref())).collect()
}

fn of_comparison(comparison: &Comparison, strict: bool) -> Vec<Annotation> {
    let mut found: Vec<Annotation> = Vec::new();
    let mut add = |annotation| {
        // Both loops of a cell say the same of what was counted.
        if !found.contains(&annotation) {
            found.push(annotation);
        }
    };
    for row in Row::most_important_first(comparison) {
        let message = format!("{}: {}", row.name(), row.words());
        match row.standing() {
            Standing::Regression => add(Annotation::of(Level::Error, "regression", message)),
            Standing::Lost => add(Annotation::of(Level::Error, "lost", message)),
            Standing::Error => add(Annotation::of(Level::Error, "error", message)),
            Standing::Inconclusive if strict => {
                add(Annotation::of(Level::Warning, "inconclusive", message));
            }
            _ => {}
        }
        for change in row.cell.changes.iter().filter(|change| change.is_regression) {
            let message = format!("{}: {}", row.cell.id, change.words);
            add(Annotation::of(Level::Error, "regression", message));
        }
    }
    found
}

impl Annotation {
    fn of_failure(name: &str, reason: Option<&str>) -> Self {
        let reason = reason.unwrap_or("no reason is on record");
        Self::of(Level::Error, "error", format!("{name}: {reason}"))
    }

    fn of(level: Level, word: &str, message: String) -> Self {
        Self { level, title: format!("tlspair: {word}"), message }
    }
}

impl fmt::Display for Annotation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Error => "error",
            Level::Warning => "warning",
        };
        write!(f, "::{level} title={}::{}", property(&self.title), data(&self.message))
    }
}

/// Text behind the second pair of colons.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text of a property, where colons and commas mean something.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
