//! Thresholds in suites: what is read, what is inherited, what is refused, and what holds where nothing is said.

use tlspair::cell::Choice;
use tlspair::results::Thresholds;
use tlspair::suite::{PartialThresholds, Suite};

use crate::support::{cell, named_engines};

const HEAD: &str = "title = 'T'\nabout = 'A.'\n";

fn suite(blocks: &str) -> Suite {
    let text = format!("{HEAD}{blocks}");
    Suite::parse(&text, "test.toml", &named_engines(&["openssl"])).unwrap_or_else(|error| panic!("{error}"))
}

fn message(blocks: &str) -> String {
    let text = format!("{HEAD}{blocks}");
    Suite::parse(&text, "test.toml", &named_engines(&["openssl"])).expect_err(&text).to_string()
}

#[track_caller]
fn are_near(found: [Option<f64>; 4], expected: [Option<f64>; 4]) {
    for (found, expected) in found.into_iter().zip(expected) {
        let near = match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-12,
            (found, expected) => found == expected,
        };
        assert!(near, "{found:?}, not {expected:?}");
    }
}

fn values(thresholds: PartialThresholds) -> [Option<f64>; 4] {
    [thresholds.time, thresholds.wire, thresholds.heap, thresholds.instructions]
}

#[test]
fn percent_is_read_from_texts_and_numbers() {
    let suite =
        suite("[[cells]]\nthresholds = { time = '5%', wire = 0, heap = 1.5, instructions = ' 0.5 % ' }\n");
    are_near(values(suite.thresholds[0]), [Some(0.05), Some(0.0), Some(0.015), Some(0.005)]);
}

#[test]
fn a_block_inherits_what_it_does_not_set_itself() {
    let suite = suite(
        "[defaults]\nthresholds = { time = '5%', heap = '2%' }\n[[cells]]\nbytes = [1, 2]\n\
         thresholds.time = '7%'\n[[cells]]\nbytes = 3\n[cells.thresholds]\nwire = '1%'\n[[cells]]\nbytes = 4\n",
    );
    let found: Vec<_> = suite.cells.iter().map(|cell| cell.bytes).zip(suite.thresholds).collect();
    assert_eq!(found.len(), 4);
    for (bytes, thresholds) in found {
        let expected = match bytes {
            1 | 2 => [Some(0.07), None, Some(0.02), None],
            3 => [Some(0.05), Some(0.01), Some(0.02), None],
            _ => [Some(0.05), None, Some(0.02), None],
        };
        are_near(values(thresholds), expected);
    }
}

#[test]
fn a_cell_that_comes_twice_keeps_its_first_thresholds() {
    let suite =
        suite("[[cells]]\nthresholds.time = '7%'\n[[cells]]\nbytes = [1, 2]\nthresholds.time = '9%'\n");
    let times: Vec<_> = suite.thresholds.iter().map(|thresholds| thresholds.time).collect();
    assert_eq!((suite.merged, times), (1, vec![Some(0.07), Some(0.09)]));
}

#[test]
fn mistakes_are_placed_and_answered() {
    for (thresholds, column, says) in [
        ("thresholds = '5%'", 14, "thresholds are a table, not a TOML string|time = \"5%\""),
        ("thresholds = { tine = '5%' }", 16, "unknown threshold `tine`|did you mean `time`"),
        ("thresholds = { time = '5' }", 23, "`5` is not in percent|\"5%\""),
        ("thresholds = { time = 'five %' }", 23, "`five` is no number"),
        ("thresholds = { time = true }", 23, "not a TOML boolean"),
        ("thresholds = { time = ['5%'] }", 23, "not a TOML array"),
        ("thresholds = { time = '0.5%' }", 23, "time must be 1 to 1000 %, not 0.5 %|threshold is \"1%\""),
        ("thresholds = { wire = -1 }", 23, "wire must be 0 to 1000 %, not -1 %|threshold is \"0%\""),
        ("thresholds = { heap = '1001%' }", 23, "heap must be 0 to 1000 %|threshold is \"1000%\""),
        ("thresholds = { heap = nan }", 23, "heap must be 0 to 1000 %, not NaN %"),
        ("thresholds = { heap = 'inf%' }", 23, "heap must be 0 to 1000 %, not inf %|threshold is \"1000%\""),
    ] {
        for (header, line) in [("[[cells]]\n", 4), ("[defaults]\n", 4)] {
            let rest = if header == "[defaults]\n" { "[[cells]]\n" } else { "" };
            let text = message(&format!("{header}{thresholds}\n{rest}"));
            assert!(text.contains(&format!("--> test.toml:{line}:{column}\n")), "{text}");
            for part in says.split('|') {
                assert!(text.contains(part), "wanted {part}\n{text}");
            }
        }
    }
}

#[test]
fn all_wrong_thresholds_of_a_table_are_told_at_once() {
    let text = message("[[cells]]\nthresholds = { time = 0, wires = 1, heap = '1' }\n");
    assert_eq!(text.matches("error:").count(), 3, "{text}");
}

#[test]
fn where_a_suite_says_nothing_instructions_depend_on_the_size() {
    let of = |bytes| {
        let choice = Choice { bytes: Some(bytes), ..Choice::default() };
        Thresholds::of(PartialThresholds::default(), &cell("null", &choice))
    };
    let small = Thresholds { time: 0.03, wire: 0.0, heap: 0.01, instructions: 0.005 };
    assert_eq!(of(1), small);
    assert_eq!(of(65535), small);
    assert_eq!(of(65536), Thresholds { instructions: 0.001, ..small });
    let said = PartialThresholds { time: Some(0.5), instructions: Some(0.25), ..Default::default() };
    let expected = Thresholds { time: 0.5, instructions: 0.25, ..small };
    assert_eq!(Thresholds::of(said, &cell("null", &Choice::default())), expected);
}
