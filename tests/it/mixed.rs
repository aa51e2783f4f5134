//! Pairs of two different libraries: whatever both say they support runs, full and resumed, with every byte intact;
//! the rest is refused in words. This is the test of the engines' word about each other, since a library agrees
//! with itself easily.

use std::collections::BTreeMap;

use tlspair::cell::{Auth, CIPHERS, Cell, Cert, Choice, Group, Proto, Resume, Verify};
use tlspair::engine::Capabilities;
use tlspair::measure::{LoopKind, supported};

use crate::engines;
use crate::support::{every_feature, for_each_engine, run};

const CONNECTIONS: u64 = 3;

/// One cipher for each key exchange; the dimensions that do not depend on the cipher are varied over these.
const EXCHANGES: [&str; 7] = [
    "DES-CBC3-MD5",
    "AES128-SHA",
    "ECDHE-RSA-AES128-SHA",
    "ECDHE-RSA-AES128-GCM-SHA256",
    "ECDHE-ECDSA-AES128-SHA",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "TLS_AES_128_GCM_SHA256",
];

/// Every cipher in every version, and over the exchanges: every group, every certificate, every way to resume with
/// and without a client certificate, the strictest verification of a chain, and every feature.
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
    choices.extend(every_feature());
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
    let engines = engines();
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

/// Both orders of a pair. The pair must not refuse its way through the test: it runs something of every version that
/// each of the two has by itself.
pub fn both_ways(one: &str, other: &str) {
    let engines = engines();
    let versions = |id: &str| {
        let engine = engines.named(id).expect("a built-in engine");
        Capabilities::of(engine).supports.remove("proto").unwrap_or_default()
    };
    let common: Vec<_> = versions(one).into_iter().filter(|proto| versions(other).contains(proto)).collect();
    for (client, server) in [(one, other), (other, one)] {
        let ran = all_run(client, server);
        for proto in &common {
            assert!(ran.contains_key(proto.as_str()), "{client}→{server} ran {ran:?}, nothing of {proto}");
        }
    }
}

/// With one of the libraries that everybody has to get on with.
fn all_with(reference: &str) {
    for_each_engine(|engine| {
        if engine != reference {
            both_ways(engine, reference);
        }
    });
}

#[cfg(feature = "openssl")]
#[test]
fn every_engine_runs_with_openssl_what_both_support() {
    all_with("openssl");
}

#[cfg(feature = "rustls-ring")]
#[test]
fn every_engine_runs_with_rustls_what_both_support() {
    all_with("rustls-ring");
}

#[cfg(feature = "mbedtls")]
#[test]
fn every_engine_runs_with_mbedtls_what_both_support() {
    all_with("mbedtls");
}
