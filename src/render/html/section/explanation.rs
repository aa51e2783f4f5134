//! Where the time of connections goes: a stack a side, and the operations behind it.

use super::{Section, part_of};
use crate::engine::Side;
use crate::render::bars::{MACHINERY, Share, UNATTRIBUTED, legend, shares};
use crate::render::explain;
use crate::render::html::block::{Block, Figure};
use crate::render::html::chart::{Part, Stack, Stacks};
use crate::render::html::table::Table;
use crate::render::number::duration;
use crate::render::page::Notes;
use crate::render::{Report, connection};
use crate::results::{CellExplanation, ExplainedSides, Explanation};

pub(super) fn sections(explanation: &Explanation) -> Vec<Section> {
    if explanation.cells.is_empty() {
        return Vec::new();
    }
    let page = Report::Explanation(explanation).page();
    let cells = cells(explanation);
    let caption = if cells.len() == 1 { "Every operation" } else { "By side" }.to_owned();
    let figures: Vec<Figure> = cells.into_iter().filter_map(figure).collect();
    let mut blocks = Vec::new();
    if !figures.is_empty() {
        blocks.push(Block::Figures(figures));
    }
    let grid = part_of(&page, &["explained"]);
    blocks.push(Block::Table(Table { caption, grid, notes: page.notes }));
    // A list of bars of letters would repeat the charts.
    blocks.extend(
        page.lists.into_iter().filter(|list| !list.heading.starts_with("Of each side")).map(Block::List),
    );
    let mut sections = vec![Section { title: "Of each side's time".to_owned(), lead: Vec::new(), blocks }];
    sections.extend(operations(explanation));
    sections
}

/// The connections of each cell.
fn cells(explanation: &Explanation) -> Vec<&[CellExplanation]> {
    explanation.cells.chunk_by(|one, next| one.id == next.id).collect()
}

fn figure(cell: &[CellExplanation]) -> Option<Figure> {
    let explained = cell.iter().filter_map(|one| Some((one, one.sides.as_ref()?)));
    let stacks: Vec<Stack> = explained.flat_map(|(one, sides)| stacks(one, sides)).collect();
    let id = &cell.first()?.id;
    (!stacks.is_empty()).then(|| stacked(id, ["side", "measured"], stacks))
}

/// The stacks of a cell as one picture.
pub(super) fn stacked(id: &str, names: [&'static str; 2], stacks: Vec<Stack>) -> Figure {
    let is_there = |sign: char| stacks.iter().flat_map(|stack| &stack.parts).any(|part| part.letter == sign);
    // What is predicted leaves nothing over.
    let known = legend().into_iter().filter(|(sign, _)| *sign != UNATTRIBUTED || is_there(*sign));
    let legend = known.map(|(sign, name)| (letter(sign), name)).collect();
    Stacks { title: id.replace('/', " "), names, legend, stacks }.figure()
}

fn stacks(cell: &CellExplanation, sides: &ExplainedSides) -> Vec<Stack> {
    let sides = [(Side::Client, &sides.client), (Side::Server, &sides.server)];
    sides
        .into_iter()
        .map(|(side, explained)| Stack {
            label: format!("{side}, {}", connection(&cell.loop_name)),
            whole: duration(explained.measured_ns()),
            parts: parts(shares(explained)),
        })
        .collect()
}

/// The shares of a bar as those of a picture.
pub(super) fn parts(shares: Vec<Share>) -> Vec<Part> {
    shares.into_iter().map(|(sign, share)| Part { letter: letter(sign), share }).collect()
}

/// In a bar of letters a dot stands for the machinery; in a picture it would look like dirt.
fn letter(sign: char) -> char {
    if sign == MACHINERY { 'M' } else { sign }
}

/// Cells whose operations are listed; more would be no page to read.
const LISTED: usize = 12;

/// Every operation of every cell, unless the page's own table has them or there are too many cells.
fn operations(explanation: &Explanation) -> Option<Section> {
    let cells = cells(explanation);
    if cells.len() < 2 {
        return None;
    }
    let title = "Every operation".to_owned();
    if cells.len() > LISTED {
        let lead = format!(
            "Every operation is listed of {LISTED} cells at most, and here are {}: name fewer, or see the results as JSON or CSV.",
            cells.len()
        );
        return Some(Section { title, lead: vec![lead], blocks: Vec::new() });
    }
    let blocks = cells.into_iter().map(|cell| {
        let mut notes = Notes::default();
        let grid = explain::operations(cell, &mut notes);
        let caption = cell[0].id.replace('/', " ");
        Block::Table(Table { caption, grid, notes: notes.into_texts() })
    });
    Some(Section { title, lead: Vec::new(), blocks: blocks.collect() })
}
