//! Names of baselines, which are names of files too.

use std::fmt;
use std::str::FromStr;

/// The longest name, in characters.
const MAX_LENGTH: usize = 100;

/// A baseline's name: letters, digits, `.`, `_` and `-`, not beginning with a dot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BaselineName(String);

/// Why a text is no name of a baseline.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing.
    #[error("a baseline's name cannot be empty")]
    Empty,
    /// More characters than file systems take with an ending.
    #[error("a baseline's name has {MAX_LENGTH} characters at most, not {0}")]
    TooLong(usize),
    /// Files whose names begin with a dot are hidden.
    #[error("a baseline's name cannot begin with a dot; `{nearest}` would do")]
    Hidden {
        /// The same without its dots.
        nearest: String,
    },
    /// A character that not every file system takes, or that means something in a path.
    #[error(
        "a baseline's name is made of letters a to z, digits, `.`, `_` and `-`, so `{given}` is none; `{nearest}` would do"
    )]
    Character {
        /// What was given.
        given: String,
        /// The same with `_` for every such character.
        nearest: String,
    },
}

impl BaselineName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for BaselineName {
    type Err = NameError;

    fn from_str(given: &str) -> Result<Self, NameError> {
        let length = given.chars().count();
        if length == 0 {
            return Err(NameError::Empty);
        }
        if length > MAX_LENGTH {
            return Err(NameError::TooLong(length));
        }
        if !given.chars().all(is_allowed) {
            let nearest: String =
                given.chars().map(|letter| if is_allowed(letter) { letter } else { '_' }).collect();
            let nearest = without_leading_dots(&nearest);
            return Err(NameError::Character { given: given.to_owned(), nearest });
        }
        if given.starts_with('.') {
            return Err(NameError::Hidden { nearest: without_leading_dots(given) });
        }
        Ok(Self(given.to_owned()))
    }
}

impl fmt::Display for BaselineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_allowed(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-')
}

/// What is left of the text; some name if nothing is.
fn without_leading_dots(text: &str) -> String {
    let rest = text.trim_start_matches('.');
    if rest.is_empty() { "baseline".to_owned() } else { rest.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> String {
        text.parse::<BaselineName>().expect_err(text).to_string()
    }

    #[test]
    fn ordinary_names_are_taken_as_they_are() {
        let longest = "x".repeat(MAX_LENGTH);
        for name in ["main", "v1.2.3", "2026-01-02_nightly", "A", "_", "-", longest.as_str()] {
            assert_eq!(name.parse::<BaselineName>().map(|name| name.to_string()), Ok(name.to_owned()));
        }
    }

    #[test]
    fn other_names_are_refused_with_one_that_would_do() {
        assert_eq!(refused(""), "a baseline's name cannot be empty");
        assert_eq!(refused(&"x".repeat(101)), "a baseline's name has 100 characters at most, not 101");
        assert_eq!(refused(".main"), "a baseline's name cannot begin with a dot; `main` would do");
        assert_eq!(refused(".."), "a baseline's name cannot begin with a dot; `baseline` would do");
        for (name, nearest) in [("a/b", "a_b"), ("../main", "_main"), ("zwölf", "zw_lf"), ("a b", "a_b")] {
            assert!(refused(name).ends_with(&format!("so `{name}` is none; `{nearest}` would do")), "{name}");
        }
    }

    #[test]
    fn what_would_do_does() {
        for name in [".main", "..", "a/b", "../main", "ä", "a\nb"] {
            let message = refused(name);
            let nearest = message.rsplit('`').nth(1).expect("a name in quotes");
            assert!(nearest.parse::<BaselineName>().is_ok(), "{message}");
        }
    }
}
