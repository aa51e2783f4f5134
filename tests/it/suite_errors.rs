//! What a wrong suite is answered with: every mistake, its place, and what would be right.

use proptest::prelude::*;
use tlspair::suite::{Suite, SuiteError, built_in, built_in_names};

use crate::support::named_engines;

const HEAD: &str = "title = 'T'\nabout = 'A.'\n";

fn error_of(text: &str) -> SuiteError {
    Suite::parse(text, "test.toml", &named_engines(&["openssl", "rustls-ring"])).expect_err(text)
}

/// The message for a suite with a good head.
fn message(body: &str) -> String {
    error_of(&format!("{HEAD}{body}")).to_string()
}

fn problem_count(error: &SuiteError) -> usize {
    match error {
        SuiteError::Invalid(invalid) => invalid.problem_count(),
        SuiteError::NotFound(_) | SuiteError::Unreadable { .. } => 0,
    }
}

#[test]
fn a_mistake_is_shown_with_its_line_and_a_mark_under_the_value() {
    let text = message("[[cells]]\ncipher = ['AES128-SHA', 'AES128-SHB']\nengine = 'openssl'\n");
    let expected = r#"
error: unknown cipher `AES128-SHB`
 --> test.toml:4:25
  |
4 | cipher = ['AES128-SHA', 'AES128-SHB']
  |                         ^^^^^^^^^^^^ did you mean `AES128-SHA`, `AES128-SHA256` or `AES128-GCM-SHA256`?"#;
    assert_eq!(text, expected.trim());
}

#[test]
fn a_value_without_any_cell_is_shown_with_the_protocols_reason() {
    let text = message(
        "[[cells]]\nproto = ['tls1.2', 'tls1.3']\n\
         cipher = ['AES128-SHA', 'DES-CBC-SHA', 'TLS_AES_128_GCM_SHA256']\n",
    );
    let expected = r#"
error: TLS 1.2 has no cipher DES-CBC-SHA
 --> test.toml:5:25
  |
5 | cipher = ['AES128-SHA', 'DES-CBC-SHA', 'TLS_AES_128_GCM_SHA256']
  |                         ^^^^^^^^^^^^^ no cell of this block can have it
  |
  = help: possible here: `DES-CBC3-SHA` or `SEED-SHA`; or another proto: `ssl3`, `tls1.0` or `tls1.1`"#;
    assert_eq!(text, expected.trim());
}

#[test]
fn the_reason_given_is_that_of_the_combination_nearest_to_a_cell() {
    let text = message(
        "[[cells]]\nproto = ['tls1.3', 'tls1.0']\ngroup = 'p256'\n\
         cipher = ['TLS_AES_128_GCM_SHA256', 'AES128-SHA', 'ECDHE-RSA-AES128-SHA']\n",
    );
    assert!(text.starts_with("error: AES128-SHA agrees on keys by static RSA, not in group p256"), "{text}");
    assert!(text.contains("or another group: `rsa`"), "{text}");
}

#[test]
fn mistakes_are_placed_and_answered() {
    for (body, place, says) in [
        ("[[cells]]\nengine = 'opnssl'\n", "4:10", "unknown engine `opnssl`|did you mean `openssl`"),
        ("[[cells]]\nprotos = 'tls1.3'\n", "4:1", "unknown key `protos`|did you mean `proto`"),
        ("conections = 1\n[[cells]]\n", "3:1", "unknown key `conections`|did you mean `connections`"),
        ("connections = 0\n[[cells]]\n", "3:15", "connections must be 1 to 10000000, not 0"),
        ("connections = 10_000_001\n[[cells]]\n", "3:15", "nearest valid number is 10000000"),
        ("connections = '1'\n[[cells]]\n", "3:15", "a whole number, not a TOML string"),
        ("loops = ['fulll']\n[[cells]]\n", "3:10", "unknown loop `fulll`|did you mean `full`"),
        ("cells = []\n", "3:9", "a suite without cells|add a [[cells]] block"),
        ("[[cells]]\nbytes = '2GiB'\n", "4:9", "bytes must be 1 to 1 GiB|nearest valid number is 1073741824"),
        ("[[cells]]\nbytes = [1, -1]\n", "4:13", "`-1` is no whole number"),
        ("[[cells]]\nbytes = 1.5\n", "4:9", "not a TOML float"),
        ("[[cells]]\nbytes = '1KB'\n", "4:9", "unknown unit|units are KiB"),
        ("[[cells]]\nbytes = '1..100000'\n", "4:9", "more than 1000 values|1..100000x10"),
        ("[[cells]]\nbytes = '9..1'\n", "4:9", "the range 9..1 is empty"),
        ("[[cells]]\nbytes = '1..9+0'\n", "4:9", "steps of 0"),
        ("[[cells]]\nbytes = '1..9x1'\n", "4:9", "multiples of 1"),
        ("[[cells]]\nchain = 4\n", "4:9", "chain must be 1 to 3, not 4"),
        ("[[cells]]\nproto = []\n", "4:9", "an empty list"),
        ("[[cells]]\ncert = 2048\n", "4:8", "not a TOML integer|write names in quotes"),
        ("[[cells]]\ncert = [['rsa2048']]\n", "4:9", "not a TOML array"),
        ("[cells]\n", "3:1", "cells are blocks|[[cells]]"),
        ("cells = 1\n", "3:9", "cells are blocks|[[cells]]"),
        ("cells = [1]\n", "3:10", "cells are blocks|[[cells]]"),
        ("defaults = 1\n[[cells]]\n", "3:12", "defaults are a table"),
        ("[defaults]\nexclude = 'bytes=1'\n[[cells]]\n", "4:1", "unknown key `exclude`"),
        ("[[cells]]\nexclude = 1\n", "4:11", "exclude lists filters"),
        ("[[cells]]\nexclude = ['bytes=1,serf=p256']\n", "4:21", "unknown dimension `serf`"),
        ("[[cells]]\nexclude = 'bytes=2'\n", "4:11", "an exclusion that matches nothing"),
        ("[[cells]]\nclient = 'openssl'\n", "4:1", "`client` without `server`"),
        ("[[cells]]\nengine = 'all'\nserver = 'openssl'\n", "4:1", "`engine` beside `client`"),
        ("[[cells]]\nproto = 'tls1.3'\nresume = 'ticket'\n", "5:10", "does not resume by ticket|`psk-dhe`"),
        ("[[cells]]\ncipher = 'AES128-SHA'\ngroup = 'x25519'\n", "5:9", "static RSA|possible here: `rsa`"),
        (
            "[defaults]\ngroup = ['rsa', 'x25519']\n[[cells]]\nproto = 'tls1.3'\n",
            "4:10",
            "no cell of a block that inherits",
        ),
        (
            "[[cells]]\nengine = 'openssl'\nchunk = '1..1000'\nbytes = '1..1000'\n",
            "3:1",
            "1000000 combinations",
        ),
        ("[[cells]\n", "3:9", "not valid TOML"),
        ("[[cells]]\nbytes = 1\nbytes = 2\n", "5:1", "duplicate key"),
    ] {
        let text = message(body);
        assert!(text.contains(&format!("--> test.toml:{place}\n")), "wanted {place}\n{text}");
        for part in says.split('|') {
            assert!(text.contains(part), "wanted {part}\n{text}");
        }
    }
}

