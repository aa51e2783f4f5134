//! The trait's contract, run over every engine: whatever an engine says it supports must run, full and resumed,
//! with every byte intact and everything negotiated as the cell says.

use std::cell::RefCell;
use std::rc::Rc;

use tlspair::cell::{Auth, Cell, Cert, Choice, Direction, Group, KeyExchange, Proto, Resume, Verify};
use tlspair::engine::{Endpoint, EngineError, Prepared, Side, Start};
use tlspair::fixtures::{Credentials, Defect};
use tlspair::measure::{LoopKind, LoopPlan, LoopRun, Nobody, Payload, ReadyCell, Stop, supported};

use crate::engines;
use crate::support::{every_cipher, every_exchange, every_feature, for_each_engine, run, run_with};

const CONNECTIONS: u64 = 3;

/// Runs both loops of a cell that its engine says it supports; says how many such cells ran (0 or 1).
fn holds(cell: &Cell) -> usize {
    if supported(&engines(), cell).is_err() {
        return 0;
    }
    for kind in LoopKind::BOTH {
        let outcome =
            run(cell, kind, CONNECTIONS).unwrap_or_else(|error| panic!("{cell} {}: {error}", kind.name()));
        let resumed = match kind {
            LoopKind::Full => 0,
            LoopKind::Reuse => CONNECTIONS - 1,
        };
        assert_eq!((outcome.connections, outcome.resumed), (CONNECTIONS, resumed), "{cell} {}", kind.name());
    }
    1
}

/// Every combination that the protocol allows of the given choices runs on `engine`, or is refused with a reason.
fn all_hold(engine: &str, choices: impl IntoIterator<Item = Choice>) -> usize {
    choices.into_iter().filter_map(|choice| choice.pin(engine, engine).ok()).map(|cell| holds(&cell)).sum()
}

fn ciphers(engine: &str) {
    assert!(all_hold(engine, every_cipher(20_000, 8192)) > 0);
}

fn groups_and_certificates(engine: &str) {
    let mut ran = all_hold(engine, every_exchange(Group::ALL, |choice, group| choice.group = Some(group)));
    ran += all_hold(engine, every_exchange(Cert::ALL, |choice, cert| choice.cert = Some(cert)));
    assert!(ran > 0);
}

/// An engine that lacks a feature refuses it, which [`refusals`] looks at; only SSL 2.0 has none of them.
fn features(engine: &str) {
    let ran = all_hold(engine, every_feature());
    assert_eq!(ran > 0, engine != "ssl2", "{ran} cells");
}

fn resumption(engine: &str) {
    let ways = every_exchange(Resume::ALL, |choice, resume| choice.resume = Some(resume));
    assert!(all_hold(engine, ways) > 0);
}

/// Some servers resume the sessions of one full handshake so often and no more: loops do not end there.
fn long_loops(engine: &str) {
    const LONG: u64 = 300;
    let mut ran = 0;
    for proto in [Proto::Ssl2, Proto::Tls12, Proto::Tls13] {
        let choice = Choice { proto: Some(proto), ..Choice::default() };
        let cell = choice.pin(engine, engine).expect("the defaults of a version are a cell");
        if supported(&engines(), &cell).is_err() {
            continue;
        }
        let outcome = run(&cell, LoopKind::Reuse, LONG).unwrap_or_else(|error| panic!("{cell}: {error}"));
        assert_eq!((outcome.connections, outcome.resumed), (LONG, LONG - 1), "{cell}");
        ran += 1;
    }
    assert!(ran > 0);
}

/// Every resumption comes right after a full handshake of its own, of which the loop's count knows nothing.
fn renewed_sessions(engine: &str) {
    let mut ran = 0;
    for choice in every_exchange(Resume::ALL, |choice, resume| choice.resume = Some(resume)) {
        let Ok(cell) = choice.pin(engine, engine) else { continue };
        if supported(&engines(), &cell).is_err() {
            continue;
        }
        let starts: Rc<RefCell<Vec<Start>>> = Rc::default();
        let engines = engines();
        let ready = ReadyCell::of(&engines, &cell, &Credentials::of(&cell)).expect("it is supported");
        let watched = ready.wrapped(|side, inner| match side {
            Side::Client => Box::new(Watched { inner, starts: Rc::clone(&starts) }),
            Side::Server => inner,
        });
        let ready = watched.renewed();
        let plan = LoopPlan {
            kind: LoopKind::Reuse,
            connections: 4,
            payload: Payload::Checked,
            stop: Stop::default(),
        };
        let run = LoopRun::of(&mut ready.pair(), plan, &mut Nobody, |_, _| {});
        let run = run.unwrap_or_else(|error| panic!("{cell}: {error}"));
        assert_eq!((run.connections, run.resumed), (4, 3), "{cell}");
        assert_eq!(*starts.borrow(), [Start::Fresh, Start::Resume].repeat(3), "{cell}");
        ran += 1;
    }
    assert!(ran > 0);
}

/// A side that keeps how its endpoints start.
struct Watched {
    inner: Box<dyn Prepared>,
    starts: Rc<RefCell<Vec<Start>>>,
}

impl Prepared for Watched {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        self.starts.borrow_mut().push(start);
        self.inner.endpoint(start)
    }

    fn resumptions(&self) -> u64 {
        self.inner.resumptions()
    }
}

fn authentication(engine: &str) {
    let mut ran = 0;
    for &verify in Verify::ALL {
        for &auth in Auth::ALL {
            for chain in 1..=3 {
                ran += all_hold(
                    engine,
                    every_exchange(&[()], |choice, ()| {
                        choice.verify = Some(verify);
                        choice.auth = Some(auth);
                        choice.chain = Some(chain);
                    }),
                );
            }
        }
    }
    assert!(ran > 0);
}

