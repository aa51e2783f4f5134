//! The numbers of a cell and loop as tools want them that keep one value a name. Of each, less is better.

use crate::measure::LoopKind;
use crate::render::compare::Row;
use crate::render::{Report, loop_name};
use crate::results::{
    AppCount, CellExplanation, CellPrediction, CellResult, Comparison, CountedSide, Document, EngineEntry,
    ExplainedSide, Heap, InstructionCount, LoopComparison, LoopResult, PrimitiveResult, SideMs, Wire,
    WireCount,
};

/// What a number is of.
#[derive(Debug)]
pub(super) struct Measure {
    /// Its name in Bencher's manner.
    pub(super) slug: &'static str,
    /// Its unit.
    pub(super) unit: &'static str,
    /// What it is called among Go's benchmarks, where the unit comes last.
    pub(super) go_unit: &'static str,
}

/// One number.
#[derive(Debug)]
pub(super) struct Metric {
    pub(super) measure: &'static Measure,
    pub(super) value: f64,
    /// The ends of the 95 % interval, if there is one.
    pub(super) interval: Option<(f64, f64)>,
}

/// A cell and loop with its numbers.
#[derive(Debug)]
pub(super) struct Subject {
    /// The cell's id with the loop.
    pub(super) name: String,
    /// What else is good to know, in words.
    pub(super) about: String,
    pub(super) metrics: Vec<Metric>,
}

const fn measure(slug: &'static str, unit: &'static str, go_unit: &'static str) -> Measure {
    Measure { slug, unit, go_unit }
}

pub(super) static LATENCY: Measure = measure("latency", "ns", "wall-ns/op");
pub(super) static CPU_TIME: Measure = measure("cpu-time", "ns", "ns/op");
pub(super) static CLIENT_TIME: Measure = measure("client-time", "ns", "client-ns/op");
pub(super) static SERVER_TIME: Measure = measure("server-time", "ns", "server-ns/op");
static CPU_RATIO: Measure = measure("cpu-ratio", "new/old", "cpu-ratio");
static CLIENT_INSTRUCTIONS: Measure =
    measure("client-instructions", "instructions", "client-instructions/op");
static SERVER_INSTRUCTIONS: Measure =
    measure("server-instructions", "instructions", "server-instructions/op");

static HANDSHAKE_CLIENT_BYTES: Measure = measure("handshake-client-bytes", "bytes", "handshake-client-B/op");
static HANDSHAKE_SERVER_BYTES: Measure = measure("handshake-server-bytes", "bytes", "handshake-server-B/op");
static FLIGHTS: Measure = measure("flights", "flights", "flights/op");
static TICKET_BYTES: Measure = measure("ticket-bytes", "bytes", "ticket-B/op");
static DATA_CLIENT_BYTES: Measure = measure("data-client-bytes", "bytes", "data-client-B/op");
static DATA_SERVER_BYTES: Measure = measure("data-server-bytes", "bytes", "data-server-B/op");
static CLIENT_ALLOCATIONS: Measure = measure("client-allocations", "allocations", "client-allocs/op");
static SERVER_ALLOCATIONS: Measure = measure("server-allocations", "allocations", "server-allocs/op");
static CLIENT_PEAK_BYTES: Measure = measure("client-peak-bytes", "bytes", "client-peak-B/op");
static SERVER_PEAK_BYTES: Measure = measure("server-peak-bytes", "bytes", "server-peak-B/op");

/// Everything that is counted, not timed: the same in every repetition of a measurement.
pub(super) static COUNTED: [&Measure; 10] = [
    &HANDSHAKE_CLIENT_BYTES,
    &HANDSHAKE_SERVER_BYTES,
    &FLIGHTS,
    &TICKET_BYTES,
    &DATA_CLIENT_BYTES,
    &DATA_SERVER_BYTES,
    &CLIENT_ALLOCATIONS,
    &CLIENT_PEAK_BYTES,
    &SERVER_ALLOCATIONS,
    &SERVER_PEAK_BYTES,
];

