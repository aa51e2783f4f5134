//! What an engine can do, asked cell by cell, so that no list claims more than a run would show.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Engine, EngineInfo, Side};
use crate::cell::{Acceleration, Auth, CIPHERS, Cert, Choice, Group, Proto, Resume, Verify};

/// One engine and what it supports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capabilities {
    /// The value of the `engine` dimension.
    pub id: String,
    /// The library's name.
    pub library: String,
    /// Its version.
    pub version: String,
    /// How it was built.
    pub build: String,
    /// By dimension: the values it supports in at least one cell.
    pub supports: BTreeMap<String, Vec<String>>,
    /// By dimension and value: why not.
    pub lacks: BTreeMap<String, BTreeMap<String, String>>,
}

impl Capabilities {
    /// Asks an engine for every value of every dimension.
    pub fn of(engine: &dyn Engine) -> Self {
        let EngineInfo { id, library, version, build, .. } = engine.info();
        let id = id.to_owned();
        let mut listed =
            Self { id, library, version, build, supports: BTreeMap::new(), lacks: BTreeMap::new() };
        let probe = Probe::of(engine);
        for &proto in Proto::ALL {
            listed.note("proto", proto.name(), probe.any(|choice| choice.proto == Some(proto)));
        }
        for cipher in CIPHERS {
            listed.note("cipher", cipher.openssl, probe.any(|choice| choice.cipher == Some(cipher)));
        }
        for &group in Group::ALL {
            listed.note("group", group.name(), probe.with(|choice| choice.group = Some(group)));
        }
        for &cert in Cert::ALL {
            listed.note("cert", cert.name(), probe.with(|choice| choice.cert = Some(cert)));
        }
        for &verify in Verify::ALL {
            listed.note("verify", verify.name(), probe.with(|choice| choice.verify = Some(verify)));
        }
        for &auth in Auth::ALL {
            listed.note("auth", auth.name(), probe.with(|choice| choice.auth = Some(auth)));
        }
        for &resume in Resume::ALL {
            listed.note("resume", resume.name(), probe.with(|choice| choice.resume = Some(resume)));
        }
        for &accel in Acceleration::ALL {
            listed.note("accel", accel.name(), probe.with(|choice| choice.accel = Some(accel)));
        }
        listed
    }

    fn note(&mut self, dimension: &str, value: &str, answer: Result<(), String>) {
        match answer {
            Ok(()) => self.supports.entry(dimension.to_owned()).or_default().push(value.to_owned()),
            Err(reason) => {
                self.lacks.entry(dimension.to_owned()).or_default().insert(value.to_owned(), reason);
            }
        }
    }
}

/// An engine, and every cipher in every version.
struct Probe<'a> {
    engine: &'a dyn Engine,
    id: &'static str,
    choices: Vec<Choice>,
}

impl<'a> Probe<'a> {
    fn of(engine: &'a dyn Engine) -> Self {
        let of_proto = |&proto: &Proto| {
            CIPHERS.iter().map(move |cipher| Choice {
                proto: Some(proto),
                cipher: Some(cipher),
                ..Choice::default()
            })
        };
        let choices = Proto::ALL.iter().flat_map(of_proto).collect();
        Self { engine, id: engine.info().id, choices }
    }

    /// Whether any of the choices that are `wanted` is supported.
    fn any(&self, wanted: impl Fn(&Choice) -> bool) -> Result<(), String> {
        self.first_supported(self.choices.iter().filter(|choice| wanted(choice)).cloned())
    }

    /// Whether a value is supported in any choice. Only choices that are supported without the value can tell that it
    /// is the value which is missing.
    fn with(&self, set: impl Fn(&mut Choice)) -> Result<(), String> {
        let with_value = |choice: &Choice| {
            let mut choice = choice.clone();
            set(&mut choice);
            choice
        };
        let fitting =
            self.choices.iter().filter(|choice| self.answer(choice) == Some(Ok(()))).map(with_value);
        let fitting: Vec<Choice> = fitting.filter(|choice| choice.pin(self.id, self.id).is_ok()).collect();
        if fitting.is_empty() {
            return self.first_supported(self.choices.iter().map(with_value));
        }
        self.first_supported(fitting.into_iter())
    }

    /// Whether one of the choices is supported; if none is, the reason that most of them share.
    fn first_supported(&self, choices: impl Iterator<Item = Choice>) -> Result<(), String> {
        let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
        for choice in choices {
            match self.answer(&choice) {
                Some(Ok(())) => return Ok(()),
                Some(Err(reason)) => *reasons.entry(reason).or_default() += 1,
                None => {}
            }
        }
        let commonest = reasons.into_iter().max_by_key(|(_, count)| *count);
        Err(commonest.map_or_else(|| "no cell has it".to_owned(), |(reason, _)| reason))
    }

    /// What the engine says of a choice on both sides, whatever the environment of this process; none if the protocol
    /// rules it out.
    fn answer(&self, choice: &Choice) -> Option<Result<(), String>> {
        let cell = choice.pin(self.id, self.id).ok()?;
        let switch = match cell.accel {
            Acceleration::On => Ok(()),
            Acceleration::Off => self.engine.acceleration_switch().map(|_| ()),
        };
        let play = || Side::BOTH.iter().try_for_each(|&side| self.engine.could_play(&cell, side));
        let answer = play().and(switch);
        Some(answer.map_err(|reason| reason.to_string()))
    }
}
