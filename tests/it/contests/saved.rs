//! Saved results in a side's place: weaker evidence, and only of the same machine and plan.

use std::fs;

use serde_json::{Value, json};
use tlspair::results::Design;

use super::{QUIET, Sides, comparison, verdicts};
use crate::cli::{NOTHING, OK, OPERATIONAL, REGRESSION, USAGE};

/// Two files: `b.json` is of a build that takes half as long again.
fn saved() -> Sides {
    let sides = Sides::new();
    for (file, settings) in
        [("a.json", &[QUIET, "SEED=1"][..]), ("b.json", &[QUIET, "SEED=2", "SLOWDOWN=1.5"])]
    {
        let export = format!("--export=json={file}");
        let run = ["run", "--isolate", "--engine=alpha", "--bytes=1,1000", "--num=20", "--quiet", &export];
        let rounds = ["--save-baseline=last", "--rounds=5"];
        sides.run_virtual(settings, &[&run[..], &rounds].concat()).ends(OK);
    }
    sides.add("old", &[QUIET]);
    sides
}

/// A copy with one thing changed.
fn edited(sides: &Sides, name: &str, pointer: &str, value: Value) {
    let text = fs::read_to_string(sides.folder().path("a.json")).expect("it was saved");
    let mut document: Value = serde_json::from_str(&text).expect("JSON");
    *document.pointer_mut(pointer).expect("a field of results") = value;
    sides.folder().file(name, &document.to_string());
}

#[test]
fn two_files_are_compared_and_called_weaker_evidence() {
    let sides = saved();
    let ran = sides.run(&["compare", "a.json", "b.json", "--quiet"]).ends(OK);
    assert!(ran.stdout.contains("Weaker evidence: "), "{}", ran.stdout);
    let found = comparison(&sides.run(&["check", "a.json", "b.json", "--quiet", "--json"]).ends(REGRESSION));
    assert_eq!(found.method.design, Design::Separate);
    assert_eq!(verdicts(&found), super::all("regression"));
    for cell in &found.cells {
        let one = cell.loops.full.as_ref().expect("it was compared");
        assert!(one.first_look.is_none(), "a file cannot be measured again");
    }
    let mirrored = comparison(&sides.run(&["check", "b.json", "a.json", "--quiet", "--json"]).ends(OK));
    assert_eq!(verdicts(&mirrored), super::all("improvement"));
}

#[test]
fn a_file_of_one_process_decides_nothing() {
    let sides = saved();
    let run = [
        "run",
        "--isolate",
        "--engine=alpha",
        "--bytes=1,1000",
        "--num=20",
        "--quiet",
        "--export=json=one.json",
    ];
    sides.run_virtual(&[QUIET, "SLOWDOWN=1.5"], &run).ends(OK);
    let found = comparison(&sides.run(&["check", "a.json", "one.json", "--quiet", "--json"]).ends(OK));
    assert_eq!(verdicts(&found), super::all("inconclusive"));
    for cell in &found.cells {
        let one = cell.loops.full.as_ref().expect("it was compared");
        assert!(one.doubts[0].starts_with("one side ran in a single process"), "{:?}", one.doubts);
        assert_eq!(one.p_slower, None);
    }
}

#[test]
fn a_file_is_compared_with_what_an_executable_measures_now() {
    let sides = saved();
    for arguments in [["check", "a.json", "exe:./old"], ["check", "exe:./old", "a.json"]] {
        let ran = sides.run(&[&arguments[..], &["--quiet", "--json", "--seed=7"]].concat()).ends(OK);
        let found = comparison(&ran);
        assert_eq!(found.method.design, Design::Separate);
        assert_eq!(verdicts(&found).len(), 4);
        assert!(!ran.stdout.contains("regression"), "{}", ran.stdout);
    }
    sides.run(&["check", "exe:./old", "b.json", "--quiet", "--seed=7"]).ends(REGRESSION);
    sides.leave_nothing_running();
}

#[test]
fn another_machine_is_refused_and_with_force_a_warning() {
    let sides = saved();
    edited(&sides, "c.json", "/machine/cpu", json!("Other CPU"));
    sides.run(&["compare", "a.json", "c.json"]).ends(USAGE).complains_of(&[
        "cannot be compared: processor: ",
        "Other CPU in c.json; --force does it all the same",
    ]);
    let ran = sides.run(&["compare", "a.json", "c.json", "--force", "--quiet"]).ends(OK);
    assert!(ran.stderr.starts_with("warning: processor: "), "{}", ran.stderr);
    assert!(ran.stdout.contains("Warning: processor: "), "{}", ran.stdout);
    let found = comparison(&sides.run(&["compare", "a.json", "c.json", "--force", "--json"]).ends(OK));
    assert_eq!(found.warnings.len(), 1);
}

