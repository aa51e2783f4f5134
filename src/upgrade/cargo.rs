//! Running cargo, so that a request to stop ends it and all that it started.

use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::Duration;

use serde::Deserialize;

use super::{Build, Checkout, UpgradeError};
use crate::measure::Stop;

/// Cargo, and how to run it.
#[derive(Clone, Debug)]
pub struct Cargo<'a> {
    program: OsString,
    /// Whether what builds say on stderr is kept for the error, instead of going to our own stderr.
    quiet: bool,
    stop: Stop<'a>,
}

/// How often a running cargo is looked after.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How a run of cargo ended.
struct Ended {
    status: ExitStatus,
    stdout: String,
    /// Empty if it went to our own stderr.
    stderr: String,
}

impl<'a> Cargo<'a> {
    /// What `$CARGO` names, else the `cargo` of the path. It ends when `stop` is requested.
    pub fn of_environment(quiet: bool, stop: Stop<'a>) -> Self {
        let program = env::var_os("CARGO").filter(|named| !named.is_empty());
        Self { program: program.unwrap_or_else(|| "cargo".into()), quiet, stop }
    }

    /// Builds the checkout's executable from its lock file and says where it is; `set` adds where and how.
    pub(super) fn build(
        &self,
        build: Build,
        checkout: &Checkout,
        set: impl FnOnce(&mut Command),
    ) -> Result<PathBuf, UpgradeError> {
        let mut command = Command::new(&self.program);
        // The messages on stdout name the executable, wherever profile and target put it.
        command.args(["build", "--locked", "--message-format", "json-render-diagnostics"]);
        command.args(["--package", &checkout.package]);
        set(&mut command);
        let ended = self.run(command, self.quiet)?;
        if !ended.status.success() {
            let words = ended.stderr.trim_end().to_owned();
            return Err(UpgradeError::Failed { build, status: ended.status, words });
        }
        executable_in(&ended.stdout, &checkout.executable).ok_or_else(|| UpgradeError::NoExecutable {
            package: checkout.package.clone(),
            found: format!("the {build} build made no {}", checkout.executable),
        })
    }

    /// Runs another sub-command in a folder, for what it prints; `arguments` begin with it.
    pub(super) fn ask(
        &self,
        command_name: &'static str,
        arguments: &[&str],
        folder: &Path,
    ) -> Result<String, UpgradeError> {
        let mut command = Command::new(&self.program);
        command.arg(command_name).args(arguments).current_dir(folder);
        let ended = self.run(command, true)?;
        if ended.status.success() {
            Ok(ended.stdout)
        } else {
            Err(UpgradeError::Refused { command: command_name, words: shortened(&ended.stderr) })
        }
    }

    fn run(&self, command: Command, keep_stderr: bool) -> Result<Ended, UpgradeError> {
        self.run_to_end(command, keep_stderr)
            .map_err(|source| UpgradeError::NoCargo { program: self.program.display().to_string(), source })?
            .ok_or(UpgradeError::Interrupted)
    }

    /// None if it was asked to stop.
    fn run_to_end(&self, mut command: Command, keep_stderr: bool) -> io::Result<Option<Ended>> {
        if self.stop.requested() {
            return Ok(None);
        }
        // Files, not pipes: nothing has to be read meanwhile, and nothing that cargo leaves running can hold them up.
        let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
        command.stdin(Stdio::null()).stdout(stdout.try_clone()?);
        if keep_stderr {
            command.stderr(stderr.try_clone()?).env("CARGO_TERM_COLOR", "never");
        }
        with_own_group(&mut command);
        let mut child = command.spawn()?;
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if self.stop.requested() {
                end(&mut child)?;
                child.wait()?;
            } else {
                thread::sleep(LOOK_EVERY);
            }
        };
        if self.stop.requested() {
            return Ok(None);
        }
        Ok(Some(Ended { status, stdout: content(&mut stdout)?, stderr: content(&mut stderr)? }))
    }
}

/// Makes the command the first of a group of processes, which the compilers that it starts will belong to.
#[cfg(unix)]
fn with_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;

    command.process_group(0);
}

#[cfg(not(unix))]
fn with_own_group(_command: &mut Command) {}

/// Asks cargo and all that it started to end.
#[cfg(unix)]
fn end(child: &mut Child) -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process_group};

    Ok(kill_process_group(Pid::from_child(child), Signal::TERM)?)
}

#[cfg(not(unix))]
fn end(child: &mut Child) -> io::Result<()> {
    child.kill()
}

/// What was written to a file through a clone of it.
fn content(file: &mut File) -> io::Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// One of the messages that cargo writes a line each.
#[derive(Deserialize)]
struct Artifact {
    target: ArtifactTarget,
    executable: PathBuf,
}

#[derive(Deserialize)]
struct ArtifactTarget {
    name: String,
    kind: Vec<String>,
}

/// The path of the executable of this name. Messages of other kinds do not parse, and are passed over.
fn executable_in(messages: &str, name: &str) -> Option<PathBuf> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Artifact>(line).ok())
        .find(|artifact| {
            artifact.target.name == name && artifact.target.kind.iter().any(|kind| kind == "bin")
        })
        .map(|artifact| artifact.executable)
}

/// What cargo said from its error on; what it reports before (such as reading the index) does not matter.
fn shortened(stderr: &str) -> String {
    let from = stderr.find("error: ").map_or(0, |at| at + "error: ".len());
    stderr[from..].trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_executable_is_found_among_other_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"tlspair"},"executable":null}
{"reason":"build-script-executed","package_id":"x","linked_libs":[]}
{"reason":"compiler-artifact","target":{"kind":["custom-build"],"name":"tlspair"},"executable":"/t/build-script"}
{"reason":"compiler-artifact","target":{"kind":["bin"],"name":"other"},"executable":"/t/other"}
{"reason":"compiler-artifact","target":{"kind":["bin"],"name":"tlspair"},"executable":"/t/tlspair"}
{"reason":"build-finished","success":true}
"#;
        assert_eq!(executable_in(messages, "tlspair"), Some(PathBuf::from("/t/tlspair")));
        assert_eq!(executable_in(messages, "third"), None);
    }

    #[test]
    fn cargos_words_begin_at_its_error() {
        let said = "    Updating crates.io index\nerror: no matching package named `x` found\nlocation: y\n";
        assert_eq!(shortened(said), "no matching package named `x` found\nlocation: y");
        assert_eq!(shortened("killed\n"), "killed");
    }
}
