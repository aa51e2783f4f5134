//! The fills of charts: each a colour and a pattern, so that neither has to be seen to tell them apart.

use maud::{Markup, html};

/// Which of the fills; its class in the style sheet is `f` with the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fill(u8);

impl Fill {
    /// Plain.
    pub(super) const FIRST: Self = Self(0);
    /// Hatched.
    pub(super) const SECOND: Self = Self(1);
    /// How many there are.
    pub(super) const COUNT: u8 = 9;

    /// The fill with this number; they come round again.
    pub(super) fn numbered(number: usize) -> Self {
        Self((number % usize::from(Self::COUNT)) as u8)
    }

    pub(super) fn class(self) -> String {
        format!("f{}", self.0)
    }
}

/// The patterns that the style sheet refers to. They are drawn by nobody but the charts.
pub(super) fn definitions() -> Markup {
    html! {
        svg.definitions aria-hidden="true" focusable="false" width="0" height="0" {
            defs {
                @for (number, lines) in LINES.iter().enumerate() {
                    pattern id={ "p" (number) } width="8" height="8" patternUnits="userSpaceOnUse" {
                        rect class={ "c" (number) } width="8" height="8" {}
                        path.texture d=(lines) {}
                    }
                }
            }
        }
    }
}

/// What is drawn over each colour, in a square of 8.
const LINES: [&str; Fill::COUNT as usize] = [
    "M0 0",
    "M-2 2L2 -2M-2 10L10 -2M6 10L10 6",
    "M0 4H8",
    "M4 0V8",
    "M-2 6L2 10M-2 -2L10 10M6 -2L10 2",
    "M0 4H8M4 0V8",
    "M3 4H5M7 0H9M-1 0H1M7 8H9M-1 8H1",
    "M-2 2L2 -2M-2 10L10 -2M6 10L10 6M-2 6L2 10M-2 -2L10 10M6 -2L10 2",
    "M0 2H8M0 6H8",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::bars;

    #[test]
    fn no_two_parts_of_a_bar_look_the_same() {
        assert!(bars::legend().len() <= usize::from(Fill::COUNT));
    }
}
