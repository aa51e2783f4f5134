//! How comparisons look. `SNAPSHOTS=overwrite` renews the snapshots.

use proptest::prelude::*;
use snapbox::assert_data_eq;
use tlspair::render::{Report, Style, write_csv, write_markdown, write_text};
use tlspair::results::Comparison;

use crate::comparisons::{paired, separate};
use crate::render::{widest, written};

fn text(comparison: &Comparison, width: Option<u16>) -> String {
    let report = Report::Comparison(comparison);
    written(|out| write_text(&report, Style { width, color: false }, out))
}

#[test]
fn a_comparison_on_wide_and_narrow_terminals() {
    let comparison = paired();
    let wide = text(&comparison, Some(160));
    assert!(widest(&wide) <= 160, "{wide}");
    assert_data_eq!(wide, snapbox::file!["../snapshots/comparison-160.txt"].raw());
    let narrow = text(&comparison, Some(80));
    assert!(widest(&narrow) <= 80, "{narrow}");
    assert_data_eq!(narrow, snapbox::file!["../snapshots/comparison-80.txt"].raw());
}

#[test]
fn a_comparison_of_sides_measured_apart_says_so() {
    assert_data_eq!(
        text(&separate(), Some(120)),
        snapbox::file!["../snapshots/comparison-separate.txt"].raw()
    );
}

#[test]
fn a_comparison_as_markdown_and_csv() {
    let comparison = paired();
    let report = Report::Comparison(&comparison);
    let markdown = written(|out| write_markdown(&report, out));
    assert_data_eq!(markdown, snapbox::file!["../snapshots/comparison.md"].raw());
    let csv = written(|out| write_csv(&report, out));
    assert_data_eq!(csv, snapbox::file!["../snapshots/comparison.csv"].raw());
}

#[test]
fn csv_has_a_line_for_each_cell_and_loop_in_the_order_of_the_plan() {
    let comparison = paired();
    let csv = written(|out| write_csv(&Report::Comparison(&comparison), out));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|field| field == name).expect(name);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("equal lengths")).collect();
    let fields = |name: &str| rows.iter().map(|row| row[column(name)].to_owned()).collect::<Vec<_>>();
    assert_eq!(
        fields("verdict"),
        [
            "unchanged",
            "unchanged",
            "lost",
            "neither",
            "improvement",
            "inconclusive",
            "regression",
            "unchanged",
            "gained",
            "error",
            "unchanged",
            "unchanged"
        ]
    );
    let regressions = fields("is_regression").iter().filter(|field| *field == "true").count();
    assert_eq!(regressions, 4, "one in time, one lost, two loops of a cell that grew");
    let regression = &rows[6];
    assert_eq!((&regression[column("loop")], &regression[column("cpu_ratio")]), ("full", "1.049"));
    assert_eq!(&regression[column("first_cpu_ratio")], "1.06");
    assert_eq!(&rows[2][column("cpu_ratio")], "", "what was not compared has no number");
}

#[test]
fn regressions_of_any_kind_come_first_and_what_stayed_as_it_was_last() {
    let wide = text(&paired(), None);
    let verdicts: Vec<&str> = wide
        .lines()
        .filter(|line| line.contains(" full ") || line.contains(" reuse ") || line.contains(" — "))
        .filter_map(|line| {
            ["regression", "lost", "error", "inconclusive", "improvement", "gained", "unchanged", "neither"]
                .into_iter()
                .find(|word| line.contains(&format!("  {word}")))
        })
        .collect();
    assert_eq!(
        verdicts,
        [
            "regression",
            "unchanged",
            "unchanged",
            "lost",
            "error",
            "improvement",
            "inconclusive",
            "gained",
            "unchanged",
            "unchanged",
            "unchanged",
            "neither"
        ]
    );
}

#[test]
fn a_sentence_that_holds_in_several_cells_is_said_once() {
    let wide = text(&paired(), None);
    assert_eq!(wide.matches("the client sends 4 bytes less").count(), 1, "{wide}");
    assert!(wide.contains("- in 2 cells (openssl, "), "{wide}");
    let mut many = paired();
    let change = many.cells[3].changes[0].clone();
    for cell in &mut many.cells {
        cell.changes = vec![change.clone()];
    }
    assert!(text(&many, None).contains("; 5 more): the client sends"), "{}", text(&many, None));
    many.cells.retain(|cell| cell.reason.is_none());
    assert!(text(&many, None).contains("- in all 4 cells: the client sends"), "{}", text(&many, None));
}

#[test]
fn verdicts_are_coloured_where_colour_is_wanted() {
    let comparison = paired();
    let report = Report::Comparison(&comparison);
    let coloured = written(|out| write_text(&report, Style { width: None, color: true }, out));
    for verdict in ["regression", "lost", "improvement", "inconclusive"] {
        let painted = coloured.lines().any(|line| line.contains(verdict) && line.contains("\u{1b}[38;5;"));
        assert!(painted, "{verdict}: {coloured}");
    }
}

#[test]
fn a_comparison_of_nothing_is_a_table_of_nothing() {
    let mut comparison = paired();
    comparison.cells.clear();
    for width in [None, Some(80), Some(1)] {
        assert!(text(&comparison, width).contains("Method:"));
    }
}

proptest! {
    #[test]
    fn lines_keep_to_the_width_and_every_reason_is_shown(width in 40u16..300) {
        let comparison = paired();
        let shown = text(&comparison, Some(width));
        prop_assert!(widest(&shown) <= usize::from(width), "{width}: {shown}");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        for cell in &comparison.cells {
            let reason = cell.reason.as_deref().map(words);
            prop_assert!(reason.is_none_or(|reason| words(&shown).contains(&reason)), "{width}: {shown}");
        }
    }
}
