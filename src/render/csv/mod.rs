//! Reports as CSV: one row a cell (or a row of the classic table, a cell and loop of a comparison, a primitive), full precision, units in the header, an empty
//! field where there is no number.

mod comparison;
mod explanation;

use std::io::{self, Write};

use super::compare::Row;
use super::{ClassicRow, Report};
use crate::engine::Side;
use crate::link::Arrival;
use crate::measure::LoopKind;
use crate::results::{
    CellPrediction, CellResult, HeapSide, LoopResult, Phases, PrimitiveResult, Status, WorkloadResult,
};
use crate::suite::Key;

/// Writes a report as CSV.
pub fn write_csv(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    match report {
        Report::Cells(document) => write_rows(&document.cells, cell_fields, &mut writer)?,
        Report::Classic { rows, .. } => write_rows(rows, classic_fields, &mut writer)?,
        Report::Comparison(comparison) => write_rows(&Row::all(comparison), comparison::fields, &mut writer)?,
        Report::Speed(speed) => write_rows(&speed.primitives, primitive_fields, &mut writer)?,
        Report::Prediction(prediction) => write_rows(&prediction.cells, prediction_fields, &mut writer)?,
        Report::Explanation(explanation) => {
            write_rows(&explanation::rows(explanation), explanation::fields, &mut writer)?;
        }
    }
    writer.flush()
}

/// Name and value of each field of a row; a row of nothing gives the header.
type Fields = Vec<(String, String)>;

/// Writes the header, which is the names of a row of nothing, and the values of each row.
fn write_rows<T>(
    rows: &[T],
    fields: fn(Option<&T>) -> Fields,
    writer: &mut csv::Writer<&mut dyn Write>,
) -> io::Result<()> {
    writer.write_record(fields(None).iter().map(|(name, _)| name))?;
    for row in rows {
        writer.write_record(fields(Some(row)).iter().map(|(_, value)| value))?;
    }
    Ok(())
}

fn cell_fields(cell: Option<&CellResult>) -> Fields {
    let mut fields = Fields::new();
    push(&mut fields, "id", cell.map(|cell| &cell.id));
    // All of them in every file, so that files can be put one below the other.
    for key in Key::ALL.map(Key::name) {
        push(&mut fields, key, cell.and_then(|cell| cell.dims.value(key)));
    }
    push(&mut fields, "status", cell.map(|cell| cell.status.name()));
    push(&mut fields, "reason", cell.and_then(|cell| cell.reason.as_ref()));
    let negotiated = cell.and_then(|cell| cell.negotiated.as_ref());
    push(&mut fields, "negotiated_group", negotiated.and_then(|agreed| agreed.group.as_ref()));
    push(&mut fields, "negotiated_signature", negotiated.and_then(|agreed| agreed.signature.as_ref()));
    for kind in LoopKind::BOTH {
        push_loop(&mut fields, kind, cell.and_then(|cell| cell.loops.of(kind)));
    }
    push_wire(&mut fields, cell);
    let heap = cell.and_then(|cell| cell.heap.as_ref());
    push_heap(&mut fields, "heap_client", heap.map(|heap| &heap.client));
    push_heap(&mut fields, "heap_server", heap.map(|heap| &heap.server));
    push_workloads(&mut fields, cell);
    for kind in LoopKind::BOTH {
        let arrival = cell.and_then(|cell| cell.arrivals.as_ref()?.of_loop(kind).copied());
        push_arrival(&mut fields, &format!("link_{}", kind.name()), arrival);
    }
    fields
}

fn push_loop(fields: &mut Fields, kind: LoopKind, result: Option<&LoopResult>) {
    let name = |field: &str| format!("{}_{field}", kind.name());
    let each = result.map(|result| &result.per_connection_ns);
    push(fields, name("connections"), result.map(|result| result.connections));
    push(fields, name("resumed"), result.map(|result| result.resumed));
    push(fields, name("cpu_ns"), result.map(|result| result.cpu_ns));
    push(fields, name("wall_ns"), result.map(|result| result.wall_ns));
    push(fields, name("cpu_wall_differ"), result.map(|result| result.cpu_wall_differ));
    push(fields, name("min_ns"), each.map(|each| each.min));
    push(fields, name("median_ns"), each.map(|each| each.median));
    push(fields, name("median_low_ns"), each.and_then(|each| each.median_low));
    push(fields, name("median_high_ns"), each.and_then(|each| each.median_high));
    push(fields, name("p95_ns"), each.map(|each| each.p95));
    push(fields, name("p99_ns"), each.map(|each| each.p99));
    push(fields, name("mean_ns"), each.map(|each| each.mean));
    for (index, (phase, _)) in Phases::default().named().iter().enumerate() {
        let times = result.map(|result| result.phases.named()[index].1);
        push(fields, name(&format!("{phase}_client_ns")), times.map(|times| times.client_ns));
        push(fields, name(&format!("{phase}_server_ns")), times.map(|times| times.server_ns));
    }
}

