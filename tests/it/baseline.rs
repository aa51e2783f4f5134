//! Baselines and the store they are in, without the command line; and which runs may be compared.

use std::fs;

use tlspair::baseline::{BaselineName, Baselines, Saved, Subject, objections};
use tlspair::cell::Choice;
use tlspair::measure::LoopKind;
use tlspair::results::{Document, FileKind, Loaded, PlanEntry, Shard, write_json};
use tlspair::store::Store;

use crate::cli::Folder;
use crate::documents::{empty, sample};
use crate::support::cell;

/// A change to a file that makes it another one.
type Alter<'a> = &'a dyn Fn(&mut Document);

fn name(text: &str) -> BaselineName {
    text.parse().expect(text)
}

fn baselines(folder: &Folder) -> Baselines {
    Baselines::of(Store::at(folder.path("store")))
}

fn keep(baselines: &Baselines, text: &str, document: &Document) -> Saved {
    let saving = baselines.saving(&name(text)).expect("the folder takes files");
    saving.write(document).expect("the folder takes files")
}

fn names(baselines: &Baselines) -> Vec<String> {
    baselines.names().expect("the folder can be read").iter().map(BaselineName::to_string).collect()
}

#[test]
fn what_is_kept_is_found_listed_and_removed() {
    let folder = Folder::new();
    let baselines = baselines(&folder);
    assert_eq!(names(&baselines), Vec::<String>::new());
    assert_eq!(folder.names(), Vec::<String>::new(), "looking makes nothing");
    for text in ["b", "a.1"] {
        assert_eq!(keep(&baselines, text, &sample()), Saved::Written);
    }
    fs::write(folder.path("store/baselines/notes.txt"), "mine").expect("written");
    assert_eq!(names(&baselines), ["a.1", "b"]);
    assert_eq!(baselines.load(&name("b")).expect("it was kept"), sample());
    baselines.remove(&name("b")).expect("it is there");
    assert_eq!(names(&baselines), ["a.1"]);
    assert!(baselines.load(&name("b")).is_err() && baselines.remove(&name("b")).is_err());
}

#[test]
fn only_a_complete_run_replaces_a_complete_baseline() {
    let folder = Folder::new();
    let baselines = baselines(&folder);
    let interrupted = Document { complete: false, ..sample() };
    let longer = Document { complete: false, ..empty() };
    assert_eq!(keep(&baselines, "a", &interrupted), Saved::Written, "nothing was there");
    assert_eq!(keep(&baselines, "a", &longer), Saved::Written, "nothing complete was there");
    assert_eq!(keep(&baselines, "a", &sample()), Saved::Written);
    assert_eq!(keep(&baselines, "a", &interrupted), Saved::Kept);
    assert_eq!(baselines.load(&name("a")).expect("it was kept"), sample());
    assert_eq!(keep(&baselines, "a", &empty()), Saved::Written);
    assert_eq!(baselines.load(&name("a")).expect("it was kept"), empty());
}

#[test]
fn an_argument_is_a_prefixed_baseline_a_file_or_a_bare_baseline() {
    let folder = Folder::new();
    let baselines = baselines(&folder);
    keep(&baselines, "main", &sample());
    let kept = baselines.path(&name("main"));
    let file = folder.file("results.json", "{}");
    let resolve = |arg: &str| baselines.resolve(arg);
    assert_eq!(resolve("baseline:main").expect("it is there"), kept);
    assert_eq!(resolve("main").expect("it is there"), kept);
    assert_eq!(resolve(&file).expect("it is there").to_str(), Some(file.as_str()));
    for (arg, message) in [
        ("mian", "unknown baseline `mian`; did you mean main?"),
        ("baseline:mian", "unknown baseline `mian`; did you mean main?"),
        ("./no.json", "there is no file ./no.json, and it is no name of a baseline either"),
        ("baseline:", "a baseline's name cannot be empty"),
    ] {
        let error = resolve(arg).expect_err(arg);
        assert_eq!((error.to_string().as_str(), error.is_usage()), (message, true));
    }
    let none = Baselines::of(Store::at(folder.path("other"))).resolve("main").expect_err("there is none");
    assert!(none.to_string().contains("there is none at all yet"), "{none}");
}

