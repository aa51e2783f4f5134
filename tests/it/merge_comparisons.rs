//! Merging comparisons: the same rules, and both sides and the method must agree too.

use tlspair::cell::{Cell, Choice};
use tlspair::measure::LoopKind;
use tlspair::merge::{Allow, comparisons};
use tlspair::results::{
    CellComparison, Comparability, Comparison, ComparisonKind, Design, Dims, LoopComparisons, Method,
    PlanEntry, Shard, SideEntry, Thresholds,
};
use tlspair::suite::PartialThresholds;

use crate::documents::empty;
use crate::support::cell;

fn compared(cell: &Cell) -> CellComparison {
    CellComparison {
        id: cell.id(),
        dims: Dims::from(cell),
        new_engines: None,
        status: Comparability::Neither,
        reason: Some("neither runs it".to_owned()),
        thresholds: Thresholds::of(PartialThresholds::default(), cell),
        loops: LoopComparisons::default(),
        counted: None,
        changes: Vec::new(),
    }
}

fn side(name: &str) -> SideEntry {
    SideEntry {
        name: format!("exe:/{name}"),
        hash: Some(format!("hash of {name}")),
        version: "0.1.0".to_owned(),
        build: "-O3".to_owned(),
        engines: empty().engines,
    }
}

/// A comparison of five cells.
fn whole() -> Comparison {
    let cells: Vec<Cell> =
        (1..=5).map(|bytes| cell("openssl", &Choice { bytes: Some(bytes), ..Choice::default() })).collect();
    let run = empty();
    Comparison {
        schema: run.schema,
        kind: ComparisonKind::Comparison,
        tool: run.tool,
        machine: run.machine,
        complete: true,
        suites: Vec::new(),
        plan: PlanEntry::whole(&cells, &LoopKind::BOTH),
        old: side("old"),
        new: side("new"),
        method: Method {
            design: Design::Paired,
            rounds: 10,
            pairs: 20,
            seed: 1,
            alpha: 0.05,
            noise_floor: 0.01,
            noise_floor_from: "nobody learned another".to_owned(),
            core: Some(1),
        },
        warnings: Vec::new(),
        left_out: vec!["only OLD has mbedtls".to_owned()],
        cells: cells.iter().map(compared).collect(),
    }
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
fn refused(change: &dyn Fn(&mut Comparison)) -> String {
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
fn seeds_and_processors_may_differ() {
    let mut files = shards(2);
    files[1].1.method.seed = 2;
    files[1].1.method.core = Some(0);
    files[1].1.old.name = "exe:/elsewhere".to_owned();
    let merged = comparisons(files, Allow::default()).expect("they fit");
    assert_eq!((merged.method.seed, merged.method.core), (1, None));
    assert_eq!(merged.cells, whole().cells);
}

#[test]
fn other_sides_and_methods_are_refused_with_what_differs() {
    let cases: [(&dyn Fn(&mut Comparison), &str); 9] = [
        (&|it| it.old.hash = Some("x".to_owned()), "OLD: hash of old in 1.json, x in 2.json"),
        (&|it| it.new.hash = None, "NEW: hash of new in 1.json, exe:/new in 2.json"),
        (&|it| it.new.version = "0.2.0".to_owned(), "version of NEW: 0.1.0 in 1.json, 0.2.0 in 2.json"),
        (&|it| it.new.build = "-O2".to_owned(), "build of NEW: -O3 in 1.json, -O2 in 2.json"),
        (&|it| it.old.engines.clear(), "OLD's engines: openssl in 1.json, none in 2.json"),
        (&|it| it.method.rounds = 5, "rounds: 10 in 1.json, 5 in 2.json"),
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
    files[0].1.warnings = vec!["hot".to_owned()];
    files[1].1.warnings = vec!["hot".to_owned(), "not pinned".to_owned()];
    let merged = comparisons(files, Allow::default()).expect("they fit");
    assert_eq!(merged.warnings, ["hot", "not pinned"]);
    assert_eq!(merged.left_out, whole().left_out);
}
