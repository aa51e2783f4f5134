//! Everything that can be wrong with a suite, told with the place in the file.

use std::fmt;
use std::path::PathBuf;

use annotate_snippets::{Group, Level, normalize_untrusted_str};

use crate::cell::UnknownName;
use crate::mistake::{InvalidFile, Mistake, renderer};

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
    Invalid(InvalidFile),
}

impl SuiteError {
    /// The message for people: for a wrong file, every problem with its line and a mark under the wrong part.
    pub fn render(&self, color: bool) -> String {
        let renderer = renderer(color);
        match self {
            Self::Invalid(invalid) => invalid.render(color),
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
