//! Acceleration on and off: the same is negotiated, and the library says whether it is in force. No times: what a machine
//! without such instructions, or a busy one, would make of them is not known.

use std::time::Duration;

use tlspair::cell::{Acceleration, Cell, Choice, Proto};
use tlspair::engine::{Engines, Variables};
use tlspair::measure::{Stop, needs};
use tlspair::results::{CellResult, Dims, Status};
use tlspair::worker::{Executable, Failed, Reply, Request, Terms, Worker};

use crate::cli::{OK, program, tlspair};
use crate::support::{cell, engines_under_test};

const SWITCHED: [&str; 2] = ["openssl", "rustls-aws-lc"];

fn engines() -> Vec<&'static str> {
    engines_under_test().into_iter().filter(|id| SWITCHED.contains(id)).collect()
}

/// 100 KiB of AES-GCM.
fn bulk(engine: &str, proto: Proto, accel: Acceleration) -> Cell {
    let choice = Choice { proto: Some(proto), bytes: Some(102_400), accel: Some(accel), ..Choice::default() };
    cell(engine, &choice)
}

/// What a worker with these variables answers to these requests.
fn answers(variables: &Variables, requests: &[Request]) -> Vec<Reply> {
    let program = Executable::named(env!("CARGO_BIN_EXE_tlspair")).expect("it was built");
    let terms = Terms { core: None, patience: Duration::from_secs(60), stop: Stop::default() };
    let mut worker = Worker::start(&program.with_variables(variables.clone()), terms).expect("it starts");
    let ask = |request| worker.ask(request, Duration::from_secs(1)).expect("it answers");
    requests.iter().map(ask).collect()
}

fn verify(cell: &Cell) -> Request {
    Request::Verify { dims: Dims::from(cell) }
}

fn refusal(reply: &Reply) -> &str {
    match reply {
        Reply::Failed(Failed::Unsupported(reason)) => reason,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_cell_without_acceleration_negotiates_and_sends_the_same() {
    for engine in engines() {
        let flags = "--proto tls1.2,tls1.3 --bytes 100KiB --accel on,off --num 2 --quiet --json";
        let document = tlspair(&format!("run --engine {engine} {flags}")).ends(OK).results();
        let (with, without): (Vec<&CellResult>, Vec<&CellResult>) =
            document.cells.iter().partition(|cell| !cell.id.ends_with("/accel=off"));
        assert_eq!((with.len(), without.len()), (2, 2));
        for (with, without) in with.into_iter().zip(without) {
            assert_eq!(format!("{}/accel=off", with.id), without.id);
            assert_eq!((with.status, without.status), (Status::Ok, Status::Ok), "{without:?}");
            assert_eq!(with.negotiated, without.negotiated);
            assert_eq!(with.wire.app, without.wire.app);
        }
    }
}

#[test]
fn a_worker_says_itself_that_its_engine_is_not_accelerated() {
    for engine in engines() {
        for proto in [Proto::Tls12, Proto::Tls13] {
            let (on, off) = (bulk(engine, proto, Acceleration::On), bulk(engine, proto, Acceleration::Off));
            let switch = needs(&Engines::built_in(), &off).expect("it has a switch");
            assert_eq!(needs(&Engines::built_in(), &on), Ok(Variables::new()));
            assert_eq!(switch.keys().collect::<Vec<_>>(), ["OPENSSL_ia32cap"]);

            let asked = Request::Needs { dims: Dims::from(&off) };
            let replies = answers(&Variables::new(), &[asked, verify(&on), verify(&off)]);
            assert_eq!(replies[..2], [Reply::Needs { variables: switch.clone() }, Reply::Verified]);
            let reason = refusal(&replies[2]);
            assert!(reason.contains("must be started with OPENSSL_ia32cap=~0x"), "{reason}");

            let replies = answers(&switch, &[verify(&off), verify(&on)]);
            assert_eq!(replies[0], Reply::Verified);
            let reason = refusal(&replies[1]);
            assert!(reason.starts_with("OPENSSL_ia32cap is set in the environment"), "{reason}");
        }
    }
}

#[test]
fn half_a_switch_is_neither_on_nor_off() {
    for engine in engines() {
        let cells = [Acceleration::On, Acceleration::Off].map(|accel| bulk(engine, Proto::Tls13, accel));
        let aes_only = Variables::from([("OPENSSL_ia32cap".to_owned(), "~0x200000000000000".to_owned())]);
        for reply in answers(&aes_only, &cells.each_ref().map(verify)) {
            assert!(refusal(&reply).contains("OPENSSL_ia32cap"), "{reply:?}");
        }
    }
}

#[test]
fn verify_starts_the_process_that_a_cell_needs_whatever_the_environment() {
    for engine in engines() {
        let mut command = program();
        command.args(["verify", "--engine", engine, "--proto=tls1.3", "--accel=off", "--quiet"]);
        let ran: crate::cli::Ran =
            command.env("OPENSSL_ia32cap", "~0x1").output().expect("the program starts").into();
        assert!(ran.ends(OK).stdout.contains("1 verified, 0 unsupported, 0 failed"));
    }
}

#[test]
fn two_engines_with_one_switch_play_together_without_acceleration() {
    if engines() == SWITCHED {
        let flags = "--client openssl --server rustls-aws-lc --proto tls1.3 --accel off --quiet";
        let ran = tlspair(&format!("verify {flags}")).ends(OK);
        assert!(ran.stdout.contains("1 verified"), "{}", ran.stdout);
    }
}

#[test]
fn an_engine_without_a_switch_says_so() {
    for (engine, reason) in [
        ("rustls-ring", "ring uses whatever the processor has, and has no switch"),
        (
            "mbedtls",
            "uses AES instructions if it was compiled with them and CPUID names them, and has no switch",
        ),
    ] {
        if engines_under_test().contains(&engine) {
            let ran = tlspair(&format!("verify --engine {engine} --proto tls1.2 --accel off --quiet"));
            assert!(ran.stdout.contains(reason), "{}", ran.stdout);
        }
    }
}
