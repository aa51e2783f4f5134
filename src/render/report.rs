//! What there is to render.

use super::classic::{self, ClassicRow};
use super::page::Page;
use super::{compare, explain, predict, run, speed};
use crate::results::{Comparison, Document, Explanation, Prediction, Speed};

/// Results, and how they want to be seen.
#[derive(Clone, Copy, Debug)]
pub enum Report<'a> {
    /// One row a cell.
    Cells(&'a Document),
    /// The table of 1997 beside today's numbers.
    Classic {
        /// The results that the rows borrow from.
        document: &'a Document,
        /// The table's rows, in its order.
        rows: &'a [ClassicRow<'a>],
    },
    /// Two sides, one row a cell and loop.
    Comparison(&'a Comparison),
    /// Primitives, one row a primitive and size.
    Speed(&'a Speed),
    /// Where the time of connections goes.
    Explanation(&'a Explanation),
    /// What connections would take elsewhere.
    Prediction(&'a Prediction),
}

impl Report<'_> {
    /// The page that text and Markdown show.
    pub(super) fn page(&self) -> Page {
        match self {
            Self::Cells(document) => run::page(document),
            Self::Classic { document, rows } => classic::page(document, rows),
            Self::Comparison(comparison) => compare::page(comparison),
            Self::Speed(speed) => speed::page(speed),
            Self::Explanation(explanation) => explain::page(explanation),
            Self::Prediction(prediction) => predict::page(prediction),
        }
    }
}
