//! The packages beside this one, which are built with --locked: each Cargo.lock must know what this package depends on.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

fn read(path: &Path) -> Table {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What the package always depends on, on every platform.
fn dependencies() -> Vec<String> {
    let manifest = read(&root().join("Cargo.toml"));
    let is_optional = |value: &Value| value.get("optional").and_then(Value::as_bool) == Some(true);
    let named = manifest["dependencies"].as_table().expect("a table").iter();
    named.filter(|(_, value)| !is_optional(value)).map(|(name, _)| name.clone()).collect()
}

fn lock_files() -> Vec<PathBuf> {
    let engines = fs::read_dir(root().join("engines")).expect("the folder is there");
    let folders = engines.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir());
    folders.chain([root().join("fuzz")]).map(|folder| folder.join("Cargo.lock")).collect()
}

#[test]
fn lock_files_know_every_dependency() {
    let wanted = dependencies();
    assert!(wanted.len() > 20, "{wanted:?}");
    let locks = lock_files();
    assert!(locks.len() > 3, "{locks:?}");
    for path in locks {
        let lock = read(&path);
        let packages = lock["package"].as_array().expect("a list");
        let own =
            packages.iter().find(|package| package["name"].as_str() == Some("tlspair")).expect("tlspair");
        let known: Vec<&str> =
            own["dependencies"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        let is_known = |name: &str| known.iter().any(|one| one.split(' ').next() == Some(name));
        let missing: Vec<&String> = wanted.iter().filter(|name| !is_known(name)).collect();
        assert!(
            missing.is_empty(),
            "{} is older than Cargo.toml: {missing:?}; `cargo metadata --manifest-path {}` renews it",
            path.display(),
            path.with_extension("toml").display(),
        );
    }
}
