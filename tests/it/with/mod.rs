//! Engines of several executables in one table. The others are the example `virtual-clock` behind scripts that name its
//! engines, scripts that only say who they are, and copies of the program.

mod faults;
mod lists;
mod refusals;
mod tables;

use std::fs;
use std::process::Command;

use crate::cli::Ran;
use crate::contests::Sides;

/// Executables `one` and `two`, with one engine each: alpha and beta.
fn one_and_two() -> Sides {
    let sides = Sides::new();
    sides.add("one", &["ENGINES=alpha"]);
    sides.add("two", &["ENGINES=beta"]);
    sides
}

/// An executable that says so much of itself and nothing else.
fn fake(sides: &Sides, name: &str, version: &str, engine: &str) {
    let build = r#"{"target":"t","profile":"release","opt_level":"3","cflags":""}"#;
    let engine = format!(r#"{{"id":"{engine}","library":"a name","version":"0","build":""}}"#);
    let hello = format!(
        r#"{{"hello":{{"protocol":5,"version":"{version}","build":{build},"hash":"f0","engines":[{engine}],"other_engines":[],"core":null}}}}"#
    );
    sides.script(name, &format!("read line; echo '{hello}'; exec cat >/dev/null"));
}

/// A copy of the program in the folder of the sides.
fn copy_program(sides: &Sides, name: &str) {
    fs::copy(env!("CARGO_BIN_EXE_tlspair"), sides.folder().path(name)).expect("there is room for a copy");
}

/// What such a copy does. Unlike the program itself it has a folder `engines` beside it only if a test makes one.
fn run_copy(sides: &Sides, name: &str, arguments: &[&str]) -> Ran {
    let mut command = Command::new(sides.folder().path(name));
    command.args(arguments).current_dir(sides.folder().path(""));
    Ran::from(command.output().expect("the copy starts"))
}

/// Processes that a side was, since the last run began.
fn processes(sides: &Sides, name: &str) -> u64 {
    fs::metadata(sides.folder().path(&format!("{name}.state.processes"))).map_or(0, |file| file.len())
}
