//! The suites that come with the program, as text within the executable.

use include_dir::{Dir, include_dir};

static SUITES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/suites");

/// The text of the built-in suite with this name.
pub fn built_in(name: &str) -> Option<&'static str> {
    SUITES.get_file(format!("{name}.toml"))?.contents_utf8()
}

/// The names of the built-in suites, in alphabetical order.
pub fn built_in_names() -> Vec<&'static str> {
    let stems = SUITES.files().filter_map(|file| file.path().file_name()?.to_str()?.strip_suffix(".toml"));
    let mut names: Vec<&str> = stems.collect();
    names.sort_unstable();
    names
}
