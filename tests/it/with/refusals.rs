//! What is refused before anything runs.

use super::{fake, one_and_two, processes};
use crate::cli::{OPERATIONAL, USAGE};
use crate::contests::Sides;

const CELL: [&str; 4] = ["--engine=null", "--num=2", "--quiet", "--json"];

#[test]
fn an_engine_of_two_executables_is_refused_by_both_names() {
    let sides = one_and_two();
    fake(&sides, "double", env!("CARGO_PKG_VERSION"), "alpha");
    for command in ["run", "verify", "list"] {
        let ran = sides.run(&[command, "--with=exe:./one", "--with=exe:./double"]);
        ran.ends(OPERATIONAL)
            .says_only("both exe:./one and exe:./double have an engine alpha; leave one of them out");
    }
    // The other way round, this executable is one of the two.
    sides
        .run_virtual(&[], &["run", "--with=exe:./double"])
        .ends(OPERATIONAL)
        .says_only("both this executable and exe:./double have an engine alpha; leave one of them out");
}

#[test]
fn ids_that_would_be_paths_are_refused() {
    let sides = one_and_two();
    for odd in ["../up", "a=b", "Alpha", "1st", "a,b"] {
        fake(&sides, "odd", env!("CARGO_PKG_VERSION"), odd);
        let words = format!(
            "exe:./odd calls an engine {odd:?}; an id has lower-case letters, digits, dots and hyphens only, a letter first"
        );
        sides.run(&["list", "--with=exe:./odd"]).ends(OPERATIONAL).complains_of(&[&words]);
    }
}

#[test]
fn another_version_is_refused_by_both_numbers() {
    let sides = one_and_two();
    fake(&sides, "later", "99.0.0", "gamma");
    let ran = sides.run(&[&["run", "--with=exe:./one", "--with=exe:./later"][..], &CELL].concat());
    ran.ends(OPERATIONAL).says_only(&format!(
        "exe:./later was built with tlspair 99.0.0, and this is tlspair {}; one table takes executables of one version",
        env!("CARGO_PKG_VERSION")
    ));
    assert_eq!(processes(&sides, "one"), 1, "nothing ran: it only said who it is");
    sides.leave_nothing_running();
}

#[test]
fn another_protocol_is_refused_by_both_numbers() {
    let sides = Sides::new();
    sides.add("later", &["FAULT=wrong-protocol"]);
    let ran = sides.run(&[&["run", "--with=exe:./later"][..], &CELL].concat());
    ran.ends(OPERATIONAL).complains_of(&[
        "exe:./later is a worker of protocol 6 (tlspair 99.0.0), but this tlspair ",
        " speaks protocol 5",
    ]);
    sides.leave_nothing_running();
}

#[test]
fn what_is_no_executable_is_refused_with_what_to_write() {
    let sides = one_and_two();
    for (with, message) in [
        ("./one", "--with ./one: write exe:./one, or all"),
        ("exe:./nothing", "--with exe:./nothing: No such file or directory (os error 2)"),
        ("exe:.", "--with exe:.: it is no file"),
    ] {
        sides.run(&["run", "--with", with, "--engine=null"]).ends(USAGE).says_only(message);
    }
    let ran = sides.run(&["run", "--with=exe:/bin/true", "--engine=null"]);
    ran.ends(OPERATIONAL).complains_of(&["the worker of exe:/bin/true ended with exit status: 0"]);
}

#[test]
fn engines_that_nobody_has_are_refused_with_those_that_there_are() {
    let sides = one_and_two();
    for command in [&["run", "--engine=alphas"][..], &["classic", "--engine=alphas"], &["list", "alphas"]] {
        let ran = sides.run(&[command, &["--with=exe:./one"]].concat());
        ran.ends(USAGE).complains_of(&["alphas", "did you mean", "alpha"]);
    }
}

#[test]
fn a_baseline_is_of_one_executable() {
    let sides = one_and_two();
    let ran = sides.run(&[&["run", "--with=exe:./one", "--save-baseline=b"][..], &CELL].concat());
    ran.ends(USAGE).complains_of(&["--save-baseline does not go with --with"]);
}
