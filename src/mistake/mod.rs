//! What is wrong with a piece of text, without where it stands: files, filters and flags each add the place.

mod file;

pub use file::InvalidFile;
pub(crate) use file::{Problem, renderer};

use crate::cell::UnknownName;

/// Names beyond this number help nobody.
pub(crate) const MOST_NAMES: usize = 13;

/// Something wrong, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mistake {
    /// The reason, such as "unknown proto `tls14`".
    pub what: String,
    /// The nearest valid choice, such as "did you mean `tls1.1`?".
    pub hint: String,
}

impl Mistake {
    pub(crate) fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: hint.into() }
    }
}

impl From<UnknownName> for Mistake {
    fn from(unknown: UnknownName) -> Self {
        let hint = if unknown.nearest.is_empty() {
            format!("valid: {}", listed(&unknown.valid, "and"))
        } else {
            format!("did you mean {}?", listed(&unknown.nearest, "or"))
        };
        Self::new(format!("unknown {} `{}`", unknown.dimension, unknown.given), hint)
    }
}

/// Names in quotes, the last joined by `word`; a long list is cut.
pub(crate) fn listed(names: &[String], word: &str) -> String {
    let quoted: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "none".to_owned(),
        [only] => only.clone(),
        _ if names.len() > MOST_NAMES => {
            format!("{} {word} {} more", quoted.join(", "), names.len() - MOST_NAMES)
        }
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}
