//! The dimensions of several cells: which tell the rows of a table apart, and which are said once above it.

use super::grid::{Align, Column};
use super::number::count;
use super::{ABSENT, or_absent};
use crate::cell::Cell;
use crate::results::{DimValue, Dims};

/// Which dimensions are columns, and which are the same in all rows.
pub(super) struct VaryingDims<'a> {
    varying: Vec<&'a str>,
    same: Vec<(&'a str, &'a DimValue)>,
    /// The dimensions whose values are numbers.
    numbers: Vec<&'a str>,
}

impl<'a> VaryingDims<'a> {
    /// From the dimensions of all cells.
    pub(super) fn of(cells: impl Iterator<Item = &'a Dims> + Clone) -> Self {
        let mut dims = Self { varying: Vec::new(), same: Vec::new(), numbers: Vec::new() };
        for (key, value) in cells.clone().flat_map(Dims::iter) {
            let seen = dims.varying.contains(&key) || dims.same.iter().any(|(name, _)| *name == key);
            if seen || ENGINE_KEYS.contains(&key) {
                continue;
            }
            if matches!(value, DimValue::Number(_)) {
                dims.numbers.push(key);
            }
            if cells.clone().all(|cell| cell.value(key) == Some(value)) {
                dims.same.push((key, value));
            } else {
                dims.varying.push(key);
            }
        }
        dims
    }

    /// The engines always come first: a row without an engine says nothing.
    pub(super) fn columns(&self) -> Vec<Column> {
        let mut columns = vec![Column::key("engine", Align::Left)];
        columns.extend(self.varying.iter().map(|&key| {
            let align = if self.numbers.contains(&key) { Align::Right } else { Align::Left };
            Column::key(key, align)
        }));
        columns
    }

    /// What stands in these columns for one cell.
    pub(super) fn values(&self, cell: &Dims) -> Vec<String> {
        let mut values = vec![or_absent(cell.engines())];
        values.extend(self.varying.iter().map(|key| shown(cell.value(key))));
        values
    }

    /// The same where no column says what a value is of: numbers carry their dimension, and what a cell lacks is left out.
    pub(super) fn labels(&self, cell: &Dims) -> Vec<String> {
        let mut labels = vec![or_absent(cell.engines())];
        labels.extend(self.varying.iter().filter_map(|&key| match cell.value(key)? {
            DimValue::Number(number) => Some(format!("{key} {}", count(*number))),
            DimValue::Text(text) if is_telling(text) => Some(text.clone()),
            DimValue::Text(text) => Some(format!("{key} {text}")),
        }));
        labels
    }

    /// The sentence about all other dimensions, if there are any. What hardly any cell changes goes without saying.
    pub(super) fn caption(&self) -> Option<String> {
        let rare = Cell::rare_dimensions();
        let is_usual = |key: &str, value: &DimValue| {
            rare.iter().any(|usual| usual.key == key && usual.value == value.to_string())
        };
        let told = self.same.iter().filter(|(key, value)| !is_usual(key, value));
        let parts: Vec<String> = told.map(|(key, value)| format!("{key} {}", shown(Some(value)))).collect();
        (!parts.is_empty()).then(|| format!("In all rows: {}.", parts.join(", ")))
    }
}

const ENGINE_KEYS: [&str; 3] = ["engine", "client", "server"];

/// Whether a value says by itself what it is of: every name of a version, cipher, group or key has a digit.
fn is_telling(text: &str) -> bool {
    text.chars().any(|letter| letter.is_ascii_digit())
}

fn shown(value: Option<&DimValue>) -> String {
    match value {
        Some(DimValue::Number(number)) => count(*number),
        Some(DimValue::Text(text)) => text.clone(),
        None => ABSENT.to_owned(),
    }
}
