//! A cell from its dimensions as a results file or a worker's request has them.

use super::{EngineNames, Product};
use crate::cell::Cell;
use crate::results::Dims;

/// The one cell with these dimensions; what is wrong with them, in words, if this executable knows no such cell.
pub fn cell_of(dims: &Dims, engines: impl Into<EngineNames>) -> Result<Cell, String> {
    let values: Vec<(&str, String)> = dims.iter().map(|(key, value)| (key, value.to_string())).collect();
    if let Some((key, value)) = values.iter().find(|(_, value)| value.contains(',')) {
        return Err(format!("{key}: `{value}` is more than one value"));
    }
    let flags: Vec<(&str, &str)> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
    let mut cells = Product::parse_flags(&flags, engines).map_err(|error| error.to_string())?.cells;
    match (cells.pop(), cells.is_empty()) {
        (Some(cell), true) => Ok(cell),
        _ => Err("these dimensions do not name one cell".to_owned()),
    }
}
