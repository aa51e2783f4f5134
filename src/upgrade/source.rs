//! The copy of the checkout's sources that the new build is made from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Checkout, Places, UpgradeError, files};

/// Brings the copy up to date. Files that did not change are not touched, so that they are not compiled again.
pub(super) fn refresh(checkout: &Checkout, places: &Places) -> Result<(), UpgradeError> {
    let wanted = sources(checkout, places)?;
    fs::create_dir_all(&places.copy).map_err(UpgradeError::at(&places.copy))?;
    remove_others(places, &wanted)?;
    for file in wanted {
        let (from, to) = (checkout.source.join(&file), places.copy.join(&file));
        files::copy_if_different(&from, &to).map_err(UpgradeError::at(&from))?;
    }
    Ok(())
}

/// What is copied, relative to the folder of the sources: what git tracks or would track, or everything without git.
fn sources(checkout: &Checkout, places: &Places) -> Result<BTreeSet<PathBuf>, UpgradeError> {
    let is_not_source = |path: &Path| {
        path.starts_with(&places.ours)
            || path.starts_with(&checkout.target_folder)
            || path == checkout.workspace.join("Cargo.lock")
            || is_inherited_configuration(path, checkout)
    };
    let mut sources = BTreeSet::new();
    for file in listed_by_git(checkout).unwrap_or_else(|| vec![PathBuf::new()]) {
        let path = checkout.source.join(&file);
        if path.is_dir() {
            // All of it without git; else a sub-module or a link to a folder.
            let skip = |path: &Path| is_not_source(path) || is_cache_or_history(path);
            sources.extend(files::below(&path, &skip)?.into_iter().map(|below| file.join(below)));
        } else if path.is_file() && !is_not_source(&path) {
            sources.insert(file);
        }
    }
    Ok(sources)
}

/// Cargo merges the configuration of all folders above the one it works in, and the copy lies below the checkout: a
/// second copy of these files would double their lists.
fn is_inherited_configuration(path: &Path, checkout: &Checkout) -> bool {
    let folder = path.parent().filter(|folder| folder.ends_with(".cargo")).and_then(Path::parent);
    folder.is_some_and(|folder| checkout.workspace.starts_with(folder))
        && (path.ends_with("config") || path.ends_with("config.toml"))
}

/// Git's own folder, and folders marked as caches, as every target folder of cargo's is.
fn is_cache_or_history(path: &Path) -> bool {
    path.ends_with(".git") || path.join("CACHEDIR.TAG").is_file()
}

/// None without git, outside its working trees, and where it ignores the very package.
fn listed_by_git(checkout: &Checkout) -> Option<Vec<PathBuf>> {
    let mut command = Command::new("git");
    command.args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    // Git tells the hooks that it runs where they are; here the folder says it.
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    let output = command.current_dir(&checkout.source).output().ok()?;
    let names = String::from_utf8(output.stdout).ok().filter(|_| output.status.success())?;
    let files: Vec<PathBuf> = names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect();
    let manifest = checkout.folder.join("Cargo.toml");
    files.iter().any(|file| checkout.source.join(file) == manifest).then_some(files)
}

/// Removes what the checkout no longer has.
fn remove_others(places: &Places, wanted: &BTreeSet<PathBuf>) -> Result<(), UpgradeError> {
    let lock = places.new_workspace.join("Cargo.lock");
    let stays = |path: &Path| path == places.new_target || path == lock;
    for file in files::below(&places.copy, &stays)?.into_iter().filter(|file| !wanted.contains(file)) {
        let path = places.copy.join(&file);
        fs::remove_file(&path).map_err(UpgradeError::at(&path))?;
        // Folders left empty go too, so that a file can take their place; the first that is not empty stays.
        let folders = file.ancestors().skip(1).filter(|folder| *folder != Path::new(""));
        folders
            .map(|folder| places.copy.join(folder))
            .take_while(|folder| fs::remove_dir(folder).is_ok())
            .count();
    }
    Ok(())
}
