//! One value of a dimension, and the lists of them that a product is made of.

use std::ops::Range;

use super::key::Key;
use super::number::numbers;
use crate::cell::{
    Acceleration, Alpn, Auth, CIPHERS, Cert, Choice, Cipher, Direction, Extension, Group, Hello, Proto,
    Resume, UnknownName, Verify,
};
use crate::engine::{EngineInfo, Engines, KNOWN};
use crate::mistake::Mistake;

/// A value of one dimension.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// An engine's id, and whether this executable has it.
    Engine {
        id: String,
        present: bool,
    },
    Proto(Proto),
    Cipher(&'static Cipher),
    Group(Group),
    Cert(Cert),
    Chain(u8),
    Verify(Verify),
    Auth(Auth),
    Resume(Resume),
    Bytes(u64),
    Chunk(u32),
    Direction(Direction),
    Requests(u32),
    RecordSize(u32),
    EarlyData(u32),
    Hello(Hello),
    Etm(Extension),
    Ems(Extension),
    Alpn(Alpn),
    Accel(Acceleration),
}

impl Value {
    /// Parses one item of a list; a range or `all` stands for several values.
    pub(super) fn parse(key: Key, text: &str, engines: &EngineNames) -> Result<Vec<Self>, Mistake> {
        if key.is_engine() { engines.find(text) } else { Self::parse_any(key, text) }
    }

    /// The same where any engine id will do: a filter may be about cells of another executable.
    pub(super) fn parse_any(key: Key, text: &str) -> Result<Vec<Self>, Mistake> {
        Ok(match key {
            Key::Engine | Key::Client | Key::Server => {
                vec![Self::Engine { id: text.to_owned(), present: true }]
            }
            Key::Proto => vec![Self::Proto(text.parse()?)],
            Key::Cipher => vec![Self::Cipher(Cipher::named(text)?)],
            Key::Group => vec![Self::Group(text.parse()?)],
            Key::Cert => vec![Self::Cert(text.parse()?)],
            Key::Verify => vec![Self::Verify(text.parse()?)],
            Key::Auth => vec![Self::Auth(text.parse()?)],
            Key::Resume => vec![Self::Resume(text.parse()?)],
            Key::Direction => vec![Self::Direction(text.parse()?)],
            Key::Hello => vec![Self::Hello(text.parse()?)],
            Key::Etm => vec![Self::Etm(text.parse()?)],
            Key::Ems => vec![Self::Ems(text.parse()?)],
            Key::Alpn => vec![Self::Alpn(text.parse()?)],
            Key::Accel => vec![Self::Accel(text.parse()?)],
            Key::Chain | Key::Bytes | Key::Chunk | Key::Requests | Key::RecordSize | Key::EarlyData => {
                numbers(key, text)?.into_iter().map(|number| Self::of_number(key, number)).collect()
            }
        })
    }

    /// A number of a dimension that has numbers; the key's limits keep it within its type.
    fn of_number(key: Key, number: u64) -> Self {
        match key {
            Key::Chain => Self::Chain(number as u8),
            Key::Chunk => Self::Chunk(number as u32),
            Key::Requests => Self::Requests(number as u32),
            Key::RecordSize => Self::RecordSize(number as u32),
            Key::EarlyData => Self::EarlyData(number as u32),
            _ => Self::Bytes(number),
        }
    }

    /// Every value of a dimension with names; nothing for engines and numbers, which no protocol rules out.
    pub(super) fn all(key: Key) -> Vec<Self> {
        match key {
            Key::Proto => Proto::ALL.iter().copied().map(Self::Proto).collect(),
            Key::Cipher => CIPHERS.iter().map(Self::Cipher).collect(),
            Key::Group => Group::ALL.iter().copied().map(Self::Group).collect(),
            Key::Cert => Cert::ALL.iter().copied().map(Self::Cert).collect(),
            Key::Verify => Verify::ALL.iter().copied().map(Self::Verify).collect(),
            Key::Auth => Auth::ALL.iter().copied().map(Self::Auth).collect(),
            Key::Resume => Resume::ALL.iter().copied().map(Self::Resume).collect(),
            Key::Direction => Direction::ALL.iter().copied().map(Self::Direction).collect(),
            Key::Hello => Hello::ALL.iter().copied().map(Self::Hello).collect(),
            Key::Etm => Extension::ALL.iter().copied().map(Self::Etm).collect(),
            Key::Ems => Extension::ALL.iter().copied().map(Self::Ems).collect(),
            Key::Alpn => Alpn::ALL.iter().copied().map(Self::Alpn).collect(),
            Key::Accel => Acceleration::ALL.iter().copied().map(Self::Accel).collect(),
            Key::Engine | Key::Client | Key::Server | Key::Chain | Key::Bytes | Key::Chunk => vec![],
            Key::Requests | Key::RecordSize | Key::EarlyData => vec![],
        }
    }

