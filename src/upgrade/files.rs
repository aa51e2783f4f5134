//! Reading and copying files: single ones, and all that a folder holds.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::de::DeserializeOwned;

use super::UpgradeError;

/// Reads a TOML file.
pub(super) fn read_toml<T: DeserializeOwned>(path: &Path) -> Result<T, UpgradeError> {
    let text = fs::read_to_string(path).map_err(UpgradeError::at(path))?;
    parse_toml(path, &text)
}

/// Parses what was read from a TOML file.
pub(super) fn parse_toml<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, UpgradeError> {
    toml::from_str(text)
        .map_err(|error| UpgradeError::Malformed { path: path.to_owned(), reason: error.to_string() })
}

/// All files below a folder, as paths relative to it, leaving out what `skip` says of full paths. Links are followed,
/// unless they lead back to a folder that they are in.
pub(super) fn below(folder: &Path, skip: &dyn Fn(&Path) -> bool) -> Result<Vec<PathBuf>, UpgradeError> {
    let mut files = Vec::new();
    let mut to_visit = vec![PathBuf::new()];
    while let Some(relative) = to_visit.pop() {
        let visited = folder.join(&relative);
        for entry in fs::read_dir(&visited).map_err(UpgradeError::at(&visited))? {
            let entry = entry.map_err(UpgradeError::at(&visited))?;
            let (path, relative) = (entry.path(), relative.join(entry.file_name()));
            // A link to nothing is left out: nothing can be read through it.
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if skip(&path) || leads_back(&path, &visited) {
                continue;
            }
            if metadata.is_dir() {
                to_visit.push(relative);
            } else if metadata.is_file() {
                files.push(relative);
            }
        }
    }
    Ok(files)
}

fn leads_back(path: &Path, visited: &Path) -> bool {
    path.is_symlink()
        && match (path.canonicalize(), visited.canonicalize()) {
            (Ok(target), Ok(visited)) => visited.starts_with(target),
            _ => false,
        }
}

/// Copies a file with its time of change, by which cargo decides what to build again.
pub(super) fn copy_with_time(from: &Path, to: &Path) -> io::Result<()> {
    copy(from, to)?;
    let changed = fs::metadata(from)?.modified()?;
    set_changed(to, changed)
}

/// Sets a file's time of change.
pub(super) fn set_changed(path: &Path, changed: SystemTime) -> io::Result<()> {
    File::options().append(true).open(path)?.set_modified(changed)
}

/// Copies a file, unless the copy has this content already: touching it would have it compiled again.
pub(super) fn copy_if_different(from: &Path, to: &Path) -> io::Result<()> {
    if !same_content(from, to)? {
        match fs::remove_file(to) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        copy(from, to)?;
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to.parent().expect("the path of a file has a folder"))?;
    fs::copy(from, to)?;
    Ok(())
}

fn same_content(from: &Path, to: &Path) -> io::Result<bool> {
    let Ok(old) = fs::metadata(to) else { return Ok(false) };
    Ok(old.is_file() && old.len() == fs::metadata(from)?.len() && fs::read(from)? == fs::read(to)?)
}
