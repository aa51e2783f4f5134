//! The page around the parts: its head, what is in it, and what is not whole.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::block::{Ids, Section};
use super::facts::Facts;
use super::style::STYLE;
use super::{HtmlPart, patterns, section};
use crate::render::number::counted;
use crate::render::visible;

/// A part with everything that is said of it.
struct Chapter {
    id: String,
    title: String,
    facts: Facts,
    sections: Vec<Section>,
}

/// The whole page.
pub(super) fn page(parts: &[HtmlPart<'_>]) -> Markup {
    let chapters: Vec<Chapter> =
        parts.iter().enumerate().map(|(index, part)| Chapter::of(index, part)).collect();
    let ids = Ids::default();
    let title = title(parts);
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (visible(&title)) }
                // An icon that is none, so that no browser asks for one.
                link rel="icon" href="data:,";
                style { (PreEscaped(STYLE)) }
            }
            body {
                (patterns::definitions())
                header {
                    h1 { (visible(&title)) }
                    @for chapter in chapters.iter().filter(|chapter| chapter.facts.incomplete.is_some()) {
                        p.alarm {
                            strong { "Not complete: " }
                            a href={ "#" (chapter.id) } { (visible(&chapter.title)) } ", "
                            (visible(chapter.facts.incomplete.as_deref().unwrap_or_default()))
                        }
                    }
                    (contents(&chapters))
                }
                main { @for chapter in &chapters { (chapter.render(&ids)) } }
                footer {
                    p {
                        "Made by tlspair " (env!("CARGO_PKG_VERSION")) ". This file needs no other: every chart \
                         has its numbers as a table below it."
                    }
                }
            }
        }
    }
}

/// What the page is called.
fn title(parts: &[HtmlPart<'_>]) -> String {
    match parts {
        [part] => format!("tlspair: {}", section::kind(&part.report)),
        _ => format!("tlspair: a report of {}", counted(parts.len() as u64, "file")),
    }
}

fn contents(chapters: &[Chapter]) -> Markup {
    html! {
        nav aria-label="Contents" {
            ul {
                @for chapter in chapters {
                    li {
                        a href={ "#" (chapter.id) } { (visible(&chapter.title)) }
                        @if !chapter.sections.is_empty() {
                            ul {
                                @for (index, section) in chapter.sections.iter().enumerate() {
                                    li { a href={ "#" (chapter.section_id(index)) } { (visible(&section.title)) } }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Chapter {
    fn of(index: usize, part: &HtmlPart<'_>) -> Self {
        let kind = section::kind(&part.report);
        Self {
            id: format!("part-{}", index + 1),
            title: part.origin.map_or_else(|| capitalized(kind), |origin| format!("{origin}: {kind}")),
            facts: Facts::of(&part.report),
            sections: section::all(&part.report),
        }
    }

    fn section_id(&self, index: usize) -> String {
        format!("{}-{}", self.id, index + 1)
    }

    fn render(&self, ids: &Ids) -> Markup {
        html! {
            article id=(self.id) aria-labelledby={ (self.id) "-h" } {
                h2 id={ (self.id) "-h" } { (visible(&self.title)) }
                (self.facts.render())
                @for (index, section) in self.sections.iter().enumerate() {
                    (section.render(&self.section_id(index), ids))
                }
            }
        }
    }
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