    /// The value's name.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Engine { id, .. } => id.clone(),
            Self::Proto(value) => value.to_string(),
            Self::Cipher(cipher) => cipher.openssl.to_owned(),
            Self::Group(value) => value.to_string(),
            Self::Cert(value) => value.to_string(),
            Self::Chain(value) => value.to_string(),
            Self::Verify(value) => value.to_string(),
            Self::Auth(value) => value.to_string(),
            Self::Resume(value) => value.to_string(),
            Self::Bytes(value) => value.to_string(),
            Self::Chunk(value) => value.to_string(),
            Self::Direction(value) => value.to_string(),
            Self::Requests(value) => value.to_string(),
            Self::RecordSize(value) => value.to_string(),
            Self::EarlyData(value) => value.to_string(),
            Self::Hello(value) => value.to_string(),
            Self::Etm(value) => value.to_string(),
            Self::Ems(value) => value.to_string(),
            Self::Alpn(value) => value.to_string(),
            Self::Accel(value) => value.to_string(),
        }
    }

    /// Writes the value into a choice. Engines are no part of one.
    pub(super) fn choose(&self, choice: &mut Choice) {
        match *self {
            Self::Engine { .. } => {}
            Self::Proto(value) => choice.proto = Some(value),
            Self::Cipher(value) => choice.cipher = Some(value),
            Self::Group(value) => choice.group = Some(value),
            Self::Cert(value) => choice.cert = Some(value),
            Self::Chain(value) => choice.chain = Some(value),
            Self::Verify(value) => choice.verify = Some(value),
            Self::Auth(value) => choice.auth = Some(value),
            Self::Resume(value) => choice.resume = Some(value),
            Self::Bytes(value) => choice.bytes = Some(value),
            Self::Chunk(value) => choice.chunk = Some(value),
            Self::Direction(value) => choice.direction = Some(value),
            Self::Requests(value) => choice.requests = Some(value),
            Self::RecordSize(value) => choice.record_size = Some(value),
            Self::EarlyData(value) => choice.early_data = Some(value),
            Self::Hello(value) => choice.hello = Some(value),
            Self::Etm(value) => choice.etm = Some(value),
            Self::Ems(value) => choice.ems = Some(value),
            Self::Alpn(value) => choice.alpn = Some(value),
            Self::Accel(value) => choice.accel = Some(value),
        }
    }
}

/// A value where it was written.
#[derive(Clone, Debug)]
pub(super) struct Listed {
    /// What was written.
    pub text: String,
    /// What it means.
    pub value: Value,
    /// Where, in bytes of the suite or the flag's list.
    pub at: Range<usize>,
}

/// The values of one dimension in a product.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    /// The dimension.
    pub key: Key,
    /// Its values, never none.
    pub values: Vec<Listed>,
    /// Whether the list comes from a suite's `[defaults]`.
    pub inherited: bool,
}

impl Axis {
    /// The engines of a product that names none: all of this executable.
    pub(super) fn all_engines(engines: &EngineNames) -> Self {
        let listed = |value| Listed { text: ALL.to_owned(), value, at: 0..0 };
        Self { key: Key::Engine, values: engines.all().into_iter().map(listed).collect(), inherited: false }
    }
}

/// What stands for every TLS engine of this executable.
const ALL: &str = "all";

/// The engines that may be named: those of this executable, or of another one whose cells are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineNames {
    tls: Vec<String>,
    others: Vec<String>,
}

impl EngineNames {
    /// The ids of the engines that speak TLS, which "all" stands for, and of those that do not.
    pub fn new(tls: Vec<String>, others: Vec<String>) -> Self {
        Self { tls, others }
    }

    /// What a list of engines without those in the executable should say.
    pub(super) fn present(&self) -> Vec<String> {
        self.ids().map(str::to_owned).collect()
    }

    fn ids(&self) -> impl Iterator<Item = &str> {
        self.tls.iter().chain(&self.others).map(String::as_str)
    }

    fn has(&self, id: &str) -> bool {
        self.ids().any(|known| known == id)
    }

    fn find(&self, text: &str) -> Result<Vec<Value>, Mistake> {
        if text.eq_ignore_ascii_case(ALL) {
            return Ok(self.all());
        }
        let present = self.is_present_or(text, Some(ALL))?;
        Ok(vec![Value::Engine { id: text.to_owned(), present }])
    }

    /// Whether this executable has an engine of the project.
    pub(super) fn is_present(&self, id: &str) -> Result<bool, UnknownName> {
        self.is_present_or(id, None)
    }

    /// The same where one more word is valid.
    fn is_present_or(&self, id: &str, word: Option<&str>) -> Result<bool, UnknownName> {
        let present = self.has(id);
        if present || KNOWN.iter().any(|known| known.id == id) {
            return Ok(present);
        }
        let absent = KNOWN.iter().map(|known| known.id).filter(|id| !self.has(id));
        Err(UnknownName::new("engine", id, self.ids().chain(absent).chain(word)))
    }

    /// Every TLS engine of this executable, then those of the project that it lacks: they make no cells, but
    /// an exclusion that is about them is no mistake.
    fn all(&self) -> Vec<Value> {
        let engine = |id: &str, present| Value::Engine { id: id.to_owned(), present };
        let here = self.tls.iter().map(|id| engine(id, true));
        let elsewhere =
            KNOWN.iter().map(|known| known.id).filter(|id| !self.has(id)).map(|id| engine(id, false));
        here.chain(elsewhere).collect()
    }
}

impl From<&Engines> for EngineNames {
    fn from(engines: &Engines) -> Self {
        let (tls, others): (Vec<_>, Vec<_>) = engines.infos().into_iter().partition(|info| info.is_tls);
        let ids = |infos: Vec<EngineInfo>| infos.into_iter().map(|info| info.id.to_owned()).collect();
        Self { tls: ids(tls), others: ids(others) }
    }
}