/// Everything with numbers in a report; of a comparison, the numbers of its new side.
pub(super) fn subjects(report: &Report<'_>) -> Vec<Subject> {
    match report {
        Report::Cells(document) | Report::Classic { document, .. } => of_document(document),
        Report::Comparison(comparison) => of_comparison(comparison),
        Report::Prediction(prediction) => {
            let device = &prediction.device.id;
            prediction.cells.iter().filter_map(|cell| of_predicted(cell, device)).collect()
        }
        Report::Explanation(explanation) => explanation.cells.iter().filter_map(of_explained).collect(),
        Report::Speed(speed) => {
            speed.primitives.iter().filter_map(|result| of_primitive(result, &speed.engines)).collect()
        }
    }
}

fn of_explained(cell: &CellExplanation) -> Option<Subject> {
    let metrics = of_explained_sides(cell)?.into();
    Some(Subject { name: format!("{}/loop={}", cell.id, cell.loop_name), about: String::new(), metrics })
}

/// What each side's part of a connection took.
pub(super) fn of_explained_sides(cell: &CellExplanation) -> Option<[Metric; 2]> {
    let sides = cell.sides.as_ref()?;
    let metric =
        |measure, side: &ExplainedSide| Metric { measure, value: side.measured_ns(), interval: None };
    Some([metric(&CLIENT_TIME, &sides.client), metric(&SERVER_TIME, &sides.server)])
}

/// Under a name of its own: the same connection measured is another series.
fn of_predicted(cell: &CellPrediction, device: &str) -> Option<Subject> {
    let metrics = of_predicted_sides(cell)?.into();
    let name = format!("{}/loop={}/device={device}", cell.id, cell.loop_name);
    Some(Subject { name, about: "predicted".to_owned(), metrics })
}

/// What each side's part of a connection would take.
pub(super) fn of_predicted_sides(cell: &CellPrediction) -> Option<[Metric; 2]> {
    let stages = [cell.handshake?, cell.transfer?, cell.close?];
    let metric = |measure, of: fn(&SideMs) -> f64| {
        let ms: f64 = stages.iter().map(of).sum();
        Metric { measure, value: ms * 1e6, interval: None }
    };
    Some([metric(&CLIENT_TIME, |sides| sides.client_ms), metric(&SERVER_TIME, |sides| sides.server_ms)])
}

fn of_primitive(result: &PrimitiveResult, engines: &[EngineEntry]) -> Option<Subject> {
    let metrics = vec![of_operation(result)?];
    let engine = engines.iter().find(|engine| engine.id == result.engine);
    let about = engine.map(|engine| format!("{} {}", engine.library, engine.version)).unwrap_or_default();
    Some(Subject { name: result.name(), about, metrics })
}

/// What an operation took, if it ran.
pub(super) fn of_operation(result: &PrimitiveResult) -> Option<Metric> {
    let each = result.per_operation_ns.as_ref()?;
    Some(Metric { measure: &LATENCY, value: each.median, interval: each.median_low.zip(each.median_high) })
}

fn of_document(document: &Document) -> Vec<Subject> {
    let loops = |cell| LoopKind::BOTH.into_iter().map(move |kind| (cell, kind));
    document
        .cells
        .iter()
        .flat_map(loops)
        .filter_map(|(cell, kind)| {
            let metrics = of_loop(cell, kind, cell.loops.of(kind)?);
            Some(Subject {
                name: loop_name(&cell.id, kind),
                about: engines(cell, &document.engines),
                metrics,
            })
        })
        .collect()
}

/// The builds that played a cell.
fn engines(cell: &CellResult, engines: &[EngineEntry]) -> String {
    let plays = |engine: &&EngineEntry| {
        ["engine", "client", "server"]
            .iter()
            .any(|key| cell.dims.value(key).is_some_and(|value| value.to_string() == engine.id))
    };
    let words = engines.iter().filter(plays).map(|engine| format!("{} {}", engine.library, engine.version));
    words.collect::<Vec<_>>().join(", ")
}

fn of_comparison(comparison: &Comparison) -> Vec<Subject> {
    let subject = |row: Row<'_>| {
        let (kind, times) = row.timed?;
        let mut metrics = of_times(times);
        metrics.extend(row.cell.counted.iter().flat_map(|counted| of_side(&counted.new, kind)));
        Some(Subject { name: row.name(), about: row.words(), metrics })
    };
    Row::all(comparison).into_iter().filter_map(subject).collect()
}

