//! Cells from the command line: one flag a dimension, each with a comma list of values.

use std::collections::HashSet;

use super::key::Key;
use super::product::{Expansion, MAX_COMBINATIONS, Product};
use super::value::{Axis, EngineNames, Listed, Value};
use crate::engine::how_to_get;
use crate::mistake::{Mistake, listed};

/// A cell flag that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("--{flag}: {what}; {hint}")]
pub struct FlagError {
    /// The flag, without dashes.
    pub flag: String,
    /// What is wrong.
    pub what: String,
    /// The nearest valid choice.
    pub hint: String,
}

impl Product {
    /// Makes cells of flags, given as dimension and comma list; the first flag varies slowest. A flag given twice
    /// adds to its list. Unlike a suite, a flag may not name an engine that this executable lacks.
    pub fn parse_flags(
        flags: &[(&str, &str)],
        engines: impl Into<EngineNames>,
    ) -> Result<Expansion, FlagError> {
        let names = engines.into();
        let mut axes: Vec<Axis> = Vec::new();
        for &(flag, list) in flags {
            let in_flag = |mistake: Mistake| FlagError {
                flag: flag.to_owned(),
                what: mistake.what,
                hint: mistake.hint,
            };
            let key = Key::named(flag).map_err(|unknown| in_flag(unknown.into()))?;
            let values = parse_list(key, list, &names).map_err(in_flag)?;
            match axes.iter_mut().find(|axis| axis.key == key) {
                Some(axis) => axis.values.extend(values),
                None => axes.push(Axis { key, values, inherited: false }),
            }
        }
        check_engine_flags(&axes)?;
        expand(&Self::of(axes, &names))
    }
}

fn parse_list(key: Key, list: &str, names: &EngineNames) -> Result<Vec<Listed>, Mistake> {
    let mut listed_values = Vec::new();
    let mut start = 0;
    for item in list.split(',') {
        let text = item.trim();
        if text.is_empty() {
            return Err(Mistake::new("a value is missing", "write values with commas between them"));
        }
        for value in Value::parse(key, text, names)? {
            if let Value::Engine { id, present: false } = &value
                && id == text
            {
                return Err(Mistake::new(
                    format!("engine `{id}` is not in this build"),
                    format!("{}; this one has {}", how_to_get(id), listed(&names.present(), "and")),
                ));
            }
            listed_values.push(Listed { text: text.to_owned(), value, at: start..start + item.len() });
        }
        start += item.len() + 1;
    }
    Ok(listed_values)
}

fn check_engine_flags(axes: &[Axis]) -> Result<(), FlagError> {
    let given = |key: Key| axes.iter().any(|axis| axis.key == key);
    Key::check_engines(given).map_err(|(key, mistake)| FlagError {
        flag: key.name().to_owned(),
        what: mistake.what,
        hint: mistake.hint,
    })
}

fn expand(product: &Product) -> Result<Expansion, FlagError> {
    let combinations = product.combinations();
    if combinations > MAX_COMBINATIONS {
        return Err(FlagError {
            flag: product.longest().name().to_owned(),
            what: format!("the flags make {combinations} combinations"),
            hint: format!("at most {MAX_COMBINATIONS} are allowed; this is the longest list"),
        });
    }
    let outcome = product.expand(&[]);
    if let Some(useless) = outcome.useless.first() {
        return Err(FlagError {
            flag: useless.key.name().to_owned(),
            what: format!("`{}` makes no cell: {}", useless.text, useless.reason),
            hint: useless.hint.clone(),
        });
    }
    let mut expansion = Expansion { ruled_out: outcome.ruled_out, ..Expansion::default() };
    expansion.add(outcome.cells, &mut HashSet::new());
    Ok(expansion)
}
