//! What cargo has compiled already is the start of a new target folder: the C libraries alone take minutes.
//!
//! Cargo finds out by itself what of it is up to date, from hashes of what went into each unit and from times.

use std::fs;
use std::path::Path;

use super::{UpgradeError, files};

/// The folders of a profile's folder that hold what was compiled, and what cargo knows about it.
const COMPILED: [&str; 3] = [".fingerprint", "build", "deps"];

/// CMake refuses to work where it finds one that was made in another folder; without one it starts afresh.
const CMAKE_CACHE: &str = "CMakeCache.txt";

/// Copies what was compiled from one profile's folder to another, unless that one is there or the first is not.
pub(super) fn fill(from: &Path, to: &Path) -> Result<(), UpgradeError> {
    if to.exists() || !from.exists() {
        return Ok(());
    }
    // Renamed when complete, so that a copy that was interrupted is begun again.
    let partial = to.with_extension("partial");
    if partial.exists() {
        fs::remove_dir_all(&partial).map_err(UpgradeError::at(&partial))?;
    }
    fs::create_dir_all(&partial).map_err(UpgradeError::at(&partial))?;
    let is_moved_cache = |path: &Path| path.ends_with(CMAKE_CACHE);
    for folder in COMPILED.map(Path::new).into_iter().filter(|folder| from.join(folder).is_dir()) {
        for file in files::below(&from.join(folder), &is_moved_cache)? {
            let (source, copy) = (from.join(folder).join(&file), partial.join(folder).join(&file));
            files::copy_with_time(&source, &copy).map_err(UpgradeError::at(&source))?;
        }
    }
    fs::rename(&partial, to).map_err(UpgradeError::at(to))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;

    #[test]
    fn a_target_folder_is_filled_once_with_what_was_compiled_and_its_times() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let (from, to) = (folder.path().join("old/release"), folder.path().join("new/release"));
        fill(&from, &to).expect("nothing to copy is no error");
        assert!(!to.exists());

        let artifact = Path::new("deps/lib.rlib");
        for file in [".fingerprint/a/b", "build/c/out/CMakeCache.txt", "build/c/out/d", "tlspair"] {
            let file = from.join(file);
            fs::create_dir_all(file.parent().expect("a folder")).expect("it can be made");
            fs::write(&file, "").expect("it can be written");
        }
        fs::create_dir_all(from.join("deps")).expect("it can be made");
        fs::write(from.join(artifact), "first").expect("it can be written");
        let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        files::set_changed(&from.join(artifact), long_ago).expect("it is ours");

        fill(&from, &to).expect("it can be copied");
        let mut copied = files::below(&to, &|_| false).expect("it is there");
        copied.sort();
        assert_eq!(copied, [".fingerprint/a/b", "build/c/out/d", "deps/lib.rlib"].map(Path::new));
        let changed = fs::metadata(to.join(artifact)).and_then(|file| file.modified());
        assert_eq!(changed.expect("files have times"), long_ago);

        fs::write(from.join(artifact), "second").expect("it can be written");
        fill(&from, &to).expect("it is there already");
        assert_eq!(fs::read_to_string(to.join(artifact)).expect("it is there"), "first");
    }
}
