//! What several test modules need. Like the tests of engines it is also part of the test crates of the packages in
//! `engines/`: which engines there are is up to the `engines` function at each crate's root, and those of
//! them that are only there for others to talk to are its `PARTNERS`.

use std::any::Any;
use std::thread;

use tlspair::cell::{
    Acceleration, Alpn, Auth, CIPHERS, Cell, Choice, Cipher, Extension, Group, Hello, Proto, Resume,
};
use tlspair::engine::{Engine, EngineError, EngineInfo, Engines, Prepared, Side, Unsupported};
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, LoopPlan, LoopRun, Nobody, Payload, ReadyCell, Stop, supported};

/// The TLS engines to test: those of this build but for partners, or the ones of them that TLSPAIR_TEST_ENGINES names,
/// with commas.
pub fn engines_under_test() -> Vec<&'static str> {
    let wanted = std::env::var("TLSPAIR_TEST_ENGINES").ok();
    let is_wanted = |id: &str| match &wanted {
        Some(list) => list.split(',').any(|wanted| wanted == id),
        None => !crate::PARTNERS.contains(&id),
    };
    crate::engines().tls_ids().into_iter().filter(|id| is_wanted(id)).collect()
}

/// Runs `test` for every engine, each on a thread of its own, and panics with everything that failed.
pub fn for_each_engine(test: impl Fn(&'static str) + Sync) {
    let test = &test;
    let failed: Vec<String> = thread::scope(|scope| {
        let running: Vec<_> =
            engines_under_test().into_iter().map(|id| (id, scope.spawn(move || test(id)))).collect();
        let outcomes = running.into_iter().map(|(id, thread)| (id, thread.join()));
        outcomes
            .filter_map(|(id, outcome)| outcome.err().map(|panic| format!("{id}: {}", words(&*panic))))
            .collect()
    });
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("panicked")
}

/// A cell of one engine; panics if the protocol rules it out.
pub fn cell(engine: &str, choice: &Choice) -> Cell {
    mixed(engine, engine, choice)
}

/// A cell of two engines; panics if the protocol rules it out.
pub fn mixed(client: &str, server: &str, choice: &Choice) -> Cell {
    choice.pin(client, server).unwrap_or_else(|why| panic!("{choice:?}: {why}"))
}

/// A choice with this cipher, which must exist.
pub fn with_cipher(name: &str) -> Choice {
    Choice { cipher: Some(Cipher::named(name).expect("a known cipher")), ..Choice::default() }
}

/// Why an engine does not run a cell of this choice with itself; panics if it does.
pub fn refusal(engine: &str, choice: &Choice) -> String {
    let cell = cell(engine, choice);
    supported(&crate::engines(), &cell).map_or_else(|why| why.to_string(), |()| panic!("{cell} is supported"))
}

/// Runs `connections` of a loop with every byte checked.
pub fn run(cell: &Cell, kind: LoopKind, connections: u64) -> Result<LoopRun, String> {
    run_with(cell, &Credentials::of(cell), kind, connections)
}

/// The same with other certificates.
pub fn run_with(
    cell: &Cell,
    credentials: &Credentials,
    kind: LoopKind,
    connections: u64,
) -> Result<LoopRun, String> {
    let engines = crate::engines();
    let ready = ReadyCell::of(&engines, cell, credentials).map_err(|error| error.to_string())?;
    let mut pair = ready.pair();
    let plan = LoopPlan { kind, connections, payload: Payload::Checked, stop: Stop::default() };
    LoopRun::of(&mut pair, plan, &mut Nobody, |_, _| {}).map_err(|failure| failure.to_string())
}

/// Engines that have a name and run nothing: whatever is built in, tests of suites see the same.
pub fn named_engines(ids: &[&'static str]) -> Engines {
    Engines::of(ids.iter().map(|&id| Box::new(NamedOnly(id)) as Box<dyn Engine>).collect())
}

struct NamedOnly(&'static str);

impl Engine for NamedOnly {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: self.0,
            library: "a name".to_owned(),
            version: "0".to_owned(),
            build: String::new(),
            is_tls: true,
        }
    }

    fn supports(&self, _cell: &Cell, _side: Side) -> Result<(), Unsupported> {
        Err(Unsupported("only a name".to_owned()))
    }

    fn prepare(&self, _: Side, _: &Cell, _: &Credentials) -> Result<Box<dyn Prepared>, EngineError> {
        Err(EngineError::new("only a name"))
    }
}

/// Every cipher in every version of the protocol.
pub fn every_cipher(bytes: u64, chunk: u32) -> Vec<Choice> {
    let of_proto = |proto: &Proto| {
        let proto = Some(*proto);
        CIPHERS.iter().map(move |cipher| Choice {
            proto,
            cipher: Some(cipher),
            bytes: Some(bytes),
            chunk: Some(chunk),
            ..Choice::default()
        })
    };
    Proto::ALL.iter().flat_map(of_proto).collect()
}

/// One cipher a key exchange and version: enough for the dimensions that do not depend on the cipher. Each comes with
/// every value of another dimension.
pub fn every_exchange<T: Copy>(values: &[T], set: impl Fn(&mut Choice, T)) -> Vec<Choice> {
    let names = [
        "DES-CBC3-MD5", // of SSL 2.0 alone
        "AES128-SHA",
        "ECDHE-RSA-AES128-SHA",
        "ECDHE-RSA-AES128-GCM-SHA256",
        "ECDHE-ECDSA-AES128-SHA",
        "ECDHE-ECDSA-AES128-GCM-SHA256",
        "TLS_AES_128_GCM_SHA256",
    ];
    let wanted = |choice: &Choice| choice.cipher.is_some_and(|cipher| names.contains(&cipher.openssl));
    let mut all = Vec::new();
    for choice in every_cipher(1, 8192).into_iter().filter(wanted) {
        for &value in values {
            let mut choice = choice.clone();
            set(&mut choice, value);
            all.push(choice);
        }
    }
    all
}

/// Everything that a cell may ask of an engine beyond the ordinary, over every exchange, alone and in combinations that
/// meet in the protocol.
pub fn every_feature() -> Vec<Choice> {
    let mut all = every_exchange(FEATURES, |choice, set| set(choice));
    all.extend(every_exchange(Group::ALL, |choice, group| {
        choice.group = Some(group);
        choice.hello = Some(Hello::Retry);
    }));
    all.extend(every_exchange(Group::ALL, |choice, group| {
        choice.group = Some(group);
        choice.resume = Some(Resume::Psk);
    }));
    all.extend(every_exchange(&[64, 511, 512, 1000, 4096, 16383], |choice, bytes| {
        choice.record_size = Some(bytes);
        choice.bytes = Some(20_000);
        choice.chunk = Some(20_000);
    }));
    all.extend(every_exchange(&[1, 5000, 8192], |choice, bytes| {
        choice.early_data = Some(bytes);
        choice.bytes = Some(10_000);
    }));
    all
}

const FEATURES: &[fn(&mut Choice)] = &[
    |choice| choice.etm = Some(Extension::On),
    |choice| choice.etm = Some(Extension::Off),
    |choice| choice.ems = Some(Extension::On),
    |choice| choice.ems = Some(Extension::Off),
    |choice| choice.alpn = Some(Alpn::H2),
    |choice| choice.alpn = Some(Alpn::Http11),
    |choice| choice.accel = Some(Acceleration::Off),
    |choice| {
        choice.alpn = Some(Alpn::H2);
        choice.resume = Some(Resume::Ticket);
    },
    |choice| {
        choice.ems = Some(Extension::Off);
        choice.resume = Some(Resume::Ticket);
    },
    |choice| {
        choice.auth = Some(Auth::Mutual);
        choice.hello = Some(Hello::Retry);
    },
    |choice| {
        choice.auth = Some(Auth::Mutual);
        choice.resume = Some(Resume::Psk);
    },
    |choice| {
        choice.resume = Some(Resume::Psk);
        choice.early_data = Some(1000);
        choice.bytes = Some(1000);
    },
    |choice| {
        choice.alpn = Some(Alpn::Http11);
        choice.early_data = Some(3000);
        choice.record_size = Some(1024);
        choice.bytes = Some(10_000);
        choice.requests = Some(2);
    },
];
