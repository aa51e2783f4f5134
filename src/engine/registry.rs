//! The engines that this executable has.

use std::fmt;

use super::{Engine, EngineInfo, Null};
use crate::cell::UnknownName;

/// A list of engines, in the order in which a classic row looks for one that can run it.
pub struct Engines {
    all: Vec<Box<dyn Engine>>,
}

impl fmt::Debug for Engines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter().map(|engine| engine.info().id)).finish()
    }
}

impl Engines {
    /// The engines compiled into this library, one line each.
    pub fn built_in() -> Self {
        Self::of(vec![
            #[cfg(feature = "openssl")]
            Box::new(super::openssl::OpenSsl::new()),
            #[cfg(feature = "mbedtls")]
            Box::new(super::mbedtls::MbedTls::new()),
            #[cfg(feature = "rustls-aws-lc")]
            Box::new(super::rustls::Rustls::aws_lc()),
            #[cfg(feature = "rustls-ring")]
            Box::new(super::rustls::Rustls::ring()),
        ])
    }

    /// Other engines, for an executable of its own; the null engine is always added.
    pub fn of(mut engines: Vec<Box<dyn Engine>>) -> Self {
        engines.push(Box::new(Null));
        Self { all: engines }
    }

    /// Every engine, the null engine last.
    pub fn iter(&self) -> impl Iterator<Item = &dyn Engine> {
        self.all.iter().map(Box::as_ref)
    }

    /// The ids of the engines that speak TLS: what "all engines" means in suites.
    pub fn tls_ids(&self) -> Vec<&'static str> {
        self.iter().map(|engine| engine.info()).filter(|info| info.is_tls).map(|info| info.id).collect()
    }

    /// Finds an engine by id.
    pub fn named(&self, id: &str) -> Result<&dyn Engine, UnknownName> {
        self.iter()
            .find(|engine| engine.info().id == id)
            .ok_or_else(|| UnknownName::new("engine", id, self.iter().map(|engine| engine.info().id)))
    }

    /// What every engine says of itself.
    pub fn infos(&self) -> Vec<EngineInfo> {
        self.iter().map(Engine::info).collect()
    }
}

/// The ids of all engines of this project, built in or not: a suite may name one that this executable lacks.
pub const KNOWN_IDS: [&str; 5] = ["openssl", "mbedtls", "rustls-aws-lc", "rustls-ring", "null"];
