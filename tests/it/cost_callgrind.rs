//! The operations of a connection against the library's own functions: callgrind counts how often OpenSSL calls what does
//! the work. The difference between a run of few and a run of more connections is what the connections in between called.

use std::collections::HashMap;
use std::fs;
use std::process::{Command, Stdio};

use tlspair::cell::{Auth, Cell, Cert, Choice, Proto, Verify};
use tlspair::cost::{BothSides, Part};
use tlspair::engine::Side;
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, ReadyCell};
use tlspair::primitive::Primitive;
use tlspair::results::Dims;
use tlspair::wire::observe;

use crate::engines;
use crate::support::{cell, with_cipher};

const FEW: u64 = 2;
const MORE: u64 = 5;

/// Whether a primitive is of a kind.
type Kind = fn(Primitive) -> bool;

/// A kind of operation, and the function of a library that does it: one call each.
type Functions = &'static [(&'static str, Kind)];

const OPENSSL: Functions = &[
    ("rsa_ossl_private_encrypt", |one| matches!(one, Primitive::Sign(Cert::Rsa2048))),
    ("rsa_ossl_public_decrypt", |one| matches!(one, Primitive::Verify(Cert::Rsa2048))),
    ("rsa_ossl_private_decrypt", |one| matches!(one, Primitive::RsaDecrypt(_))),
    ("rsa_ossl_public_encrypt", |one| matches!(one, Primitive::RsaEncrypt(_))),
    ("ECDSA_do_sign_ex", |one| matches!(one, Primitive::Sign(Cert::P256))),
    ("ECDSA_do_verify", |one| matches!(one, Primitive::Verify(Cert::P256))),
    ("d2i_X509", |one| matches!(one, Primitive::ReadCertificate(_))),
    ("ossl_x25519_public_from_private", |one| matches!(one, Primitive::KeyGen(_))),
    ("ossl_x25519", |one| matches!(one, Primitive::Agree(_))),
    // TLS 1.3's own derivation, the steps between two secrets included.
    ("prov_tls13_hkdf_expand", |one| matches!(one, Primitive::HkdfExpand(_))),
    ("tls1_PRF", |one| matches!(one, Primitive::Prf(_))),
];

/// It checks each RSA signature that it makes by verifying it, reads certificates twice, and splits TLS 1.3's derivations in
/// its own way: these functions tell nothing.
const WOLFSSL: Functions = &[
    ("wc_RsaSSL_Sign", |one| matches!(one, Primitive::Sign(Cert::Rsa2048))),
    ("wc_RsaPrivateDecryptInline", |one| matches!(one, Primitive::RsaDecrypt(_))),
    ("wc_RsaPublicEncrypt", |one| matches!(one, Primitive::RsaEncrypt(_))),
    ("wc_ecc_sign_hash", |one| matches!(one, Primitive::Sign(Cert::P256))),
    ("wc_ecc_verify_hash", |one| matches!(one, Primitive::Verify(Cert::P256))),
    ("wc_curve25519_make_key", |one| matches!(one, Primitive::KeyGen(_))),
    ("wc_curve25519_shared_secret_ex", |one| matches!(one, Primitive::Agree(_))),
    ("wc_PRF_TLS", |one| matches!(one, Primitive::Prf(_))),
];

/// Calls of each function in a run of so many connections, after the same warm-up; none if valgrind does not run it.
fn calls(cell: &Cell, kind: LoopKind, connections: u64) -> HashMap<String, u64> {
    let folder = tempfile::tempdir().expect("a folder for callgrind");
    let out = folder.path().join("calls");
    let dims = serde_json::to_string(&Dims::from(cell)).expect("dimensions are plain JSON");
    let status = Command::new("valgrind")
        .arg("--tool=callgrind")
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(env!("CARGO_BIN_EXE_tlspair"))
        .args(["count-loop", "--loop", kind.name(), "--connections", &connections.to_string(), &dims])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("valgrind starts, since it told its version");
    assert!(status.success(), "{cell}: {status}");
    sum_of_calls(&fs::read_to_string(&out).expect("callgrind has written"))
}

