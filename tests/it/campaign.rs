//! Engines that fail or panic become error rows with their own words; the run goes on.

use std::cell::Cell as Counter;
use std::ffi::OsString;
use std::process::{Command, ExitCode};
use std::rc::Rc;

use tlspair::campaign::{Campaign, Here, Silent};
use tlspair::cell::{Cell, Choice};
use tlspair::engine::{
    Endpoint, Engine, EngineError, EngineInfo, Engines, Null, Prepared, Side, Start, Unsupported,
};
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, Stop};
use tlspair::results::{CellResult, Status};

use crate::support::cell;

/// The null engine under another name, with a fault.
struct Faulty {
    id: &'static str,
    fault: Fault,
}

#[derive(Clone, Copy)]
enum Fault {
    Prepare,
    PreparePanics,
    /// Fails when asked for an endpoint after that many.
    EndpointAfter(u32),
    EndpointPanicsAfter(u32),
}

const WORDS: &str = "error:0A000410:SSL routines::handshake failure";

impl Engine for Faulty {
    fn info(&self) -> EngineInfo {
        EngineInfo {
            id: self.id,
            library: "a fault".to_owned(),
            version: "1".to_owned(),
            build: String::new(),
            is_tls: true,
        }
    }

    fn supports(&self, _: &Cell, _: Side) -> Result<(), Unsupported> {
        Ok(())
    }

    fn prepare(
        &self,
        side: Side,
        cell: &Cell,
        credentials: &Credentials,
    ) -> Result<Box<dyn Prepared>, EngineError> {
        match self.fault {
            Fault::Prepare => return Err(EngineError::new(WORDS)),
            Fault::PreparePanics => panic!("{WORDS}"),
            Fault::EndpointAfter(_) | Fault::EndpointPanicsAfter(_) => {}
        }
        let inner = Null.prepare(side, cell, credentials)?;
        Ok(Box::new(FaultySide { inner, fault: self.fault, made: Rc::default() }))
    }
}

struct FaultySide {
    inner: Box<dyn Prepared>,
    fault: Fault,
    made: Rc<Counter<u32>>,
}

impl Prepared for FaultySide {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        self.made.set(self.made.get() + 1);
        match self.fault {
            Fault::EndpointAfter(limit) if self.made.get() > limit => Err(EngineError::new(WORDS)),
            Fault::EndpointPanicsAfter(limit) if self.made.get() > limit => panic!("{WORDS}"),
            _ => self.inner.endpoint(start),
        }
    }
}

/// More endpoints than a trial makes, fewer than the loops below.
const IN_A_LOOP: u32 = 60;
const CONNECTIONS: u64 = 100;

const FAULTS: [(&str, Fault); 6] = [
    ("prepare", Fault::Prepare),
    ("prepare-panics", Fault::PreparePanics),
    ("trial", Fault::EndpointAfter(0)),
    ("trial-panics", Fault::EndpointPanicsAfter(0)),
    ("loop", Fault::EndpointAfter(IN_A_LOOP)),
    ("loop-panics", Fault::EndpointPanicsAfter(IN_A_LOOP)),
];

fn faulty_engines() -> Engines {
    Engines::of(FAULTS.map(|(id, fault)| Box::new(Faulty { id, fault }) as Box<dyn Engine>).into())
}

fn results(engines: &Engines, cells: &[Cell]) -> Vec<CellResult> {
    let mut results = Vec::new();
    let stop = Stop::default();
    let campaign = Campaign { cells, connections: CONNECTIONS, loops: &LoopKind::BOTH, workloads: &[], stop };
    campaign.run(&mut Here { engines, stop }, &mut Silent, |_, result| results.push(result));
    results
}

#[test]
fn engines_that_fail_or_panic_become_errors_with_their_words() {
    let engines = faulty_engines();
    // Each between two cells that work.
    let mut cells = vec![cell("null", &Choice::default())];
    for (id, _) in FAULTS {
        cells.push(cell(id, &Choice::default()));
        cells.push(cell("null", &Choice::default()));
    }
    let results = results(&engines, &cells);
    assert_eq!(results.len(), cells.len());
    for (result, cell) in results.iter().zip(&cells) {
        assert_eq!(result.id, cell.id());
        let expected = match cell.client.as_str() {
            "null" => {
                let full = result.loops.full.as_ref().expect("it was asked for");
                assert_eq!((result.status, full.connections), (Status::Ok, CONNECTIONS));
                continue;
            }
            "prepare" => format!("client, prepare: {WORDS}"),
            "trial" | "loop" => format!("client, setup: {WORDS}"),
            _ => format!("panicked: {WORDS}"),
        };
        assert_eq!((result.status, result.reason.as_deref()), (Status::Error, Some(expected.as_str())));
    }
    assert_eq!(results.iter().filter(|result| result.status == Status::Error).count(), FAULTS.len());
}

/// Runs this very test in a process of its own, as an executable over other engines.
#[test]
fn a_program_over_faulty_engines_shows_all_rows_and_ends_with_an_error() {
    const CHILD: &str = "TLSPAIR_TEST_CHILD";
    let name = "campaign::a_program_over_faulty_engines_shows_all_rows_and_ends_with_an_error";
    if std::env::var_os(CHILD).is_some() {
        let ids = FAULTS.map(|(id, _)| id).join(",");
        let arguments =
            ["tlspair", "run", "--engine", &format!("{ids},null"), "--num", "100"].map(OsString::from);
        let ended = tlspair::cli::run(&faulty_engines(), arguments);
        // Exit codes can be shown but not compared.
        assert_eq!(format!("{ended:?}"), format!("{:?}", ExitCode::from(1)));
        return;
    }
    let output = Command::new(std::env::current_exe().expect("this test"))
        .args(["--exact", name, "--nocapture"])
        .env(CHILD, "1")
        .output()
        .expect("it starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{stdout}{stderr}");
    assert!(stderr.contains("\n3 cells, "), "trials find what never works: {stderr}");
    for (id, _) in FAULTS {
        assert!(stderr.contains(&format!(" engine={id}/")), "{id}: {stderr}");
        assert!(
            stdout.lines().any(|line| line.starts_with(id) && line.contains("error [")),
            "{id}: {stdout}"
        );
    }
    assert!(stderr.contains("7/7 engine=null/"), "{stderr}");
    // Notes may be broken between words.
    let words = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(WORDS), "{stdout}");
}
