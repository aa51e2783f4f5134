//! Whole comparisons from the command line to table, exports and exit code, with times that are known beforehand: the
//! sides are the example `virtual-clock` behind scripts that set its clock.

mod again;
mod engines;
mod exports;
mod mistakes;
mod saved;
mod verdicts;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use tlspair::measure::LoopKind;
use tlspair::results::{Comparison, comparison_schema};

use crate::cli::{Folder, Ran, program};
use crate::schema::violations;

/// What the measured times of one process differ by from those of another, as a real library's do at best.
const QUIET: &str = "NOISE=0.004";

/// Two cells of one engine, in random order that every run repeats.
const TWO_CELLS: [&str; 5] = ["--engine=alpha", "--proto=tls1.3", "--bytes=1,1000", "--seed=7", "--quiet"];

/// A folder with sides to be compared.
pub struct Sides {
    folder: Folder,
}

impl Sides {
    /// Without any.
    pub fn new() -> Self {
        Self { folder: Folder::new() }
    }

    /// `old` and `new`, noisy like real ones, with these settings of `new`.
    pub fn quiet(new: &[&str]) -> Self {
        let sides = Self::new();
        sides.add("old", &[QUIET, "SEED=1"]);
        sides.add("new", &[&[QUIET, "SEED=2"], new].concat());
        sides
    }

    /// A side with this name and settings, such as `SLOWDOWN=1.05` for `VIRTUAL_SLOWDOWN`.
    pub fn add(&self, name: &str, settings: &[&str]) {
        let exports: String = settings.iter().map(|setting| format!("export VIRTUAL_{setting}\n")).collect();
        let state = self.folder.arg(&format!("{name}.state"));
        let clock = virtual_clock();
        self.script(name, &format!("export VIRTUAL_STATE={state}\n{exports}exec {} \"$@\"", clock.display()));
    }

    /// A script that is run as a side.
    pub fn script(&self, name: &str, body: &str) {
        self.folder.file(name, &format!("#!/bin/sh\n{body}\n"));
        fs::set_permissions(self.folder.path(name), fs::Permissions::from_mode(0o755))
            .expect("a file of ours");
    }

    /// The program, to be run where the sides are.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program();
        command.args(arguments);
        self.at_home(command)
    }

    /// `old` against `new`, with JSON on stdout.
    pub fn compared(&self, sub_command: &str, arguments: &[&str]) -> Ran {
        self.run(&[&[sub_command, "exe:./old", "exe:./new", "--json"], arguments].concat())
    }

    /// Runs the program where the sides are. Processes are counted from 1 on again.
    pub fn run(&self, arguments: &[&str]) -> Ran {
        self.forget_counts();
        self.command(arguments).output().expect("the program starts").into()
    }

    /// Runs the virtual clock itself, with these settings.
    pub fn run_virtual(&self, settings: &[&str], arguments: &[&str]) -> Ran {
        self.forget_counts();
        let mut command = Command::new(virtual_clock());
        command.args(arguments).env("VIRTUAL_STATE", self.folder.path("virtual.state"));
        for setting in settings {
            let (name, value) = setting.split_once('=').expect("NAME=VALUE");
            command.env(format!("VIRTUAL_{name}"), value);
        }
        self.at_home(command).output().expect("the example starts").into()
    }

    /// Nothing that was learned of this machine is to decide, so there is another home.
    fn at_home(&self, mut command: Command) -> Command {
        command.current_dir(self.folder.path("")).env("TLSPAIR_HOME", self.folder.path("home"));
        command
    }

    fn forget_counts(&self) {
        for name in self.folder.names() {
            if name.contains(".state.") {
                fs::remove_file(self.folder.path(&name)).expect("a file of ours");
            }
        }
    }

    /// The folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Processes that run with this folder as their home: the program, its workers, and what those started.
    pub fn processes(&self) -> Vec<u32> {
        let home = format!("TLSPAIR_HOME={}", self.folder.arg("home"));
        let is_ours = |pid: &u32| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|&byte| byte == 0).any(|variable| variable == home.as_bytes())
        };
        let entries = fs::read_dir("/proc").expect("Linux has it").flatten();
        entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_ours).collect()
    }

    /// Insists that no process lives on. The kernel may still be at it, so it is given time.
    #[track_caller]
    pub fn leave_nothing_running(&self) {
        let waiting = Instant::now();
        while waiting.elapsed() < Duration::from_secs(60) {
            if self.processes().is_empty() {
                return;
            }
            thread::sleep(Duration::from_millis(10));
        }
        panic!("still running: {:?}", self.processes());
    }
}

/// The example whose engines work by the clock of a test.
pub fn virtual_clock() -> PathBuf {
    example("virtual-clock")
}

/// An example's executable, which `cargo test` builds beside this executable's folder.
#[track_caller]
pub fn example(name: &str) -> PathBuf {
    let itself = std::env::current_exe().expect("Linux knows");
    let path = itself.ancestors().nth(2).map(|folder| folder.join("examples").join(name));
    path.filter(|path| path.is_file())
        .unwrap_or_else(|| panic!("`cargo build --release --example {name}` makes what these tests run"))
}

/// The comparison that stdout holds, which must fit the schema.
#[track_caller]
pub fn comparison(ran: &Ran) -> Comparison {
    let schema: Value = serde_json::from_str(&comparison_schema()).expect("the schema is JSON");
    let value: Value = serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error} in {}, and {}", ran.stdout, ran.stderr));
    assert_eq!(violations(&schema, &value), Vec::<String>::new());
    serde_json::from_str(&ran.stdout).expect("what fits the schema reads back")
}

/// The comparison in a file.
#[track_caller]
pub fn comparison_at(path: &Path) -> Comparison {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// `1 full unchanged` of each loop: the bytes of the cell, the loop, the verdict.
pub fn verdicts(comparison: &Comparison) -> Vec<String> {
    let mut verdicts = Vec::new();
    for cell in &comparison.cells {
        let bytes = cell.dims.number("bytes").expect("every cell has bytes");
        for kind in LoopKind::BOTH {
            if let Some(one) = cell.loops.of(kind) {
                verdicts.push(format!("{bytes} {} {}", kind.name(), one.verdict.name()));
            }
        }
    }
    verdicts
}

/// The same verdict of both loops of [`TWO_CELLS`].
fn all(verdict: &str) -> Vec<String> {
    ["1 full", "1 reuse", "1000 full", "1000 reuse"].map(|name| format!("{name} {verdict}")).to_vec()
}

/// Arguments that are put together.
fn with<'a>(one: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [one, more].concat()
}

/// A text without the moment at which the program ran.
fn undated(text: &str, comparison: &Comparison) -> String {
    text.replace(&comparison.machine.date, "then")
}

/// What a program that is no side of ours is called.
fn exe(path: impl AsRef<OsStr>) -> String {
    format!("exe:{}", path.as_ref().display())
}
