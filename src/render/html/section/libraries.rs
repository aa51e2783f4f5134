//! The same cell on several engines.

use super::loops::bar;
use super::{NamedCell, NamedCells};
use crate::measure::LoopKind;
use crate::render::html::block::{Block, Figure, Section};
use crate::render::html::chart::{Bars, Group};
use crate::render::html::patterns::Fill;

pub(super) fn section(named: &NamedCells<'_>) -> Option<Section> {
    let cells = shared(named);
    let mut figures = Vec::new();
    for (kind, fill) in LoopKind::BOTH.into_iter().zip([Fill::FIRST, Fill::SECOND]) {
        let ran = |cells: &&Shared<'_, '_>| cells.1.iter().any(|cell| cell.cell.loops.of(kind).is_some());
        let cells: Vec<&Shared<'_, '_>> = cells.iter().filter(ran).collect();
        figures
            .extend(cells.chunks(CELLS).enumerate().map(|(index, cells)| figure(kind, fill, index, cells)));
    }
    let lead = vec![
        "Each group is one cell, each bar an engine: the median time of one connection in µs. Shorter is faster."
            .to_owned(),
    ];
    (!figures.is_empty()).then(|| Section {
        title: "Libraries beside each other".to_owned(),
        lead,
        blocks: vec![Block::Figures(figures)],
    })
}

/// Cells in one chart.
const CELLS: usize = 6;

/// What is the same, and the cells on their engines.
type Shared<'n, 'a> = (&'n str, Vec<&'n NamedCell<'a>>);

/// What runs on more engines than one.
fn shared<'n, 'a>(named: &'n NamedCells<'a>) -> Vec<Shared<'n, 'a>> {
    let mut groups: Vec<Shared<'n, 'a>> = Vec::new();
    for cell in &named.cells {
        match groups.iter_mut().find(|(rest, _)| *rest == cell.rest) {
            Some((_, cells)) => cells.push(cell),
            None => groups.push((&cell.rest, vec![cell])),
        }
    }
    let ran = |cell: &&&NamedCell<'_>| LoopKind::BOTH.iter().any(|&kind| cell.cell.loops.of(kind).is_some());
    groups.retain(|(_, cells)| cells.iter().filter(ran).count() > 1);
    groups
}

fn figure(kind: LoopKind, fill: Fill, index: usize, cells: &[&Shared<'_, '_>]) -> Figure {
    let part = if index == 0 { String::new() } else { format!(", part {}", index + 1) };
    let groups = cells.iter().map(|(rest, cells)| Group {
        label: if rest.is_empty() { "the cell".to_owned() } else { (*rest).to_owned() },
        bars: cells.iter().map(|cell| bar(cell.cell, kind, cell.engines.clone(), fill)).collect(),
    });
    Bars {
        title: format!("{} handshakes{part}", if kind == LoopKind::Full { "Full" } else { "Resumed" }),
        about: "The median time of one connection by engine; shorter is faster.",
        names: ["cell", "engine"],
        unit: "µs",
        groups: groups.collect(),
    }
    .figure()
}
