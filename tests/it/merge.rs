//! Merging results: shards put together are the unsharded run, and whatever does not fit is refused by name.

use proptest::prelude::*;
use tlspair::cell::{Cell, Choice};
use tlspair::measure::LoopKind;
use tlspair::merge::{Allow, MergeError, results};
use tlspair::results::{Document, PlanEntry, Shard};

use crate::documents::{empty, measured};
use crate::support::cell;

/// A change to a file that makes it another one.
type Alter<'a> = &'a dyn Fn(&mut Document);

/// Cells that differ in their bytes.
fn cells(count: u64) -> Vec<Cell> {
    (1..=count).map(|bytes| cell("openssl", &Choice { bytes: Some(bytes), ..Choice::default() })).collect()
}

/// What one run of all of them writes.
fn whole(count: u64) -> Document {
    let cells = cells(count);
    Document {
        plan: PlanEntry::whole(&cells, &LoopKind::BOTH),
        cells: cells.iter().map(|cell| measured(cell, 100_000 + cell.bytes)).collect(),
        ..empty()
    }
}

/// What the runs of its shards write, with their names.
fn shards(whole: &Document, of: u64) -> Vec<(String, Document)> {
    (1..=of)
        .map(|number| {
            let plan = PlanEntry { shard: Some(Shard { number, of }), ..whole.plan.clone() };
            let cells = plan.share(whole.cells.iter().cloned());
            (format!("{number}.json"), Document { plan, cells, ..whole.clone() })
        })
        .collect()
}

fn merged(files: Vec<(String, Document)>) -> Result<Document, MergeError> {
    results(files, Allow::default())
}

#[track_caller]
fn refused(files: Vec<(String, Document)>) -> String {
    merged(files).expect_err("these do not fit").to_string()
}

/// Two shards of five cells, one of them changed.
fn with_second(change: impl FnOnce(&mut Document)) -> Vec<(String, Document)> {
    let mut files = shards(&whole(5), 2);
    change(&mut files[1].1);
    files
}

proptest! {
    #[test]
    fn merged_shards_are_the_unsharded_run_in_whatever_order_they_come(
        (count, of, order) in (0u64..15, 1u64..=7).prop_flat_map(|(count, of)| {
            let order: Vec<usize> = (0..of as usize).collect();
            (Just(count), Just(of), Just(order).prop_shuffle())
        }),
    ) {
        let whole = whole(count);
        let files = shards(&whole, of);
        let files = order.into_iter().map(|at| files[at].clone()).collect();
        prop_assert_eq!(merged(files), Ok(whole));
    }

    #[test]
    fn a_missing_shard_is_named_and_leaves_a_file_that_is_not_complete(
        (of, missing) in (2u64..=7).prop_flat_map(|of| (Just(of), 1..=of)),
    ) {
        let whole = whole(9);
        let mut files = shards(&whole, of);
        files.remove(missing as usize - 1);
        let message = refused(files.clone());
        prop_assert!(message.starts_with(&format!("shard {missing}/{of} is missing")), "{}", message);
        let partial = results(files, Allow { missing: true, ..Allow::default() }).expect("it was allowed");
        let is_there = |place: &usize| !Shard { number: missing, of }.has(*place);
        let expected: Vec<_> = (0..9).filter(is_there).map(|place| whole.cells[place].clone()).collect();
        prop_assert_eq!(partial.cells, expected);
        prop_assert_eq!(partial.warnings, [format!("shard {missing}/{of} is missing")]);
        prop_assert_eq!((partial.complete, partial.plan), (false, whole.plan));
    }
}

#[test]
fn one_whole_file_is_what_it_is() {
    assert_eq!(merged(vec![("a.json".to_owned(), whole(3))]), Ok(whole(3)));
    assert_eq!(merged(Vec::new()), Err(MergeError::NoFiles));
}

#[test]
fn the_date_is_that_of_the_shard_that_began_first_and_the_harness_the_cheapest() {
    let mut files = shards(&whole(5), 3);
    files[1].1.machine.date = "2025-12-31T23:59:59Z".to_owned();
    files[2].1.harness.iter_mut().flatten().for_each(|cost| cost.cpu_ns_per_connection = 7.0);
    files[0].1.harness = None;
    let merged = merged(files).expect("they fit");
    assert_eq!(merged.machine.date, "2025-12-31T23:59:59Z");
    let costs: Vec<f64> = merged.harness.iter().flatten().map(|cost| cost.cpu_ns_per_connection).collect();
    assert_eq!(costs, [7.0]);
}

