//! Running valgrind.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};

use super::callgrind::READABLE;
use super::count_loop::Reply;
use super::error::CountError;
use super::fence::fence_name;
use crate::engine::Side;

/// Beside what it is to write and where. Options in files and in the environment must not change what is counted.
const OPTIONS: [&str; 4] = ["--tool=callgrind", "--command-line-only=yes", "--quiet", "--vgdb=no"];

/// Lines of a crashed program that are worth repeating.
const LAST_LINES: usize = 3;

/// What a run under valgrind left.
pub struct Profile {
    /// What the executable said.
    pub reply: Reply,
    /// What callgrind wrote.
    pub text: String,
}

/// Whether valgrind is there and has a callgrind that starts.
pub fn check() -> Result<(), CountError> {
    let output = finished(Command::new("valgrind").args([OPTIONS[0], "--help"]))?;
    if output.status.success() {
        return Ok(());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    let words = own_words(&stderr).unwrap_or_else(|| last_words(output.status, &stderr, ""));
    Err(CountError::Valgrind { words })
}

/// Runs `exe` with these arguments, collecting inside the fences.
pub fn profile(exe: &Path, arguments: &[String]) -> Result<Profile, CountError> {
    // Valgrind would look for a name without a slash on the PATH.
    let absolute = std::path::absolute(exe)
        .and_then(|path| path.metadata().map(|_| path))
        .map_err(|error| CountError::NoExecutable { exe: exe.to_owned(), error })?;
    let folder = tempfile::tempdir()?;
    let (costs, log) = (folder.path().join("costs"), folder.path().join("log"));
    let output = finished(
        Command::new("valgrind")
            .args(OPTIONS)
            .args(READABLE)
            .args(Side::BOTH.map(|side| format!("--toggle-collect={}*", fence_name(side))))
            .arg(file_option("callgrind-out-file", &costs))
            .arg(file_option("log-file", &log))
            .arg(absolute)
            .args(arguments),
    )?;
    let Some(reply) = reply(&output) else {
        return Err(no_reply(exe, &output, &fs::read_to_string(&log).unwrap_or_default()));
    };
    let text = match reply {
        Reply::Counted { .. } => String::from_utf8_lossy(&fs::read(&costs)?).into_owned(),
        Reply::Failed(_) => String::new(),
    };
    Ok(Profile { reply, text })
}

fn finished(command: &mut Command) -> Result<Output, CountError> {
    command.stdin(Stdio::null()).output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => CountError::NoValgrind,
        _ => CountError::Valgrind { words: error.to_string() },
    })
}

/// In names of files, valgrind replaces what follows a `%`.
fn file_option(name: &str, file: &Path) -> String {
    format!("--{name}={}", file.display().to_string().replace('%', "%%"))
}

fn reply(output: &Output) -> Option<Reply> {
    serde_json::from_slice(&output.stdout).ok()
}

/// What it means that the executable did not reply.
fn no_reply(exe: &Path, output: &Output, log: &str) -> CountError {
    let exe = exe.to_owned();
    let stderr = String::from_utf8_lossy(&output.stderr);
    if let Some(words) = own_words(&stderr) {
        return CountError::Valgrind { words };
    }
    match output.status.code() {
        // It does not know the sub-command, or does not even look at its arguments.
        Some(2 | 0) => CountError::TooOld { exe },
        _ => CountError::Crashed { exe, words: last_words(output.status, &stderr, log) },
    }
}

/// What valgrind says on stderr while it has not yet opened its log.
fn own_words(stderr: &str) -> Option<String> {
    stderr.lines().find_map(|line| line.strip_prefix("valgrind: ")).map(str::to_owned)
}

/// Valgrind's log begins with the cause of a crash and goes on with the stack; a program's own words end with the cause.
fn last_words(status: ExitStatus, stderr: &str, log: &str) -> String {
    if let Some(line) = log.lines().map(without_process).find(|line| !line.is_empty()) {
        return line.to_owned();
    }
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    match &lines[lines.len().saturating_sub(LAST_LINES)..] {
        [] => format!("it ended with {status} and said nothing"),
        last => last.join("; "),
    }
}

/// A line of valgrind's log without the `==12345==` in front.
fn without_process(line: &str) -> &str {
    let line = line.trim();
    let rest = line.strip_prefix("==").and_then(|rest| rest.split_once("=="));
    rest.map_or(line, |(_, rest)| rest.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_told_by_the_first_line_of_the_log() {
        let log = "==71== \n==71== Process terminating with default action of signal 4 (SIGILL)\n==71==    at 0x1: f\n";
        let words = last_words(ExitStatus::default(), "some warning\n", log);
        assert_eq!(words, "Process terminating with default action of signal 4 (SIGILL)");
    }

    #[test]
    fn a_program_is_quoted_with_what_it_said_last() {
        assert_eq!(
            last_words(ExitStatus::default(), "a warning\n\n at this place\nwhy\nhint\n", ""),
            "at this place; why; hint"
        );
        assert!(last_words(ExitStatus::default(), "", "").ends_with("said nothing"));
    }

    #[test]
    fn a_missing_valgrind_is_told_from_one_that_fails() {
        let missing = finished(&mut Command::new("no-such-program-as-this"));
        assert!(matches!(missing, Err(CountError::NoValgrind)), "{missing:?}");
    }

    #[test]
    fn what_valgrind_says_itself_is_told_from_the_programs_words() {
        let stderr = "valgrind: Unknown option: --bad\nvalgrind: Use --help for more information.\n";
        assert_eq!(own_words(stderr).as_deref(), Some("Unknown option: --bad"));
        assert_eq!(own_words("error: no valgrind: too bad\n"), None);
    }
}
