//! What is wrong is found before anything is measured: one message, the right exit code, nothing on stdout.

use crate::cli::{Folder, NOTHING, OK, OPERATIONAL, USAGE, tlspair, tlspair_with};

#[test]
fn an_unknown_name_is_answered_with_the_nearest() {
    for (arguments, message) in [
        ("run --engine nulll", "--engine: unknown engine `nulll`; did you mean `null`?"),
        ("verify --engine nulll", "--engine: unknown engine `nulll`; did you mean `null`?"),
        ("classic --engine nulll", "unknown engine `nulll`; did you mean null?"),
        ("list nulll", "unknown engine `nulll`; did you mean null?"),
        (
            "run --proto tls1.4",
            "--proto: unknown proto `tls1.4`; did you mean `tls1.3`, `tls1.2` or `tls1.1`?",
        ),
        (
            "run --cipher AES128-SHAA",
            "--cipher: unknown cipher `AES128-SHAA`; did you mean `AES128-SHA`, `AES128-SHA256` or \
             `AES128-GCM-SHA256`?",
        ),
        ("run --group x25518", "--group: unknown group `x25518`; did you mean `x25519` or `x25519mlkem768`?"),
        ("run --cert ed2551", "--cert: unknown cert `ed2551`; did you mean `ed25519`?"),
        ("list boringssl", "engine `boringssl` is not in this build; make engines, then --with all"),
        ("run -f engine=nulll", "--filter: unknown engine `nulll`; did you mean null?"),
        ("run --verify maybe", "--verify: unknown verify `maybe`; valid: `none`, `chain` and `name`"),
    ] {
        tlspair(arguments).ends(USAGE).says_only(message);
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    for (arguments, words) in [
        ("run --num 0", "invalid value '0' for '--num <N>': must be a number from 1 to 10000000"),
        ("classic --num 0", "invalid value '0' for '--num <N>'"),
        ("run --num 99999999999999999999", "must be a number from 1 to 10000000"),
        ("run --num -1", "unexpected argument '-1'"),
        ("run --num ten", "invalid value 'ten'"),
    ] {
        tlspair(arguments).ends(USAGE).complains_of(&[words]);
    }
    for (arguments, message) in [
        ("run --bytes 0", "--bytes: bytes must be 1 to 1 GiB, not 0; the nearest valid number is 1"),
        (
            "run --bytes 1073741825",
            "--bytes: bytes must be 1 to 1 GiB, not 1073741825; the nearest valid number is 1073741824",
        ),
        ("run --chain 4", "--chain: chain must be 1 to 3, not 4; the nearest valid number is 3"),
    ] {
        tlspair(arguments).ends(USAGE).says_only(message);
    }
}

#[test]
fn control_characters_of_an_argument_do_not_reach_the_terminal() {
    tlspair("run --cert \u{1b}[31mX").ends(USAGE).complains_of(&["unknown cert `\\u{1b}[31mX`"]);
}

#[test]
fn a_transfer_of_too_many_writes_is_refused_with_the_least_chunk() {
    tlspair("run --engine null --bytes 1GiB --chunk 1")
        .ends(USAGE)
        .complains_of(&["chunk must be at least 8192"]);
}

#[test]
fn what_no_protocol_has_is_refused_with_what_it_has() {
    tlspair("run --engine null --proto ssl3 --cipher TLS_AES_128_GCM_SHA256").ends(USAGE).complains_of(&[
        "--cipher: `TLS_AES_128_GCM_SHA256` makes no cell: SSL 3.0 has no cipher TLS_AES_128_GCM_SHA256",
        "possible here:",
        "another proto: `tls1.3`",
    ]);
    tlspair("run --engine null --proto tls1.3 --group rsa")
        .ends(USAGE)
        .complains_of(&["--group: `rsa` makes no cell"]);
}

/// The nearest of many, and what would stand in the way behind the first obstacle.
#[test]
fn a_value_that_goes_with_nothing_is_refused_with_a_way_out() {
    for (arguments, words) in [
        (
            "run --engine null --proto tls1.2 --cipher ECDHE-ECDSA-AES128-GCM-SHA256 --cert rsa2048",
            "or another cipher: `ECDHE-RSA-AES128-GCM-SHA256`",
        ),
        (
            "run --engine null --proto tls1.2 --early-data 100",
            "no one change of a name makes it possible: with proto tls1.3, 0-RTT data of 100 bytes is more than the first write of 1 byte",
        ),
        (
            "run --engine null --alpn none --early-data 100",
            "--early-data: `100` makes no cell: 0-RTT data of 100 bytes is more than the first write of 1 byte",
        ),
        ("run --engine null --alpn none --resume session-id", "`session-id` makes no cell"),
        ("run --engine null --cert rsa512 --ems off", "possible with proto"),
    ] {
        tlspair(arguments).ends(USAGE).complains_of(&[words]);
    }
}

/// BoringSSL is in a package of its own, and so never in this executable.
#[test]
fn a_filter_for_an_engine_that_is_not_here_says_how_to_get_it() {
    let not_here = "not in this build: boringssl (make engines, then --with all)";
    tlspair("run --engine null --num 2 -f engine=boringssl")
        .ends(NOTHING)
        .complains_of(&["no cell matches the filter; there were 1 before it", not_here]);
    let ran = tlspair("verify --engine null -f engine=boringssl|null").ends(OK);
    assert!(ran.stderr.contains(not_here), "{}", ran.stderr);
}

#[test]
fn what_is_no_json_is_no_file_to_report_of() {
    let folder = Folder::new();
    folder.file("results.csv", "id,status\n");
    let itself = folder.arg("results.csv");
    tlspair_with(["report", &itself, "-o", &itself]).ends(USAGE).complains_of(&["is one of the results"]);
    tlspair_with(["report", &folder.arg("results.csv"), "-o", &folder.arg("page.html")])
        .ends(OPERATIONAL)
        .complains_of(&["results.csv: not JSON", "--export json=FILE"]);
}

#[test]
fn arguments_that_do_not_go_together_are_refused() {
    for (arguments, words) in [
        ("run --loop full --reuse", "'--loop <LOOP>' cannot be used with '--reuse'"),
        ("classic --quick --num 2", "cannot be used with"),
        ("run --client null", "--server <ENGINES>"),
        ("run --engine null --client null --server null", "cannot be used with"),
        (
            "run --json --export csv=-",
            "only one export can go to standard output, but csv=- and json=- were asked for",
        ),
        ("run --export json=- --export md=-", "but json=- and md=- were asked for"),
        ("run --json --export csv=/dev/stdout", "only one export can go to standard output"),
        (
            "run --export json=a.json --export csv=./a.json",
            "two exports go to the same file: json=a.json and csv=./a.json",
        ),
        ("run smoke --engine null", "to choose among a suite's cells use --filter 'engine=…'"),
        ("frobnicate", "unrecognized subcommand 'frobnicate'"),
        ("completions tcsh", "invalid value 'tcsh'"),
    ] {
        tlspair(arguments).ends(USAGE).complains_of(&[words]);
    }
}

#[test]
fn exports_are_checked_before_anything_runs() {
    let folder = Folder::new();
    let spec = |format: &str, name: &str| format!("--export={format}={}", folder.arg(name));
    std::fs::create_dir(folder.path("sub")).expect("a folder");
    folder.file("plain", "");
    for (export, code, words) in [
        ("--export=xml=-".to_owned(), USAGE, "unknown export format `xml`; valid: json, csv"),
        ("--export=jsno=-".to_owned(), USAGE, "unknown export format `jsno`; did you mean json?"),
        ("--export=json".to_owned(), USAGE, "`json` is not FORMAT=FILE, such as json=results.json"),
        ("--export=json=".to_owned(), USAGE, "`json=` names no file"),
        (spec("json", "missing/x.json"), OPERATIONAL, "x.json: there is no folder "),
        (spec("json", "sub"), OPERATIONAL, "sub: it is a folder"),
        (spec("json", "new/"), OPERATIONAL, "new/: "),
        (spec("json", "plain/x.json"), OPERATIONAL, "Not a directory"),
    ] {
        // A suite of minutes: if it began to run, the test would show it.
        let ran = tlspair_with(["run", "modern", "--num=1000000", &export]).ends(code).complains_of(&[words]);
        assert_eq!(ran.stderr.lines().count(), 1, "nothing was tried before: {}", ran.stderr);
    }
    assert_eq!(folder.names(), ["plain", "sub"]);
}

#[test]
fn a_wrong_suite_is_shown_with_place_and_mark() {
    let folder = Folder::new();
    let text = "title = 'T'\nabout = 'A.'\n[[cells]]\nengine = 'null'\nproto = ['tls1.2', 'tls14']\n";
    let suite = folder.file("error.toml", text);
    let ran = tlspair_with(["run", &suite]).ends(USAGE).complains_of(&["unknown proto `tls14`"]);
    assert!(ran.stderr.contains(&format!("--> {suite}:5:20\n")), "{}", ran.stderr);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    let source = lines.iter().position(|line| line.starts_with("5 | ")).expect("the line itself");
    let column = lines[source].find("'tls14'").expect("the wrong word");
    assert_eq!(lines[source + 1].find("^^^^^^^"), Some(column), "{}", ran.stderr);

    let suite = folder.file("syntax.toml", "title = 'T'\nabout = \n");
    tlspair_with(["verify", &suite]).ends(USAGE).complains_of(&["syntax.toml:2:"]);
}

#[test]
fn a_suite_that_cannot_be_read_says_why() {
    let folder = Folder::new();
    let name = "nowhere.toml";
    let nowhere = folder.arg(name);
    tlspair_with(["run", &nowhere])
        .ends(USAGE)
        .complains_of(&["nowhere.toml`: neither a file nor built in", "help: valid: `axtls-profile`"]);
    tlspair("run smok").ends(USAGE).complains_of(&["unknown suite `smok`", "did you mean `smoke`?"]);
    std::fs::create_dir(folder.path("dir")).expect("a folder");
    let ran = tlspair_with(["run", &folder.arg("dir")])
        .ends(USAGE)
        .complains_of(&["cannot read suite ", "irectory"]);
    assert_eq!(ran.stderr.lines().count(), 1);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&nowhere, folder.path("dangling")).expect("a link");
        tlspair_with(["run", &folder.arg("dangling")])
            .ends(USAGE)
            .complains_of(&["neither a file nor built in"]);
    }
}