#[test]
fn another_plan_is_refused_and_with_force_what_both_have_is_compared() {
    let sides = saved();
    let run =
        ["run", "--isolate", "--engine=alpha", "--bytes=1", "--num=20", "--quiet", "--export=json=p.json"];
    sides.run_virtual(&[QUIET], &run).ends(OK);
    let words = "not the same cells and loops: 2 cells in a.json, 1 in p.json";
    sides.run(&["compare", "a.json", "p.json"]).ends(USAGE).complains_of(&[words]);
    let ran = sides.run(&["compare", "a.json", "p.json", "--force", "--json"]).ends(OK);
    let found = comparison(&ran);
    assert!(found.warnings[0].contains(words), "{:?}", found.warnings);
    assert_eq!(found.cells.len(), 1);
    assert!(found.left_out[0].ends_with("bytes=1000: it is not in p.json"), "{:?}", found.left_out);
}

#[test]
fn a_file_of_another_schema_or_of_none_is_refused_for_that() {
    let sides = saved();
    edited(&sides, "s.json", "/schema", json!(2));
    let text = fs::read_to_string(sides.folder().path("a.json")).expect("it was saved");
    sides.folder().file("half.json", &text[..text.len() / 2]);
    sides.folder().file("other.json", "{\"name\": \"something else\"}");
    sides.folder().file("text.json", "these are no results\n");
    sides.folder().file("empty.json", "");
    for (file, words) in [
        ("s.json", "s.json: schema 2, but this tlspair reads schema 1 only"),
        ("half.json", "half.json: not JSON (EOF while parsing"),
        ("other.json", "other.json: not a tlspair results file: it has no number called `schema`"),
        ("text.json", "text.json: not JSON (expected"),
        ("empty.json", "empty.json: not JSON (EOF while parsing a value at line 1 column 0"),
    ] {
        for arguments in [["compare", "a.json", file], ["check", file, "exe:./old"]] {
            sides.run(&arguments).ends(OPERATIONAL).complains_of(&[words]);
        }
    }
    sides.leave_nothing_running();
}

#[test]
fn a_comparison_is_no_results_file() {
    let sides = saved();
    sides.run(&["compare", "a.json", "b.json", "--quiet", "--export=json=c.json"]).ends(OK);
    sides
        .run(&["compare", "a.json", "c.json"])
        .ends(OPERATIONAL)
        .complains_of(&["c.json: a comparison file, not a results file"]);
}

#[test]
fn a_name_that_is_no_file_and_no_baseline_is_refused() {
    let sides = saved();
    sides.run(&["compare", "a.json", "nothing"]).ends(USAGE).complains_of(&["unknown baseline `nothing`"]);
    sides.run(&["compare", "a.json", "no/such.json"]).ends(USAGE).complains_of(&["no/such.json"]);
    sides.run(&["compare", "a.json", "."]).ends(USAGE).complains_of(&["there is no file ."]);
}

#[test]
fn saved_results_have_their_cells_and_take_no_others() {
    let sides = saved();
    for (more, words) in [
        ("smoke", "which the suite smoke does not go with; to choose among them use --filter"),
        ("--cert=p256", "which --cert does not go with"),
        ("--shard=1/2", "--shard takes two executables"),
    ] {
        sides.run(&["compare", "a.json", "b.json", more]).ends(USAGE).complains_of(&[words]);
    }
    let filtered = |filter| sides.run(&["compare", "a.json", "b.json", "--quiet", "--json", filter]);
    let found = comparison(&filtered("--filter=bytes=1000").ends(OK));
    assert_eq!(verdicts(&found), ["1000 full regression", "1000 reuse regression"]);
    filtered("--filter=bytes=77").ends(NOTHING);
}

#[test]
fn a_baseline_is_a_side_by_its_name() {
    let sides = Sides::new();
    sides.add("old", &[QUIET]);
    let run =
        ["run", "--isolate", "--engine=alpha", "--bytes=1", "--num=20", "--quiet", "--save-baseline=main"];
    sides.run_virtual(&[QUIET, "SLOWDOWN=1.5"], &run).ends(OK);
    let ran = sides.run(&["check", "main", "exe:./old", "--quiet", "--json", "--seed=7"]).ends(OK);
    assert_eq!(verdicts(&comparison(&ran)), ["1 full improvement", "1 reuse improvement"]);
}
