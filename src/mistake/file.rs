//! A text file that is wrong, told with the places in it.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str};

use super::Mistake;

/// More problems than this are only counted: the first ones explain the rest often enough.
const MOST_SHOWN: usize = 20;

/// A file with all that is wrong in it.
#[derive(Debug)]
pub struct InvalidFile {
    origin: String,
    text: String,
    problems: Vec<Problem>,
}

/// One wrong thing in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
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
    pub(crate) fn new(at: Range<usize>, what: impl Into<String>, label: impl Into<String>) -> Self {
        Self { at, what: what.into(), label: label.into(), help: None }
    }

    /// What the TOML reader complains of.
    pub(crate) fn of_toml(error: &toml::de::Error, label: &str) -> Self {
        Self::new(error.span().unwrap_or(0..0), error.message().trim().replace('\n', ", "), label)
    }

    pub(crate) fn of(at: Range<usize>, mistake: impl Into<Mistake>) -> Self {
        let mistake = mistake.into();
        Self::new(at, mistake.what, mistake.hint)
    }
}

impl InvalidFile {
    /// Sorts what is wrong by place; `origin` names the file.
    pub(crate) fn new(origin: &str, text: &str, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|problem| problem.at.start);
        problems.dedup();
        Self { origin: origin.to_owned(), text: text.to_owned(), problems }
    }

    /// How many things are wrong.
    pub fn problem_count(&self) -> usize {
        self.problems.len()
    }

    /// Every problem with its line and a mark under the wrong part.
    pub fn render(&self, color: bool) -> String {
        let renderer = renderer(color);
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

impl fmt::Display for InvalidFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

/// What shows places, in colour or without.
pub(crate) fn renderer(color: bool) -> Renderer {
    if color { Renderer::styled() } else { Renderer::plain() }
}

/// The place, moved to where characters begin and cut to its first line.
fn within(text: &str, at: &Range<usize>) -> Range<usize> {
    let boundary_from = |index: usize| (index.min(text.len())..).find(|&index| text.is_char_boundary(index));
    let start = boundary_from(at.start).unwrap_or(text.len());
    let end = boundary_from(at.end.max(start)).unwrap_or(text.len());
    let line_end = text[start..end].find(['\n', '\r']).map_or(end, |length| start + length);
    start..line_end
}
