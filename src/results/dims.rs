//! A cell's dimensions in a results file: an ordered map from name to text or number.

use std::collections::BTreeMap;
use std::fmt;

use schemars::JsonSchema;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::cell::Cell;

/// All dimensions of a cell, those at their default too, in the fixed order of cell ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(with = "BTreeMap<String, DimValue>")]
pub struct Dims(Vec<(String, DimValue)>);

/// The value of one dimension.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum DimValue {
    /// `chain` (certificates), `requests`, and the dimensions that are bytes: `bytes`, `chunk`, `record-size`,
    /// `early-data`.
    Number(u64),
    /// Every other dimension: a name.
    Text(String),
}

impl Dims {
    /// From names and values, in their order.
    pub fn new(entries: impl IntoIterator<Item = (String, DimValue)>) -> Self {
        Self(entries.into_iter().collect())
    }

    /// Names and values in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &DimValue)> {
        self.0.iter().map(|(key, value)| (key.as_str(), value))
    }

    /// The value of one dimension.
    pub fn value(&self, key: &str) -> Option<&DimValue> {
        self.0.iter().find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The value of a dimension that is a number.
    pub fn number(&self, key: &str) -> Option<u64> {
        match self.value(key)? {
            DimValue::Number(number) => Some(*number),
            DimValue::Text(_) => None,
        }
    }

    /// The engine, or `client→server` where two engines talk to each other.
    pub fn engines(&self) -> Option<String> {
        if let Some(engine) = self.value("engine") {
            return Some(engine.to_string());
        }
        Some(format!("{}→{}", self.value("client")?, self.value("server")?))
    }
}

impl From<&Cell> for Dims {
    fn from(cell: &Cell) -> Self {
        let entries = cell.dimensions().into_iter().map(|dimension| {
            let value = dimension.number.map_or(DimValue::Text(dimension.value), DimValue::Number);
            (dimension.key.to_owned(), value)
        });
        Self::new(entries)
    }
}

impl fmt::Display for DimValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

impl Serialize for Dims {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'de> Deserialize<'de> for Dims {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(DimsVisitor)
    }
}

struct DimsVisitor;

impl<'de> Visitor<'de> for DimsVisitor {
    type Value = Dims;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of dimensions")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Dims, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Dims(entries))
    }
}