#[test]
fn a_file_resolves_wherever_the_store_is() {
    let folder = Folder::new();
    let file = folder.file("results.json", "{}");
    let found = tlspair::baseline::resolve(&file).expect("it is there");
    assert_eq!(found.to_str(), Some(file.as_str()));
}

#[test]
fn a_store_that_cannot_be_is_found_out_before_anything_is_written() {
    let folder = Folder::new();
    let store = Store::at(folder.file("file", "in the way"));
    let error = Baselines::of(store).saving(&name("a")).expect_err("a file is no folder");
    assert!(!error.is_usage() && error.to_string().starts_with("cannot make the folder "), "{error}");
}

#[test]
fn a_baseline_that_cannot_be_read_is_listed_with_the_reason() {
    let folder = Folder::new();
    let baselines = baselines(&folder);
    keep(&baselines, "good", &sample());
    fs::write(folder.path("store/baselines/bad.json"), "{").expect("written");
    let kept = baselines.kept().expect("the folder can be read");
    let [bad, good] = kept.as_slice() else { panic!("{kept:?}") };
    assert!(bad.holds.is_none() && bad.reason.as_ref().is_some_and(|reason| reason.contains("EOF")));
    let holds = good.holds.as_ref().expect("it can be read");
    assert_eq!((good.name.as_str(), holds.cells, holds.complete), ("good", 4, true));
    assert_eq!((&holds.engines, &good.reason), (&sample().engines, &None));
}

#[test]
fn runs_of_one_machine_and_one_plan_may_be_compared() {
    let (old, new) = (sample(), sample());
    let found = objections(Subject::of("OLD", &old), Subject::of("NEW", &new));
    assert_eq!(found, Default::default());
    let mut new = sample();
    new.machine.kernel = Some("6.2.0".to_owned());
    new.machine.date = "2030-01-01T00:00:00Z".to_owned();
    let found = objections(Subject::of("OLD", &old), Subject::of("NEW", &new));
    assert_eq!(found.reasons, Vec::<String>::new());
    assert_eq!(found.warnings, ["kernel: 6.1.0 in OLD, 6.2.0 in NEW"]);
}

#[test]
fn another_machine_plan_or_shard_stands_against_comparing() {
    let old = sample();
    let cells = [cell("null", &Choice::default())];
    let other_plan = PlanEntry::whole(&cells, &LoopKind::BOTH);
    let shard = Some(Shard { number: 1, of: 2 });
    let cases: [(Alter<'_>, &[&str]); 4] = [
        (&|it| it.machine.cores = None, &["cores: 2 in OLD, unknown in NEW"]),
        (
            &|it| (it.machine.os, it.machine.target) = ("a".to_owned(), "b".to_owned()),
            &[
                "operating system: linux in OLD, a in NEW",
                "target: x86_64-unknown-linux-gnu in OLD, b in NEW",
            ],
        ),
        (
            &|it| it.plan = other_plan.clone(),
            &["not the same cells and loops: 0 cells in OLD, 1 in NEW, from other suites, flags or filters"],
        ),
        (&|it| it.plan.shard = shard, &["not the same shard: 1/1 in OLD, 1/2 in NEW"]),
    ];
    for (change, reasons) in cases {
        let mut new = sample();
        change(&mut new);
        let found = objections(Subject::of("OLD", &old), Subject::of("NEW", &new));
        assert_eq!(found.reasons, reasons);
    }
}

#[test]
fn files_tell_their_kind() {
    let folder = Folder::new();
    let mut text = Vec::new();
    write_json(&sample(), &mut text).expect("a vector takes everything");
    fs::write(folder.path("results.json"), &text).expect("written");
    let loaded = Loaded::load(&folder.path("results.json")).expect("results");
    assert_eq!(loaded, Loaded::Results(Box::new(sample())));
    let comparison = folder.file("comparison.json", r#"{ "schema": 1, "kind": "comparison" }"#);
    let error = Document::load(comparison.as_ref()).expect_err("the other kind");
    assert!(error.to_string().ends_with("comparison.json: a comparison file, not a results file"), "{error}");
    assert_eq!(FileKind::Comparison.to_string(), "comparison");
}
