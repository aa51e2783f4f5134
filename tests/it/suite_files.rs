//! The suites that come with the program, the 1997 table, and the examples of the documentation.

use std::collections::{HashMap, HashSet};
use std::fs;

use tlspair::cell::{Auth, Cell, Cert, Group, Proto, Resume};
use tlspair::engine::KNOWN;
use tlspair::suite::{Filter, Suite, SuiteError, built_in, built_in_names, history};

use crate::support::named_engines;

const ALL_TLS: [&str; 4] = ["openssl", "mbedtls", "rustls-aws-lc", "rustls-ring"];

fn load(name: &str, engines: &[&'static str]) -> Suite {
    Suite::load(name, &named_engines(engines)).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_built_in_suite_parses_with_any_engines() {
    assert!(built_in_names().len() >= 6);
    for name in built_in_names() {
        for engines in [&ALL_TLS[..], &ALL_TLS[..1], &[]] {
            let suite = load(name, engines);
            assert_eq!(suite.cells.is_empty(), engines.is_empty(), "{name}");
            assert_eq!((suite.merged, suite.absent_engines.len()), (0, 0), "{name}");
        }
    }
}

#[test]
fn every_built_in_suite_says_in_a_comment_what_it_shows() {
    for name in built_in_names() {
        let text = built_in(name).expect("a listed name");
        assert!(text.starts_with("# ") && text.contains("shows"), "{name}");
    }
}

#[test]
fn the_suites_of_the_design_are_built_in() {
    let names = [
        "axtls-profile",
        "certificate-chains",
        "classic",
        "client-auth",
        "legacy-vs-modern",
        "modern",
        "post-quantum",
        "record-size",
        "resumption",
        "smoke",
    ];
    for name in names {
        assert!(built_in_names().contains(&name), "{name}");
    }
}

#[test]
fn the_1997_table_has_28_rows_and_one_without_times() {
    let table = history::table_1997();
    assert_eq!((table.rows.len(), table.connections, table.chunk), (28, 1000, 8192));
    let missing: Vec<_> = table.rows.iter().filter(|row| row.full.is_none() || row.reuse.is_none()).collect();
    let [row] = missing.as_slice() else { panic!("{missing:?}") };
    assert_eq!((row.proto, row.cipher.openssl, row.rsa_bits, row.bytes), (Proto::Ssl3, "RC4-MD5", 512, 1024));
    let place = table.rows.iter().position(|row| row.full.is_none()).expect("one is missing");
    assert_eq!(table.rows[place - 1].cipher.openssl, "NULL-MD5");
    assert_eq!(table.rows[place + 1].full, Some(52.58));
    assert_eq!((table.rows[0].full, table.rows[27].reuse), (Some(12.83), Some(323.82)));
}

#[test]
fn the_classic_suite_is_the_table_row_by_row_engine_by_engine() {
    let table = history::table_1997();
    let suite = load("classic", &ALL_TLS[..2]);
    assert_eq!(suite.connections, Some(table.connections));
    assert_eq!(suite.cells.len(), 2 * table.rows.len());
    for (row, cells) in table.rows.iter().zip(suite.cells.chunks(2)) {
        for (cell, engine) in cells.iter().zip(ALL_TLS) {
            assert_eq!((cell.client.as_str(), cell.server.as_str()), (engine, engine));
            assert_eq!((cell.proto, cell.cipher, cell.bytes), (row.proto, row.cipher, row.bytes));
            assert_eq!((cell.cert.rsa_bits(), cell.chunk), (Some(row.rsa_bits), table.chunk));
        }
    }
}

#[test]
fn the_modern_suite_pairs_every_version_with_every_choice() {
    let suite = load("modern", &ALL_TLS[..1]);
    assert_eq!(suite.cells.len(), 32);
    let by_proto = |proto| suite.cells.iter().filter(move |cell| cell.proto == proto).count();
    assert_eq!((by_proto(Proto::Tls12), by_proto(Proto::Tls13)), (16, 16));
    let checked = Filter::parse("verify=name").expect("a filter");
    assert!(suite.cells.iter().all(|cell| checked.matches(cell)));
}

#[test]
fn the_smoke_suite_is_small_and_covers_every_version_from_ssl3() {
    let suite = load("smoke", &ALL_TLS[..1]);
    assert!(suite.cells.len() <= 10 && suite.connections.is_some_and(|connections| connections <= 50));
    let protos: HashSet<Proto> = suite.cells.iter().map(|cell| cell.proto).collect();
    assert_eq!(protos.len(), Proto::ALL.len() - 1);
    assert!(suite.cells.iter().any(|cell| cell.cert == Cert::P256));
}

/// The values of one dimension that a suite's cells have.
fn values<T: Eq + std::hash::Hash>(name: &str, of: impl Fn(&Cell) -> T) -> HashSet<T> {
    load(name, &ALL_TLS[..1]).cells.iter().map(of).collect()
}

#[test]
fn suites_of_one_question_vary_what_they_ask_about() {
    let kem = |group: Group| group.name().ends_with("mlkem768");
    assert_eq!(values("post-quantum", |cell| cell.group).into_iter().filter(|&group| kem(group)).count(), 3);
    assert_eq!(values("post-quantum", |cell| cell.cert).len(), 5);
    assert_eq!(values("resumption", |cell| cell.resume).len(), Resume::ALL.len());
    assert_eq!(values("resumption", |cell| cell.early_data > 0).len(), 2);
    assert_eq!(values("client-auth", |cell| cell.auth).len(), Auth::ALL.len());
    assert_eq!(values("certificate-chains", |cell| cell.chain), HashSet::from([1, 2, 3]));
    assert_eq!(values("record-size", |cell| cell.record_size).len(), 6);
}

#[test]
fn the_axtls_suite_has_its_four_ciphers_and_two_modern_ones() {
    let suite = load("axtls-profile", &ALL_TLS[..1]);
    let ciphers: HashSet<&str> = suite.cells.iter().map(|cell| cell.cipher.iana).collect();
    assert_eq!(ciphers.iter().filter(|name| name.starts_with("TLS_RSA_WITH_AES_")).count(), 4);
    assert_eq!(ciphers.len(), 6);
}

#[test]
fn a_file_comes_before_a_built_in_suite() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("mine.toml");
    fs::write(&path, "title = 'Mine'\nabout = 'A test.'\n[[cells]]\nengine = 'null'\n").expect("written");
    let suite = Suite::load(path.to_str().expect("UTF-8"), &named_engines(&[])).expect("a good suite");
    assert_eq!((suite.title.as_str(), suite.cells.len()), ("Mine", 1));
}

#[test]
fn an_unknown_suite_is_answered_with_the_nearest() {
    let error = Suite::load("clasic", &named_engines(&[])).expect_err("no such suite");
    assert!(matches!(&error, SuiteError::NotFound(unknown) if unknown.nearest[0] == "classic"), "{error}");
    let error = Suite::load("zzz", &named_engines(&[])).expect_err("no such suite").to_string();
    assert!(built_in_names().iter().all(|name| error.contains(name)), "{error}");
}

#[test]
fn a_file_that_is_no_text_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("binary.toml");
    fs::write(&path, [0xff, 0xfe, 0x00]).expect("written");
    let error = Suite::load(path.to_str().expect("UTF-8"), &named_engines(&[])).expect_err("no text");
    assert!(matches!(error, SuiteError::Unreadable { .. }), "{error}");
}

