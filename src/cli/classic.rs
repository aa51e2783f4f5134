//! `tlspair classic`: the SSL-overhead table of 1997, then and now.

use super::args::ClassicArgs;
use super::measuring::Job;
use super::with::terms;
use super::{Color, Ending, Exit};
use crate::cell::{Cell, UnknownName};
use crate::engine::Engines;
use crate::measure::LoopKind;
use crate::render::{ClassicRow, Report};
use crate::results::Document;
use crate::suite::history::{Row, Table, table_1997};
use crate::worker::{Guests, Routes};

/// Connections a loop with `--quick`.
const QUICK: u64 = 50;

/// Runs the sub-command.
pub fn run(engines: &Engines, args: &ClassicArgs, color: Color) -> Result<Exit, Ending> {
    let table = table_1997();
    let guests = args.with.guests(engines, args.worker)?;
    let candidates = candidates(engines, &guests, args.engine.as_deref())?;
    let mut routes = Routes::new(engines, &guests, false, terms(args.worker));
    let chosen: Vec<Chosen> =
        table.rows.iter().map(|row| Chosen::of(&mut routes, &candidates, &table, row)).collect();
    drop(routes); // and its workers: those that measure are started when their turn comes
    let cells: Vec<Cell> = chosen.iter().map(|row| row.cell.clone()).collect();
    let why_none =
        |cell: &Cell| chosen.iter().find(|row| row.cell == *cell).and_then(|row| row.why_none.clone());
    Job {
        engines,
        guests: &guests,
        cells: &cells,
        shard: None,
        thresholds: &[],
        suites: &[],
        connections: args.num.unwrap_or(if args.quick { QUICK } else { table.connections }),
        loops: &LoopKind::BOTH,
        workloads: &[],
        link: None,
        isolated: false,
        patience: args.worker.patience(),
        notes: &[],
        explain: &why_none,
        show: &|document, see| see(&Report::Classic { document, rows: &rows(&table, &cells, document) }),
        baseline: None,
    }
    .run(&args.export, color)
}

/// The engines that rows may run on, in the order in which they are asked: the one asked for, or all.
fn candidates(engines: &Engines, guests: &Guests, asked: Option<&str>) -> Result<Vec<String>, Ending> {
    match asked {
        None => Ok(guests.tls_ids(engines)),
        Some(id) if engines.named(id).is_ok() || guests.engine(id).is_some() => Ok(vec![id.to_owned()]),
        Some(id) => {
            let own = engines.infos().into_iter().map(|info| info.id.to_owned());
            let theirs = guests.iter().flat_map(|guest| &guest.hello.engines).map(|engine| engine.id.clone());
            let known: Vec<String> = own.chain(theirs).collect();
            Err(Ending::usage(UnknownName::new("engine", id, known.iter().map(String::as_str))))
        }
    }
}

/// A row on an engine.
struct Chosen {
    cell: Cell,
    /// Why none of the candidates runs it: each one's own words, once.
    why_none: Option<String>,
}

impl Chosen {
    /// The row on the first engine that can run it; on the first of all if none can.
    fn of(routes: &mut Routes<'_>, candidates: &[String], table: &Table, row: &Row) -> Self {
        let on = |id: &str| table.cell(row, id);
        let mut reasons: Vec<String> = Vec::new();
        for id in candidates {
            let cell = on(id);
            match routes.needs(&cell) {
                Ok(_) => return Self { cell, why_none: None },
                Err(why) => {
                    let reason = why.reason().unwrap_or("its turn never came").to_owned();
                    if !reasons.contains(&reason) {
                        reasons.push(reason);
                    }
                }
            }
        }
        let cell = on(candidates.first().map_or("null", String::as_str));
        Self { cell, why_none: (!reasons.is_empty()).then(|| reasons.join("; ")) }
    }
}

/// The rows whose turn has come, with their results.
fn rows<'a>(table: &'a Table, cells: &[Cell], document: &'a Document) -> Vec<ClassicRow<'a>> {
    let row_of = |(row, cell): (&'a Row, &Cell)| Some(ClassicRow::of(row, document.cell(&cell.id())?));
    table.rows.iter().zip(cells).filter_map(row_of).collect()
}
