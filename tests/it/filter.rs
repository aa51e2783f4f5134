//! Filter expressions.

use proptest::prelude::*;
use tlspair::cell::{CIPHERS, Cell, Cert, Choice, Group, Proto};
use tlspair::suite::Filter;

use crate::support::{cell, mixed, with_cipher};

fn filter(expression: &str) -> Filter {
    Filter::parse(expression).unwrap_or_else(|error| panic!("{error}"))
}

fn error(expression: &str) -> (usize, String) {
    let error = Filter::parse(expression).expect_err(expression);
    (error.column(), error.to_string())
}

#[test]
fn a_comma_narrows_and_a_bar_widens() {
    let cell = cell("openssl", &Choice { bytes: Some(1024), ..with_cipher("AES128-SHA") });
    assert!(filter("proto=tls1.2,cipher=AES128-SHA").matches(&cell));
    assert!(!filter("proto=tls1.2,cipher=AES256-SHA").matches(&cell));
    assert!(filter("cipher=AES256-SHA|AES128-SHA").matches(&cell));
    assert!(!filter("cipher!=AES256-SHA|AES128-SHA").matches(&cell));
    assert!(filter(" bytes = 1KiB , bytes != 1 | 2 ").matches(&cell));
}

#[test]
fn several_filters_widen_and_none_chooses_all() {
    let cell = cell("openssl", &with_cipher("AES128-SHA"));
    let filters = [filter("proto=tls1.3"), filter("cert=rsa2048")];
    assert!(Filter::any_matches(&filters, &cell));
    assert!(!Filter::any_matches(&filters[..1], &cell));
    assert!(Filter::any_matches(&[], &cell));
}

#[test]
fn ciphers_match_by_either_name() {
    let cell = cell("openssl", &with_cipher("AES128-SHA"));
    assert!(filter("cipher=TLS_RSA_WITH_AES_128_CBC_SHA").matches(&cell));
    assert!(filter("cipher~_cbc_").matches(&cell));
    assert!(filter("cipher~aes128-").matches(&cell));
    assert!(filter("cipher!~gcm|chacha").matches(&cell));
    assert!(!filter("cipher!~gcm|cbc").matches(&cell));
}

#[test]
fn an_engine_matches_on_either_side_and_sides_match_alone() {
    let cell = mixed("openssl", "rustls-ring", &Choice::default());
    for expression in
        ["engine=openssl", "engine=rustls-ring", "engine~RING", "client=openssl", "server~rustls"]
    {
        assert!(filter(expression).matches(&cell), "{expression}");
    }
    for expression in ["engine=mbedtls", "engine!=openssl", "client~rustls", "server=openssl"] {
        assert!(!filter(expression).matches(&cell), "{expression}");
    }
}

#[test]
fn numbers_compare_by_size_and_versions_by_age() {
    let cell = cell(
        "openssl",
        &Choice { bytes: Some(10_240), chain: Some(2), ..with_cipher("ECDHE-RSA-AES128-SHA") },
    );
    for expression in ["bytes>=10KiB", "bytes<=10240", "bytes>9KiB", "bytes<1MiB", "chain>1", "chunk>=8KiB"] {
        assert!(filter(expression).matches(&cell), "{expression}");
    }
    for expression in ["bytes>10KiB", "bytes<10240", "chain>=3", "chunk<8KiB", "proto<tls1.2", "proto>tls1.2"]
    {
        assert!(!filter(expression).matches(&cell), "{expression}");
    }
    assert!(filter("proto>=tls1.2,proto<=tls1.2,proto>ssl3,proto<tls1.3").matches(&cell));
    assert!(filter("chain=1..2").matches(&cell));
}

#[test]
fn errors_name_the_column_and_the_nearest_choice() {
    for (expression, column, says) in [
        ("", 1, "an empty term"),
        ("proto=tls1.3,", 14, "an empty term"),
        ("proto", 1, "without an operator"),
        ("proto=tls1.3,sipher=x", 14, "did you mean `cipher`"),
        ("proto=tls1.4", 7, "did you mean `tls1."),
        ("cert=rsa2048|rsa2049", 14, "did you mean `rsa2048`"),
        ("cert=|rsa2048", 6, "a value is missing"),
        ("cert==rsa2048", 5, "unknown operator"),
        ("cert!rsa2048", 5, "`!` is no operator"),
        ("cert<rsa2048", 5, "cert has no order"),
        ("bytes>many", 7, "no whole number"),
        ("bytes>0", 7, "bytes must be 1 to 1 GiB"),
        ("bytes>1KB", 7, "units are KiB"),
        ("cipher=AES128-SHB", 8, "did you mean `AES128-SHA`"),
        ("é=1,bytes=x", 1, "unknown dimension"),
        ("engine=é,bytes=x", 16, "no whole number"),
    ] {
        let (found, text) = error(expression);
        assert_eq!(found, column, "{text}");
        assert!(text.contains(says), "{text}");
    }
}

