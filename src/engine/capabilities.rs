//! What an engine can do, asked cell by cell, so that no list claims more than a run would show.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Engine, EngineInfo, Side};
use crate::cell::{Auth, CIPHERS, Cell, Cert, Choice, Group, Proto, Resume, Verify};

/// One engine and what it supports.
#[derive(Debug, Serialize)]
pub struct Capabilities {
    /// The value of the `engine` dimension.
    pub id: &'static str,
    /// The library's name.
    pub library: String,
    /// Its version.
    pub version: String,
    /// How it was built.
    pub build: String,
    /// By dimension: the values it supports in at least one cell.
    pub supports: BTreeMap<&'static str, Vec<&'static str>>,
    /// By dimension and value: why not.
    pub lacks: BTreeMap<&'static str, BTreeMap<&'static str, String>>,
}

impl Capabilities {
    /// Asks an engine for every value of every dimension.
    pub fn of(engine: &dyn Engine) -> Self {
        let EngineInfo { id, library, version, build, .. } = engine.info();
        let mut listed =
            Self { id, library, version, build, supports: BTreeMap::new(), lacks: BTreeMap::new() };
        let cells: Vec<Cell> = every_cell(id);
        let mut ask = |dimension, value: &'static str, has: &dyn Fn(&Cell) -> bool| {
            let relevant = cells.iter().filter(|cell| has(cell));
            match first_supported(engine, relevant) {
                Ok(()) => listed.supports.entry(dimension).or_default().push(value),
                Err(reason) => {
                    listed.lacks.entry(dimension).or_default().insert(value, reason);
                }
            }
        };
        for &proto in Proto::ALL {
            ask("proto", proto.name(), &|cell| cell.proto == proto);
        }
        for cipher in CIPHERS {
            ask("cipher", cipher.openssl, &|cell| cell.cipher == cipher);
        }
        for &group in Group::ALL {
            ask("group", group.name(), &|cell| cell.group == group);
        }
        for &cert in Cert::ALL {
            ask("cert", cert.name(), &|cell| cell.cert == cert);
        }
        for &verify in Verify::ALL {
            ask("verify", verify.name(), &|cell| cell.verify == verify);
        }
        for &auth in Auth::ALL {
            ask("auth", auth.name(), &|cell| cell.auth == auth);
        }
        for &resume in Resume::ALL {
            ask("resume", resume.name(), &|cell| cell.resume == resume);
        }
        listed
    }
}

/// Cells that between them have every value: each cipher in each version, and the other dimensions varied one at a
/// time over one cipher of each kind.
fn every_cell(id: &str) -> Vec<Cell> {
    let mut choices = Vec::new();
    for &proto in Proto::ALL {
        for cipher in CIPHERS {
            choices.push(Choice { proto: Some(proto), cipher: Some(cipher), ..Choice::default() });
        }
    }
    let plain = choices.clone();
    for choice in plain {
        choices.extend(Group::ALL.iter().map(|&group| Choice { group: Some(group), ..choice.clone() }));
        choices.extend(Cert::ALL.iter().map(|&cert| Choice { cert: Some(cert), ..choice.clone() }));
        choices.extend(Verify::ALL.iter().map(|&verify| Choice { verify: Some(verify), ..choice.clone() }));
        choices.extend(Auth::ALL.iter().map(|&auth| Choice { auth: Some(auth), ..choice.clone() }));
        choices.extend(Resume::ALL.iter().map(|&resume| Choice { resume: Some(resume), ..choice.clone() }));
    }
    choices.iter().filter_map(|choice| choice.pin(id, id).ok()).collect()
}

/// Whether any of the cells is supported on both sides; if not, the reason that most of them share.
fn first_supported<'a>(engine: &dyn Engine, cells: impl Iterator<Item = &'a Cell>) -> Result<(), String> {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for cell in cells {
        let answer = Side::BOTH.iter().try_for_each(|&side| engine.supports(cell, side));
        match answer {
            Ok(()) => return Ok(()),
            Err(reason) => *reasons.entry(reason.to_string()).or_default() += 1,
        }
    }
    let commonest = reasons.into_iter().max_by_key(|(_, count)| *count);
    Err(commonest.map_or_else(|| "no cell has it".to_owned(), |(reason, _)| reason))
}
