//! OLD and NEW as the command line names them.

use std::path::Path;

use crate::baseline;
use crate::cli::Ending;
use crate::compare::{Contender, ContenderError};
use crate::worker::Terms;

/// What an executable's name begins with.
const EXECUTABLE: &str = "exe:";

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
    if is_program(&path) {
        return Err(Ending::usage(format!(
            "{name} is a program and no results file; write {EXECUTABLE}{name}"
        )));
    }
    Contender::saved(name, &path).map_err(Ending::operational)
}

/// Whether the file can be run, which a results file is not meant to be.
#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "exe")
}
