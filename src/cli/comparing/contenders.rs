//! OLD and NEW as the command line names them.

use std::path::Path;

use crate::baseline;
use crate::cli::Ending;
use crate::compare::{Contender, ContenderError};
use crate::worker::{Terms, is_program};

/// What an executable's name begins with.
pub const EXECUTABLE: &str = "exe:";

/// What an executable is called on the command line.
pub fn executable_name(path: &Path) -> String {
    format!("{EXECUTABLE}{}", path.display())
}

/// `exe:PATH`, `exe:self`, a results file, or a baseline.
pub fn contender(name: &str, terms: Terms<'_>) -> Result<Contender, Ending> {
    if let Some(path) = name.strip_prefix(EXECUTABLE) {
        return Contender::executable(path, terms).map_err(|error| match error {
            ContenderError::NoExecutable { .. } => Ending::usage(error),
            error => Ending::operational(error),
        });
    }
    let path = baseline::resolve(name).map_err(Ending::baseline)?;
    // A results file is not meant to be run.
    if is_program(&path) {
        return Err(Ending::usage(format!(
            "{name} is a program and no results file; write {EXECUTABLE}{name}"
        )));
    }
    Contender::saved(name, &path).map_err(Ending::operational)
}
