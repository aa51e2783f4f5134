//! Exports: places are found unfit before a run, and files are replaced whole.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use tempfile::TempDir;
use tlspair::render::Report;
use tlspair::render::export::{EXPORTERS, ExportError, ExportSpec, Exporter, Exports, Sink, Target};
use tlspair::results::Document;

use crate::documents::{empty, sample};

fn spec(format: &str, path: &Path) -> ExportSpec {
    format!("{format}={}", path.display()).parse().expect("a valid export")
}

fn open(specs: &[ExportSpec]) -> Exports {
    Exports::open(specs).expect("fit places")
}

fn refused(path: &Path) -> String {
    Exports::open(&[spec("json", path)]).expect_err("an unfit place").to_string()
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn specs_are_format_and_place() {
    let parsed: ExportSpec = "CSV=a=b.csv".parse().expect("a valid export");
    assert_eq!((parsed.exporter.name(), &parsed.target), ("csv", &Target::File("a=b.csv".into())));
    assert_eq!("json=-".parse::<ExportSpec>().expect("valid").target, Target::Stdout);
    assert_eq!(parsed.to_string(), "csv=a=b.csv");
    for (given, expected) in [
        ("jsno=x", "unknown export format `jsno`; did you mean json?"),
        ("results.json", "`results.json` is not FORMAT=FILE, such as json=results.json"),
        ("md=", "`md=` names no file; write md=results.md, or md=- for standard output"),
    ] {
        let message = given.parse::<ExportSpec>().expect_err(given).to_string();
        assert!(message.starts_with(expected), "{message}");
    }
}

#[test]
fn unfit_places_are_found_before_a_run() {
    let folder = folder();
    let file = folder.path().join("file");
    fs::write(&file, "kept").expect("a file");
    assert!(refused(folder.path()).ends_with(": it is a folder"), "{}", refused(folder.path()));
    let message = refused(&folder.path().join("nowhere/x.json"));
    assert!(message.contains("there is no folder") && message.contains("nowhere"), "{message}");
    let message = refused(&file.join("x.json"));
    assert!(message.contains("cannot write"), "{message}");
    assert!(Exports::open(&[spec("json", &folder.path().join("new/"))]).is_err(), "a folder to be");
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "kept");
    assert_eq!(names(folder.path()), ["file"], "nothing is left behind");
}

#[test]
fn opening_changes_nothing() {
    let folder = folder();
    let (old, new) = (folder.path().join("old.json"), folder.path().join("new.json"));
    fs::write(&old, "before").expect("a file");
    drop(open(&[spec("json", &old), spec("json", &new)]));
    assert_eq!(fs::read_to_string(&old).expect("it is there"), "before");
    assert_eq!(names(folder.path()), ["old.json"]);
}

/// Those that hold the results of any sub-command.
fn general_formats() -> impl Iterator<Item = &'static dyn Exporter> {
    EXPORTERS.iter().copied().filter(|format| format.only_of().is_none())
}

#[test]
fn every_format_is_written_and_brought_up_to_date() {
    let folder = folder();
    let specs: Vec<ExportSpec> =
        general_formats().map(|format| spec(format.name(), &folder.path().join(format.name()))).collect();
    let exports = open(&specs);
    let mut part = sample();
    part.complete = false;
    part.cells.truncate(1);
    exports.update(&Report::Cells(&part)).expect("written");
    let json = folder.path().join("json");
    assert_eq!(Document::load(&json).expect("whole at any time"), part);
    let whole = sample();
    exports.finish(&Report::Cells(&whole), &mut io::sink()).expect("written");
    assert_eq!(Document::load(&json).expect("whole"), whole);
    let mut expected: Vec<&str> = general_formats().map(|format| format.name()).collect();
    expected.sort_unstable();
    assert_eq!(names(folder.path()), expected, "no temporary file is left");
}

#[test]
fn a_failed_write_leaves_the_old_file_whole() {
    let folder = folder();
    let path = folder.path().join("results.json");
    fs::write(&path, "before").expect("a file");
    let sink = Sink::open(&path).expect("a fit place");
    let message = sink
        .update(|out| {
            out.write_all(b"half")?;
            Err(io::Error::other("the disk is full"))
        })
        .expect_err("it failed")
        .to_string();
    assert!(message.contains("results.json") && message.ends_with("the disk is full"), "{message}");
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "before");
    assert_eq!(names(folder.path()), ["results.json"]);
}

#[test]
fn standard_output_and_files_are_taken_once() {
    let folder = folder();
    let stdout = |format: &str| format!("{format}=-").parse::<ExportSpec>().expect("valid");
    let message = Exports::open(&[stdout("json"), stdout("csv")]).expect_err("twice").to_string();
    assert_eq!(message, "only one export can go to standard output, but json=- and csv=- were asked for");
    let path = folder.path().join("x");
    let other = folder.path().join(".").join("x");
    let twice = Exports::open(&[spec("json", &path), stdout("md"), spec("csv", &other)]);
    assert!(matches!(twice, Err(ExportError::SameFile(..))), "{twice:?}");
}