fn push_wire(fields: &mut Fields, cell: Option<&CellResult>) {
    for kind in LoopKind::BOTH {
        let counted = cell.and_then(|cell| cell.wire.handshake(kind));
        let name = |field: &str| format!("wire_{}_{field}", kind.name());
        push(fields, name("client_bytes"), counted.map(|wire| wire.client_bytes));
        push(fields, name("server_bytes"), counted.map(|wire| wire.server_bytes));
        push(fields, name("client_records"), counted.map(|wire| wire.client_records));
        push(fields, name("server_records"), counted.map(|wire| wire.server_records));
        push(fields, name("flights"), counted.map(|wire| wire.flights));
        push(fields, name("post_handshake_bytes"), counted.map(|wire| wire.post_handshake_bytes));
    }
    let app = cell.and_then(|cell| cell.wire.app);
    push(fields, "wire_app_client_bytes", app.map(|app| app.client_bytes));
    push(fields, "wire_app_server_bytes", app.map(|app| app.server_bytes));
    push(fields, "wire_app_client_records", app.map(|app| app.client_records));
    push(fields, "wire_app_server_records", app.map(|app| app.server_records));
}

fn push_heap(fields: &mut Fields, prefix: &str, heap: Option<&HeapSide>) {
    let name = |field: &str| format!("{prefix}_{field}");
    push(fields, name("allocations"), heap.map(|heap| heap.allocations));
    push(fields, name("bytes"), heap.map(|heap| heap.bytes));
    push(fields, name("peak_bytes"), heap.map(|heap| heap.peak_bytes));
    push(fields, name("held_bytes"), heap.map(|heap| heap.held_bytes));
}

fn push_workloads(fields: &mut Fields, cell: Option<&CellResult>) {
    let workloads = cell.map(|cell| cell.workloads.as_slice()).unwrap_or_default();
    let open = workloads.iter().find_map(|workload| Some((workload, workload.open()?)));
    push(fields, "open_connections", open.map(|(workload, _)| workload.connections()));
    for side in Side::BOTH {
        let bytes = open.map(|(_, bytes)| bytes.side(side));
        push(fields, format!("open_{side}_each_bytes"), bytes.map(|bytes| bytes.each_bytes));
        push(fields, format!("open_{side}_total_bytes"), bytes.map(|bytes| bytes.total_bytes));
        push(fields, format!("open_{side}_left_bytes"), bytes.map(|bytes| bytes.left_bytes));
    }
    let on_threads = workloads.iter().find_map(WorkloadResult::on_threads);
    push(fields, "threads", on_threads.map(|(threads, _)| threads));
    push(fields, "threads_contexts", on_threads.map(|(_, contexts)| contexts.name()));
    for kind in LoopKind::BOTH {
        let times = workloads.iter().find_map(|workload| workload.threads(kind));
        let name = |field: &str| format!("threads_{}_{field}", kind.name());
        push(fields, name("connections"), times.map(|times| times.connections));
        push(fields, name("resumed"), times.map(|times| times.resumed));
        push(fields, name("wall_ns"), times.map(|times| times.wall_ns));
        push(fields, name("cpu_ns"), times.map(|times| times.cpu_ns));
    }
}

