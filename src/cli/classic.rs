//! `tlspair classic`: the SSL-overhead table of 1997, then and now.

use super::args::ClassicArgs;
use super::measuring::Job;
use super::{Color, Ending, Exit};
use crate::cell::{Cell, Cert, Choice};
use crate::engine::Engines;
use crate::measure::{LoopKind, supported};
use crate::render::{ClassicRow, Report};
use crate::results::Document;
use crate::suite::history::{Row, Table, table_1997};

/// Connections a loop with `--quick`.
const QUICK: u64 = 50;

/// Runs the sub-command.
pub fn run(engines: &Engines, args: &ClassicArgs, color: Color) -> Result<Exit, Ending> {
    let table = table_1997();
    let candidates = candidates(engines, args.engine.as_deref())?;
    let cells: Vec<Cell> = table.rows.iter().map(|row| row_cell(engines, &candidates, &table, row)).collect();
    Job {
        engines,
        cells: &cells,
        shard: None,
        thresholds: &[],
        suites: &[],
        connections: args.num.unwrap_or(if args.quick { QUICK } else { table.connections }),
        loops: &LoopKind::BOTH,
        workloads: &[],
        isolated: None,
        notes: &[],
        explain: &|cell| why_none(engines, &candidates, cell),
        show: &|document, see| see(&Report::Classic { document, rows: &rows(&table, &cells, document) }),
        baseline: None,
    }
    .run(&args.export, color)
}

fn candidates<'a>(engines: &'a Engines, asked: Option<&'a str>) -> Result<Vec<&'a str>, Ending> {
    match asked {
        Some(id) => {
            engines.named(id).map_err(Ending::usage)?;
            Ok(vec![id])
        }
        None => Ok(engines.tls_ids()),
    }
}

/// The row on the first engine that can run it; on the first of all if none can, which then says why.
fn row_cell(engines: &Engines, candidates: &[&str], table: &Table, row: &Row) -> Cell {
    let choice = Choice {
        proto: Some(row.proto),
        cipher: Some(row.cipher),
        cert: Cert::from_rsa_bits(row.rsa_bits),
        bytes: Some(row.bytes),
        chunk: Some(table.chunk),
        ..Choice::default()
    };
    let on = |id: &str| choice.pin(id, id).expect("the rows of 1997 are cells");
    candidates
        .iter()
        .map(|id| on(id))
        .find(|cell| supported(engines, cell).is_ok())
        .unwrap_or_else(|| on(candidates.first().copied().unwrap_or("null")))
}

/// Why none of the candidates runs a row: each one's own words, once.
fn why_none(engines: &Engines, candidates: &[&str], cell: &Cell) -> Option<String> {
    let mut reasons: Vec<String> = Vec::new();
    for &id in candidates {
        let on = Cell { client: id.to_owned(), server: id.to_owned(), ..cell.clone() };
        let reason = supported(engines, &on).err()?.to_string();
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    Some(reasons.join("; "))
}

/// The rows whose turn has come, with their results.
fn rows<'a>(table: &'a Table, cells: &[Cell], document: &'a Document) -> Vec<ClassicRow<'a>> {
    let row_of = |(row, cell): (&'a Row, &Cell)| {
        Some(ClassicRow {
            proto: row.proto,
            cipher: row.cipher.openssl,
            rsa_bits: row.rsa_bits,
            bytes: row.bytes,
            full_1997: row.full,
            reuse_1997: row.reuse,
            now: document.cell(&cell.id())?,
        })
    };
    table.rows.iter().zip(cells).filter_map(row_of).collect()
}