fn sizes(engine: &str) {
    let sizes = [(1, 8192), (8192, 8192), (8193, 8192), (16384, 16384), (16385, 100_000), (300_000, 100_000)];
    let ran = all_hold(
        engine,
        every_exchange(&sizes, |choice, (bytes, chunk)| {
            choice.bytes = Some(bytes);
            choice.chunk = Some(chunk);
        }),
    );
    assert!(ran > 0);
}

fn exchanges(engine: &str) {
    let kept_open = [(Direction::Both, 5), (Direction::Up, 1), (Direction::Up, 3), (Direction::Down, 3)];
    let ran = all_hold(
        engine,
        every_exchange(&kept_open, |choice, (direction, requests)| {
            choice.bytes = Some(10_000);
            choice.direction = Some(direction);
            choice.requests = Some(requests);
        }),
    );
    assert!(ran > 0);
}

fn defects(engine: &str) {
    let mut ran = 0;
    for &auth in Auth::ALL {
        for &verify in Verify::ALL {
            for choice in every_exchange(&[()], |choice, ()| {
                choice.verify = Some(verify);
                choice.auth = Some(auth);
            }) {
                let Ok(cell) = choice.pin(engine, engine) else { continue };
                if supported(&engines(), &cell).is_ok() {
                    ran += 1;
                    defects_of(&cell);
                }
            }
        }
    }
    assert!(ran > 0);
}

/// A broken certificate is found whatever signed it, in the versions that check certificates each in its own way.
fn defects_of_every_kind(engine: &str) {
    let mut ran = 0;
    for &cert in Cert::ALL {
        for proto in [Proto::Ssl2, Proto::Tls12, Proto::Tls13] {
            // Mutual authentication covers both sides' certificates, where the engine has it.
            let both = [Auth::Mutual, Auth::Server].map(|auth| Choice {
                proto: Some(proto),
                cert: Some(cert),
                verify: Some(Verify::Name),
                auth: Some(auth),
                ..Choice::default()
            });
            let mut cells = both.iter().filter_map(|choice| choice.pin(engine, engine).ok());
            if let Some(cell) = cells.find(|cell| supported(&engines(), cell).is_ok()) {
                ran += 1;
                defects_of(&cell);
            }
        }
    }
    assert!(ran > 0);
}

fn defects_of(cell: &Cell) {
    for side in Side::BOTH {
        if side == Side::Client && cell.auth == Auth::Server {
            continue;
        }
        for defect in Defect::ALL {
            let credentials = Credentials::of(cell).with_defect(cell.cert, side, defect);
            let outcome = run_with(cell, &credentials, LoopKind::Full, 1);
            let checks_names = side == Side::Server && cell.verify == Verify::Name;
            let must_fail = cell.verify != Verify::None && (defect != Defect::WrongName || checks_names);
            assert_eq!(
                outcome.is_err(),
                must_fail,
                "{cell}: {} {side} certificate: {outcome:?}",
                defect.name()
            );
        }
    }
}

/// A session offered to nobody, and a resumption without a kept session, are errors, not full handshakes.
fn no_resumption_without_session(engine: &str) {
    for choice in every_exchange(&[()], |_, ()| {}) {
        let Ok(cell) = choice.pin(engine, engine) else { continue };
        if supported(&engines(), &cell).is_err() {
            continue;
        }
        let engines = engines();
        let client = engines.named(engine).expect("a built-in engine");
        let prepared =
            client.prepare(Side::Client, &cell, &Credentials::of(&cell)).expect("supported cells prepare");
        assert!(prepared.endpoint(Start::Resume).is_err(), "{cell}");
    }
}

/// Engines refuse what they lack in words, and static RSA needs no group.
fn refusals(engine: &str) {
    let engines = engines();
    for choice in [every_cipher(20_000, 8192), every_feature()].concat() {
        let Ok(cell) = choice.pin(engine, engine) else { continue };
        if let Err(reason) = supported(&engines, &cell) {
            let words = reason.to_string();
            assert!(words.len() > 10 && words.contains(' '), "{cell}: {words}");
        }
        assert_eq!(cell.group == Group::Rsa, cell.cipher.kx == KeyExchange::StaticRsa);
    }
}

#[test]
fn every_cipher_runs_full_and_resumed() {
    for_each_engine(ciphers);
}

#[test]
fn groups_and_certificates_are_pinned() {
    for_each_engine(groups_and_certificates);
}

#[test]
fn every_way_of_resumption_resumes() {
    for_each_engine(resumption);
}

#[test]
fn sessions_can_be_renewed_before_each_resumption() {
    for_each_engine(renewed_sessions);
}

#[test]
fn long_loops_resume_to_their_end() {
    for_each_engine(long_loops);
}

#[test]
fn verification_authentication_and_chains_run() {
    for_each_engine(authentication);
}

#[test]
fn transfers_of_every_size_arrive_whole() {
    for_each_engine(sizes);
}

#[test]
fn connections_kept_open_and_one_way_transfers_run() {
    for_each_engine(exchanges);
}

#[test]
fn bad_certificates_fail_where_verified_and_pass_where_not() {
    for_each_engine(defects);
}

#[test]
fn a_bad_certificate_fails_whatever_signed_it() {
    for_each_engine(defects_of_every_kind);
}

#[test]
fn features_on_offer_are_had() {
    for_each_engine(features);
}

#[test]
fn nothing_resumes_without_a_kept_session() {
    for_each_engine(no_resumption_without_session);
}

#[test]
fn what_is_not_supported_is_refused_in_words() {
    for_each_engine(refusals);
}
