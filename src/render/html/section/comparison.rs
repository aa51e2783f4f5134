//! A comparison: its verdicts as a forest plot, the table, and what was counted.

use crate::render::Report;
use crate::render::compare::words::effect;
use crate::render::compare::{Row, labels};
use crate::render::html::block::{Block, Figure, Section};
use crate::render::html::chart::{Effects, Interval};
use crate::render::html::table::Table;
use crate::results::Comparison;

pub(super) fn sections(comparison: &Comparison) -> Vec<Section> {
    let page = Report::Comparison(comparison).page();
    let mut sections = Vec::new();
    let figures = figures(comparison);
    if !figures.is_empty() {
        let lead = vec![
            "New CPU time ÷ old, with its 95 % interval, the most important first. ► regression: surely slower, and \
             by the threshold at least; ◄ improvement: surely faster; ■ unchanged: surely within the threshold; ◇ \
             inconclusive: could be any of them. But grew: bytes or heap beyond their threshold."
                .to_owned(),
        ];
        let blocks = vec![Block::Figures(figures)];
        sections.push(Section { title: "Verdicts".to_owned(), lead, blocks });
    }
    if !comparison.cells.is_empty() {
        let caption = "Every cell and loop, regressions first".to_owned();
        let mut blocks = vec![Block::Table(Table { caption, grid: page.grid, notes: page.notes })];
        blocks.extend(page.lists.into_iter().map(Block::List));
        sections.push(Section { title: "Before and after".to_owned(), lead: Vec::new(), blocks });
    }
    sections
}

/// Loops in one chart.
const LOOPS: usize = 10;

fn figures(comparison: &Comparison) -> Vec<Figure> {
    let names = labels(comparison);
    let rows = Row::most_important_first(comparison);
    let intervals: Vec<Interval> = rows
        .iter()
        .filter_map(|row| {
            let (kind, times) = row.timed?;
            let place = comparison.cells.iter().position(|cell| std::ptr::eq(cell, row.cell))?;
            Some(Interval {
                label: format!("{} {}", names[place], kind.name()),
                verdict: row.standing().name(),
                grew: row.grew(),
                words: effect(times.cpu),
                effect: times.cpu,
                threshold: row.cell.thresholds.time,
            })
        })
        .collect();
    let mut intervals = intervals.into_iter().peekable();
    let mut figures = Vec::new();
    while intervals.peek().is_some() {
        let from = figures.len() * LOOPS + 1;
        let some: Vec<Interval> = intervals.by_ref().take(LOOPS).collect();
        let title = format!("Loops {from} to {}", from + some.len() - 1);
        figures.push(Effects { title, intervals: some }.figure());
    }
    figures
}
