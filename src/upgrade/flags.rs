//! The environment of the new build: what was asked for, with flags added to those that the old build has.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::{Checkout, UpgradeError, files};

/// The variables to set. Flags (a name that ends in `FLAGS`) are lists, and setting them would lose what the checkout
/// needs, such as the `[env]` of its cargo configuration that gives Mbed TLS its old ciphers: the given ones go behind.
pub(super) fn complete(
    checkout: &Checkout,
    given: &[(String, String)],
) -> Result<BTreeMap<String, String>, UpgradeError> {
    let configurations = configuration_files(&checkout.folder);
    let mut environment = BTreeMap::new();
    for (variable, value) in given {
        let from_configuration = configured(variable, &configurations)?;
        // As cargo does it, what it was started with goes before its configuration.
        let before = environment.get(variable).cloned();
        let before = before.or_else(|| env::var(variable).ok()).or(from_configuration).unwrap_or_default();
        let is_list = variable.ends_with("FLAGS") && !before.is_empty();
        let value = if is_list { format!("{before} {value}") } else { value.clone() };
        environment.insert(variable.clone(), value);
    }
    Ok(environment)
}

/// The configuration files that cargo reads in a folder, the one that counts most first.
fn configuration_files(folder: &Path) -> Vec<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(etcetera::home_dir().ok()?.join(".cargo")));
    let mut seen = BTreeSet::new();
    folder
        .ancestors()
        .map(|folder| folder.join(".cargo"))
        .chain(home)
        .filter(|folder| seen.insert(folder.clone()))
        .filter_map(|folder| {
            ["config", "config.toml"].map(|name| folder.join(name)).into_iter().find(|file| file.is_file())
        })
        .collect()
}

/// What cargo's configuration sets a variable to.
fn configured(variable: &str, configurations: &[PathBuf]) -> Result<Option<String>, UpgradeError> {
    for path in configurations {
        let table: Table = files::read_toml(path)?;
        let Some(setting) = table.get("env").and_then(|env| env.get(variable)) else { continue };
        if setting.get("force").and_then(Value::as_bool) == Some(true) {
            return Err(UpgradeError::Forced { variable: variable.to_owned(), config: path.clone() });
        }
        return Ok(setting.as_str().or_else(|| setting.get("value")?.as_str()).map(str::to_owned));
    }
    Ok(None)
}
