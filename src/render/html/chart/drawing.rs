//! A chart while it is drawn, from top to bottom.

use maud::{Markup, Render, html};

use super::scale::percent;
use crate::render::grid::Grid;
use crate::render::html::block::Figure;
use crate::render::visible;

/// What has been drawn so far.
#[derive(Default)]
pub(super) struct Drawing {
    body: String,
    /// How far down.
    y: u32,
}

/// How the letters of a text stand to its place.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// So many letters of a heading fit beside each other on a phone.
const LETTERS: usize = 40;
const LINE: u32 = 16;

impl Drawing {
    pub(super) fn y(&self) -> u32 {
        self.y
    }

    pub(super) fn down(&mut self, pixels: u32) {
        self.y += pixels;
    }

    pub(super) fn put(&mut self, markup: &Markup) {
        markup.render_to(&mut self.body);
    }

    /// A heading, in as many lines as it takes.
    pub(super) fn heading(&mut self, text: &str) {
        for line in wrapped(&visible(text)) {
            self.down(LINE);
            let y = self.y - 4;
            self.put(&html! { text.h x="0" y=(y) { (line) } });
        }
    }

    /// A line with words at both ends.
    pub(super) fn words(&mut self, left: &str, right: &str) {
        self.down(LINE);
        let y = self.y - 4;
        self.put(&html! { text x="0" y=(y) { (visible(left)) } });
        if !right.is_empty() {
            self.put(&html! { text x="100%" y=(y) text-anchor="end" { (visible(right)) } });
        }
    }

    /// Small words under what was drawn, each at its place.
    pub(super) fn labels(&mut self, labels: &[(f64, Anchor, String)]) {
        self.down(LINE - 2);
        for (place, anchor, text) in labels {
            let y = self.y - 3;
            self.put(&html! {
                text.s x=(percent(*place)) y=(y) text-anchor=[anchor.name()] { (visible(text)) }
            });
        }
    }

    /// A line across what was drawn last, `height` pixels of it.
    pub(super) fn upright(&mut self, class: &str, place: f64, top: u32, height: u32) {
        let x = percent(place);
        self.put(&html! { line class=(class) x1=(x) x2=(x) y1=(top) y2=(top + height) {} });
    }

    pub(super) fn figure(self, title: String, description: String, numbers: Grid) -> Figure {
        Figure { title, description, height: self.y + 4, body: self.body, numbers }
    }
}

impl Anchor {
    /// For a text at this place, so that it stays inside.
    pub(super) fn at(place: f64) -> Self {
        match place {
            place if place < 0.12 => Self::Start,
            place if place > 0.88 => Self::End,
            _ => Self::Middle,
        }
    }

    fn name(self) -> Option<&'static str> {
        match self {
            Self::Start => None,
            Self::Middle => Some("middle"),
            Self::End => Some("end"),
        }
    }
}

/// Cut at spaces; at any letter where a word alone is too long.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split(' ') {
        let letters: Vec<char> = word.chars().collect();
        for (index, piece) in letters.chunks(LETTERS).enumerate() {
            let line = lines.last_mut().expect("there is one from the start");
            let length = line.chars().count();
            if length > 0 && (index > 0 || length + 1 + piece.len() > LETTERS) {
                lines.push(piece.iter().collect());
            } else {
                line.extend((length > 0).then_some(' '));
                line.extend(piece);
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_cut_at_spaces_if_they_can_be() {
        assert_eq!(wrapped("short"), ["short"]);
        let long = wrapped("tls1.2 ECDHE-ECDSA-AES128-GCM-SHA256 x25519 p256 session-id");
        assert_eq!(long, ["tls1.2 ECDHE-ECDSA-AES128-GCM-SHA256", "x25519 p256 session-id"]);
        let word = "x".repeat(LETTERS + 5);
        assert_eq!(wrapped(&word).iter().map(String::len).collect::<Vec<_>>(), [LETTERS, 5]);
    }
}
