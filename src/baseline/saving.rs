//! Writing a baseline while its run goes on.

use std::path::Path;

use super::BaselineName;
use crate::render::export::{Sink, SinkError};
use crate::results::{Document, write_json};

/// A baseline that is being made.
#[derive(Debug)]
pub struct Saving {
    name: BaselineName,
    sink: Sink,
    /// Whether a complete baseline of this name is there already: nothing but another complete one may replace it.
    replaces_complete: bool,
}

/// What became of a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Saved {
    /// It holds the new results.
    Written,
    /// It holds the complete results that it had, because the new ones are not.
    Kept,
}

impl Saving {
    /// Finds out whether the baseline can be written, without changing anything there.
    pub(super) fn open(name: &BaselineName, path: &Path) -> Result<Self, SinkError> {
        let sink = Sink::open(path)?;
        let replaces_complete = Document::load(path).is_ok_and(|document| document.complete);
        Ok(Self { name: name.clone(), sink, replaces_complete })
    }

    /// The baseline's name.
    pub fn name(&self) -> &BaselineName {
        &self.name
    }

    /// Writes what there is so far; to be called after each cell and at the end.
    pub fn write(&self, document: &Document) -> Result<Saved, SinkError> {
        if self.replaces_complete && !document.complete {
            return Ok(Saved::Kept);
        }
        self.sink.finish(|out| write_json(document, out))?;
        Ok(Saved::Written)
    }
}