/// `cfn=(7) name` names what is called, later `cfn=(7)` alone; `calls=3 …` says how often from here.
fn sum_of_calls(text: &str) -> HashMap<String, u64> {
    let mut names: HashMap<&str, &str> = HashMap::new();
    let mut sums: HashMap<&str, u64> = HashMap::new();
    let mut called = "";
    for line in text.lines() {
        let is_call = line.starts_with("cfn=");
        if let Some(function) = line.strip_prefix("cfn=").or_else(|| line.strip_prefix("fn=")) {
            let (number, name) = function.split_once(' ').unwrap_or((function, ""));
            if !name.is_empty() {
                names.insert(number, name);
            }
            called = if is_call { number } else { called };
        } else if let Some(counts) = line.strip_prefix("calls=") {
            let count = counts.split(' ').next().and_then(|count| count.parse::<u64>().ok());
            *sums.entry(called).or_default() += count.expect("callgrind counts calls");
        }
    }
    let named = sums.into_iter().filter_map(|(number, sum)| Some((names.get(number)?, sum)));
    // A compiler may have made a function of its own of one with constant arguments.
    let mut all = HashMap::new();
    for (name, sum) in named {
        *all.entry(name.split('.').next().unwrap_or(name).to_owned()).or_default() += sum;
    }
    all
}

/// How many operations of a kind both sides perform by our count.
fn ours(both: &BothSides, wanted: Kind) -> u64 {
    let parts = Side::BOTH.into_iter().flat_map(|side| both.side(side));
    parts.filter(|part: &&Part| wanted(part.primitive)).map(|part| part.count).sum()
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn operations_are_as_many_as_libraries_call_functions_for() {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no valgrind to count with");
        return;
    }
    let checked = Choice { verify: Some(Verify::Chain), ..Choice::default() };
    let ecdsa = Choice { proto: Some(Proto::Tls13), cert: Some(Cert::P256), ..checked.clone() };
    let mutual = Choice { auth: Some(Auth::Mutual), ..checked };
    let tls12 =
        Choice { verify: mutual.verify, auth: mutual.auth, ..with_cipher("ECDHE-RSA-AES128-GCM-SHA256") };
    let static_rsa = Choice { verify: mutual.verify, ..with_cipher("AES128-SHA") };
    let choices =
        [(ecdsa, LoopKind::BOTH.as_slice()), (tls12, &LoopKind::BOTH), (static_rsa, &[LoopKind::Full])];
    for (engine, functions, least) in [("openssl", OPENSSL, 100), ("wolfssl", WOLFSSL, 30)] {
        if engines().named(engine).is_err() {
            continue;
        }
        let mut found = 0;
        for (choice, kinds) in &choices {
            let cell = cell(engine, choice);
            found += kinds.iter().map(|&kind| compared(&cell, kind, functions)).sum::<u64>();
        }
        assert!(found > least, "{engine}: only {found} operations were compared");
    }
}

/// How many operations were found to be as many as calls of their functions.
fn compared(cell: &Cell, kind: LoopKind, functions: Functions) -> u64 {
    let ready =
        ReadyCell::of(&engines(), cell, &Credentials::of(cell)).expect("the library has all of these");
    let trace = observe(&mut ready.pair(), kind).expect("it connects");
    let both = BothSides::of(cell, kind == LoopKind::Reuse, &trace);
    let (few, more) = (calls(cell, kind, FEW), calls(cell, kind, MORE));
    let mut found = 0;
    for (function, wanted) in functions {
        let of = |calls: &HashMap<String, u64>| calls.get(*function).copied().unwrap_or_default();
        let theirs = (of(&more) - of(&few)) as f64 / (MORE - FEW) as f64;
        let ours = ours(&both, *wanted);
        assert_eq!(ours as f64, theirs, "{cell} {}: {function}", kind.name());
        found += ours;
    }
    found
}