fn some_cell() -> impl Strategy<Value = Cell> {
    let choice = (
        prop::sample::select(Proto::ALL),
        prop::sample::select((0..CIPHERS.len()).collect::<Vec<_>>()),
        prop::option::of(prop::sample::select(Group::ALL)),
        prop::option::of(prop::sample::select(Cert::ALL)),
        1..=3u8,
        1..200_000u64,
    );
    let engine = || prop::sample::select(vec!["openssl", "mbedtls", "rustls-ring"]);
    (choice, engine(), engine()).prop_filter_map("ruled out", |(choice, client, server)| {
        let (proto, cipher, group, cert, chain, bytes) = choice;
        let choice = Choice {
            proto: Some(proto),
            cipher: Some(&CIPHERS[cipher]),
            group,
            cert,
            chain: Some(chain),
            bytes: Some(bytes),
            ..Choice::default()
        };
        choice.pin(client, server).ok()
    })
}

/// A term with its own idea of when it holds.
type Naive = (String, Box<dyn Fn(&Cell) -> bool>);

fn some_term() -> impl Strategy<Value = (usize, u64, usize, usize)> {
    (0..9usize, 1..200_000u64, 0..Proto::ALL.len(), 0..CIPHERS.len())
}

fn naive(kind: usize, number: u64, proto: usize, cipher: usize) -> Naive {
    let proto = Proto::ALL[proto];
    let cipher = &CIPHERS[cipher];
    let part = cipher.openssl.split('-').next().unwrap_or_default().to_lowercase();
    match kind {
        0 => (format!("proto={proto}"), Box::new(move |cell| cell.proto == proto)),
        1 => (format!("proto>={proto}"), Box::new(move |cell| cell.proto.code() >= proto.code())),
        2 => (format!("cipher!={}", cipher.iana), Box::new(move |cell| cell.cipher.code != cipher.code)),
        3 => (
            format!("cipher~{}", part.to_uppercase()),
            Box::new(move |cell| {
                cell.cipher.openssl.to_lowercase().contains(&part)
                    || cell.cipher.iana.to_lowercase().contains(&part)
            }),
        ),
        4 => (format!("bytes<{number}"), Box::new(move |cell| cell.bytes < number)),
        5 => (format!("bytes>={number}"), Box::new(move |cell| cell.bytes >= number)),
        6 => ("engine=openssl|mbedtls".to_owned(), Box::new(|cell| !cell.engines().eq("rustls-ring"))),
        7 => ("cert!~rsa".to_owned(), Box::new(|cell| !cell.cert.signs_with_rsa())),
        _ => ("chain=1|3".to_owned(), Box::new(|cell| cell.chain != 2)),
    }
}

proptest! {
    #[test]
    fn matching_equals_a_naive_evaluation(cell in some_cell(), terms in prop::collection::vec(some_term(), 1..4)) {
        let terms: Vec<Naive> = terms.into_iter().map(|(kind, number, p, c)| naive(kind, number, p, c)).collect();
        let expression = terms.iter().map(|(text, _)| text.as_str()).collect::<Vec<_>>().join(",");
        let expected = terms.iter().all(|(_, holds)| holds(&cell));
        prop_assert_eq!(filter(&expression).matches(&cell), expected, "{} {}", expression, cell);
    }

    #[test]
    fn a_cell_matches_what_its_own_id_says(cell in some_cell()) {
        prop_assert!(filter(&cell.id().replace('/', ",")).matches(&cell), "{}", cell);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,40}|[a-z=!<>~|,. 0-9é]{0,40}") {
        if let Err(error) = Filter::parse(&text) {
            prop_assert!(error.column() <= text.chars().count() + 1);
            prop_assert!(text.is_char_boundary(error.at.start) && text.is_char_boundary(error.at.end));
            prop_assert!(error.to_string().contains("column"));
        }
    }
}
