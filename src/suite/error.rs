//! Everything that can be wrong with a suite, told with the place in the file.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};

use super::mistake::Mistake;
use crate::cell::UnknownName;

/// More problems than this are only counted: the first ones explain the rest often enough.
const MOST_SHOWN: usize = 20;

/// Why there is no suite.
#[derive(Debug)]
pub enum SuiteError {
    /// Neither a file nor a built-in suite has this name.
    NotFound(UnknownName),
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// The file is wrong.
    Invalid(InvalidSuite),
}

/// A suite file with all that is wrong in it.
#[derive(Debug)]
pub struct InvalidSuite {
    origin: String,
    text: String,
    problems: Vec<Problem>,
}

/// One wrong thing in a suite file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Problem {
    /// Where, in bytes.
    pub at: Range<usize>,
    /// What is wrong.
    pub what: String,
    /// What stands under the place.
    pub label: String,
    /// More, if a line under the place is not enough.
    pub help: Option<String>,
}

impl Problem {
    pub(super) fn new(at: Range<usize>, what: impl Into<String>, label: impl Into<String>) -> Self {
        Self { at, what: what.into(), label: label.into(), help: None }
    }

    pub(super) fn of(at: Range<usize>, mistake: impl Into<Mistake>) -> Self {
        let mistake = mistake.into();
        Self::new(at, mistake.what, mistake.hint)
    }
}

impl SuiteError {
    /// Sorts what is wrong with a file by place.
    pub(super) fn invalid(origin: &str, text: &str, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| problem.at.start);
        problems.dedup();
        Self::Invalid(InvalidSuite { origin: origin.to_owned(), text: text.to_owned(), problems })
    }

    /// The message for people: for a wrong file, every problem with its line and a mark under the wrong part.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        match self {
            Self::Invalid(invalid) => invalid.render(&renderer),
            Self::NotFound(unknown) => {
                let Mistake { what, hint } = unknown.clone().into();
                let title = format!("{}: neither a file nor built in", normalize_untrusted_str(&what));
                renderer.render(&[Level::ERROR.primary_title(title).element(Level::HELP.message(hint))])
            }
            Self::Unreadable { path, error } => {
                let title = format!("cannot read suite {}: {error}", path.display());
                renderer.render(&[Group::with_title(Level::ERROR.primary_title(title))])
            }
        }
    }
}

impl fmt::Display for SuiteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for SuiteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unreadable { error, .. } => Some(error),
            Self::NotFound(_) | Self::Invalid(_) => None,
        }
    }
}

impl InvalidSuite {
    /// How many things are wrong.
    pub fn problem_count(&self) -> usize {
        self.problems.len()
    }

    fn render(&self, renderer: &Renderer) -> String {
        let mut rendered: Vec<String> = self
            .problems
            .iter()
            .take(MOST_SHOWN)
            .map(|problem| renderer.render(&[self.group(problem)]))
            .collect();
        if self.problems.len() > MOST_SHOWN {
            rendered.push(format!("… and {} more", self.problems.len() - MOST_SHOWN));
        }
        rendered.join("\n\n")
    }

    fn group<'a>(&'a self, problem: &'a Problem) -> Group<'a> {
        let mark = AnnotationKind::Primary
            .span(within(&self.text, &problem.at))
            .label(normalize_untrusted_str(&problem.label));
        let snippet = Snippet::source(self.text.as_str()).path(self.origin.as_str()).annotation(mark);
        let title = Level::ERROR.primary_title(normalize_untrusted_str(&problem.what));
        let group = title.element(snippet);
        match &problem.help {
            Some(help) => group.element(Level::HELP.message(normalize_untrusted_str(help))),
            None => group,
        }
    }
}

/// The place, moved to where characters begin and cut to its first line.
fn within(text: &str, at: &Range<usize>) -> Range<usize> {
    let boundary_from = |index: usize| (index.min(text.len())..).find(|&index| text.is_char_boundary(index));
    let start = boundary_from(at.start).unwrap_or(text.len());
    let end = boundary_from(at.end.max(start)).unwrap_or(text.len());
    let line_end = text[start..end].find(['\n', '\r']).map_or(end, |length| start + length);
    start..line_end
}
