//! What is said while cells run, and how it looks on a terminal and elsewhere.

use std::process::Command;

use crate::cli::{OK, Ran, USAGE, program, tlspair};
#[cfg(target_os = "linux")]
use crate::cli_signals::Running;

#[test]
fn without_a_terminal_each_cell_is_a_line() {
    let ran = tlspair("run --engine null --bytes 1,2,3 --num 5 --json").ends(OK);
    assert_eq!(ran.results().cells.len(), 3);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!((lines.len(), lines[0]), (4, "3 cells, less than a second"));
    for (line, cell) in lines[1..].iter().zip(["", "/bytes=2", "/bytes=3"]) {
        let number = lines.iter().position(|other| other == line).expect("it is one of them");
        let start = format!("{number}/3 engine=null/proto=tls1.3/cipher=TLS_AES_128_GCM_SHA256{cell}: full ");
        assert!(line.starts_with(&start) && line.ends_with(" a connection"), "{line}");
        assert!(line.contains(", reuse "), "{line}");
    }
    assert!(!ran.stderr.contains(['\r', '\u{1b}']));
}

#[test]
fn the_plan_tells_one_cell_from_many_and_estimates_long_runs() {
    let ran = tlspair("run --engine null --num 2 --loop full").ends(OK);
    assert!(ran.stderr.starts_with("1 cell, less than a second\n"), "{}", ran.stderr);
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_run_is_foretold_in_minutes_or_hours() {
    let mut running =
        Running::start(&["run", "--engine=null", "--num=10000000", "--bytes=1MiB", "--loop=full"]);
    running.wait_for_line(|line| {
        line.starts_with("1 cell, about ") && (line.ends_with(" min") || line.ends_with(" h"))
    });
    running.send("-KILL");
    let (ran, lines) = running.end();
    assert_eq!((ran.code, lines.len()), (None, 1), "the plan came first: {lines:?}");
}

#[test]
fn what_is_left_out_is_noted_before_the_plan() {
    let ran =
        tlspair("run --engine null --num 2 --proto ssl3,tls1.3 --cipher RC4-MD5,TLS_AES_128_GCM_SHA256")
            .ends(OK);
    let lines: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(
        lines[0],
        "2 combinations are left out because the protocol rules them out, such as an ECDSA cipher with an RSA certificate"
    );
    assert_eq!(lines[1], "2 cells, less than a second");
}

#[test]
fn quiet_says_nothing_but_errors() {
    assert_eq!(tlspair("run --engine null --num 2 --quiet").ends(OK).stderr, "");
    assert_eq!(tlspair("classic --engine null --num 2 -q").ends(OK).stderr, "");
    assert_eq!(tlspair("verify --engine null -q").ends(OK).stderr, "");
    tlspair("run --engine nul -q").ends(USAGE).complains_of(&["unknown engine"]);
}

#[test]
fn colour_is_for_terminals_and_for_those_who_insist() {
    let escapes = |arguments: &str, no_color: Option<&str>| {
        let mut program = program();
        program.args(arguments.split(' '));
        program.envs(no_color.map(|value| ("NO_COLOR", value)));
        let ran: Ran = program.output().expect("the program starts").into();
        (ran.stdout.contains('\u{1b}'), ran.stderr.contains('\u{1b}'))
    };
    assert_eq!(escapes("run --engine null --num 2", None), (false, false));
    assert_eq!(escapes("run --engine null --num 2 --color never", None), (false, false));
    assert_eq!(escapes("run --engine null --num 2 --color always", None), (true, false));
    assert_eq!(escapes("run --engine null --num 2 --color always", Some("1")), (true, false));
    assert_eq!(escapes("--color always run --engine null --num 2 --json", None), (false, false));
    assert_eq!(escapes("run --engine nul --color always", None), (false, true));
    assert_eq!(escapes("run nowhere --color always", None), (false, true));
    assert_eq!(escapes("run nowhere", None), (false, false));
}

/// What a terminal of 80 columns shows of a shell command in which `$T` is the program; none where no `script` (of
/// util-linux) can make terminals.
fn on_terminal(shell: &str) -> Option<String> {
    let version = Command::new("script").arg("--version").output();
    if !version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("util-linux")) {
        return None;
    }
    let output = Command::new("script")
        .args(["-qec", &format!("stty cols 80 rows 24; {shell}"), "/dev/null"])
        .env("T", env!("CARGO_BIN_EXE_tlspair"))
        .env("TERM", "xterm")
        .env("SHELL", "/bin/sh")
        .env_remove("NO_COLOR")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("script starts");
    if String::from_utf8_lossy(&output.stderr).contains("failed to create pseudo-terminal") {
        return None; // a container without /dev/pts
    }
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

#[allow(clippy::print_stderr)] // libtest has no other way to say it
fn say_skipped() {
    eprintln!("skipped: no script of util-linux here, or no pseudo-terminals");
}

/// Without escapes that colour.
fn uncoloured(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        plain.push_str(part.split_once('m').map_or(part, |(_, rest)| rest));
    }
    plain
}

#[test]
fn on_a_terminal_one_line_is_redrawn_and_cleared() {
    let Some(shown) = on_terminal("$T run --engine null --bytes 1MiB --num 10000 --loop full >/dev/null")
    else {
        say_skipped();
        return;
    };
    assert!(shown.contains("trying cell 1 of 1: engine=null/"), "{shown:?}");
    assert!(shown.contains("1 cell, "), "{shown:?}");
    assert!(shown.contains("cell 1 of 1, full "), "{shown:?}");
    assert!(!shown.contains("1/1 engine="), "no line a cell: {shown:?}");
    let (_, after_last_clear) = shown.rsplit_once("\r\u{1b}[2K").expect("the line is cleared");
    assert_eq!(after_last_clear.trim(), "", "{shown:?}");
    let quiet = on_terminal("$T run --engine null --num 5 --quiet >/dev/null").expect("it worked before");
    assert_eq!(quiet, "");
}

#[test]
fn tables_keep_within_the_terminals_width() {
    for command in ["run smoke --num 2 --filter 'proto>=tls1.2'", "classic --num 2 --engine null"] {
        let Some(shown) = on_terminal(&format!("$T {command} 2>/dev/null")) else {
            say_skipped();
            return;
        };
        assert!(shown.contains("Machine: "), "{shown}");
        assert!(shown.contains('\u{1b}'), "terminals get colour");
        for line in uncoloured(&shown).lines() {
            assert!(line.trim_end().chars().count() <= 80, "{line}");
        }
        for plain in ["NO_COLOR=1", "TERM=dumb"] {
            let shown = on_terminal(&format!("{plain} $T {command} 2>/dev/null")).expect("it worked before");
            assert!(!shown.contains('\u{1b}'), "{plain}");
        }
    }
}
