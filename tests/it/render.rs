//! How results look: tables, Markdown and CSV of results made by hand. `SNAPSHOTS=overwrite` renews the snapshots.

use proptest::prelude::*;
use snapbox::assert_data_eq;
use tlspair::measure::LoopKind;
use tlspair::render::{Report, Style, seconds_for_1000, write_csv, write_markdown, write_text};
use tlspair::results::{Document, LoopResult, Loops};

use crate::documents::{classic_document, classic_rows, empty, sample, timed};

fn text(report: &Report<'_>, width: Option<u16>) -> String {
    written(|out| write_text(report, Style { width, color: false }, out))
}

pub fn written(write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("everything written is UTF-8")
}

pub fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or_default()
}

#[test]
fn the_run_table_without_a_limit() {
    assert_data_eq!(text(&Report::Cells(&sample()), None), snapbox::file!["../snapshots/run.txt"].raw());
}

#[test]
fn the_run_table_on_narrow_terminals_is_cut_between_groups() {
    let document = sample();
    let narrow = text(&Report::Cells(&document), Some(80));
    assert!(widest(&narrow) <= 80, "{narrow}");
    assert_data_eq!(narrow, snapbox::file!["../snapshots/run-80.txt"].raw());
    let wide = text(&Report::Cells(&document), Some(160));
    assert!(widest(&wide) <= 160, "{wide}");
    let very_narrow = text(&Report::Cells(&document), Some(40));
    assert!(very_narrow.contains("rustls has no cipher"), "{very_narrow}");
}

#[test]
fn the_run_table_as_markdown_and_csv() {
    let document = sample();
    let report = Report::Cells(&document);
    assert_data_eq!(written(|out| write_markdown(&report, out)), snapbox::file!["../snapshots/run.md"].raw());
    assert_data_eq!(written(|out| write_csv(&report, out)), snapbox::file!["../snapshots/run.csv"].raw());
}

#[test]
fn the_classic_table() {
    let document = classic_document();
    let rows = classic_rows(&document);
    let report = Report::Classic { document: &document, rows: &rows };
    assert_data_eq!(text(&report, None), snapbox::file!["../snapshots/classic.txt"].raw());
    let narrow = text(&report, Some(80));
    assert!(widest(&narrow) <= 80, "{narrow}");
    assert_data_eq!(narrow, snapbox::file!["../snapshots/classic-80.txt"].raw());
    assert_data_eq!(
        written(|out| write_markdown(&report, out)),
        snapbox::file!["../snapshots/classic.md"].raw()
    );
    assert_data_eq!(written(|out| write_csv(&report, out)), snapbox::file!["../snapshots/classic.csv"].raw());
}

#[test]
fn the_closing_sentence_needs_its_row() {
    let document = classic_document();
    let rows = classic_rows(&document);
    let without = &rows[..3];
    let report = Report::Classic { document: &document, rows: without };
    assert!(!text(&report, None).contains("connections a second"));
}

#[test]
fn a_run_of_nothing_is_a_table_of_nothing() {
    let document = empty();
    for width in [None, Some(80), Some(1)] {
        assert!(text(&Report::Cells(&document), width).contains("Machine:"));
    }
    let csv = written(|out| write_csv(&Report::Cells(&document), out));
    assert_eq!(csv.lines().count(), 1, "the header alone");
}

#[test]
fn an_interrupted_run_says_so() {
    let mut document = sample();
    document.complete = false;
    assert!(text(&Report::Cells(&document), None).contains("Not complete: 4 cells so far."));
}

#[test]
fn colour_is_only_added() {
    let document = sample();
    let report = Report::Cells(&document);
    let coloured = written(|out| write_text(&report, Style { width: None, color: true }, out));
    assert!(coloured.contains("\u{1b}["), "no colour at all");
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').expect("an escape ends").1;
    }
    plain.push_str(rest);
    let trimmed = |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert_eq!(trimmed(&plain), trimmed(&text(&report, None)));
    assert!(!text(&report, None).contains('\u{1b}'));
}

#[test]
fn csv_has_as_many_fields_in_every_line_and_none_for_what_did_not_happen() {
    let document = sample();
    let csv = written(|out| write_csv(&Report::Cells(&document), out));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let column = |name: &str| header.iter().position(|field| field == name).expect(name);
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("equal lengths")).collect();
    assert_eq!(rows.len(), 4);
    assert_eq!(&rows[0][column("full_median_ns")], "100350");
    assert_eq!(&rows[1][column("engine")], "");
    assert_eq!(&rows[1][column("client")], "openssl");
    assert_eq!(&rows[1][column("heap_client_bytes")], "");
    assert_eq!(&rows[2][column("full_cpu_ns")], "");
    assert_eq!(&rows[2][column("reason")], "rustls has no cipher DES-CBC3-SHA");
}

#[test]
fn a_reuse_loop_is_scaled_without_its_one_full_handshake() {
    let loop_of = |kind, samples_ns: Vec<u64>| {
        let mut timed = timed(kind, samples_ns.len() as u64, 1);
        timed.cpu = std::time::Duration::from_nanos(samples_ns.iter().sum());
        timed.samples_ns = samples_ns;
        LoopResult::of(&timed)
    };
    let reuse_of = |first, count| [vec![first], vec![1_000_000; count]].concat();
    let near = |seconds: Option<f64>, expected: f64| {
        let seconds = seconds.expect("it ran");
        assert!((seconds - expected).abs() < 1e-9, "{seconds}, not {expected}");
    };
    let mut loops = Loops {
        full: loop_of(LoopKind::Full, vec![4_000_000; 20]),
        reuse: loop_of(LoopKind::Reuse, reuse_of(4_000_000, 19)),
    };
    near(seconds_for_1000(LoopKind::Full, &loops), 4.0);
    near(seconds_for_1000(LoopKind::Reuse, &loops), 0.004 + 0.999);

    // An interruption during the first connection lengthens its sample, not the CPU time.
    let reuse = loops.reuse.as_mut().expect("it ran");
    reuse.samples_ns[0] = 30_000_000;
    near(seconds_for_1000(LoopKind::Reuse, &loops), 0.004 + 0.999);
    loops.full = None;
    near(seconds_for_1000(LoopKind::Reuse, &loops), 0.030 + 0.999);
    assert_eq!(seconds_for_1000(LoopKind::Full, &loops), None);

    loops.reuse = loop_of(LoopKind::Reuse, reuse_of(4_000_000, 0));
    assert_eq!(seconds_for_1000(LoopKind::Reuse, &loops), None, "nothing was resumed");
    loops.reuse = loop_of(LoopKind::Reuse, reuse_of(4_000_000, 999));
    near(seconds_for_1000(LoopKind::Reuse, &loops), 1.003);
}

/// Every cell and every reason is to be seen at every width.
fn shows_every_row(document: &Document, width: u16) {
    let shown = text(&Report::Cells(document), Some(width));
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    for cell in &document.cells {
        let reason = cell.reason.as_ref();
        assert!(reason.is_none_or(|reason| words.contains(reason.as_str())), "{width}: {shown}");
    }
}

proptest! {
    #[test]
    fn no_width_hides_a_reason(width in 1u16..300) {
        shows_every_row(&sample(), width);
    }

    #[test]
    fn lines_keep_to_the_width(width in 40u16..300) {
        let document = classic_document();
        let rows = classic_rows(&document);
        for shown in [
            text(&Report::Cells(&sample()), Some(width)),
            text(&Report::Classic { document: &document, rows: &rows }, Some(width)),
        ] {
            prop_assert!(widest(&shown) <= usize::from(width), "{width}: {shown}");
        }
    }
}
