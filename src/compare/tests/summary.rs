//! The summary and the order of loops.

use super::sample::{cell, comparison, of_cells, paired, unjudged};
use crate::compare::{EngineMean, Summary, judge, order};
use crate::measure::LoopKind;
use crate::results::{Change, Comparability, Comparison, DimValue, Dims, LoopComparisons};

fn judged(growths: &[f64]) -> Comparison {
    let mut comparison = comparison(growths.iter().map(|&growth| paired(&[growth; 3])));
    judge(&mut comparison);
    comparison
}

fn change(is_regression: bool) -> Change {
    Change {
        metric: "wire.full.flights".to_owned(),
        old: "2".to_owned(),
        new: "3".to_owned(),
        growth: Some(0.5),
        is_regression,
        words: String::new(),
    }
}

fn without_loops(status: Comparability) -> crate::results::CellComparison {
    let mut cell = cell("bare", LoopComparisons::default());
    cell.status = status;
    cell
}

#[test]
fn loops_are_ordered_by_what_matters() {
    let mut comparison = judged(&[0.0, 0.05, -0.2, 0.2, 0.01, -0.1]);
    comparison.cells.push(cell(
        "unsure",
        LoopComparisons { full: Some(unjudged(paired(&[0.01]))), reuse: Some(unjudged(paired(&[-0.5]))) },
    ));
    judge(&mut comparison);
    let full = |place| (place, LoopKind::Full);
    assert_eq!(
        order(&comparison),
        [full(3), full(1), full(2), full(5), (6, LoopKind::Reuse), full(6), full(0), full(4)]
    );
}

#[test]
fn everything_is_counted() {
    let mut comparison = judged(&[0.1, 0.1, -0.1, 0.0, 0.0, 0.0]);
    comparison.cells[0].loops.reuse = Some(unjudged(paired(&[0.5])));
    comparison.cells[1].changes = vec![change(false), change(true)];
    comparison.cells[2].changes = vec![change(false)];
    let others = [Comparability::Lost, Comparability::Gained, Comparability::Gained, Comparability::Error];
    comparison.cells.extend(others.map(without_loops));
    comparison.cells.push(without_loops(Comparability::Neither));
    judge(&mut comparison);
    let summary = Summary::of(&comparison);
    assert_eq!(
        (summary.regressions, summary.improvements, summary.unchanged, summary.inconclusive),
        (2, 1, 3, 1)
    );
    assert_eq!((summary.exact_changes, summary.exact_regressions), (3, 1));
    assert_eq!((summary.lost, summary.gained, summary.errors), (1, 2, 1));
}

#[test]
fn a_regression_is_a_slower_loop_a_worse_count_or_a_lost_cell() {
    let has_regression = |comparison: &Comparison| Summary::of(comparison).has_regression();
    let flat = judged(&[0.0, -0.1]);
    assert!(!has_regression(&flat));
    assert!(has_regression(&judged(&[0.0, 0.1])));
    let mut counted = flat.clone();
    counted.cells[0].changes = vec![change(false)];
    assert!(!has_regression(&counted));
    counted.cells[0].changes.push(change(true));
    assert!(has_regression(&counted));
    for (status, is_regression) in [
        (Comparability::Lost, true),
        (Comparability::Gained, false),
        (Comparability::Neither, false),
        (Comparability::Error, false),
    ] {
        let mut other = flat.clone();
        other.cells.push(without_loops(status));
        assert_eq!(has_regression(&other), is_regression, "{status:?}");
    }
}

#[test]
fn inconclusive_is_said() {
    assert!(!Summary::of(&judged(&[0.0, 0.1])).has_inconclusive());
    let mut unsure = comparison([paired(&[0.0])]);
    judge(&mut unsure);
    assert!(Summary::of(&unsure).has_inconclusive());
}

#[test]
fn engines_have_geometric_means_by_kind_of_loop() {
    let mut comparison = judged(&[0.5, 1.0 / 1.5 - 1.0, 0.21]);
    comparison.cells[0].loops.reuse = Some(unjudged(paired(&[0.1])));
    comparison.cells[1].loops.reuse = Some(unjudged(paired(&[])));
    comparison.cells[2].new_engines = Some("other".to_owned());
    comparison.cells[2].dims = Dims::new([
        ("client".to_owned(), DimValue::Text("one".to_owned())),
        ("server".to_owned(), DimValue::Text("two".to_owned())),
    ]);
    judge(&mut comparison);
    let mean =
        |engine: &str, kind, ratio, loops| EngineMean { engine: engine.to_owned(), kind, ratio, loops };
    let expected = [
        mean("null", LoopKind::Full, 1.0, 2),
        mean("null", LoopKind::Reuse, 1.1, 1),
        mean("other against one→two", LoopKind::Full, 1.21, 1),
    ];
    let found = Summary::of(&comparison).engines;
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found.ratio - expected.ratio).abs() < 1e-9, "{found:?}");
        assert_eq!(EngineMean { ratio: expected.ratio, ..found }, expected);
    }
}

#[test]
fn the_sentence_names_what_there_is_and_nothing_else() {
    assert_eq!(
        Summary::of(&judged(&[0.0])).sentence(),
        "1 loop: 1 unchanged; CPU time by geometric mean: null full as fast."
    );
    assert_eq!(Summary::of(&of_cells(vec![])).sentence(), "No loop was compared.");
    let mut all = judged(&[0.1, -0.2, 0.0, 0.0]);
    all.cells[0].loops.reuse = Some(unjudged(paired(&[0.1])));
    all.cells[0].changes = vec![change(false), change(true)];
    all.cells.extend([Comparability::Lost, Comparability::Error].map(without_loops));
    judge(&mut all);
    assert_eq!(
        Summary::of(&all).sentence(),
        "5 loops: 1 slower, 1 faster, 2 unchanged and 1 inconclusive; 2 differences in what was counted, 1 for the \
         worse; cells: 1 lost and 1 failed; CPU time by geometric mean: null full 3.1 % faster, null reuse 10.0 % \
         slower."
    );
}
