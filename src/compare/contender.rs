//! The two sides of a comparison by what the command line calls them: an executable, or saved results.

use std::io;
use std::path::Path;

use crate::results::{Document, EngineEntry, LoadError, SideEntry};
use crate::worker::{Executable, Hello, Terms, Worker, WorkerError};

/// One side.
#[derive(Clone, Debug)]
pub struct Contender {
    /// What messages call it.
    pub name: String,
    /// What it is.
    pub kind: Kind,
}

/// What a side is.
#[derive(Clone, Debug)]
pub enum Kind {
    /// An executable that can measure now, and what it says of itself.
    Executable(Executable, Box<Hello>),
    /// Results of an earlier run.
    Saved(Box<Document>),
}

/// Why a side cannot take part.
#[derive(Debug, thiserror::Error)]
pub enum ContenderError {
    /// No such executable.
    #[error("{name}: {error}")]
    NoExecutable {
        /// What the command line called it.
        name: String,
        /// The system's words.
        error: io::Error,
    },
    /// The executable does not work.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// No results can be read.
    #[error("{0}")]
    Results(#[from] LoadError),
}

impl Contender {
    /// The executable that `exe:PATH` names, greeted once so that its engines are known.
    pub fn executable(path: &str, terms: Terms<'_>) -> Result<Self, ContenderError> {
        let name = format!("exe:{path}");
        let executable = Executable::named(path)
            .map_err(|error| ContenderError::NoExecutable { name: name.clone(), error })?;
        let hello = Worker::start(&executable, terms)?.hello().clone();
        Ok(Self { name, kind: Kind::Executable(executable, Box::new(hello)) })
    }

    /// The results in a file.
    pub fn saved(name: &str, path: &Path) -> Result<Self, ContenderError> {
        Ok(Self { name: name.to_owned(), kind: Kind::Saved(Box::new(Document::load(path)?)) })
    }

    /// Its engines: those that speak TLS, then the others.
    pub fn engines(&self) -> (Vec<EngineEntry>, Vec<EngineEntry>) {
        match &self.kind {
            Kind::Executable(_, hello) => (hello.engines.clone(), hello.other_engines.clone()),
            Kind::Saved(document) => (document.engines.clone(), Vec::new()),
        }
    }

    /// What a comparison file says of it.
    pub fn entry(&self) -> SideEntry {
        let (name, engines) = (self.name.clone(), self.engines().0);
        match &self.kind {
            Kind::Executable(_, hello) => SideEntry {
                name,
                hash: Some(hello.hash.clone()),
                version: hello.version.clone(),
                build: hello.build.to_string(),
                engines,
            },
            Kind::Saved(document) => SideEntry {
                name,
                hash: None,
                version: document.tool.version.clone(),
                build: format!("{}, opt-level {}", document.machine.target, document.machine.opt_level),
                engines,
            },
        }
    }
}
