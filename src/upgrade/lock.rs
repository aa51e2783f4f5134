//! Lock files: the checkout's, which is only read, and that of the new build.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use serde::Deserialize;

use super::{Cargo, Checkout, Places, Upgrade, UpgradeError, files};
use crate::cell::nearest;

/// How the versions of a crate differ between two lock files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockChange {
    /// The crate.
    pub package: String,
    /// Versions that only the old build has; none if the crate is new.
    pub old: Vec<String>,
    /// Versions that only the new build has; none if the crate is gone.
    pub new: Vec<String>,
}

/// A lock file.
#[derive(Debug)]
pub(super) struct Lock {
    pub(super) path: PathBuf,
    text: String,
    /// Crates with their versions.
    packages: BTreeMap<String, BTreeSet<String>>,
}

/// Reads the checkout's.
pub(super) fn read(checkout: &Checkout) -> Result<Lock, UpgradeError> {
    Lock::load(checkout.workspace.join("Cargo.lock"))
}

/// Gives the copy of the sources its lock file: the old one, in which cargo then changes the version. Says in what the
/// two differ.
pub(super) fn relock(
    cargo: &Cargo<'_>,
    old: &Lock,
    upgrade: Option<&Upgrade>,
    places: &Places,
) -> Result<Vec<LockChange>, UpgradeError> {
    let path = places.new_workspace.join("Cargo.lock");
    let before = fs::read_to_string(&path).ok();
    let changed = fs::metadata(&path).and_then(|file| file.modified()).ok();
    fs::write(&path, &old.text).map_err(UpgradeError::at(&path))?;
    if let Some(Upgrade { package, version }) = upgrade {
        let arguments = ["--package", package, "--precise", version];
        cargo.ask("update", &arguments, &places.new_package)?;
    }
    let new = Lock::load(path)?;
    if let (Some(before), Some(changed)) = (before, changed)
        && before == new.text
    {
        // The build script asks to be run again when the lock file is newer than its last run.
        files::set_changed(&new.path, changed).map_err(UpgradeError::at(&new.path))?;
    }
    Ok(changes(old, &new))
}

impl Lock {
    fn load(path: PathBuf) -> Result<Self, UpgradeError> {
        let text = fs::read_to_string(&path).map_err(UpgradeError::at(&path))?;
        Self::parse(path, text)
    }

    fn parse(path: PathBuf, text: String) -> Result<Self, UpgradeError> {
        let content: Content = files::parse_toml(&path, &text)?;
        let mut packages = BTreeMap::<String, BTreeSet<String>>::new();
        for entry in content.package {
            packages.entry(entry.name).or_default().insert(entry.version);
        }
        Ok(Self { path, text, packages })
    }

    /// Refuses a crate that is not in it.
    pub(super) fn insist_on(&self, upgrade: &Upgrade) -> Result<(), UpgradeError> {
        let name = upgrade.package.split('@').next().expect("a split has a first part");
        if self.packages.contains_key(name) {
            return Ok(());
        }
        Err(UpgradeError::UnknownCrate {
            package: name.to_owned(),
            lock: self.path.clone(),
            nearest: nearest(name, self.packages.keys().map(String::as_str)),
        })
    }
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    package: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    name: String,
    version: String,
}

fn changes(old: &Lock, new: &Lock) -> Vec<LockChange> {
    let names: BTreeSet<&String> = old.packages.keys().chain(new.packages.keys()).collect();
    let only_in = |first: &Lock, second: &Lock, name: &String| -> Vec<String> {
        let of = |lock: &Lock| lock.packages.get(name).cloned().unwrap_or_default();
        of(first).difference(&of(second)).cloned().collect()
    };
    names
        .into_iter()
        .map(|name| LockChange {
            package: name.clone(),
            old: only_in(old, new, name),
            new: only_in(new, old, name),
        })
        .filter(|change| change.old != change.new)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(packages: &[(&str, &str)]) -> Lock {
        let text: String = packages
            .iter()
            .map(|(name, version)| format!("[[package]]\nname = \"{name}\"\nversion = \"{version}\"\n"))
            .collect();
        Lock::parse("Cargo.lock".into(), text).expect("a lock file")
    }

    #[test]
    fn changes_are_told_by_crate_whatever_the_number_of_versions() {
        let old = lock(&[("a", "1.0.0"), ("b", "1.0.0"), ("b", "2.0.0"), ("gone", "3.0.0")]);
        let new = lock(&[("a", "1.0.0"), ("b", "1.0.1"), ("b", "2.0.0"), ("come", "4.0.0")]);
        let told: Vec<(String, String, String)> = changes(&old, &new)
            .into_iter()
            .map(|change| (change.package, change.old.join(","), change.new.join(",")))
            .collect();
        let expected = [("b", "1.0.0", "1.0.1"), ("come", "", "4.0.0"), ("gone", "3.0.0", "")];
        assert_eq!(told, expected.map(|(name, old, new)| (name.into(), old.into(), new.into())));
        assert_eq!(changes(&old, &old), []);
    }

    #[test]
    fn a_crate_is_known_by_its_name_with_or_without_a_version() {
        let lock = lock(&[("rustls", "0.23.46")]);
        let named = |package: &str| Upgrade { package: package.into(), version: "1.0.0".into() };
        assert!(lock.insist_on(&named("rustls")).is_ok());
        assert!(lock.insist_on(&named("rustls@0.23.46")).is_ok());
        let error = lock.insist_on(&named("rutls")).expect_err("there is none").to_string();
        assert_eq!(error, "Cargo.lock has no crate `rutls`; did you mean rustls?");
    }
}
