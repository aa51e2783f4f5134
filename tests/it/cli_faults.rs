//! Full disks, readers that leave, pipes and links: what was measured is not lost, and one message says what failed.

use std::io::Read;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::process::{Command, Stdio};

use crate::cli::{Folder, OK, OPERATIONAL, Ran, program, results_at, results_in, tlspair_with};
use crate::cli_signals::Running;

const NULL_RUN: [&str; 4] = ["run", "--engine=null", "--num=3", "--quiet"];

/// Runs with stdout on a full disk.
fn on_full_stdout(arguments: &[&str]) -> Ran {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    program().args(arguments).stdout(full).output().expect("the program starts").into()
}

/// Runs with a stdout whose reader has gone.
fn on_broken_stdout(arguments: &[&str]) -> Ran {
    let mut child = program()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    child.wait_with_output().expect("it ends").into()
}

#[test]
fn a_full_stdout_is_an_error_with_one_message() {
    for arguments in [
        &["list"][..],
        &["list", "--json"],
        &["completions", "bash"],
        &["verify", "--engine=null", "--quiet"],
        &NULL_RUN,
        &["run", "--engine=null", "--num=3", "--quiet", "--json"],
    ] {
        let ran = on_full_stdout(arguments).ends(OPERATIONAL);
        assert!(
            ran.stderr.starts_with("error: cannot write to standard output: No space left"),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    }
    on_full_stdout(&["--help"]).ends(OPERATIONAL);
}

#[test]
fn a_full_stdout_does_not_keep_files_from_being_written() {
    let folder = Folder::new();
    let (json, csv) = (folder.arg("r.json"), folder.arg("r.csv"));
    let exports = [format!("--export=json={json}"), format!("--export=csv={csv}")];
    on_full_stdout(&[&NULL_RUN[..], &[&exports[0], &exports[1]]].concat()).ends(OPERATIONAL);
    assert!(results_at(json.as_ref()).complete);
    assert_eq!(folder.names(), ["r.csv", "r.json"]);
}

#[test]
fn a_full_export_does_not_keep_the_others_from_being_written() {
    let folder = Folder::new();
    let json = format!("--export=json={}", folder.arg("r.json"));
    let ran = tlspair_with([&NULL_RUN[..], &["--export=csv=/dev/full", &json]].concat()).ends(OPERATIONAL);
    assert!(ran.stderr.starts_with("error: cannot write /dev/full: No space left"), "{}", ran.stderr);
    assert_eq!(ran.stderr.lines().count(), 1);
    assert!(ran.stdout.contains("Machine: "), "the table is printed all the same");
    assert!(results_at(&folder.path("r.json")).complete);
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = Folder::new();
    let export = format!("--export=md={}", folder.arg("r.md"));
    let json = format!("--export=json={}", folder.arg("r.json"));
    for arguments in [
        &["list"][..],
        &["--help"],
        &["completions", "zsh"],
        &["verify", "--engine=null", "--quiet"],
        &NULL_RUN,
        &[&NULL_RUN[..], &["--json", &export]].concat(),
        &[&NULL_RUN[..], &[&export, &json]].concat(),
    ] {
        let ran = on_broken_stdout(arguments).ends(OK);
        assert_eq!(ran.stderr, "", "{arguments:?}");
    }
    assert!(results_at(&folder.path("r.json")).complete);
    assert_eq!(folder.names(), ["r.json", "r.md"]);
}

#[test]
fn a_link_is_written_through() {
    let folder = Folder::new();
    folder.file("old.json", "old");
    symlink("old.json", folder.path("link.json")).expect("a link");
    symlink("new.json", folder.path("to-come.json")).expect("a link");
    for name in ["link.json", "to-come.json"] {
        tlspair_with([&NULL_RUN[..], &[&format!("--export=json={}", folder.arg(name))]].concat()).ends(OK);
        assert!(folder.path(name).symlink_metadata().expect("it is there").is_symlink());
        assert!(results_at(&folder.path(name)).complete);
    }
    assert_eq!(folder.names(), ["link.json", "new.json", "old.json", "to-come.json"]);
}

#[test]
fn a_pipe_gets_the_results_once() {
    let folder = Folder::new();
    let pipe = folder.arg("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe)
    });
    tlspair_with([&NULL_RUN[..], &[&format!("--export=json={pipe}")]].concat()).ends(OK);
    let text = reader.join().expect("no panic").expect("it is UTF-8");
    assert!(results_in(&text).complete);
    assert!(folder.path("pipe").symlink_metadata().expect("it is there").file_type().is_fifo());
}

#[test]
fn a_folder_that_is_away_for_a_while_costs_nothing() {
    let folder = Folder::new();
    let away = folder.path("away");
    std::fs::create_dir(&away).expect("a folder");
    let export = format!("--export=json={}", folder.arg("away/r.json"));
    let mut running =
        Running::start(&["run", "--engine=null", "--bytes=8,262144,1,2,3", "--num=2000", "--json", &export]);
    running.wait_for_line(|line| line.starts_with("5 cells, "));
    std::fs::remove_dir_all(&away).expect("it can go");
    running.wait_for_line(|line| {
        line.starts_with("warning: cannot write ") && line.ends_with("; tried again after the next cell")
    });
    std::fs::create_dir(&away).expect("a folder");
    let (ran, lines) = running.end();
    let ran = ran.ends(OK);
    let warnings = lines.iter().filter(|line| line.starts_with("warning")).count();
    assert_eq!(warnings, 1, "said once: {lines:?}");
    assert_eq!(results_at(&away.join("r.json")), ran.results());
}

#[test]
fn a_folder_that_stays_away_is_an_error_after_the_results_were_shown() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("away")).expect("a folder");
    let export = format!("--export=json={}", folder.arg("away/r.json"));
    let other = format!("--export=csv={}", folder.arg("r.csv"));
    let mut running =
        Running::start(&["run", "--engine=null", "--bytes=262144,1", "--num=1000", &export, &other]);
    running.wait_for_line(|line| line.starts_with("2 cells, "));
    std::fs::remove_dir_all(folder.path("away")).expect("it can go");
    let (ran, lines) = running.end();
    let ran = ran.ends(OPERATIONAL);
    assert!(lines.last().is_some_and(|line| line.starts_with("error: cannot write ")), "{lines:?}");
    assert!(ran.stdout.contains("Machine: "));
    assert_eq!(std::fs::read_to_string(folder.path("r.csv")).expect("it was written").lines().count(), 3);
}

#[test]
fn stderr_that_is_full_or_gone_changes_nothing() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let arguments = ["run", "--engine=null", "--num=3", "--json"];
    let ran: Ran = program().args(arguments).stderr(full).output().expect("the program starts").into();
    assert!(ran.ends(OK).results().complete);
    let mut child = program()
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stderr.take());
    let mut stdout = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut stdout).expect("UTF-8");
    assert_eq!(child.wait().expect("it ends").code(), Some(OK));
    assert!(results_in(&stdout).complete);
}
