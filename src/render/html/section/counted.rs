//! What was counted: the wire, the heap, and what cells were put to beside their loops.

use super::{NamedCell, NamedCells, part_of, table_section};
use crate::measure::LoopKind;
use crate::render::grid::{Align, Column, Grid, Row};
use crate::render::html::block::Section;
use crate::render::html::table::Table;
use crate::render::number::count;
use crate::render::page::Page;
use crate::render::run::LINK_GROUPS;
use crate::render::workloads::signed;
use crate::render::{arrivals, or_absent};
use crate::results::{Document, HeapSide, Wire};

pub(super) fn wire(named: &NamedCells<'_>) -> Option<Section> {
    let cells: Vec<&NamedCell<'_>> =
        named.cells.iter().filter(|cell| cell.cell.wire != Wire::default()).collect();
    if cells.is_empty() {
        return None;
    }
    let mut columns = key_columns();
    for group in ["full handshake", "resumed handshake"] {
        columns.extend(HANDSHAKE.map(|title| Column::number(group, title)));
    }
    columns.extend(DATA.map(|title| Column::number("data", title)));
    let rows = cells.iter().map(|cell| {
        let mut row = key_values(cell);
        for kind in LoopKind::BOTH {
            let counted = cell.cell.wire.handshake(kind);
            let numbers = counted.map(|wire| {
                [
                    wire.client_bytes,
                    wire.server_bytes,
                    wire.client_bytes + wire.server_bytes,
                    wire.client_records,
                    wire.server_records,
                    wire.flights,
                    wire.post_handshake_bytes,
                ]
            });
            row.extend((0..HANDSHAKE.len()).map(|index| or_absent(numbers.map(|all| count(all[index])))));
        }
        let data = cell.cell.wire.app.map(|app| {
            let both = app.client_bytes + app.server_bytes;
            [app.client_bytes, app.server_bytes, both, app.client_records, app.server_records]
        });
        row.extend((0..DATA.len()).map(|index| or_absent(data.map(|all| count(all[index])))));
        Row::Cells(row)
    });
    let grid = Grid { rows: rows.collect(), columns };
    let lead = vec![
        "Bytes with the headers of records. Flights: runs of records in one direction before the other side speaks. \
         Later: bytes sent after the handshake that are neither data nor close, such as the tickets of TLS 1.3; they \
         are not part of the handshake's bytes."
            .to_owned(),
    ];
    let caption = "Bytes, records and flights of one connection".to_owned();
    Some(table_section("On the wire", lead, Table { caption, grid, notes: Vec::new() }))
}

const HANDSHAKE: [&str; 7] =
    ["client bytes", "server bytes", "both", "client records", "server records", "flights", "later bytes"];
const DATA: [&str; 5] = ["client bytes", "server bytes", "both", "client records", "server records"];

pub(super) fn heap(named: &NamedCells<'_>) -> Option<Section> {
    let counted = named.cells.iter().filter_map(|cell| Some((cell, cell.cell.heap?)));
    let rows: Vec<Row> = counted
        .map(|(cell, heap)| {
            let mut row = key_values(cell);
            for HeapSide { allocations, bytes, peak_bytes, held_bytes, .. } in [heap.client, heap.server] {
                row.extend([allocations, bytes, peak_bytes].map(count));
                row.push(signed(held_bytes));
            }
            Row::Cells(row)
        })
        .collect();
    if rows.is_empty() {
        return None;
    }
    let mut columns = key_columns();
    for side in ["client", "server"] {
        columns.extend(
            ["allocations", "bytes", "peak bytes", "held bytes"].map(|title| Column::number(side, title)),
        );
    }
    let lead = vec![
        "Of one full connection, the median of several. Bytes: all that was allocated; peak: the most alive at one \
         time; held: still alive after the connection was closed and freed."
            .to_owned(),
    ];
    let caption = "Allocations and bytes of each side".to_owned();
    Some(table_section(
        "On the heap",
        lead,
        Table { caption, grid: Grid { columns, rows }, notes: Vec::new() },
    ))
}

pub(super) fn workloads(document: &Document, page: &Page) -> Option<Section> {
    if document.cells.iter().all(|cell| cell.workloads.is_empty()) {
        return None;
    }
    let grid = part_of(page, &["open", "threads"]);
    let caption = "Connections held open, and several threads".to_owned();
    let lead = page.caption.iter().filter(|line| line.starts_with("open:") || line.starts_with("threads:"));
    let lead = lead.cloned().collect();
    Some(table_section("Beside the loops", lead, Table { caption, grid, notes: page.notes.clone() }))
}

/// When answers arrive over the link.
pub(super) fn arrivals(document: &Document, page: &Page) -> Option<Section> {
    let link = document.link.as_ref()?;
    let grid = part_of(page, &LINK_GROUPS);
    let caption = "When a client has the first and the last byte of the answer".to_owned();
    let lead = vec![arrivals::caption(link)];
    Some(table_section("With a network between", lead, Table { caption, grid, notes: page.notes.clone() }))
}

fn key_columns() -> Vec<Column> {
    vec![Column::key("engine", Align::Left), Column::key("cell", Align::Left)]
}

fn key_values(cell: &NamedCell<'_>) -> Vec<String> {
    vec![cell.engines.clone(), cell.rest_or(&cell.cell.id).to_owned()]
}