fn classic_fields(row: Option<&ClassicRow<'_>>) -> Fields {
    let mut fields = Fields::new();
    push(&mut fields, "proto", row.map(|row| row.proto));
    push(&mut fields, "cipher", row.map(|row| row.cipher));
    push(&mut fields, "rsa_bits", row.map(|row| row.rsa_bits));
    push(&mut fields, "bytes", row.map(|row| row.bytes));
    let runs = row.filter(|row| row.now.status != Status::Unsupported);
    push(&mut fields, "engine", runs.and_then(|row| row.now.dims.engines()));
    push(&mut fields, "status", row.map(|row| row.now.status.name()));
    push(&mut fields, "reason", row.and_then(|row| row.now.reason.as_ref()));
    for kind in LoopKind::BOTH {
        let name = |field: &str| format!("{}_{field}", kind.name());
        let result = row.and_then(|row| row.now.loops.of(kind));
        push(&mut fields, name("1997_s"), row.and_then(|row| row.seconds_1997(kind)));
        push(&mut fields, name("connections_run"), result.map(|result| result.connections));
        push(&mut fields, name("now_s"), row.and_then(|row| row.seconds_now(kind)));
        push(&mut fields, name("times_faster"), row.and_then(|row| row.times_faster(kind)));
        let sides = result.and_then(LoopResult::sides_cpu_ns);
        push(&mut fields, name("client_cpu_ns"), sides.map(|(client_ns, _)| client_ns));
        push(&mut fields, name("server_cpu_ns"), sides.map(|(_, server_ns)| server_ns));
    }
    fields
}

fn prediction_fields(cell: Option<&CellPrediction>) -> Fields {
    let mut fields = Fields::new();
    push(&mut fields, "id", cell.map(|cell| &cell.id));
    push(&mut fields, "loop", cell.map(|cell| &cell.loop_name));
    push(&mut fields, "status", cell.map(|cell| cell.status.name()));
    push(&mut fields, "reason", cell.and_then(|cell| cell.reason.as_ref()));
    let stages = [
        ("handshake", cell.and_then(|cell| cell.handshake)),
        ("transfer", cell.and_then(|cell| cell.transfer)),
        ("close", cell.and_then(|cell| cell.close)),
    ];
    for (stage, sides) in stages {
        push(&mut fields, format!("{stage}_client_ms"), sides.map(|sides| sides.client_ms));
        push(&mut fields, format!("{stage}_server_ms"), sides.map(|sides| sides.server_ms));
    }
    push(&mut fields, "primitives_share", cell.and_then(|cell| cell.primitives_share));
    let published = cell.and_then(|cell| cell.published.first());
    push(&mut fields, "published_of", published.map(|one| &one.what));
    push(&mut fields, "published_ms", published.map(|one| one.published_ms));
    push(&mut fields, "error", published.map(|one| one.error));
    let words = |of: fn(&CellPrediction) -> &Vec<String>| cell.map(|cell| of(cell).join("; "));
    push(&mut fields, "lacks", words(|cell| &cell.lacks));
    push(&mut fields, "rules", words(|cell| &cell.rules));
    push_arrival(&mut fields, "link", cell.and_then(|cell| cell.arrival));
    fields
}

fn push_arrival(fields: &mut Fields, prefix: &str, arrival: Option<Arrival>) {
    push(fields, format!("{prefix}_first_byte_ns"), arrival.map(|arrival| arrival.first_byte_ns));
    push(fields, format!("{prefix}_last_byte_ns"), arrival.map(|arrival| arrival.last_byte_ns));
    push(fields, format!("{prefix}_cpu_ns"), arrival.map(|arrival| arrival.cpu_ns));
}

fn primitive_fields(result: Option<&PrimitiveResult>) -> Fields {
    let mut fields = Fields::new();
    let bytes = result.and_then(|result| result.bytes);
    let each = result.and_then(|result| result.per_operation_ns);
    push(&mut fields, "primitive", result.map(|result| &result.primitive));
    push(&mut fields, "bytes", bytes);
    push(&mut fields, "engine", result.map(|result| &result.engine));
    push(&mut fields, "status", result.map(|result| result.status.name()));
    push(&mut fields, "reason", result.and_then(|result| result.reason.as_ref()));
    push(&mut fields, "batches", each.map(|each| each.batches));
    push(&mut fields, "min_ns", each.map(|each| each.min));
    push(&mut fields, "median_ns", each.map(|each| each.median));
    push(&mut fields, "median_low_ns", each.and_then(|each| each.median_low));
    push(&mut fields, "median_high_ns", each.and_then(|each| each.median_high));
    push(&mut fields, "p95_ns", each.map(|each| each.p95));
    push(&mut fields, "mean_ns", each.map(|each| each.mean));
    push(&mut fields, "operations_per_s", each.map(|each| each.per_second()));
    push(&mut fields, "mb_per_s", each.zip(bytes).map(|(each, bytes)| each.megabytes_per_second(bytes)));
    fields
}

fn push(fields: &mut Fields, name: impl Into<String>, value: Option<impl ToString>) {
    fields.push((name.into(), value.map(|value| value.to_string()).unwrap_or_default()));
}