#[test]
fn standard_output_is_what_the_caller_gives() {
    let exports = open(&["json=-".parse().expect("valid")]);
    assert!(exports.takes_stdout());
    let mut out = Vec::new();
    exports.update(&Report::Cells(&empty())).expect("nothing to do yet");
    exports.finish(&Report::Cells(&sample()), &mut out).expect("written");
    let text = String::from_utf8(out).expect("UTF-8");
    assert_eq!(Document::parse(&text, "stdout").expect("results"), sample());
}

#[test]
fn a_failure_in_one_place_does_not_keep_the_others_from_being_written() {
    struct Closed;
    impl Write for Closed {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let folder = folder();
    let path = folder.path().join("x.json");
    let exports = open(&["csv=-".parse().expect("valid"), spec("json", &path)]);
    let error = exports.finish(&Report::Cells(&sample()), &mut Closed).expect_err("nobody reads");
    assert!(
        matches!(&error, ExportError::Stdout(inner) if inner.kind() == io::ErrorKind::BrokenPipe),
        "{error}"
    );
    assert_eq!(Document::load(&path).expect("written nevertheless"), sample());
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};

    use super::*;

    #[test]
    fn permissions_of_an_existing_file_are_kept_and_a_new_one_is_ordinary() {
        let folder = folder();
        let (old, new, plain) =
            (folder.path().join("old"), folder.path().join("new"), folder.path().join("plain"));
        fs::write(&old, "before").expect("a file");
        fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).expect("permissions");
        fs::write(&plain, "").expect("a file");
        let exports = open(&[spec("json", &old), spec("csv", &new)]);
        exports.finish(&Report::Cells(&sample()), &mut io::sink()).expect("written");
        let mode = |path: &Path| fs::metadata(path).expect("it is there").mode() & 0o777;
        assert_eq!(mode(&old), 0o640);
        assert_eq!(mode(&new), mode(&plain));
    }

    #[test]
    fn links_are_written_through() {
        let folder = folder();
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        let (absent, dangling) = (folder.path().join("absent"), folder.path().join("dangling"));
        fs::write(&target, "before").expect("a file");
        symlink("target", &link).expect("a link");
        symlink("absent", &dangling).expect("a link");
        let exports = open(&[spec("json", &link), spec("json", &dangling)]);
        exports.finish(&Report::Cells(&sample()), &mut io::sink()).expect("written");
        for (link, target) in [(&link, &target), (&dangling, &absent)] {
            assert!(fs::symlink_metadata(link).expect("it is there").is_symlink());
            assert_eq!(Document::load(target).expect("results"), sample());
        }
        let round = folder.path().join("round");
        symlink("round", &round).expect("a link");
        assert!(refused(&round).contains("cannot write"));
    }

    #[test]
    fn folders_without_the_right_to_write_are_found_before_a_run() {
        let folder = folder();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o555)).expect("permissions");
        let path = folder.path().join("x.json");
        if fs::write(&path, "").is_ok() {
            return; // this user may write anywhere
        }
        let message = refused(&path);
        assert!(message.contains("cannot make a file in") && message.contains("denied"), "{message}");
    }

    #[test]
    fn devices_are_written_and_stay_devices() {
        let exports = open(&[spec("json", Path::new("/dev/null"))]);
        exports.update(&Report::Cells(&empty())).expect("nothing to do yet");
        exports.finish(&Report::Cells(&sample()), &mut io::sink()).expect("it takes everything");
        let kind = fs::metadata("/dev/null").expect("it is there").file_type();
        assert!(kind.is_char_device());
    }

    #[test]
    fn a_full_device_is_an_error_with_a_reason() {
        let full = Path::new("/dev/full");
        if !full.exists() {
            return; // not every system has one
        }
        for format in general_formats() {
            let exports = open(&[spec(format.name(), full)]);
            let error = exports.finish(&Report::Cells(&sample()), &mut io::sink()).expect_err("it is full");
            let message = error.to_string();
            assert!(message.starts_with("cannot write /dev/full: No space left"), "{message}");
        }
    }

    #[test]
    fn pipes_are_written_once_at_the_end() {
        let folder = folder();
        let path = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        if !made.is_ok_and(|status| status.success()) {
            return; // no mkfifo here
        }
        let exports = open(&[spec("json", &path)]);
        exports.update(&Report::Cells(&empty())).expect("nothing to do yet");
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read_to_string(path).expect("what was written")
        });
        exports.finish(&Report::Cells(&sample()), &mut io::sink()).expect("somebody reads");
        let text = reader.join().expect("the reader ends");
        assert_eq!(Document::parse(&text, "pipe").expect("results"), sample());
        assert!(fs::metadata(&path).expect("it is there").file_type().is_fifo());
    }
}