#[test]
fn files_that_are_not_parts_of_one_run_are_refused_with_what_differs() {
    let cases: [(Alter<'_>, &str); 6] = [
        (&|it| it.plan.hash = "abc".to_owned(), "plan (suites, filters and loops): "),
        (&|it| it.plan.cells = 6, "cells of the plan: 5 in 1.json, 6 in 2.json"),
        (&|it| it.plan.shard = Some(Shard { number: 2, of: 3 }), "shards: 2 in 1.json, 3 in 2.json"),
        (&|it| it.tool.version = "9.9.9".to_owned(), "tlspair: 0.1.0 in 1.json, 9.9.9 in 2.json"),
        (&|it| it.engines.clear(), "engines: openssl in 1.json, none in 2.json"),
        (
            &|it| it.engines[0].build = "other".to_owned(),
            "openssl: OpenSSL 3.6.3 (vendored, legacy provider) in 1.json, OpenSSL 3.6.3 (other) in 2.json",
        ),
    ];
    for (change, differs) in cases {
        let message = refused(with_second(change));
        let expected = format!("1.json and 2.json are not parts of one run: {differs}");
        assert!(message.starts_with(&expected), "{message}");
    }
    let whole_and_shard = vec![("a.json".to_owned(), whole(5)), shards(&whole(5), 2).remove(0)];
    assert!(refused(whole_and_shard).ends_with("shards: 1 in a.json, 2 in 1.json"));
}

#[test]
fn loops_of_other_lengths_are_refused_but_not_those_that_were_interrupted() {
    let shorten = |document: &mut Document| {
        for cell in &mut document.cells {
            cell.loops.full.as_mut().expect("it ran").connections = 3;
        }
    };
    assert_eq!(
        refused(with_second(shorten)),
        "1.json and 2.json are not parts of one run: connections a loop: 8 in 1.json, 3 in 2.json"
    );
    let interrupted = with_second(|document| {
        shorten(document);
        document.complete = false;
    });
    assert!(results(interrupted, Allow { missing: true, ..Allow::default() }).is_ok());
}

#[test]
fn other_machines_are_refused_unless_allowed_and_then_warned_of() {
    let force = Allow { other_machines: true, ..Allow::default() };
    let cases: [(Alter<'_>, &str); 6] = [
        (&|it| it.machine.cpu = None, "processor: Example CPU in 1.json, unknown in 2.json"),
        (&|it| it.machine.features.clear(), "processor features: aes avx2 in 1.json, none in 2.json"),
        (&|it| it.machine.cores = Some(4), "cores: 2 in 1.json, 4 in 2.json"),
        (&|it| it.machine.os = "macos".to_owned(), "operating system: linux in 1.json, macos in 2.json"),
        (&|it| it.machine.arch = "riscv64".to_owned(), "architecture: x86_64 in 1.json, riscv64 in 2.json"),
        (&|it| it.machine.target = "t".to_owned(), "target: x86_64-unknown-linux-gnu in 1.json, t in 2.json"),
    ];
    for (change, differs) in cases {
        let files = with_second(change);
        let expected = format!(
            "1.json and 2.json come from different machines: {differs}; --force merges them with a warning"
        );
        assert_eq!(refused(files.clone()), expected);
        let merged = results(files, force).expect("it was allowed");
        assert_eq!(merged.warnings, [format!("merged from different machines: {differs}")]);
        assert_eq!(merged.cells, whole(5).cells);
    }
}

#[test]
fn another_kernel_is_only_warned_of_and_warnings_are_kept_once() {
    let mut files = with_second(|document| document.machine.kernel = Some("6.2.0".to_owned()));
    files.iter_mut().for_each(|(_, document)| document.warnings = vec!["hot".to_owned()]);
    let merged = merged(files).expect("a kernel is no other machine");
    let kernel = "merged from different systems or builds: kernel: 6.1.0 in 1.json, 6.2.0 in 2.json";
    assert_eq!(merged.warnings, ["hot", kernel]);
}

#[test]
fn a_copy_of_a_shard_adds_nothing_and_another_result_of_it_is_refused() {
    let mut files = shards(&whole(5), 2);
    files.push(("copy.json".to_owned(), files[1].1.clone()));
    assert_eq!(merged(files.clone()), Ok(whole(5)));
    files[2].1.cells[0].loops.full.as_mut().expect("it ran").cpu_ns += 1;
    assert_eq!(
        refused(files),
        "2.json and copy.json are both shard 2/2, with different content; leave one of them out"
    );
}

#[test]
fn a_cell_in_two_shards_is_refused_with_both_files() {
    let stolen = whole(5).cells.remove(0);
    let files = with_second(|document| document.cells[1] = stolen.clone());
    assert_eq!(
        refused(files),
        format!("1.json and 2.json both have the cell {}, which can be in one shard only", stolen.id)
    );
}

#[test]
fn a_shard_with_too_few_or_too_many_cells_is_refused() {
    let count = |has: u64| format!("2.json has {has} cells, but its part of the plan, 2/2, has 2");
    assert_eq!(refused(with_second(|document| document.cells.truncate(1))), count(1));
    let stranger = whole(9).cells.pop().expect("nine");
    assert_eq!(refused(with_second(|document| document.cells.push(stranger))), count(3));
}

#[test]
fn cells_that_the_plan_does_not_have_are_refused() {
    let stranger = whole(9).cells.pop().expect("nine");
    let message = refused(with_second(|document| document.cells[1] = stranger));
    assert!(message.starts_with("the cells of 1.json, 2.json are not those of their plan"), "{message}");
}

#[test]
fn an_interrupted_shard_needs_partial_and_its_cells_keep_their_places() {
    let files = with_second(|document| {
        document.complete = false;
        document.cells.truncate(1);
    });
    assert!(refused(files.clone()).starts_with("2.json is not complete: its run was interrupted"));
    let partial = results(files, Allow { missing: true, ..Allow::default() }).expect("it was allowed");
    let bytes: Vec<_> = partial.cells.iter().filter_map(|cell| cell.dims.number("bytes")).collect();
    assert_eq!((bytes, partial.complete), (vec![1, 2, 3, 5], false));
    assert_eq!(partial.warnings, ["2.json was interrupted"]);
}
