//! What a section of the page is made of, and how each piece becomes HTML.

use std::cell::Cell;

use maud::{Markup, PreEscaped, html};

use super::table::{self, Table};
use crate::render::grid::Grid;
use crate::render::number::counted;
use crate::render::page::List;
use crate::render::visible;

/// A section under a heading of its own.
pub(super) struct Section {
    pub(super) title: String,
    /// Sentences above everything else.
    pub(super) lead: Vec<String>,
    pub(super) blocks: Vec<Block>,
}

/// A piece of a section.
pub(super) enum Block {
    Table(Table),
    /// Charts beside each other where there is room; those beyond the first few are folded.
    Figures(Vec<Figure>),
    List(List),
}

/// A chart.
pub(super) struct Figure {
    pub(super) title: String,
    /// What there is to see, in words.
    pub(super) description: String,
    /// In CSS pixels; the width is whatever there is.
    pub(super) height: u32,
    pub(super) body: String,
    /// The same as a table.
    pub(super) numbers: Grid,
}

/// Names for elements that others point to, each once on a page.
#[derive(Default)]
pub(super) struct Ids(Cell<u32>);

impl Ids {
    fn next(&self) -> u32 {
        self.0.set(self.0.get() + 1);
        self.0.get()
    }
}

/// So many charts stand open in a row of them.
const OPEN_FIGURES: usize = 4;

impl Section {
    /// The section under `id`.
    pub(super) fn render(&self, id: &str, ids: &Ids) -> Markup {
        html! {
            section id=(id) aria-labelledby={ (id) "-h" } {
                h3 id={ (id) "-h" } { (visible(&self.title)) }
                @for line in &self.lead { p { (visible(line)) } }
                @for block in &self.blocks { (block.render(ids)) }
            }
        }
    }
}

impl Block {
    fn render(&self, ids: &Ids) -> Markup {
        match self {
            Self::Table(table) => table.render(),
            Self::Figures(figures) => figures_markup(figures, ids),
            Self::List(list) => html! {
                p.list-head { (visible(&list.heading)) }
                ul { @for item in &list.items { li { (visible(item)) } } }
            },
        }
    }
}

fn figures_markup(figures: &[Figure], ids: &Ids) -> Markup {
    let (open, folded) = figures.split_at(figures.len().min(OPEN_FIGURES));
    html! {
        div.figures { @for figure in open { (figure.render(ids)) } }
        @if !folded.is_empty() {
            details {
                summary { (counted(folded.len() as u64, "more chart")) }
                div.figures { @for figure in folded { (figure.render(ids)) } }
            }
        }
    }
}

impl Figure {
    fn render(&self, ids: &Ids) -> Markup {
        let id = ids.next();
        let (title, description) = (format!("f{id}t"), format!("f{id}d"));
        html! {
            figure {
                figcaption { (visible(&self.title)) }
                svg role="img" aria-labelledby={ (title) " " (description) } width="100%" height=(self.height) {
                    title id=(title) { (visible(&self.title)) }
                    desc id=(description) { (visible(&self.description)) }
                    (PreEscaped(&self.body))
                }
                details.numbers {
                    summary { "The same in numbers" }
                    (table::plain(&self.title, &self.numbers))
                }
            }
        }
    }
}
