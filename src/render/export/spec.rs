//! `FORMAT=FILE`, as the command line says it.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::{EXPORTERS, Exporter};
use crate::cell::UnknownName;

/// What to write where.
#[derive(Clone)]
pub struct ExportSpec {
    /// The format.
    pub exporter: &'static dyn Exporter,
    /// The place.
    pub target: Target,
}

/// Where an export goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// Standard output, written `-`.
    Stdout,
    /// A file.
    File(PathBuf),
}

/// Why an export cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// No `=`.
    #[error(
        "`{given}` is not FORMAT=FILE, such as json=results.json, or json=- for standard output; formats: {}",
        formats()
    )]
    NoTarget {
        /// What was written.
        given: String,
    },
    /// Nothing behind the `=`.
    #[error("`{given}` names no file; write {given}results.{format}, or {given}- for standard output")]
    EmptyTarget {
        /// What was written.
        given: String,
        /// The format's name.
        format: &'static str,
    },
    /// No such format.
    #[error("{0}")]
    UnknownFormat(#[from] UnknownName),
}

fn formats() -> String {
    EXPORTERS.iter().map(|exporter| exporter.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for ExportSpec {
    type Err = SpecError;

    fn from_str(given: &str) -> Result<Self, SpecError> {
        let Some((format, file)) = given.split_once('=') else {
            return Err(SpecError::NoTarget { given: given.to_owned() });
        };
        let names = || EXPORTERS.iter().map(|exporter| exporter.name());
        let exporter = *EXPORTERS
            .iter()
            .find(|exporter| exporter.name().eq_ignore_ascii_case(format))
            .ok_or_else(|| UnknownName::new("export format", format, names()))?;
        let target = match file {
            "" => {
                return Err(SpecError::EmptyTarget { given: given.to_owned(), format: exporter.name() });
            }
            file => Target::named(file),
        };
        Ok(Self { exporter, target })
    }
}

impl Target {
    /// The place with this name.
    pub fn named(file: &str) -> Self {
        match file {
            // By any of its names: as a file it would be renamed over, and share its place with the table.
            "-" | "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => Self::Stdout,
            file => Self::File(PathBuf::from(file)),
        }
    }
}

impl fmt::Display for ExportSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.exporter.name(), self.target)
    }
}

impl fmt::Debug for ExportSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stdout => f.write_str("-"),
            Self::File(path) => path.display().fmt(f),
        }
    }
}
