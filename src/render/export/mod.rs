//! Results written to files: formats behind one trait, and places that are found fit before anything is measured.

mod exports;
mod format;
mod sink;
mod spec;

pub use exports::{ExportError, Exports};
pub use format::{EXPORTERS, Exporter};
pub use sink::{Sink, SinkError};
pub use spec::{ExportSpec, SpecError, Target};
