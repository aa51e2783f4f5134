//! Which engine of NEW is compared with which of OLD: its namesake, unless told otherwise.

use std::str::FromStr;

use super::Contender;
use crate::cell::{Cell, UnknownName};
use crate::results::EngineEntry;
use crate::suite::EngineNames;

/// Pairs of engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineMap {
    pairs: Vec<EnginePair>,
    /// Engines without a counterpart, in words.
    left_out: Vec<String>,
}

/// One engine of OLD and its counterpart, written `old=new`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnginePair {
    /// OLD's engine.
    pub old: String,
    /// NEW's engine.
    pub new: String,
}

/// Why engines cannot be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineMapError {
    /// No `=`.
    #[error("--engine-map `{0}` is not OLD=NEW, such as openssl=rustls-ring")]
    NoPair(String),
    /// A side lacks the engine.
    #[error("--engine-map, {side}: {unknown}")]
    Unknown {
        /// What the command line called the side.
        side: String,
        /// The engine, and the nearest one there is.
        unknown: UnknownName,
    },
    /// An engine of OLD has two counterparts.
    #[error("--engine-map gives {0} two counterparts; compare one at a time")]
    Twice(String),
}

impl FromStr for EnginePair {
    type Err = EngineMapError;

    fn from_str(text: &str) -> Result<Self, EngineMapError> {
        match text.split_once('=') {
            Some((old, new)) if !old.is_empty() && !new.is_empty() => {
                Ok(Self { old: old.to_owned(), new: new.to_owned() })
            }
            _ => Err(EngineMapError::NoPair(text.to_owned())),
        }
    }
}

impl EngineMap {
    /// The pairs asked for; if none were, the engines that both sides have.
    pub fn of(asked: Vec<EnginePair>, old: &Contender, new: &Contender) -> Result<Self, EngineMapError> {
        let (old_ids, new_ids) = (ids(old), ids(new));
        if !asked.is_empty() {
            check(&asked, old, &old_ids, new, &new_ids)?;
            let is_named = |id: &String| asked.iter().any(|pair| pair.old == *id);
            let unnamed = tls_ids(old).into_iter().filter(|id| !is_named(id));
            let left_out = unnamed.map(|id| format!("{id}: --engine-map does not name it ({id}={id} does)"));
            let left_out = left_out.collect();
            return Ok(Self { pairs: asked, left_out });
        }
        let has = |ids: &[String], id: &String| ids.contains(id);
        let pairs = old_ids.iter().filter(|id| has(&new_ids, id));
        let pairs = pairs.map(|id| EnginePair { old: id.clone(), new: id.clone() }).collect();
        let only = |mine: &[String], theirs: &[String], name: &str| -> Vec<String> {
            let only = mine.iter().filter(|id| !has(theirs, id));
            only.map(|id| format!("{id}: only {name} has it")).collect()
        };
        // Nobody misses an engine that speaks no TLS.
        let mut left_out = only(&tls_ids(old), &new_ids, &old.name);
        left_out.extend(only(&tls_ids(new), &old_ids, &new.name));
        Ok(Self { pairs, left_out })
    }

    /// The engines that cells may name, by their names on the OLD side.
    pub fn old_names(&self, old: &Contender) -> EngineNames {
        names(old, |id| self.pairs.iter().any(|pair| pair.old == id))
    }

    /// The same by their names on the NEW side.
    pub fn new_names(&self, new: &Contender) -> EngineNames {
        names(new, |id| self.pairs.iter().any(|pair| pair.new == id))
    }

    /// The cell that NEW plays where OLD plays `cell`; none where an engine has no counterpart.
    pub fn new_cell(&self, cell: &Cell) -> Option<Cell> {
        let counterpart = |id: &str| self.pairs.iter().find(|pair| pair.old == id).map(|pair| &pair.new);
        with_engines(cell, counterpart)
    }

    /// The cell that OLD plays where NEW plays `cell`.
    pub fn old_cell(&self, cell: &Cell) -> Option<Cell> {
        let counterpart = |id: &str| self.pairs.iter().find(|pair| pair.new == id).map(|pair| &pair.old);
        with_engines(cell, counterpart)
    }

    /// Engines that only one side has, in words.
    pub fn left_out(&self) -> &[String] {
        &self.left_out
    }
}

fn names(contender: &Contender, keep: impl Fn(&str) -> bool) -> EngineNames {
    let (tls, others) = contender.engines();
    let kept =
        |entries: Vec<EngineEntry>| entries.into_iter().map(|entry| entry.id).filter(|id| keep(id)).collect();
    EngineNames::new(kept(tls), kept(others))
}

fn with_engines<'a>(cell: &Cell, counterpart: impl Fn(&str) -> Option<&'a String>) -> Option<Cell> {
    let client = counterpart(&cell.client)?.clone();
    let server = counterpart(&cell.server)?.clone();
    Some(Cell { client, server, ..cell.clone() })
}

fn tls_ids(contender: &Contender) -> Vec<String> {
    contender.engines().0.into_iter().map(|entry| entry.id).collect()
}

fn ids(contender: &Contender) -> Vec<String> {
    let (tls, others) = contender.engines();
    tls.into_iter().chain(others).map(|entry| entry.id).collect()
}

fn check(
    asked: &[EnginePair],
    old: &Contender,
    old_ids: &[String],
    new: &Contender,
    new_ids: &[String],
) -> Result<(), EngineMapError> {
    let find = |contender: &Contender, ids: &[String], id: &String| {
        if ids.contains(id) {
            return Ok(());
        }
        let unknown = UnknownName::new("engine", id, ids.iter().map(String::as_str));
        Err(EngineMapError::Unknown { side: contender.name.clone(), unknown })
    };
    for (at, pair) in asked.iter().enumerate() {
        find(old, old_ids, &pair.old)?;
        find(new, new_ids, &pair.new)?;
        if asked[..at].iter().any(|earlier| earlier.old == pair.old) {
            return Err(EngineMapError::Twice(pair.old.clone()));
        }
    }
    Ok(())
}
