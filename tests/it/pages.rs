//! Results of every kind made by hand, for tests of the page that shows them.

use tlspair::campaign::Workload;
use tlspair::cell::Choice;
use tlspair::measure::{Contexts, LoopKind};
use tlspair::render::Report;
use tlspair::render::html::{HtmlPart, write_html};
use tlspair::results::{
    CellExplanation, CellResult, Dims, Document, EngineEntry, ExplainedOperations, ExplainedSide,
    ExplainedSides, ExplainedStage, Explanation, LoopResult, Measured, OpenBytes, PerOperation,
    PrimitiveResult, SideBytes, Speed, Status, ThreadsTimes, WorkloadResult,
};
use tlspair::suite::history::table_1997;

use crate::documents::{empty, measured, sample, timed};
use crate::render::written;
use crate::support::cell;

/// The page of one report.
pub fn page(report: Report<'_>) -> String {
    written(|out| write_html(&[HtmlPart { origin: None, report }], out))
}

/// What was measured of the whole table of 1997, as `classic` writes it.
pub fn classic() -> Document {
    let table = table_1997();
    let mut document = empty();
    document.cells =
        table.rows.iter().map(|row| measured(&table.cell(row, "openssl"), 90_000 + row.bytes)).collect();
    document.plan.cells = document.cells.len() as u64;
    document
}

/// Two engines with everything that can be put to a cell.
pub fn with_workloads() -> Document {
    let mut document = empty();
    document.cells = ["openssl", "rustls-ring"]
        .map(|engine| {
            let mut result = measured(&cell(engine, &Choice::default()), 100_000);
            let side = SideBytes { each_bytes: 12_345, total_bytes: 246_900, left_bytes: -48 };
            result.workloads = vec![
                WorkloadResult {
                    workload: Workload::Open { connections: 20 },
                    measured: Some(Measured::Open(OpenBytes { client: side, server: side })),
                    reason: None,
                    failed: false,
                },
                WorkloadResult {
                    workload: Workload::Threads {
                        kind: LoopKind::Full,
                        connections: 8,
                        threads: 2,
                        contexts: Contexts::Separate,
                    },
                    measured: Some(Measured::Threads(ThreadsTimes {
                        connections: 16,
                        resumed: 0,
                        wall_ns: 900_000,
                        cpu_ns: 1_700_000,
                    })),
                    reason: None,
                    failed: false,
                },
            ];
            result
        })
        .to_vec();
    document
}

/// So many cells on five engines, with so many connections a loop that no two take the same.
pub fn large(cells: u64, connections: u64) -> Document {
    let mut document = empty();
    let engines = ["openssl", "rustls-ring", "mbedtls", "wolfssl", "s2n"];
    let mut state: u64 = 1;
    for index in 0..cells {
        let engine = engines[(index % 5) as usize];
        let choice = Choice { bytes: Some(index / 5 + 1), ..Choice::default() };
        let mut result = measured(&cell(engine, &choice), 400_000);
        for kind in LoopKind::BOTH {
            let mut timed = timed(kind, connections, 400_000);
            for sample in &mut timed.samples_ns {
                // Small numbers often and large ones rarely, as times are.
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let random = (state >> 33) as f64 / f64::from(1u32 << 31);
                *sample = (*sample as f64 * (1.0 + 0.2 * random + 0.02 / (1.001 - random))) as u64;
            }
            result.loops.set(kind, LoopResult::of(&timed));
        }
        document.cells.push(result);
    }
    document
}

/// A document whose every text tries to be markup and to end the line.
pub fn hostile() -> Document {
    let mut document = sample();
    const HOSTILE: &str = "<script>alert(\"1\")</script> & <b>\n\u{1b}[31m";
    document.cells[2] = CellResult { reason: Some(HOSTILE.to_owned()), ..document.cells[2].clone() };
    document.cells[3].id = HOSTILE.to_owned();
    document.engines[0].build = HOSTILE.to_owned();
    document.machine.cpu = Some(HOSTILE.to_owned());
    document.warnings = vec![HOSTILE.to_owned()];
    document
}

/// Two engines, primitives with and without bytes, one that an engine lacks and one that failed.
pub fn speed() -> Speed {
    let mut speed = Speed::begin(engines());
    let measured = |primitive: &str, bytes, engine: &str, ns: f64| PrimitiveResult {
        primitive: primitive.to_owned(),
        bytes,
        engine: engine.to_owned(),
        status: Status::Ok,
        reason: None,
        per_operation_ns: PerOperation::of(&[ns, ns * 1.01, ns * 0.98, ns * 1.2, ns, ns * 1.02, ns * 1.05]),
    };
    let without = |engine: &str, status, reason: &str| PrimitiveResult {
        status,
        reason: Some(reason.to_owned()),
        per_operation_ns: None,
        ..measured("p256-sign", None, engine, 1.0)
    };
    for bytes in [64, 16384] {
        speed.primitives.push(measured("aes128-gcm", Some(bytes), "openssl", 100.0 + bytes as f64 / 4.0));
        speed.primitives.push(measured("aes128-gcm", Some(bytes), "rustls-ring", 90.0 + bytes as f64 / 5.0));
    }
    speed.primitives.push(measured("x25519", None, "openssl", 33_000.0));
    speed.primitives.push(measured("x25519", None, "rustls-ring", 41_000.0));
    speed.primitives.push(without("openssl", Status::Error, "out of luck"));
    speed.primitives.push(without("rustls-ring", Status::Unsupported, "no such thing"));
    speed.complete = true;
    speed
}

/// One cell, or two of which the second could not be explained.
pub fn explanation(cells: usize) -> Explanation {
    let mut explanation = Explanation::begin(engines());
    for engine in ["openssl", "rustls-ring"].into_iter().take(cells) {
        let cell = cell(engine, &Choice::default());
        for loop_name in ["full", "reuse"] {
            let is_refused = engine == "rustls-ring" && loop_name == "reuse";
            explanation.cells.push(CellExplanation {
                id: cell.id(),
                dims: Dims::from(&cell),
                loop_name: loop_name.to_owned(),
                status: if is_refused { Status::Error } else { Status::Ok },
                reason: is_refused.then(|| "nothing was resumed".to_owned()),
                sides: (!is_refused)
                    .then(|| ExplainedSides { client: side(200_000.0), server: side(123_000.0) }),
                traffic: None,
                rounds_spread: Some(0.03),
            });
        }
    }
    explanation.complete = true;
    explanation
}

fn side(measured_ns: f64) -> ExplainedSide {
    let operation = |purpose: &str, primitive: &str, ns| ExplainedOperations {
        stage: "handshake".to_owned(),
        purpose: purpose.to_owned(),
        primitive: primitive.to_owned(),
        bytes: None,
        count: 2,
        share: 1.0,
        ns,
        rule: None,
    };
    let operations = vec![
        operation("key exchange", "x25519", Some(80_000.0)),
        operation("handshake signature", "p256-sign", Some(31_000.0)),
        operation("key derivation", "hkdf-sha256", None),
    ];
    let stage = ExplainedStage { stage: "handshake".to_owned(), measured_ns, operations_ns: 111_000.0 };
    ExplainedSide { operations, stages: vec![stage], machinery_ns: Some(15_000.0) }
}

fn engines() -> Vec<EngineEntry> {
    let mut ring = empty().engines[0].clone();
    ring.id = "rustls-ring".to_owned();
    vec![empty().engines[0].clone(), ring]
}
