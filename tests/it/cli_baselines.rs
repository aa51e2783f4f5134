//! Baselines from the command line.

use std::fs;
use std::process::Command;

use serde_json::Value;

use crate::cli::{Folder, OK, OPERATIONAL, Ran, USAGE, program, results_at};

/// The program with its store in this folder.
fn program_in(folder: &Folder) -> Command {
    let mut command = program();
    command.env("TLSPAIR_HOME", folder.path("home"));
    command
}

fn tlspair_in(folder: &Folder, arguments: &str) -> Ran {
    program_in(folder).args(arguments.split_whitespace()).output().expect("the program starts").into()
}

#[test]
fn a_baseline_is_saved_listed_shown_and_removed() {
    let folder = Folder::new();
    let saved =
        tlspair_in(&folder, "run --engine null -n 3 --bytes 1,2 --save-baseline main --json").ends(OK);
    assert!(saved.stderr.ends_with("results kept as baseline main\n"), "{}", saved.stderr);
    let kept = folder.path("home/baselines/main.json");
    assert_eq!(results_at(&kept), saved.results());

    let table = tlspair_in(&folder, "baseline list").ends(OK).stdout;
    let row = table.lines().find(|line| line.starts_with("main")).expect(&table);
    for part in [saved.results().machine.date.as_str(), env!("CARGO_PKG_VERSION"), " 2 ", "null "] {
        assert!(row.contains(part), "{part} in {row}");
    }
    let listing: Value =
        serde_json::from_str(&tlspair_in(&folder, "baseline list --json").ends(OK).stdout).expect("JSON");
    let listed = &listing["baselines"][0];
    assert_eq!((&listed["name"], &listed["holds"]["cells"]), (&Value::from("main"), &Value::from(2)));
    assert_eq!(listed["path"].as_str(), kept.to_str());

    let shown = tlspair_in(&folder, "baseline show main --json -q").ends(OK);
    assert_eq!((shown.results(), shown.stderr.as_str()), (saved.results(), ""));
    let shown = tlspair_in(&folder, "baseline show main").ends(OK);
    assert!(shown.stdout.contains("Machine: ") && shown.stderr.contains("main.json"), "{}", shown.stderr);

    tlspair_in(&folder, "baseline rm main main").ends(OK);
    assert!(!kept.exists());
    let none = tlspair_in(&folder, "baseline list").ends(OK);
    assert!(none.stdout.is_empty() && none.stderr.contains("--save-baseline NAME"), "{}", none.stderr);
}

#[test]
fn unknown_baselines_are_answered_with_the_nearest_and_none_is_removed() {
    let folder = Folder::new();
    tlspair_in(&folder, "baseline show main").ends(USAGE).complains_of(&["there is none at all yet"]);
    tlspair_in(&folder, "run --engine null -n 2 -q --save-baseline main").ends(OK);
    let nearest = "unknown baseline `mian`; did you mean main?";
    tlspair_in(&folder, "baseline show mian").ends(USAGE).says_only(nearest);
    tlspair_in(&folder, "baseline rm main mian").ends(USAGE).says_only(nearest);
    assert!(folder.path("home/baselines/main.json").exists());
}

#[test]
fn what_keeps_a_baseline_from_being_saved_is_found_before_anything_runs() {
    let folder = Folder::new();
    let export = format!("--export json={}", folder.arg("out.json"));
    let run = |name: &str| tlspair_in(&folder, &format!("run --engine null {export} --save-baseline {name}"));
    run("a/b").ends(USAGE).complains_of(&["`a/b`", "`a_b` would do"]);
    run(".hidden").ends(USAGE).complains_of(&["`hidden` would do"]);
    folder.file("home", "a file in the way");
    run("main").ends(OPERATIONAL).complains_of(&["cannot make the folder", "home"]);
    assert_eq!(folder.names(), ["home"], "nothing was written");
}

#[test]
fn without_a_home_of_its_own_the_store_is_in_the_state_folder_of_the_user() {
    let folder = Folder::new();
    let ran: Ran = program()
        .env_remove("TLSPAIR_HOME")
        .env("XDG_STATE_HOME", folder.path("state"))
        .args("run --engine null -n 2 -q --save-baseline main".split(' '))
        .output()
        .expect("the program starts")
        .into();
    ran.ends(OK);
    results_at(&folder.path("state/tlspair/baselines/main.json"));
}

#[test]
fn a_broken_baseline_is_listed_with_the_reason_and_not_shown() {
    let folder = Folder::new();
    fs::create_dir_all(folder.path("home/baselines")).expect("a folder");
    folder.file("home/baselines/bad.json", "{}");
    let listed = tlspair_in(&folder, "baseline list").ends(OK).stdout;
    assert!(listed.contains("error [1]") && listed.contains("not a tlspair results file"), "{listed}");
    tlspair_in(&folder, "baseline show bad").ends(OPERATIONAL).complains_of(&["not a tlspair results file"]);
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_run_leaves_a_complete_baseline_alone_and_says_so() {
    use crate::cli::INTERRUPTED;
    use crate::cli_signals::Running;

    let folder = Folder::new();
    let kept = folder.path("home/baselines/main.json");
    tlspair_in(&folder, "run --engine null -n 2 -q --save-baseline main").ends(OK);
    let before = results_at(&kept);
    let long = "run --engine null --num 10000000 --bytes 65536 --loop full --save-baseline";
    for (name, is_kept) in [("main", true), ("new", false)] {
        let mut running = Running::of(program_in(&folder).args(long.split(' ')).arg(name));
        running.wait_for_line(|line| line.starts_with("1 cell"));
        running.send("-INT");
        let (ran, lines) = running.end();
        ran.ends(INTERRUPTED);
        let says = lines.iter().any(|line| line.contains("does not replace a complete baseline"));
        assert_eq!(says, is_kept, "{lines:?}");
    }
    assert_eq!(results_at(&kept), before);
    assert!(!results_at(&folder.path("home/baselines/new.json")).complete);
}
