//! The table of 1997, then and now.

use crate::measure::LoopKind;
use crate::render::Report;
use crate::render::classic::ClassicRow;
use crate::render::html::block::{Block, Figure, Section};
use crate::render::html::chart::{Dumbbells, Pair};
use crate::render::html::table::Table;
use crate::render::number::counted;
use crate::results::Document;

pub(super) fn section(document: &Document, rows: &[ClassicRow<'_>]) -> Option<Section> {
    if rows.is_empty() {
        return None;
    }
    let page = Report::Classic { document, rows }.page();
    let mut lead = page.caption;
    // Only the first line below the table can be about more than the machine.
    lead.extend(page.footer.into_iter().filter(|line| line.starts_with("This machine manages")));
    let table = Table { caption: "Then and now".to_owned(), grid: page.grid, notes: page.notes };
    let blocks = vec![Block::Table(table), Block::Figures(figures(rows))];
    Some(Section { title: "The table of 1997".to_owned(), lead, blocks })
}

/// One a number of bytes.
fn figures(rows: &[ClassicRow<'_>]) -> Vec<Figure> {
    let blocks = rows.chunk_by(|one, next| one.bytes == next.bytes);
    blocks
        .map(|rows| {
            let pairs = rows.iter().flat_map(|row| {
                let bits = row.rsa_bits;
                let label = format!("{} {} {bits}", row.proto.title(), row.cipher);
                LoopKind::BOTH.map(|kind| Pair {
                    label: label.clone(),
                    name: kind.name(),
                    then: row.seconds_1997(kind),
                    now: row.seconds_now(kind),
                })
            });
            let bytes = rows[0].bytes;
            let each = counted(bytes, "byte");
            Dumbbells {
                title: format!("Seconds for 1,000 connections, {each} each way"),
                pairs: pairs.collect(),
            }
            .figure()
        })
        .collect()
}
