//! Charts as inline SVG. Heights are in CSS pixels and places across in percent, so that text keeps its size whatever the
//! width.

mod bars;
mod drawing;
mod dumbbell;
mod forest;
mod scale;
mod spread;
mod stacked;

pub(super) use bars::{Bar, Bars, Group};
pub(super) use dumbbell::{Dumbbells, Pair};
pub(super) use forest::{Effects, Interval};
pub(super) use spread::{Spread, Spreads};
pub(super) use stacked::{Part, Stack, Stacks};
