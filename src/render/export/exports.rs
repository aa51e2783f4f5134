//! All exports of a run.

use std::io::{self, Write};

use super::super::Report;
use super::{ExportSpec, Exporter, Sink, SinkError, Target};

/// The exports of a run, each with a place that was found fit.
pub struct Exports {
    files: Vec<(&'static dyn Exporter, Sink)>,
    stdout: Option<&'static dyn Exporter>,
}

/// Why results cannot be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file cannot be written.
    #[error(transparent)]
    Sink(#[from] SinkError),
    /// Two exports would go to standard output.
    #[error("only one export can go to standard output, but {one}=- and {another}=- were asked for")]
    StdoutTwice {
        /// The first format.
        one: &'static str,
        /// The second.
        another: &'static str,
    },
    /// Two exports would replace each other.
    #[error("two exports go to the same file: {0} and {1}")]
    SameFile(String, String),
    /// Standard output failed. Its kind tells a reader that went away from a full disk.
    #[error("cannot write to standard output: {0}")]
    Stdout(#[source] io::Error),
}

impl Exports {
    /// Finds every place fit, or says what is wrong with the first that is not. To be called before measuring.
    pub fn open(specs: &[ExportSpec]) -> Result<Self, ExportError> {
        let mut exports = Self { files: Vec::new(), stdout: None };
        let mut named: Vec<&ExportSpec> = Vec::new();
        for spec in specs {
            match &spec.target {
                Target::Stdout => exports.claim_stdout(spec.exporter)?,
                Target::File(path) => {
                    let sink = Sink::open(path)?;
                    if let Some(place) = exports.files.iter().position(|(_, other)| other.is_same_file(&sink))
                    {
                        return Err(ExportError::SameFile(named[place].to_string(), spec.to_string()));
                    }
                    exports.files.push((spec.exporter, sink));
                    named.push(spec);
                }
            }
        }
        Ok(exports)
    }

    /// The formats asked for.
    pub fn formats(&self) -> impl Iterator<Item = &'static str> {
        self.files.iter().map(|(exporter, _)| exporter.name()).chain(self.stdout.map(Exporter::name))
    }

    /// Whether standard output is taken, so that no table may be printed there.
    pub fn takes_stdout(&self) -> bool {
        self.stdout.is_some()
    }

    /// Brings every plain file up to date; to be called after each cell. A place that fails does not keep the others
    /// from being written; the first failure is reported.
    pub fn update(&self, report: &Report<'_>) -> Result<(), ExportError> {
        self.update_by(|exporter, out| exporter.write(report, out))
    }

    /// The same of what is no report and has a writer of its own, which is told the format.
    pub fn update_by(
        &self,
        write: impl Fn(&dyn Exporter, &mut dyn Write) -> io::Result<()>,
    ) -> Result<(), ExportError> {
        let mut outcome = Ok(());
        for (exporter, sink) in &self.files {
            let written = sink.update(|out| write(*exporter, out));
            outcome = outcome.and(written.map_err(ExportError::from));
        }
        outcome
    }

    /// Writes the final results everywhere. A place that fails does not keep the others from being written; the first
    /// failure is reported.
    pub fn finish(&self, report: &Report<'_>, stdout: &mut dyn Write) -> Result<(), ExportError> {
        self.finish_by(|exporter, out| exporter.write(report, out), stdout)
    }

    /// The same of what is no report and has a writer of its own, which is told the format.
    pub fn finish_by(
        &self,
        write: impl Fn(&dyn Exporter, &mut dyn Write) -> io::Result<()>,
        stdout: &mut dyn Write,
    ) -> Result<(), ExportError> {
        let mut outcome = Ok(());
        for (exporter, sink) in &self.files {
            let written = sink.finish(|out| write(*exporter, out));
            outcome = outcome.and(written.map_err(ExportError::from));
        }
        if let Some(exporter) = self.stdout {
            let written = write(exporter, stdout).and_then(|()| stdout.flush());
            outcome = outcome.and(written.map_err(ExportError::Stdout));
        }
        outcome
    }

    fn claim_stdout(&mut self, exporter: &'static dyn Exporter) -> Result<(), ExportError> {
        match self.stdout.replace(exporter) {
            None => Ok(()),
            Some(first) => Err(ExportError::StdoutTwice { one: first.name(), another: exporter.name() }),
        }
    }
}

impl std::fmt::Debug for Exports {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stdout = self.stdout.map(Exporter::name);
        f.debug_struct("Exports").field("files", &self.files.len()).field("stdout", &stdout).finish()
    }
}
