//! Stacked bars: what a whole is made of. Parts have a letter and a pattern beside their colour.

use maud::html;

use super::drawing::Drawing;
use super::scale::percent;
use crate::render::grid::{Align, Column, Grid, Row};
use crate::render::html::block::Figure;
use crate::render::html::patterns::Fill;
use crate::render::number::{percent as percent_words, signed_percent};

/// A chart of stacks.
pub(in crate::render::html) struct Stacks {
    pub(in crate::render::html) title: String,
    /// What a stack is of, and what its whole is.
    pub(in crate::render::html) names: [&'static str; 2],
    /// The parts there are.
    pub(in crate::render::html) legend: Vec<(char, &'static str)>,
    pub(in crate::render::html) stacks: Vec<Stack>,
}

/// One stack.
pub(in crate::render::html) struct Stack {
    pub(in crate::render::html) label: String,
    /// The whole, in words.
    pub(in crate::render::html) whole: String,
    pub(in crate::render::html) parts: Vec<Part>,
}

/// A part of it.
#[derive(Clone, Copy)]
pub(in crate::render::html) struct Part {
    pub(in crate::render::html) letter: char,
    /// Of the whole.
    pub(in crate::render::html) share: f64,
}

const THICK: u32 = 22;
/// A narrower part has no room for its letter on a phone.
const ROOM_FOR_LETTER: f64 = 0.05;

impl Stacks {
    pub(in crate::render::html) fn figure(self) -> Figure {
        let mut drawing = Drawing::default();
        for stack in &self.stacks {
            drawing.words(&stack.label, &stack.whole);
            self.draw(&mut drawing, stack);
        }
        self.draw_legend(&mut drawing);
        let largest = self.stacks.iter().filter_map(|stack| {
            let part = stack.parts.iter().max_by(|one, other| one.share.total_cmp(&other.share))?;
            Some(format!("{}: {} {}", stack.label, self.name(part.letter), percent_words(part.share)))
        });
        let description = format!(
            "What each {}'s time is made of. The largest part of each: {}. The table below has all shares.",
            self.names[0],
            largest.collect::<Vec<_>>().join("; ")
        );
        let numbers = self.numbers();
        drawing.figure(self.title, description, numbers)
    }

    fn draw(&self, drawing: &mut Drawing, stack: &Stack) {
        let y = drawing.y();
        // Parts may come to more than the whole, where something was priced too high.
        let parts = || stack.parts.iter().filter(|part| part.share > 0.0);
        let all = parts().map(|part| part.share).sum::<f64>().max(1.0);
        let mut from = 0.0;
        for part in parts() {
            let width = part.share / all;
            drawing.put(&html! {
                rect class=(self.fill(part.letter).class()) x=(percent(from)) y=(y) width=(percent(width)) height=(THICK) {}
            });
            if width >= ROOM_FOR_LETTER {
                drawing.put(&html! {
                    text.on x=(percent(from + width / 2.0)) y=(y + 15) text-anchor="middle" { (part.letter) }
                });
            }
            from += width;
        }
        drawing.down(THICK + 6);
    }

    fn draw_legend(&self, drawing: &mut Drawing) {
        drawing.down(4);
        for (letter, name) in &self.legend {
            let y = drawing.y();
            drawing.put(&html! {
                rect class=(self.fill(*letter).class()) x="0" y=(y + 2) width="22" height="14" {}
                text.h x="30" y=(y + 14) { (letter) }
                text x="46" y=(y + 14) { (name) }
            });
            drawing.down(18);
        }
    }

    fn fill(&self, letter: char) -> Fill {
        Fill::numbered(self.legend.iter().position(|(other, _)| *other == letter).unwrap_or_default())
    }

    fn name(&self, letter: char) -> &'static str {
        self.legend.iter().find(|(other, _)| *other == letter).map_or("", |(_, name)| name)
    }

    fn numbers(&self) -> Grid {
        let [one, whole] = self.names;
        let mut columns = vec![Column::key(one, Align::Left), Column::key(whole, Align::Right)];
        columns.extend(self.legend.iter().map(|(_, name)| Column::key(*name, Align::Right)));
        let rows = self.stacks.iter().map(|stack| {
            let share = |letter: char| stack.parts.iter().find(|part| part.letter == letter);
            let mut cells = vec![stack.label.clone(), stack.whole.clone()];
            cells.extend(self.legend.iter().map(|(letter, _)| {
                share(*letter).map_or_else(|| "—".to_owned(), |part| signed_percent(part.share))
            }));
            Row::Cells(cells)
        });
        Grid { rows: rows.collect(), columns }
    }
}
