//! The engines that this executable has, and those that the project has elsewhere.

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
    /// The engines compiled into this library.
    pub fn built_in() -> Self {
        Self::of(compiled_in())
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

/// An engine of this project, in this executable or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownEngine {
    /// Its id.
    pub id: &'static str,
    /// Where it is to be had.
    pub home: Home,
}

/// Where an engine of this project is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// With this feature of the main package.
    Feature(&'static str),
    /// In the package `engines/<id>`.
    Package,
    /// In every executable.
    Everywhere,
}

impl Home {
    /// What a user does to have such an engine.
    pub fn how_to_get(self) -> String {
        match self {
            Self::Feature(feature) => format!("cargo build --release --features {feature}"),
            Self::Package => "make engines, then --with all".to_owned(),
            Self::Everywhere => "it is in every executable".to_owned(),
        }
    }
}

/// What a user does to have the engine of this id; nothing to be said if it is not of this project.
pub fn how_to_get(id: &str) -> String {
    let known = KNOWN.iter().find(|known| known.id == id);
    known.map_or_else(String::new, |known| known.home.how_to_get())
}

/// The engines of this project, one line each: the id, the feature that brings it, its module and how to make it. They
/// stand in the order in which a classic row looks for one that can run it.
macro_rules! known_engines {
    ($($id:literal: feature $feature:tt => $make:expr;)+ $(package $package:literal;)*) => {
        /// Every engine of this project: a suite may name one that this executable lacks.
        pub const KNOWN: &[KnownEngine] = &[
            $(KnownEngine { id: $id, home: Home::Feature($feature) },)+
            $(KnownEngine { id: $package, home: Home::Package },)*
            KnownEngine { id: "null", home: Home::Everywhere },
        ];

        fn compiled_in() -> Vec<Box<dyn Engine>> {
            vec![$(#[cfg(feature = $feature)] Box::new($make),)+]
        }
    };
}

known_engines! {
    "openssl": feature "openssl" => super::openssl::OpenSsl::new();
    "mbedtls": feature "mbedtls" => super::mbedtls::MbedTls::new();
    "rustls-aws-lc": feature "rustls-aws-lc" => super::rustls::Rustls::aws_lc();
    "rustls-ring": feature "rustls-ring" => super::rustls::Rustls::ring();
    "wolfssl": feature "wolfssl" => super::wolfssl::WolfSsl::new();
    "rustls-graviola": feature "rustls-graviola" => super::rustls::Rustls::graviola();
    "s2n": feature "s2n" => super::s2n::S2n::new();
    "bearssl": feature "bearssl" => super::bearssl::BearSsl::new();
    "gnutls": feature "gnutls" => super::gnutls::GnuTls::new();
    "ssl2": feature "ssl2" => super::ssl2::Ssl2::new();
    package "mbedtls-3.6";
    package "openssl-4";
    package "boringssl";
}
