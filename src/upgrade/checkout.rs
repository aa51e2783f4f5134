//! Finding the checkout: the package whose executable is built, and all that is built with it.

use std::collections::BTreeSet;
use std::path::{self, Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use super::{Cargo, UpgradeError, files};

/// The package that everybody's engines are built upon.
const OURS: &str = "tlspair";

/// A package that makes an executable like this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// Name of the package.
    pub package: String,
    /// Name of its executable.
    pub executable: String,
    /// The folder of its Cargo.toml.
    pub folder: PathBuf,
    /// The folder of its Cargo.lock.
    pub workspace: PathBuf,
    /// The folder that holds this package and every other one that is not from a registry.
    pub source: PathBuf,
    /// Where cargo builds it when nobody says otherwise.
    pub target_folder: PathBuf,
}

impl Checkout {
    /// The checkout that this Cargo.toml belongs to; without one, the nearest in `from` or above it.
    pub fn find(cargo: &Cargo<'_>, manifest: Option<&Path>, from: &Path) -> Result<Self, UpgradeError> {
        let manifest = match manifest {
            Some(named) => {
                let named = path::absolute(from.join(named)).map_err(UpgradeError::at(named))?;
                if !is_ours(&named)? {
                    return Err(UpgradeError::OtherPackage { manifest: named });
                }
                named
            }
            None => nearest_above(from)?,
        };
        let metadata = Metadata::of(cargo, &manifest)?;
        let package = metadata.package(&manifest)?;
        let source =
            common_folder(&local_folders(cargo, &metadata)?).ok_or_else(|| UpgradeError::Malformed {
                path: manifest.clone(),
                reason: "its packages and those it depends on share no folder".to_owned(),
            })?;
        Ok(Self {
            package: package.name.clone(),
            executable: package.executable()?,
            folder: package.folder().to_owned(),
            source,
            workspace: metadata.workspace_root.clone(),
            target_folder: metadata.target_directory.clone(),
        })
    }
}

fn nearest_above(from: &Path) -> Result<PathBuf, UpgradeError> {
    for folder in from.ancestors() {
        let manifest = folder.join("Cargo.toml");
        if manifest.is_file() && is_ours(&manifest)? {
            return Ok(manifest);
        }
    }
    Err(UpgradeError::NoCheckout { from: from.to_owned() })
}

/// Whether a Cargo.toml is that of tlspair, or of a package that depends on it.
fn is_ours(manifest: &Path) -> Result<bool, UpgradeError> {
    let table: Table = files::read_toml(manifest)?;
    let name = table.get("package").and_then(|package| package.get("name"));
    let depends = || {
        let for_targets = table.get("target").and_then(Value::as_table).into_iter().flat_map(Table::values);
        for_targets
            .chain([&Value::Table(table.clone())])
            .filter_map(|table| table.get("dependencies")?.as_table())
            .any(has_dependency_on_ours)
    };
    Ok(name.is_some_and(|name| name.as_str() == Some(OURS)) || (name.is_some() && depends()))
}

fn has_dependency_on_ours(dependencies: &Table) -> bool {
    dependencies.iter().any(|(key, value)| {
        let package = value.get("package").and_then(Value::as_str);
        package.unwrap_or(key) == OURS
    })
}

/// What `cargo metadata` says about a package and its workspace.
#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_root: PathBuf,
    target_directory: PathBuf,
}

#[derive(Debug, Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
    default_run: Option<String>,
    targets: Vec<Target>,
    dependencies: Vec<Dependency>,
}

#[derive(Debug, Deserialize)]
struct Target {
    name: String,
    kind: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Dependency {
    /// The folder, if it is not from a registry.
    path: Option<PathBuf>,
}

impl Metadata {
    fn of(cargo: &Cargo<'_>, manifest: &Path) -> Result<Self, UpgradeError> {
        let folder = manifest.parent().expect("the path of a file has a folder");
        let said = cargo.ask("metadata", &["--no-deps", "--format-version", "1"], folder)?;
        serde_json::from_str(&said).map_err(|error| UpgradeError::Refused {
            command: "metadata",
            words: format!("its answer cannot be understood: {error}"),
        })
    }

