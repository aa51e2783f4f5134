//! `tlspair selftest` from the command line to the store. Which verdicts come out depends on the machine, so the tests
//! hold the ending against what the report says.

use tlspair::compare::LearnedFloor;
use tlspair::results::Machine;
use tlspair::selftest::SelftestReport;
use tlspair::store::{HOME_VARIABLE, Store};

use crate::cli::{Folder, NOTHING, OK, Ran, USAGE, program, tlspair};

const VERIFICATION_FAILED: i32 = 6;

/// 20 loops of the null engine, the fewest that a noise floor is learned from.
const NULL: [&str; 5] =
    ["selftest", "--engine=null", "--bytes=1,2,3,4,5,6,7,8,9,10", "--rounds=2", "--seed=7"];

fn selftest(folder: &Folder, more: &[&str]) -> Ran {
    let home = folder.path("home");
    program().env(HOME_VARIABLE, home).args(NULL).args(more).output().expect("the program starts").into()
}

/// The report in a file, and an ending that fits it.
fn report_of(ran: Ran, folder: &Folder) -> (Ran, SelftestReport) {
    let text = std::fs::read_to_string(folder.path("r.json")).expect("it was exported");
    let report: SelftestReport = serde_json::from_str(&text).expect("a report");
    let ending = if report.has_false_regression() { VERIFICATION_FAILED } else { OK };
    (ran.ends(ending), report)
}

#[test]
fn a_self_test_learns_the_noise_floor_and_says_where_it_is_kept() {
    let folder = Folder::new();
    let export = format!("--export=json={}", folder.arg("r.json"));
    let (ran, report) = report_of(selftest(&folder, &["--burden=5,50", &export]), &folder);
    assert!(ran.stderr.contains("3 comparisons of 10 cells, 20 loops"), "{}", ran.stderr);
    let same = report.same.as_ref().expect("nothing was interrupted");
    assert_eq!((same.comparisons(), same.slowdown), (20, 0.0));
    assert_eq!(report.slowed.iter().map(|probe| probe.slowdown).collect::<Vec<_>>(), [0.05, 0.5]);
    assert!(report.complete && report.harness.is_some());
    assert_eq!((report.rounds, report.seed, report.clocks.len()), (2, 7, 3));
    let trust = report.trust.as_ref().expect("it is complete");
    let one_line = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(one_line.contains(&trust.words), "{} in {one_line}", trust.words);

    let kept = report.floor.file.expect("20 comparisons are enough");
    assert!(std::path::Path::new(&kept).starts_with(folder.path("home")), "{kept}");
    let floor = LearnedFloor::of(&Store::at(folder.path("home")), &Machine::this_one()).expect("it was kept");
    assert_eq!(
        (Some(floor.noise_floor), floor.comparisons, floor.rounds),
        (same.noise.map(|noise| noise.p95), 20, 2)
    );
}

#[test]
fn no_floor_is_kept_if_not_wanted_or_of_too_few_comparisons() {
    let folder = Folder::new();
    let export = format!("--export=json={}", folder.arg("r.json"));
    let common = ["--burden=none", "--quiet", &export];
    let (ran, report) = report_of(selftest(&folder, &[&common[..], &["--no-save"]].concat()), &folder);
    assert_eq!(ran.stderr, "");
    assert_eq!(report.floor.reason.as_deref(), Some("--no-save was given"));
    assert!(report.slowed.is_empty());
    assert_eq!(folder.names(), ["r.json"], "nothing was made in the home");

    let (_, report) = report_of(selftest(&folder, &[&common[..], &["--loop=full"]].concat()), &folder);
    let reason = "10 comparisons of the program with itself, and it takes 20";
    assert_eq!((report.floor.file, report.floor.reason.as_deref()), (None, Some(reason)));
    assert_eq!(LearnedFloor::of(&Store::at(folder.path("home")), &Machine::this_one()), None);
}

#[test]
fn json_on_stdout_is_the_report_and_nothing_else() {
    let folder = Folder::new();
    let ran = selftest(&folder, &["--json", "--burden=none", "--no-save", "--filter=bytes=3"]);
    let report: SelftestReport = serde_json::from_str(&ran.stdout).expect("a report");
    assert_eq!(report.plan.cells, 1);
}

#[test]
fn mistakes_are_found_before_anything_runs() {
    tlspair("selftest --engine null --no-save --export csv=-")
        .ends(USAGE)
        .says_only("a self-test is exported as json only, not as csv");
    tlspair("selftest --no-save --burden 2,x").ends(USAGE).complains_of(&["2,x", "such as 2,3,5,10"]);
    tlspair("selftest --no-save --engine null --filter bytes=7")
        .ends(NOTHING)
        .complains_of(&["no cell matches"]);
    let folder = Folder::new();
    let file = folder.file("home", "a file where the folder should be");
    let ran: Ran = program().env(HOME_VARIABLE, file).args(NULL).output().expect("the program starts").into();
    ran.ends(1).complains_of(&["the noise floor cannot be kept", "--no-save does without"]);
}
