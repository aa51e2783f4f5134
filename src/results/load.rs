//! Reading files back: results, comparisons, what primitives take, explanations and predictions.

use std::path::Path;
use std::{fmt, fs, io};

use serde::de::DeserializeOwned;

use super::{Comparison, Document, Explanation, Prediction, SCHEMA, Speed};

/// A file of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Loaded {
    /// What `run` writes.
    Results(Box<Document>),
    /// What `compare` and `check` write.
    Comparison(Box<Comparison>),
    /// What `speed` writes.
    Speed(Box<Speed>),
    /// What `explain` writes.
    Explanation(Box<Explanation>),
    /// What `predict` writes.
    Prediction(Box<Prediction>),
}

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// What `run` writes.
    Results,
    /// What `compare` and `check` write.
    Comparison,
    /// What `speed` writes.
    Speed,
    /// What `explain` writes.
    Explanation,
    /// What `predict` writes.
    Prediction,
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// No such file, or no right to read it.
    #[error("{origin}: {source}")]
    Io {
        /// The file.
        origin: String,
        /// The system's words.
        source: io::Error,
    },
    /// Another format, which `--export` also writes, or nothing of ours.
    #[error("{origin}: not JSON ({source}); what is read back is what --export json=FILE wrote")]
    NotJson {
        /// The file.
        origin: String,
        /// Where it stops being JSON.
        source: serde_json::Error,
    },
    /// JSON of the wrong shape.
    #[error("{origin}: {source}")]
    Shape {
        /// The file.
        origin: String,
        /// What is wrong, with line and column.
        source: serde_json::Error,
    },
    /// JSON, but not of this program.
    #[error("{origin}: not a tlspair results file: it has no number called `schema`")]
    NoSchema {
        /// The file.
        origin: String,
    },
    /// Written under another schema.
    #[error("{origin}: schema {found}, but this tlspair reads schema {SCHEMA} only")]
    WrongSchema {
        /// The file.
        origin: String,
        /// Its schema number.
        found: u64,
    },
    /// Of this program, but of no kind that this build knows.
    #[error("{origin}: a file of the kind {found}, which this tlspair does not know")]
    UnknownKind {
        /// The file.
        origin: String,
        /// What it says of its kind, as JSON.
        found: String,
    },
    /// Of another kind.
    #[error("{origin}: a {found} file, not a {wanted} file")]
    OtherKind {
        /// The file.
        origin: String,
        /// What it is.
        found: FileKind,
        /// What it should be.
        wanted: FileKind,
    },
}

impl Loaded {
    /// Reads a file of any kind.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let origin = path.display().to_string();
        let text = text_of(path, &origin)?;
        Ok(match kind_of(&text, &origin)? {
            FileKind::Results => Self::Results(Box::new(shaped(&text, &origin)?)),
            FileKind::Comparison => Self::Comparison(Box::new(shaped(&text, &origin)?)),
            FileKind::Speed => Self::Speed(Box::new(shaped(&text, &origin)?)),
            FileKind::Explanation => Self::Explanation(Box::new(shaped(&text, &origin)?)),
            FileKind::Prediction => Self::Prediction(Box::new(shaped(&text, &origin)?)),
        })
    }

    /// What it is.
    pub fn kind(&self) -> FileKind {
        match self {
            Self::Results(_) => FileKind::Results,
            Self::Comparison(_) => FileKind::Comparison,
            Self::Speed(_) => FileKind::Speed,
            Self::Explanation(_) => FileKind::Explanation,
            Self::Prediction(_) => FileKind::Prediction,
        }
    }
}

impl fmt::Display for FileKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Results => "results",
            Self::Comparison => "comparison",
            Self::Speed => "speed",
            Self::Explanation => "explanation",
            Self::Prediction => "prediction",
        })
    }
}

/// The text of a file; `origin` names it in messages.
pub(super) fn text_of(path: &Path, origin: &str) -> Result<String, LoadError> {
    fs::read_to_string(path).map_err(|source| LoadError::Io { origin: origin.to_owned(), source })
}

/// Reads a file of one kind from its text.
pub(super) fn parse<T: DeserializeOwned>(text: &str, origin: &str, wanted: FileKind) -> Result<T, LoadError> {
    match kind_of(text, origin)? {
        found if found == wanted => shaped(text, origin),
        found => Err(LoadError::OtherKind { origin: origin.to_owned(), found, wanted }),
    }
}

/// What a file is. The schema number is looked at first, so that a file of another schema is refused for that and not
/// for some field.
fn kind_of(text: &str, origin: &str) -> Result<FileKind, LoadError> {
    let head: serde_json::Value = serde_json::from_str(text)
        .map_err(|source| LoadError::NotJson { origin: origin.to_owned(), source })?;
    match head.pointer("/schema").and_then(serde_json::Value::as_u64) {
        None => Err(LoadError::NoSchema { origin: origin.to_owned() }),
        Some(found) if found != u64::from(SCHEMA) => {
            Err(LoadError::WrongSchema { origin: origin.to_owned(), found })
        }
        // A results file says nothing of its kind.
        Some(_) => match head.get("kind").map(|kind| (kind, kind.as_str())) {
            None => Ok(FileKind::Results),
            Some((_, Some("comparison"))) => Ok(FileKind::Comparison),
            Some((_, Some("speed"))) => Ok(FileKind::Speed),
            Some((_, Some("explanation"))) => Ok(FileKind::Explanation),
            Some((_, Some("prediction"))) => Ok(FileKind::Prediction),
            Some((kind, _)) => {
                Err(LoadError::UnknownKind { origin: origin.to_owned(), found: kind.to_string() })
            }
        },
    }
}

/// From the text once more, not from the value: only so do errors carry line and column.
fn shaped<T: DeserializeOwned>(text: &str, origin: &str) -> Result<T, LoadError> {
    serde_json::from_str(text).map_err(|source| LoadError::Shape { origin: origin.to_owned(), source })
}