#[test]
fn a_folder_with_the_name_of_a_built_in_suite_does_not_hide_it() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("smoke")).expect("a folder");
    let mut program = crate::cli::program();
    let ran: crate::cli::Ran = program
        .args(["verify", "smoke", "-f", "engine=null"])
        .current_dir(folder.path(""))
        .output()
        .expect("the program starts")
        .into();
    ran.ends(NOTHING).complains_of(&["no cell matches the filter"]);
}

#[test]
fn a_wrong_filter_is_shown_with_its_column() {
    tlspair("run smoke -f proto=tls1.3,sipher=x").ends(USAGE).says_only(
        "filter `proto=tls1.3,sipher=x`, column 14: unknown dimension `sipher`; did you mean `cipher`?",
    );
    tlspair("run smoke -f proto").ends(USAGE).complains_of(&["filter `proto`, column "]);
}

#[test]
fn selecting_nothing_is_told_apart_from_a_mistake() {
    let ran = tlspair("run --engine null -f proto=ssl3").ends(NOTHING);
    ran.says_only("no cell matches the filter; there were 1 before it");
    let folder = Folder::new();
    let absent = "title = 'T'\nabout = 'A.'\n[[cells]]\nengine = 'null'\nexclude = ['proto=tls1.3']\n";
    let ran = tlspair_with(["run", &folder.file("none.toml", absent)]).ends(NOTHING);
    ran.complains_of(&["no cell to run: 1 cell is excluded by the suite"]);
}

#[cfg(feature = "rustls-ring")]
#[test]
fn a_run_of_what_nothing_supports_shows_why_and_measures_nothing() {
    let ran =
        tlspair("run --engine rustls-ring --proto ssl3 --cipher RC4-MD5,AES128-SHA --json").ends(NOTHING);
    let document = ran.results();
    assert!(document.complete);
    assert_eq!(document.cells.len(), 2);
    for cell in &document.cells {
        assert_eq!(cell.status, tlspair::results::Status::Unsupported);
        assert_eq!(cell.reason.as_deref(), Some("rustls has no SSL 3.0"));
    }
    assert!(ran.stderr.starts_with("no cell can be measured; the results say why\n"), "{}", ran.stderr);
    let ran = tlspair("verify --engine rustls-ring --proto ssl3").ends(NOTHING);
    assert!(ran.stdout.ends_with("0 verified, 1 unsupported, 0 failed\n"), "{}", ran.stdout);
}
