//! How single connections spread about the median.

use super::NamedCells;
use crate::measure::LoopKind;
use crate::render::html::block::{Block, Section};
use crate::render::html::chart::{Spread, Spreads};
use crate::render::html::patterns::Fill;
use crate::results::LoopResult;

pub(super) fn section(named: &NamedCells<'_>) -> Option<Section> {
    let figures: Vec<_> = named
        .cells
        .chunks(CELLS)
        .enumerate()
        .filter_map(|(index, cells)| {
            let spreads: Vec<Spread<'_>> = cells
                .iter()
                .flat_map(|cell| {
                    LoopKind::BOTH.into_iter().zip([Fill::FIRST, Fill::SECOND]).filter_map(|(kind, fill)| {
                        let samples_ns = samples(cell.cell.loops.of(kind)?);
                        (!samples_ns.is_empty()).then(|| Spread {
                            label: cell.name(),
                            name: kind.name(),
                            samples_ns,
                            fill,
                        })
                    })
                })
                .collect();
            let title = format!("Cells {} to {}", index * CELLS + 1, index * CELLS + cells.len());
            (!spreads.is_empty()).then(|| Spreads { title, spreads }.figure())
        })
        .collect();
    let lead = vec![
        "Each strip is a histogram of the connections of a loop, from the fastest to the 99th of a hundred, on an \
         axis of its own; to the right of it stands how many are slower, and the slowest. Solid line: median; dashed: \
         95 of 100 connections are faster. The one full handshake of a reuse loop is left out."
            .to_owned(),
    ];
    (!figures.is_empty()).then(|| Section {
        title: "How connections spread".to_owned(),
        lead,
        blocks: vec![Block::Figures(figures)],
    })
}

/// Cells in one chart.
const CELLS: usize = 4;

/// Without the one full handshake of a loop of resumed ones.
fn samples(result: &LoopResult) -> &[u64] {
    let is_reuse = result.resumed > 0;
    result.samples_ns.get(usize::from(is_reuse)..).unwrap_or_default()
}