#[test]
fn what_is_missing_is_named() {
    let error = error_of("");
    assert_eq!(problem_count(&error), 3, "{error}");
    let text = error.to_string();
    assert!(["`title`", "`about`", "`cells`"].iter().all(|part| text.contains(part)), "{text}");
    assert!(error_of("title = ' '\nabout = 1\n[[cells]]\n").to_string().contains("title is empty"));
}

#[test]
fn all_mistakes_of_a_file_come_at_once_in_order() {
    let error = error_of(
        "title = 1\nabot = 'A.'\n[defaults]\nbytes = 0\n[[cells]]\nproto = ['tls9', 'tls8']\n\
         [[cells]]\ncert = 'rsa1'\nexclude = 'nothing'\n",
    );
    assert_eq!(problem_count(&error), 8, "{error}");
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("--> ")).collect();
    let places: Vec<&str> = lines.iter().filter_map(|line| line.split("test.toml:").nth(1)).collect();
    assert_eq!(places, ["1:1", "1:9", "2:1", "4:9", "6:10", "6:18", "8:8", "9:12"], "{text}");
}

#[test]
fn a_default_that_one_block_can_use_is_no_mistake() {
    let body = "[defaults]\nresume = ['ticket', 'psk-dhe', 'session-id']\n[[cells]]\nproto = 'tls1.3'\n";
    let text = message(body);
    assert_eq!(text.matches("error:").count(), 2, "{text}");
    let whole = format!("{HEAD}{body}[[cells]]\nproto = 'tls1.2'\n");
    assert!(Suite::parse(&whole, "test.toml", &named_engines(&["openssl"])).is_ok());
}

#[test]
fn a_mistake_in_another_engine_set_is_none_here() {
    let body = "[[cells]]\nengine = 'all'\nexclude = 'engine=rustls-aws-lc'\n";
    let parsed = Suite::parse(&format!("{HEAD}{body}"), "test.toml", &named_engines(&["openssl"]));
    assert_eq!(parsed.map(|suite| suite.cells.len()).map_err(|error| error.to_string()), Ok(1));
}

#[test]
fn colour_comes_only_when_asked_for() {
    let error = error_of("x = 1");
    assert!(!error.render(false).contains('\x1b'));
    assert!(error.render(true).contains('\x1b'));
}

#[test]
fn control_characters_of_a_file_do_not_reach_the_terminal() {
    let error = error_of("title = \"\\u001b[2J\"\nabout = 'A.'\n[[cells]]\nproto = \"\\u001b[2J\"\n");
    assert!(!error.to_string().contains('\x1b'), "{error}");
}

#[test]
fn many_mistakes_are_counted_not_listed() {
    let list = vec!["'nothing'"; 100].join(", ");
    let text = message(&format!("[[cells]]\nproto = [{list}]\n"));
    assert!(text.ends_with("… and 80 more"), "{text}");
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "(\\PC|[\n\r\t]|\\[\\[cells\\]\\]\n|proto = ){0,60}") {
        render_both(&text);
    }

    #[test]
    fn no_change_to_a_suite_makes_the_parser_panic(
        which in 0..built_in_names().len(),
        at in any::<prop::sample::Index>(),
        length in 0..12usize,
        put in "[\\[\\]='\",.0-9a-zé\n ]{0,6}",
    ) {
        let name = built_in_names()[which];
        let mut text: Vec<char> = built_in(name).unwrap_or_default().chars().collect();
        let start = at.index(text.len());
        let end = (start + length).min(text.len());
        text.splice(start..end, put.chars());
        render_both(&text.into_iter().collect::<String>());
    }
}

/// Parses and, if there is an error, renders it both ways.
fn render_both(text: &str) {
    if let Err(error) = Suite::parse(text, "test.toml", &named_engines(&["openssl", "mbedtls"])) {
        assert!(error.render(false).contains("test.toml:"), "{error}");
        assert!(!error.render(true).is_empty());
    }
}
