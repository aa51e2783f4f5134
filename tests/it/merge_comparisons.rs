//! Merging comparisons: the same rules, and both sides and the method must agree too.

use tlspair::compare::{Summary, conclude};
use tlspair::merge::{Allow, comparisons};
use tlspair::results::{Comparability, Comparison, Design, PlanEntry, Shard};

use crate::cli::{Folder, OPERATIONAL, REGRESSION, USAGE, tlspair_with};
use crate::comparisons::paired;
use crate::documents::empty;

/// A change to a file that makes it another one.
type Alter<'a> = &'a dyn Fn(&mut Comparison);

/// A comparison as one process writes it, with every kind of verdict.
fn whole() -> Comparison {
    let mut comparison = paired();
    conclude(&mut comparison);
    comparison
}

fn shards(of: u64) -> Vec<(String, Comparison)> {
    let whole = whole();
    (1..=of)
        .map(|number| {
            let plan = PlanEntry { shard: Some(Shard { number, of }), ..whole.plan.clone() };
            let cells = plan.share(whole.cells.iter().cloned());
            (format!("{number}.json"), Comparison { plan, cells, ..whole.clone() })
        })
        .collect()
}

#[track_caller]
fn refused(change: Alter<'_>) -> String {
    let mut files = shards(2);
    change(&mut files[1].1);
    comparisons(files, Allow::default()).expect_err("these do not fit").to_string()
}

#[test]
fn merged_shards_are_the_unsharded_comparison() {
    for of in 1..=7 {
        let mut files = shards(of);
        files.reverse();
        assert_eq!(comparisons(files, Allow::default()), Ok(whole()), "{of}");
    }
}

#[test]
fn verdicts_made_in_shards_become_those_of_the_whole() {
    let mut files = shards(3);
    files.iter_mut().for_each(|(_, comparison)| conclude(comparison));
    let mut merged = comparisons(files, Allow::default()).expect("they fit");
    conclude(&mut merged);
    assert_eq!(merged, whole());
}

#[test]
fn the_command_line_merges_judges_anew_and_ends_like_check_if_asked_to() {
    let whole = whole();
    assert!(Summary::of(&whole).has_regression(), "the sample has one");
    let folder = Folder::new();
    let files: Vec<String> = shards(2)
        .iter()
        .map(|(name, comparison)| {
            folder.file(name, &serde_json::to_string(comparison).expect("a comparison is JSON"))
        })
        .collect();
    let merge = |more: &[&str]| tlspair_with([["merge", &files[1], &files[0]].as_slice(), more].concat());
    let ran = merge(&["--check", "--json"]).ends(REGRESSION);
    let merged: Comparison = serde_json::from_str(&ran.stdout).expect("a comparison");
    let seen = |comparison: &Comparison| Summary::of(comparison).sentence();
    assert_eq!((seen(&merged), &merged.plan), (seen(&whole), &whole.plan));
    let ids = |comparison: &Comparison| -> Vec<String> {
        comparison.cells.iter().map(|cell| cell.id.clone()).collect()
    };
    assert_eq!(ids(&merged), ids(&whole));
    // Without --check it ends as `compare` does: the sample has a cell that failed.
    let table = merge(&["-q"]).ends(OPERATIONAL);
    assert!(table.stdout.contains("exe:./old") && table.stderr.is_empty(), "{}", table.stderr);
    tlspair_with(["merge", &files[0]]).ends(USAGE).complains_of(&["shard 2/2 is missing"]);
    let results = folder.file("run.json", &serde_json::to_string(&empty()).expect("a document is JSON"));
    tlspair_with(["merge", &files[0], &results])
        .ends(USAGE)
        .complains_of(&["run.json: a results file, not a comparison file"]);
}

#[test]
fn seeds_and_processors_may_differ() {
    let mut files = shards(2);
    files[1].1.method.seed = 2;
    files[1].1.method.core = Some(0);
    files[1].1.old.name = "exe:/elsewhere".to_owned();
    let merged = comparisons(files, Allow::default()).expect("they fit");
    assert_eq!((merged.method.seed, merged.method.core), (whole().method.seed, None));
    assert_eq!(merged.cells, whole().cells);
}

#[test]
fn other_sides_and_methods_are_refused_with_what_differs() {
    let hash = "0123456789abcdef".repeat(4);
    let build = "x86_64-unknown-linux-gnu, opt-level 3";
    let cases: [(Alter<'_>, &str); 9] = [
        (&|it| it.old.hash = Some("x".to_owned()), &format!("OLD: {hash} in 1.json, x in 2.json")),
        (&|it| it.new.hash = None, &format!("NEW: {hash} in 1.json, exe:./new in 2.json")),
        (&|it| it.new.version = "0.2.0".to_owned(), "version of NEW: 0.1.0 in 1.json, 0.2.0 in 2.json"),
        (&|it| it.new.build = "-O2".to_owned(), &format!("build of NEW: {build} in 1.json, -O2 in 2.json")),
        (&|it| it.old.engines.clear(), "OLD's engines: openssl rustls-ring in 1.json, none in 2.json"),
        (&|it| it.method.rounds = 5, "rounds: 3 in 1.json, 5 in 2.json"),
        (&|it| it.method.pairs = 5, "pairs of batches: 20 in 1.json, 5 in 2.json"),
        (&|it| it.method.alpha = 0.01, "alpha: 0.05 in 1.json, 0.01 in 2.json"),
        (&|it| it.method.noise_floor = 0.02, "noise floor: 0.01 in 1.json, 0.02 in 2.json"),
    ];
    for (change, differs) in cases {
        assert_eq!(refused(change), format!("1.json and 2.json are not parts of one run: {differs}"));
    }
    let message = refused(&|it| it.method.design = Design::Separate);
    assert!(message.ends_with("design: paired in 1.json, separate in 2.json"), "{message}");
}

#[test]
fn a_different_verdict_on_the_same_shard_is_refused() {
    let mut files = shards(2);
    let mut other = files[0].clone();
    other.0 = "again.json".to_owned();
    other.1.cells[0].status = Comparability::Lost;
    files.push(other);
    assert_eq!(
        comparisons(files, Allow::default()).expect_err("it differs").to_string(),
        "1.json and again.json are both shard 1/2, with different content; leave one of them out"
    );
}

#[test]
fn warnings_and_what_was_left_out_are_kept_once() {
    let mut files = shards(2);
    files.iter_mut().for_each(|(_, it)| it.left_out = vec!["only OLD has mbedtls".to_owned()]);
    files[0].1.warnings = vec!["hot".to_owned()];
    files[1].1.warnings = vec!["hot".to_owned(), "not pinned".to_owned()];
    let merged = comparisons(files, Allow::default()).expect("they fit");
    assert_eq!(merged.warnings, ["hot", "not pinned"]);
    assert_eq!(merged.left_out, ["only OLD has mbedtls"]);
}
