//! The dimensions of several cells: which tell the rows of a table apart, and which are said once above it.

use super::grid::{Align, Column};
use super::number::count;
use super::{ABSENT, or_absent};
use crate::results::{DimValue, Dims};

/// Which dimensions are columns, and which are the same in all rows.
pub(super) struct VaryingDims<'a> {
    varying: Vec<&'a str>,
    same: Vec<(&'a str, &'a DimValue)>,
}

impl<'a> VaryingDims<'a> {
    /// From the dimensions of all cells.
    pub(super) fn of(cells: impl Iterator<Item = &'a Dims> + Clone) -> Self {
        let mut dims = Self { varying: Vec::new(), same: Vec::new() };
        for (key, value) in cells.clone().flat_map(Dims::iter) {
            let seen = dims.varying.contains(&key) || dims.same.iter().any(|(name, _)| *name == key);
            if seen || ENGINE_KEYS.contains(&key) {
                continue;
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
            let align = if NUMBER_KEYS.contains(&key) { Align::Right } else { Align::Left };
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

    /// The sentence about all other dimensions, if there are any.
    pub(super) fn caption(&self) -> Option<String> {
        let parts: Vec<String> =
            self.same.iter().map(|(key, value)| format!("{key} {}", shown(Some(value)))).collect();
        (!parts.is_empty()).then(|| format!("In all rows: {}.", parts.join(", ")))
    }
}

const ENGINE_KEYS: [&str; 3] = ["engine", "client", "server"];
const NUMBER_KEYS: [&str; 3] = ["chain", "bytes", "chunk"];

fn shown(value: Option<&DimValue>) -> String {
    match value {
        Some(DimValue::Number(number)) => count(*number),
        Some(DimValue::Text(text)) => text.clone(),
        None => ABSENT.to_owned(),
    }
}
