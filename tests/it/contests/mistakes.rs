//! What is no side at all: one clear message, the right exit code, and nothing left running.

use super::{Sides, exe, virtual_clock};
use crate::cli::{OPERATIONAL, Ran, USAGE};

/// This against a side that works, and the other way round.
#[track_caller]
fn both_ways(sides: &Sides, bad: &str, check: impl Fn(Ran)) {
    for arguments in [["compare", "exe:./good", bad], ["check", bad, "exe:./good"]] {
        check(sides.run(&[&arguments[..], &["--quiet"]].concat()));
        sides.leave_nothing_running();
    }
}

fn good() -> Sides {
    let sides = Sides::new();
    sides.add("good", &[]);
    sides
}

#[test]
fn an_executable_that_is_not_there_is_a_mistake_of_the_command_line() {
    let sides = good();
    both_ways(&sides, "exe:./nowhere", |ran| {
        ran.ends(USAGE).says_only("exe:./nowhere: No such file or directory (os error 2)");
    });
    both_ways(&sides, "exe:.", |ran| ran.ends(USAGE).says_only("exe:.: it is no file"));
    both_ways(&sides, "exe:", |ran| {
        ran.ends(USAGE).complains_of(&["exe:: "]);
    });
}

#[test]
fn a_program_without_the_word_for_it_is_told_the_word() {
    let sides = good();
    let clock = virtual_clock().display().to_string();
    both_ways(&sides, &clock, |ran| {
        ran.ends(USAGE).says_only(&format!("{clock} is a program and no results file; write exe:{clock}"));
    });
}

#[test]
fn a_file_that_cannot_be_run_is_no_side() {
    let sides = good();
    sides.folder().file("text", "no program\n");
    both_ways(&sides, "exe:./text", |ran| {
        ran.ends(OPERATIONAL).complains_of(&["exe:./text cannot be started: Permission denied"]);
    });
}

#[test]
fn programs_that_are_no_workers_are_no_sides() {
    let sides = good();
    for (program, words) in [
        ("/bin/false", "the worker of exe:/bin/false ended with exit status: 1"),
        ("/bin/true", "the worker of exe:/bin/true ended with exit status: 0"),
        ("/bin/cat", "; its last words: "),
        ("/bin/yes", "the worker of exe:/bin/yes talks nonsense: `worker` ("),
    ] {
        both_ways(&sides, &exe(program), |ran| {
            ran.ends(OPERATIONAL).complains_of(&[words]);
        });
    }
}

#[test]
fn a_program_that_never_answers_is_given_up() {
    let sides = good();
    sides.script("silent", "echo waiting >&2; sleep 1000");
    // It is greeted first, so that nobody else is given up on a busy machine.
    let ran = sides.run(&["check", "exe:./silent", "exe:./good", "--quiet", "--worker-timeout=1"]);
    let words = "the worker of exe:./silent did not answer within 1 s; its last words: waiting";
    ran.ends(OPERATIONAL).says_only(words);
    sides.leave_nothing_running();
}

#[test]
fn a_worker_of_another_protocol_is_refused_by_both_numbers() {
    let sides = good();
    sides.add("later", &["FAULT=wrong-protocol"]);
    both_ways(&sides, "exe:./later", |ran| {
        ran.ends(OPERATIONAL).complains_of(&[
            "exe:./later is a worker of protocol 6 (tlspair 99.0.0), but this tlspair ",
            " speaks protocol 5",
        ]);
    });
}

#[test]
fn garbage_is_quoted_in_part_and_made_visible() {
    let sides = good();
    for (garbage, quoted) in [
        (r"hello world\n", "`hello world` ("),
        (r"\n", "`` ("),
        (r"\033[31mred\007\n", "`\\u{1b}[31mred\\u{7}` ("),
        (r"\377\376\000\n", "\\0` ("),
        (r#"{"hello":{"protocol":5}}\n"#, "missing field"),
        (r#"{"hello":{"protocol":-1}}\n"#, "invalid value"),
        (r#""opened"\n"#, "Opened does not answer the request"),
        (r"{{{{{{{{{{\n", "`{{{{{{{{{{` ("),
        (r#"{"batch":{"connections":1"#, "EOF"),
    ] {
        // It waits for its end, so that it has not ended by itself.
        sides.script("bad", &format!("read line; printf '{garbage}'; exec cat >/dev/null"));
        both_ways(&sides, "exe:./bad", |ran| {
            let words = ["the worker of exe:./bad talks nonsense: ", quoted];
            let ran = ran.ends(OPERATIONAL).complains_of(&words);
            assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
            let controls = ran.stderr.trim_end().chars().filter(|letter| letter.is_control()).count();
            assert_eq!(controls, 0, "{:?}", ran.stderr);
        });
    }
}

#[test]
fn a_very_long_line_is_not_repeated() {
    let sides = good();
    sides.script("long", "read line; head -c 3000000 /dev/zero | tr '\\0' x; echo; exec cat >/dev/null");
    both_ways(&sides, "exe:./long", |ran| {
        let ran = ran.ends(OPERATIONAL).complains_of(&["talks nonsense: `xxx", "xxx…` ("]);
        assert!(ran.stderr.len() < 400, "{} bytes", ran.stderr.len());
    });
}

#[test]
fn last_words_are_the_last_of_many_and_made_visible() {
    let sides = good();
    sides.script("loud", "yes 'no, no' | head -c 100000 >&2; printf '\\033[2Jthe end\\n' >&2; exit 9");
    both_ways(&sides, "exe:./loud", |ran| {
        let ran = ran.ends(OPERATIONAL).complains_of(&["ended with exit status: 9; its last words: "]);
        assert!(ran.stderr.trim_end().ends_with("\\u{1b}[2Jthe end"), "{}", ran.stderr);
        assert!(ran.stderr.len() < 3000);
    });
}
