//! The page of `speed`: a row a primitive and size, a column an engine, and what engines lack below.

use super::ABSENT;
use super::grid::{Align, Column, Grid, Row};
use super::number::{count, duration, significant};
use super::page::{List, Notes, Page, engine_words, machine_line};
use crate::primitive::Primitive;
use crate::results::{EngineEntry, PrimitiveResult, Speed, Status};

pub(super) fn page(speed: &Speed) -> Page {
    let mut notes = Notes::default();
    let mut rows = Vec::new();
    let mut last_kind = None;
    for row in rows_of(speed) {
        let kind = kind_of(row[0]);
        if last_kind.is_some_and(|last| last != kind) {
            rows.push(Row::Gap);
        }
        last_kind = Some(kind);
        rows.push(Row::Cells(cells(speed, &row, &mut notes)));
    }
    let mut footer = vec![machine_line(&speed.machine, &speed.tool)];
    footer.extend(speed.engines.iter().map(|engine| format!("{}: {}", engine.id, engine_words(engine))));
    footer.extend(speed.warnings.iter().map(|warning| format!("Warning: {warning}.")));
    if !speed.complete {
        footer.push("Not complete: the run was interrupted.".to_owned());
    }
    Page {
        caption: vec![
            "Each library's primitives through its own interface, on one core, engines in turns. MB/s are 10^6 bytes a \
             second, of data alone; ops/s are operations a second; both by the median of batches, with the half-width of \
             its 95 % interval where that is 2 % or more. Keys are set before; nonce, 13 bytes of additional data and tag \
             are part of every encryption, blocks are filled up in CBC mode."
                .to_owned(),
        ],
        grid: Grid { columns: columns(speed), rows },
        notes: notes.into_texts(),
        lists: lacking(speed).into_iter().collect(),
        footer,
    }
}

fn columns(speed: &Speed) -> Vec<Column> {
    let keys = [
        Column::key("primitive", Align::Left),
        Column::key("bytes", Align::Right),
        Column::key("unit", Align::Left),
    ];
    let engines = speed.engines.iter().map(|engine| Column::number("engine", engine.id.clone()));
    keys.into_iter().chain(engines).collect()
}

/// The results of each primitive and size, in the order in which they first come up.
fn rows_of(speed: &Speed) -> Vec<Vec<&PrimitiveResult>> {
    let mut rows: Vec<Vec<&PrimitiveResult>> = Vec::new();
    for result in &speed.primitives {
        // Results of a row stand together.
        match rows.last_mut() {
            Some(row) if row[0].primitive == result.primitive && row[0].bytes == result.bytes => {
                row.push(result)
            }
            _ => rows.push(vec![result]),
        }
    }
    // What no engine has is said below.
    rows.retain(|row| row.iter().any(|result| result.status != Status::Unsupported));
    rows
}

fn kind_of(result: &PrimitiveResult) -> &'static str {
    result.primitive.parse::<Primitive>().map_or("", Primitive::kind)
}

fn cells(speed: &Speed, row: &[&PrimitiveResult], notes: &mut Notes) -> Vec<String> {
    let bytes = row[0].bytes;
    let mut cells = vec![
        row[0].primitive.clone(),
        bytes.map(count).unwrap_or_default(),
        if bytes.is_some() { "MB/s" } else { "ops/s" }.to_owned(),
    ];
    for EngineEntry { id, .. } in &speed.engines {
        let result = row.iter().find(|result| result.engine == *id);
        cells.push(result.map_or_else(|| ABSENT.to_owned(), |result| value(result, notes)));
    }
    cells
}

fn value(result: &PrimitiveResult, notes: &mut Notes) -> String {
    let Some(each) = &result.per_operation_ns else {
        let reason = result.reason.as_deref().unwrap_or("no reason is on record");
        return match result.status {
            Status::Unsupported => ABSENT.to_owned(),
            _ => format!("error {}", notes.mark(&format!("{}: {reason}", result.engine))),
        };
    };
    let number = match result.bytes {
        Some(bytes) => each.megabytes_per_second(bytes),
        None => each.per_second(),
    };
    let uncertain = each.uncertainty().filter(|share| *share >= 0.02);
    let doubt = uncertain.map(|share| format!(" ±{:.0} %", share * 100.0)).unwrap_or_default();
    format!("{}{doubt}", significant(number, 3))
}

/// What each engine lacks, by reason.
fn lacking(speed: &Speed) -> Option<List> {
    let mut items: Vec<(&str, &str, Vec<String>)> = Vec::new();
    let unsupported = speed.primitives.iter().filter(|result| result.status == Status::Unsupported);
    for result in unsupported {
        let reason = result.reason.as_deref().unwrap_or_default();
        let name = result.primitive.clone();
        match items.iter_mut().find(|(engine, known, _)| *engine == result.engine && *known == reason) {
            Some((_, _, names)) if names.contains(&name) => {}
            Some((_, _, names)) => names.push(name),
            None => items.push((&result.engine, reason, vec![name])),
        }
    }
    let items: Vec<String> = items
        .into_iter()
        .map(|(engine, reason, names)| format!("{engine}, {}: {reason}", names.join(" ")))
        .collect();
    (!items.is_empty()).then(|| List { heading: "Not measured:".to_owned(), items })
}

/// What an operation takes, for progress.
pub fn summary(result: &PrimitiveResult) -> String {
    match (&result.per_operation_ns, &result.reason) {
        (Some(each), _) => duration(each.median),
        (None, Some(reason)) => reason.clone(),
        (None, None) => ABSENT.to_owned(),
    }
}
