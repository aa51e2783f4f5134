//! The general page: one row a cell.

use super::dims::VaryingDims;
use super::grid::{Align, Column, Grid, Row};
use super::number::{count, micros, significant};
use super::page::{DIFFER_NOTE, Notes, Page, closing_lines};
use super::workloads::WorkloadColumns;
use super::{ABSENT, arrivals, or_absent};
use crate::measure::LoopKind;
use crate::results::{CellResult, Document, LoopResult, PerConnection, Status};

/// The page of a document.
pub(super) fn page(document: &Document) -> Page {
    let cells = document.cells.as_slice();
    let dims = VaryingDims::of(cells.iter().map(|cell| &cell.dims));
    let kinds: Vec<LoopKind> = LoopKind::BOTH
        .into_iter()
        .filter(|&kind| cells.iter().any(|cell| cell.loops.of(kind).is_some()))
        .collect();
    let has_wire = cells.iter().any(|cell| cell.wire != Default::default());
    let has_heap = cells.iter().any(|cell| cell.heap.is_some());
    let workloads = WorkloadColumns::of(cells);
    let mut notes = Notes::default();

    let mut columns = dims.columns();
    columns.push(Column::key("ran", Align::Left));
    columns.extend(kinds.iter().flat_map(|&kind| loop_columns(kind)));
    columns.extend(has_wire.then(wire_columns).into_iter().flatten());
    columns.extend(has_heap.then(heap_columns).into_iter().flatten());
    columns.extend(workloads.columns());
    let link_kinds: &[LoopKind] = if document.link.is_some() { &kinds } else { &[] };
    columns.extend(link_kinds.iter().flat_map(|&kind| arrivals::columns(link_group(kind))));
    let rows = cells.iter().map(|cell| {
        let mut row = dims.values(&cell.dims);
        row.push(status(cell, &mut notes));
        row.extend(kinds.iter().flat_map(|&kind| loop_values(cell.loops.of(kind))));
        row.extend(has_wire.then(|| wire_values(cell)).into_iter().flatten());
        row.extend(has_heap.then(|| heap_values(cell)).into_iter().flatten());
        row.extend(workloads.values(cell, &mut notes));
        let arrival = |kind| cell.arrivals.as_ref().and_then(|arrivals| arrivals.of_loop(kind));
        row.extend(link_kinds.iter().flat_map(|&kind| arrivals::values(arrival(kind))));
        Row::Cells(row)
    });
    let grid = Grid { rows: rows.collect(), columns };
    let mut caption: Vec<String> =
        document.suites.iter().map(|suite| format!("{}: {}", suite.title, suite.about)).collect();
    caption.extend(dims.caption());
    caption.extend(kinds.iter().map(|&kind| connections_line(kind, cells)));
    caption.extend((!kinds.is_empty()).then(|| LEGEND.to_owned()));
    caption.extend(workloads.captions());
    caption.extend(document.link.as_ref().map(arrivals::caption));
    Page { caption, grid, notes: notes.into_texts(), lists: Vec::new(), footer: closing_lines(document) }
}

const LEGEND: &str = "µs: median time of one connection in both libraries' hands, ± its 95 % interval in µs; client, server: \
                      each side's share of it; per s: how many such connections fill a second.";

/// The groups of columns about a link, in the order of [`LoopKind::BOTH`].
pub(super) const LINK_GROUPS: [&str; 2] = ["link, full", "link, reuse"];

fn link_group(kind: LoopKind) -> &'static str {
    LINK_GROUPS[kind as usize]
}

fn status(cell: &CellResult, notes: &mut Notes) -> String {
    // Short words, so that the numbers of both loops fit beside all that a row is about.
    let word = match cell.status {
        Status::Ok => "ok",
        Status::Unsupported => "no",
        Status::Error => "error",
    };
    let mut words = vec![word.to_owned()];
    if cell.status != Status::Ok {
        words.push(notes.mark(cell.reason.as_deref().unwrap_or("no reason is on record")));
    }
    if LoopKind::BOTH.iter().filter_map(|&kind| cell.loops.of(kind)).any(|result| result.cpu_wall_differ) {
        words.push(notes.mark(DIFFER_NOTE));
    }
    words.join(" ")
}

fn connections_line(kind: LoopKind, cells: &[CellResult]) -> String {
    let counts = || cells.iter().filter_map(|cell| cell.loops.of(kind)).map(|result| result.connections);
    let (least, most) = (counts().min().unwrap_or_default(), counts().max().unwrap_or_default());
    let name = kind.name();
    let resumed = match kind {
        LoopKind::Full => "each with a full handshake",
        LoopKind::Reuse => "the first with a full handshake, the others resumed",
    };
    if least == most {
        format!("{name}: loops of {} connections, {resumed}.", count(least))
    } else {
        format!("{name}: loops of {} to {} connections, {resumed}.", count(least), count(most))
    }
}

fn loop_columns(kind: LoopKind) -> [Column; 5] {
    ["µs", "±", "client", "server", "per s"].map(|title| Column::number(kind.name(), title))
}

fn loop_values(result: Option<&LoopResult>) -> [String; 5] {
    let Some(result) = result else {
        return std::array::from_fn(|_| ABSENT.to_owned());
    };
    let median = result.per_connection_ns.median;
    let shares = result.shares();
    [
        micros(median),
        uncertainty(&result.per_connection_ns),
        or_absent(shares.map(|(client, _)| micros(client * median))),
        or_absent(shares.map(|(_, server)| micros(server * median))),
        or_absent((median > 0.0).then(|| significant(1e9 / median, 3))),
    ]
}

/// How sure the median is, in µs.
fn uncertainty(per_connection: &PerConnection) -> String {
    or_absent(per_connection.median_uncertainty().map(|ns| significant(ns / 1e3, 2)))
}

fn wire_columns() -> [Column; 5] {
    ["full bytes", "full flights", "reuse bytes", "reuse flights", "data bytes"]
        .map(|title| Column::number("wire", title))
}

fn wire_values(cell: &CellResult) -> [String; 5] {
    let wire = &cell.wire;
    let shown = |number: Option<u64>| or_absent(number.map(count));
    [
        shown(wire.full.map(|full| full.client_bytes + full.server_bytes)),
        shown(wire.full.map(|full| full.flights)),
        shown(wire.reuse.map(|reuse| reuse.client_bytes + reuse.server_bytes)),
        shown(wire.reuse.map(|reuse| reuse.flights)),
        shown(wire.app.map(|app| app.client_bytes + app.server_bytes)),
    ]
}

fn heap_columns() -> [Column; 4] {
    ["client allocs", "client peak", "server allocs", "server peak"]
        .map(|title| Column::number("heap", title))
}

fn heap_values(cell: &CellResult) -> [String; 4] {
    let Some(heap) = cell.heap else {
        return std::array::from_fn(|_| ABSENT.to_owned());
    };
    [heap.client.allocations, heap.client.peak_bytes, heap.server.allocations, heap.server.peak_bytes]
        .map(count)
}
