//! What connections would take elsewhere: a stack a connection, the table, and what it rests on.

use super::Section;
use super::explanation::{parts, stacked};
use crate::render::bars::predicted_shares;
use crate::render::html::block::{Block, Figure};
use crate::render::html::chart::Stack;
use crate::render::html::table::Table;
use crate::render::number::duration;
use crate::render::predict::BARS;
use crate::render::{Report, connection};
use crate::results::{CellPrediction, Prediction};

pub(super) fn sections(prediction: &Prediction) -> Vec<Section> {
    let page = Report::Prediction(prediction).page();
    let cells = prediction.cells.chunk_by(|one, next| one.id == next.id);
    let figures: Vec<Figure> = cells.filter_map(figure).collect();
    let mut blocks = Vec::new();
    if !figures.is_empty() {
        blocks.push(Block::Figures(figures));
    }
    let caption = "Predicted and published times".to_owned();
    blocks.push(Block::Table(Table { caption, grid: page.grid, notes: page.notes }));
    // A list of bars of letters would repeat the charts.
    blocks.extend(page.lists.into_iter().filter(|list| !list.heading.starts_with(BARS)).map(Block::List));
    vec![Section { title: "What connections would take elsewhere".to_owned(), lead: Vec::new(), blocks }]
}

/// The connections of one cell, both sides of each together.
fn figure(cell: &[CellPrediction]) -> Option<Figure> {
    let stack = |one: &CellPrediction| {
        Some(Stack {
            label: connection(&one.loop_name).to_owned(),
            whole: duration(one.total_ms()? * 1e6),
            parts: parts(predicted_shares(one.sides.as_ref()?)),
        })
    };
    let stacks: Vec<Stack> = cell.iter().filter_map(stack).collect();
    let id = &cell.first()?.id;
    (!stacks.is_empty()).then(|| stacked(id, ["connection", "predicted"], stacks))
}
