//! Pairs of two different libraries: whatever both say they support runs, full and resumed, with every byte intact;
//! the rest is refused in words. This is the test of the engines' word about each other, since a library agrees
//! with itself easily.

use std::collections::BTreeMap;

use tlspair::cell::{Auth, CIPHERS, Cell, Cert, Choice, Group, Proto, Resume, Verify};
use tlspair::engine::Engines;
use tlspair::measure::{LoopKind, supported};

use crate::support::run;

const CONNECTIONS: u64 = 3;

/// One cipher for each key exchange; the dimensions that do not depend on the cipher are varied over these.
const EXCHANGES: [&str; 6] = [
    "AES128-SHA",
    "ECDHE-RSA-AES128-SHA",
    "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES128-SHA",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "TLS_AES_128_GCM_SHA256",
];

/// Every cipher in every version, and over the exchanges: every group, every certificate, every way to resume with
/// and without a client certificate, and the strictest verification of a chain.
fn covering_choices() -> Vec<Choice> {
    let mut choices = Vec::new();
    for &proto in Proto::ALL {
        for cipher in CIPHERS {
            let plain =
                Choice { proto: Some(proto), cipher: Some(cipher), bytes: Some(10_000), ..Choice::default() };
            if EXCHANGES.contains(&cipher.openssl) {
                choices.extend(variations(&plain));
            }
            choices.push(plain);
        }
    }
    choices
}

fn variations(plain: &Choice) -> Vec<Choice> {
    let mut choices = Vec::new();
    for &group in Group::ALL {
        for cert in [Cert::P256, Cert::P384, Cert::Rsa2048] {
            choices.push(Choice { group: Some(group), cert: Some(cert), ..plain.clone() });
        }
    }
    choices.extend(Cert::ALL.iter().map(|&cert| Choice { cert: Some(cert), ..plain.clone() }));
    for &resume in Resume::ALL {
        let resuming = Choice { resume: Some(resume), ..plain.clone() };
        choices.push(Choice { auth: Some(Auth::Mutual), ..resuming.clone() });
        choices.push(Choice {
            auth: Some(Auth::Mutual),
            verify: Some(Verify::Name),
            chain: Some(2),
            ..resuming.clone()
        });
        choices.push(resuming);
    }
    choices.push(Choice { verify: Some(Verify::Name), chain: Some(2), ..plain.clone() });
    choices.push(Choice { verify: Some(Verify::Chain), chain: Some(3), ..plain.clone() });
    choices
}

/// Cells that ran, counted by version and by the way in which they resumed.
type Ran = BTreeMap<&'static str, usize>;

/// Runs all cells of one ordered pair, and panics with everything that went wrong at once.
fn all_run(client: &str, server: &str) -> Ran {
    let engines = Engines::built_in();
    let mut ran = Ran::new();
    let mut wrong = Vec::new();
    let mut cells: Vec<Cell> = Vec::new();
    for cell in covering_choices().iter().filter_map(|choice| choice.pin(client, server).ok()) {
        if !cells.contains(&cell) {
            cells.push(cell);
        }
    }
    for cell in &cells {
        match supported(&engines, cell) {
            Ok(()) => {
                wrong.extend(LoopKind::BOTH.iter().filter_map(|&kind| what_is_wrong(cell, kind)));
                for key in [cell.proto.name(), cell.resume.name()] {
                    *ran.entry(key).or_default() += 1;
                }
            }
            Err(reason) => {
                let words = reason.to_string();
                if words.len() <= 10 || !words.contains(' ') {
                    wrong.push(format!("{cell} is refused without a reason: {words}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {ran:?} went wrong:\n{}", wrong.len(), wrong.join("\n"));
    ran
}

fn what_is_wrong(cell: &Cell, kind: LoopKind) -> Option<String> {
    let resumed = match kind {
        LoopKind::Full => 0,
        LoopKind::Reuse => CONNECTIONS - 1,
    };
    match run(cell, kind, CONNECTIONS) {
        Err(error) => Some(format!("{cell} {}: {error}", kind.name())),
        Ok(run) if (run.connections, run.resumed) != (CONNECTIONS, resumed) => {
            Some(format!("{cell} {}: {run:?}", kind.name()))
        }
        Ok(_) => None,
    }
}

/// Both orders of a pair, each with at least so many cells of a version and of a way to resume: the pair must not
/// refuse its way through the test.
fn both_ways(one: &str, other: &str, at_least: &[(&str, usize)]) {
    for (client, server) in [(one, other), (other, one)] {
        let ran = all_run(client, server);
        for (key, count) in at_least {
            let found = ran.get(key).copied().unwrap_or_default();
            assert!(found >= *count, "{client}→{server} ran {ran:?}, not {count} with {key}");
        }
    }
}

#[cfg(all(feature = "openssl", feature = "mbedtls"))]
#[test]
fn openssl_and_mbedtls_run_what_both_support() {
    let at_least =
        [("ssl3", 15), ("tls1.0", 40), ("tls1.1", 40), ("tls1.2", 100), ("session-id", 200), ("ticket", 30)];
    both_ways("openssl", "mbedtls", &at_least);
}

/// The least that each build of rustls must run with a library that has TLS 1.2 and 1.3.
#[cfg(any(feature = "rustls-aws-lc", feature = "rustls-ring"))]
const MODERN: [(&str, usize); 5] =
    [("tls1.2", 29), ("session-id", 23), ("ticket", 6), ("tls1.3", 18), ("psk-dhe", 18)];

#[cfg(all(feature = "openssl", feature = "rustls-aws-lc"))]
#[test]
fn openssl_and_rustls_aws_lc_run_what_both_support() {
    both_ways("openssl", "rustls-aws-lc", &MODERN);
}

#[cfg(all(feature = "openssl", feature = "rustls-ring"))]
#[test]
fn openssl_and_rustls_ring_run_what_both_support() {
    both_ways("openssl", "rustls-ring", &MODERN);
}

#[cfg(all(feature = "rustls-aws-lc", feature = "rustls-ring"))]
#[test]
fn the_two_builds_of_rustls_run_what_both_support() {
    both_ways("rustls-aws-lc", "rustls-ring", &MODERN);
}

#[cfg(all(feature = "mbedtls", feature = "rustls-aws-lc"))]
#[test]
fn mbedtls_and_rustls_aws_lc_run_what_both_support() {
    both_ways("mbedtls", "rustls-aws-lc", &MODERN[..3]);
}

#[cfg(all(feature = "mbedtls", feature = "rustls-ring"))]
#[test]
fn mbedtls_and_rustls_ring_run_what_both_support() {
    both_ways("mbedtls", "rustls-ring", &MODERN[..3]);
}