/// The fenced blocks of one language in the format's documentation.
fn examples(language: &str) -> Vec<String> {
    let text =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/FORMAT.md")).expect("the document");
    let opening = format!("```{language}\n");
    let blocks = text.split(&opening).skip(1);
    blocks.map(|rest| rest.split("```").next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_documented_suites_parse() {
    let suites: Vec<String> = examples("toml")
        .into_iter()
        .filter(|text| text.lines().any(|line| line.starts_with("title")))
        .collect();
    assert!(!suites.is_empty());
    for text in suites {
        let parsed = Suite::parse(&text, "docs/FORMAT.md", &named_engines(&ALL_TLS));
        let suite = parsed.unwrap_or_else(|error| panic!("{error}"));
        assert!(!suite.cells.is_empty());
    }
}

#[test]
fn the_documented_filters_parse() {
    let text = examples("filter").concat();
    let filters: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert!(filters.len() >= 5);
    for filter in filters {
        Filter::parse(filter).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn known_engines_are_named_once() {
    let ids: HashSet<&str> = KNOWN.iter().map(|known| known.id).collect();
    assert_eq!(ids.len(), KNOWN.len());
}

#[test]
fn cell_ids_of_every_built_in_suite_differ() {
    for name in built_in_names() {
        let suite = load(name, &ALL_TLS);
        let mut seen: HashMap<String, &Cell> = HashMap::new();
        for cell in &suite.cells {
            assert_eq!(seen.insert(cell.id(), cell), None, "{name}: {cell}");
        }
    }
}