    /// The package of this Cargo.toml.
    fn package(&self, manifest: &Path) -> Result<&Package, UpgradeError> {
        let same_file = |other: &Path| match (other.canonicalize(), manifest.canonicalize()) {
            (Ok(other), Ok(manifest)) => other == manifest,
            _ => false,
        };
        self.packages.iter().find(|package| same_file(&package.manifest_path)).ok_or_else(|| {
            UpgradeError::Malformed {
                path: manifest.to_owned(),
                reason: "cargo metadata does not name its package".to_owned(),
            }
        })
    }
}

impl Package {
    fn folder(&self) -> &Path {
        self.manifest_path.parent().expect("the path of a file has a folder")
    }

    /// The executable that `cargo run` would run.
    fn executable(&self) -> Result<String, UpgradeError> {
        let is_executable = |target: &&Target| target.kind.iter().any(|kind| kind == "bin");
        let names: Vec<&str> =
            self.targets.iter().filter(is_executable).map(|target| target.name.as_str()).collect();
        let found = match (&self.default_run, names.as_slice()) {
            (Some(named), _) => return Ok(named.clone()),
            (None, [only]) => return Ok((*only).to_owned()),
            (None, []) => "it makes none".to_owned(),
            (None, several) => {
                format!("it makes {}, and its Cargo.toml names no default-run", several.join(", "))
            }
        };
        Err(UpgradeError::NoExecutable { package: self.name.clone(), found })
    }
}

/// The folders of the workspace, of all its packages, and of those elsewhere that they depend on.
fn local_folders(cargo: &Cargo<'_>, metadata: &Metadata) -> Result<BTreeSet<PathBuf>, UpgradeError> {
    let mut folders: BTreeSet<PathBuf> =
        metadata.packages.iter().map(|package| package.folder().to_owned()).collect();
    folders.insert(metadata.workspace_root.clone());
    let paths_of = |metadata: &Metadata| -> Vec<PathBuf> {
        let dependencies = metadata.packages.iter().flat_map(|package| &package.dependencies);
        dependencies.filter_map(|dependency| dependency.path.clone()).collect()
    };
    let mut to_visit = paths_of(metadata);
    while let Some(folder) = to_visit.pop() {
        if folders.insert(folder.clone()) {
            to_visit.extend(paths_of(&Metadata::of(cargo, &folder.join("Cargo.toml"))?));
        }
    }
    Ok(folders)
}

/// The deepest folder that holds all of these.
fn common_folder(folders: &BTreeSet<PathBuf>) -> Option<PathBuf> {
    let holds_all = |folder: &&Path| folders.iter().all(|other| other.starts_with(folder));
    folders.first()?.ancestors().find(holds_all).map(Path::to_owned)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_package_is_ours_by_name_or_by_what_it_depends_on() {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let manifest = folder.path().join("Cargo.toml");
        for (text, ours) in [
            ("package.name = 'tlspair'", true),
            ("package.name = 'an-engine'\ndependencies.tlspair = '1'", true),
            ("package.name = 'an-engine'\n[dependencies]\nbase = { package = 'tlspair', path = '..' }", true),
            ("package.name = 'an-engine'\n[target.'cfg(unix)'.dependencies]\ntlspair.path = '..'", true),
            ("package.name = 'other'\ndependencies.tls = '1'", false),
            ("package.name = 'other'\n[dependencies]\ntlspair = { package = 'not-it' }", false),
            ("package.name = 'other'\ndev-dependencies.tlspair = '1'", false),
            ("workspace.dependencies.tlspair = '1'", false),
        ] {
            fs::write(&manifest, text).expect("the folder takes files");
            assert_eq!(is_ours(&manifest).expect("it is TOML"), ours, "{text}");
        }
        fs::write(&manifest, "package.name = ").expect("the folder takes files");
        let error = is_ours(&manifest).expect_err("it is no TOML").to_string();
        assert!(error.starts_with(&manifest.display().to_string()), "{error}");
    }

    #[test]
    fn the_sources_reach_up_to_what_all_packages_share() {
        for (folders, common) in [
            (vec!["/a/engines/b"], Some("/a/engines/b")),
            (vec!["/a/engines/b", "/a"], Some("/a")),
            (vec!["/a/engines/b", "/a/engines/c"], Some("/a/engines")),
            (vec!["/a", "elsewhere"], None),
        ] {
            let folders = folders.into_iter().map(PathBuf::from).collect();
            assert_eq!(common_folder(&folders), common.map(PathBuf::from), "{folders:?}");
        }
    }
}