/// The numbers of a loop that ran.
pub(super) fn of_loop(cell: &CellResult, kind: LoopKind, result: &LoopResult) -> Vec<Metric> {
    let each = &result.per_connection_ns;
    let interval = each.median_low.zip(each.median_high).map(|(low, high)| (low as f64, high as f64));
    let mut metrics = vec![Metric { measure: &LATENCY, value: each.median, interval }];
    metrics.extend(of_sides(result));
    metrics.extend(counted(&cell.wire, cell.heap.as_ref(), kind));
    metrics
}

/// Each side's share of the median connection.
pub(super) fn of_sides(result: &LoopResult) -> Vec<Metric> {
    let median = result.per_connection_ns.median;
    let shares = result
        .shares()
        .map(|(client, server)| [plain(&CLIENT_TIME, client * median), plain(&SERVER_TIME, server * median)]);
    shares.into_iter().flatten().collect()
}

/// The times of a compared loop's new side, and how they compare.
pub(super) fn of_times(times: &LoopComparison) -> Vec<Metric> {
    let cpu = times.cpu;
    let mut metrics = vec![Metric { measure: &CPU_RATIO, value: cpu.ratio, interval: cpu.low.zip(cpu.high) }];
    metrics.extend(times.new_median().into_iter().flat_map(|median| {
        [
            plain(&CPU_TIME, median.cpu_ns),
            plain(&LATENCY, median.wall_ns),
            plain(&CLIENT_TIME, median.client_ns),
            plain(&SERVER_TIME, median.server_ns),
        ]
    }));
    metrics.extend(times.instructions.into_iter().flat_map(|counts| of_instructions(counts.new)));
    metrics
}

/// The instructions of one side of a comparison.
pub(super) fn of_instructions(count: InstructionCount) -> [Metric; 2] {
    [plain(&CLIENT_INSTRUCTIONS, count.client), plain(&SERVER_INSTRUCTIONS, count.server)]
}

/// What was counted on one side of a comparison.
pub(super) fn of_side(side: &CountedSide, kind: LoopKind) -> Vec<Metric> {
    counted(&side.wire, side.heap.as_ref(), kind)
}

/// What was counted of a cell, as far as it belongs to one kind of loop: the heap is that of a full connection.
pub(super) fn counted(wire: &Wire, heap: Option<&Heap>, kind: LoopKind) -> Vec<Metric> {
    let mut metrics = Vec::new();
    metrics.extend(wire.handshake(kind).iter().flat_map(of_handshake));
    metrics.extend(wire.app.iter().flat_map(of_data));
    metrics.extend(heap.filter(|_| kind == LoopKind::Full).into_iter().flat_map(of_heap));
    metrics
}

fn of_handshake(wire: &WireCount) -> [Metric; 4] {
    [
        plain(&HANDSHAKE_CLIENT_BYTES, wire.client_bytes as f64),
        plain(&HANDSHAKE_SERVER_BYTES, wire.server_bytes as f64),
        plain(&FLIGHTS, wire.flights as f64),
        plain(&TICKET_BYTES, wire.post_handshake_bytes as f64),
    ]
}

fn of_data(app: &AppCount) -> [Metric; 2] {
    [plain(&DATA_CLIENT_BYTES, app.client_bytes as f64), plain(&DATA_SERVER_BYTES, app.server_bytes as f64)]
}

fn of_heap(heap: &Heap) -> [Metric; 4] {
    [
        plain(&CLIENT_ALLOCATIONS, heap.client.allocations as f64),
        plain(&CLIENT_PEAK_BYTES, heap.client.peak_bytes as f64),
        plain(&SERVER_ALLOCATIONS, heap.server.allocations as f64),
        plain(&SERVER_PEAK_BYTES, heap.server.peak_bytes as f64),
    ]
}

fn plain(measure: &'static Measure, value: f64) -> Metric {
    Metric { measure, value, interval: None }
}
