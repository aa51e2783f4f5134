//! Runs the program itself, for the tests of the command line.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use tlspair::results::{Document, json_schema};

use crate::schema::violations;

/// The exit codes of the contract.
pub const OK: i32 = 0;
pub const OPERATIONAL: i32 = 1;
pub const USAGE: i32 = 2;
pub const REGRESSION: i32 = 3;
pub const NOTHING: i32 = 4;
pub const INTERRUPTED: i32 = 130;

/// How a run of the program ended and what it said.
#[derive(Debug)]
pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The program, ready to be given arguments; nothing of the surroundings changes what it says.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tlspair"));
    command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env("TERM", "xterm").stdin(Stdio::null());
    command.env_remove("GITHUB_ACTIONS").env_remove("GITHUB_STEP_SUMMARY");
    command
}

/// Runs the program with arguments that contain no spaces.
pub fn tlspair(arguments: &str) -> Ran {
    tlspair_with(arguments.split_whitespace())
}

/// Runs the program.
pub fn tlspair_with(arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Ran {
    program().args(arguments).output().expect("the program starts").into()
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("all that is said is UTF-8");
        Self { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Ran {
    /// Insists on an exit code.
    #[track_caller]
    pub fn ends(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Insists on one error message, exactly this, and nothing else on either stream.
    #[track_caller]
    pub fn says_only(self, message: &str) {
        assert_eq!(self.stdout, "");
        assert_eq!(self.stderr, format!("error: {message}\n"));
    }

    /// Insists on one error message with these words, and nothing on stdout.
    #[track_caller]
    pub fn complains_of(self, words: &[&str]) -> Self {
        assert_eq!(self.stdout, "");
        assert!(self.stderr.starts_with("error: "), "{}", self.stderr);
        assert_eq!(self.stderr.matches("error: ").count(), 1, "one message, once: {}", self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "{word} in {}", self.stderr);
        }
        self
    }

    /// The results that stdout holds, which must fit the schema.
    #[track_caller]
    pub fn results(&self) -> Document {
        results_in(&self.stdout)
    }
}

/// Results, which must fit the schema and read back.
#[track_caller]
pub fn results_in(text: &str) -> Document {
    let schema: Value = serde_json::from_str(&json_schema()).expect("the schema is JSON");
    let value: Value = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(violations(&schema, &value), Vec::<String>::new());
    Document::parse(text, "results").expect("what fits the schema reads back")
}

/// Results in a file, likewise.
#[track_caller]
pub fn results_at(path: &Path) -> Document {
    let document = results_in(
        &std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
    );
    assert_eq!(Document::load(path).expect("it loads"), document);
    document
}

/// A folder that goes away with the test.
pub struct Folder(TempDir);

impl Folder {
    /// An empty one.
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder for the test"))
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A path in it, as an argument.
    pub fn arg(&self, name: &str) -> String {
        self.path(name).to_str().expect("paths of tests are UTF-8").to_owned()
    }

    /// A new file in it.
    pub fn file(&self, name: &str, content: &str) -> String {
        std::fs::write(self.path(name), content).expect("the folder takes files");
        self.arg(name)
    }

    /// The names of all that is in it.
    pub fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("the folder is there");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
        names.sort();
        names
    }
}
