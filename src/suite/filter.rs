//! Filter expressions, which choose among cells: `proto>=tls1.2,cert~rsa`.
//!
//! A comma narrows (all terms must hold), `|` widens within a term, and several filters widen: a cell is chosen if
//! any of them matches it.

use std::ops::Range;

use super::key::Key;
use super::number::number;
use super::value::{EngineNames, Value};
use crate::cell::{Cell, Proto, UnknownName};
use crate::mistake::Mistake;

/// A filter expression: terms that must all hold.
#[derive(Clone, Debug)]
pub struct Filter {
    terms: Vec<Term>,
}

/// A filter expression that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("filter `{expression}`, column {}: {what}; {hint}", self.column())]
pub struct FilterError {
    /// The whole expression.
    pub expression: String,
    /// The wrong part, in bytes of the expression.
    pub at: Range<usize>,
    /// What is wrong.
    pub what: String,
    /// The nearest valid choice.
    pub hint: String,
}

impl FilterError {
    /// Where the wrong part begins, in characters counted from 1.
    pub fn column(&self) -> usize {
        self.expression[..self.at.start].chars().count() + 1
    }
}

impl Filter {
    /// Parses an expression such as `proto=tls1.2|tls1.3,bytes>=1KiB`.
    pub fn parse(expression: &str) -> Result<Self, FilterError> {
        let mut terms = Vec::new();
        let mut start = 0;
        for text in expression.split(',') {
            let term = Term::parse(text).map_err(|(at, mistake)| FilterError {
                expression: expression.to_owned(),
                at: start + at.start..start + at.end,
                what: mistake.what,
                hint: mistake.hint,
            })?;
            terms.push(term);
            start += text.len() + 1;
        }
        Ok(Self { terms })
    }

    /// Whether every term holds for `cell`.
    pub fn matches(&self, cell: &Cell) -> bool {
        self.terms.iter().all(|term| term.holds(cell))
    }

    /// The engines that it asks for and `engines` lacks. A name that is nobody's is a mistake.
    pub fn absent_engines(&self, engines: &EngineNames) -> Result<Vec<String>, UnknownName> {
        let mut absent = Vec::new();
        for term in &self.terms {
            let Test::Among { values, wanted } = &term.test else { continue };
            for value in values {
                if let Value::Engine { id, .. } = value
                    && !engines.is_present(id)?
                    && *wanted
                {
                    absent.push(id.clone());
                }
            }
        }
        Ok(absent)
    }

    /// Whether any of `filters` matches `cell`; without filters every cell is chosen.
    pub fn any_matches(filters: &[Self], cell: &Cell) -> bool {
        filters.is_empty() || filters.iter().any(|filter| filter.matches(cell))
    }
}

/// One comparison.
#[derive(Clone, Debug)]
struct Term {
    key: Key,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    /// Whether the value is one of these.
    Among { values: Vec<Value>, wanted: bool },
    /// Whether a name of the value contains one of these, in lower case.
    Contains { parts: Vec<String>, wanted: bool },
    /// How the value compares with a number.
    Number { order: Order, than: u64 },
    /// How the version compares with another by age.
    Age { order: Order, than: Proto },
}

#[derive(Clone, Copy, Debug)]
enum Order {
    Less,
    AtMost,
    More,
    AtLeast,
}

impl Order {
    fn holds<T: PartialOrd>(self, left: T, right: T) -> bool {
        match self {
            Self::Less => left < right,
            Self::AtMost => left <= right,
            Self::More => left > right,
            Self::AtLeast => left >= right,
        }
    }
}

/// Longer operators first, so that `<=` is not read as `<`.
const OPERATORS: [&str; 8] = ["!=", "!~", "<=", ">=", "=", "~", "<", ">"];

/// A mistake and where in the term it stands.
type Misplaced = (Range<usize>, Mistake);

impl Term {
    fn parse(text: &str) -> Result<Self, Misplaced> {
        let Some(operator_at) = text.find(['=', '!', '<', '>', '~']) else {
            let hint = "a filter is `KEY=VALUE`, as in proto=tls1.3";
            let what = if text.trim().is_empty() { "an empty term" } else { "a term without an operator" };
            return Err((place_of(text, 0), Mistake::new(what, hint)));
        };
        let key_text = &text[..operator_at];
        let key = Key::named(key_text.trim()).map_err(|unknown| (place_of(key_text, 0), unknown.into()))?;
        let rest = &text[operator_at..];
        let Some(&operator) = OPERATORS.iter().find(|&&operator| rest.starts_with(operator)) else {
            let hint = format!("operators are {}", OPERATORS.join("  "));
            return Err((operator_at..operator_at + 1, Mistake::new("`!` is no operator by itself", hint)));
        };
        let values_at = operator_at + operator.len();
        let values = &text[values_at..];
        if values.starts_with(['=', '~', '<', '>', '!']) {
            let hint = format!("operators are {}", OPERATORS.join("  "));
            return Err((operator_at..values_at + 1, Mistake::new("unknown operator", hint)));
        }
        let test = Test::parse(key, operator, values, operator_at)?;
        Ok(Self { key, test })
    }

    fn holds(&self, cell: &Cell) -> bool {
        match &self.test {
            Test::Among { values, wanted } => {
                values.iter().any(|value| has_value(cell, self.key, value)) == *wanted
            }
            Test::Contains { parts, wanted } => {
                let names = names(cell, self.key);
                let found = names.iter().any(|name| parts.iter().any(|part| name.contains(part)));
                found == *wanted
            }
            Test::Number { order, than } => {
                number_of(cell, self.key).is_some_and(|value| order.holds(value, *than))
            }
            Test::Age { order, than } => order.holds(cell.proto, *than),
        }
    }
}

impl Test {
    /// `operator_at` is where in the term the operator stands; the values follow it.
    fn parse(key: Key, operator: &str, values: &str, operator_at: usize) -> Result<Self, Misplaced> {
        let values_at = operator_at + operator.len();
        let order = match operator {
            "=" | "!=" => return Self::among(key, operator == "=", values, values_at),
            "~" | "!~" => return Self::contains(operator == "~", values, values_at),
            "<" => Order::Less,
            "<=" => Order::AtMost,
            ">" => Order::More,
            _ => Order::AtLeast,
        };
        let place = place_of(values, values_at);
        if key == Key::Proto {
            let than = values.trim().parse::<Proto>().map_err(|unknown| (place, unknown.into()))?;
            return Ok(Self::Age { order, than });
        }
        if key.limits().is_none() {
            let what = format!("{} has no order", key.name());
            let hint = "`<` and `>` compare proto and the dimensions that are numbers; use =, !=, ~ or !~";
            return Err((operator_at..values_at, Mistake::new(what, hint)));
        }
        let than = number(key, values).map_err(|mistake| (place, mistake))?;
        Ok(Self::Number { order, than })
    }

    fn among(key: Key, wanted: bool, values: &str, values_at: usize) -> Result<Self, Misplaced> {
        let mut parsed = Vec::new();
        for (text, place) in alternatives(values, values_at)? {
            parsed.extend(Value::parse_any(key, text).map_err(|mistake| (place, mistake))?);
        }
        Ok(Self::Among { values: parsed, wanted })
    }

    fn contains(wanted: bool, values: &str, values_at: usize) -> Result<Self, Misplaced> {
        let parts = alternatives(values, values_at)?;
        let parts = parts.into_iter().map(|(text, _)| text.to_lowercase()).collect();
        Ok(Self::Contains { parts, wanted })
    }
}

/// What stands between the `|`, with places.
fn alternatives(values: &str, values_at: usize) -> Result<Vec<(&str, Range<usize>)>, Misplaced> {
    let mut start = values_at;
    let mut found = Vec::new();
    for text in values.split('|') {
        let place = place_of(text, start);
        if text.trim().is_empty() {
            return Err((place, Mistake::new("a value is missing", "write KEY=VALUE or KEY=VALUE|VALUE")));
        }
        found.push((text.trim(), place));
        start += text.len() + 1;
    }
    Ok(found)
}

/// Where `text` without the blanks around it stands, if `text` itself begins at `start`.
fn place_of(text: &str, start: usize) -> Range<usize> {
    let trimmed = text.trim();
    let begin = start + (text.len() - text.trim_start().len());
    if trimmed.is_empty() { start..start + text.len() } else { begin..begin + trimmed.len() }
}

/// Whether `cell` has this value in `key`; an engine matches on either side.
fn has_value(cell: &Cell, key: Key, value: &Value) -> bool {
    match value {
        Value::Engine { id, .. } => match key {
            Key::Client => cell.client == *id,
            Key::Server => cell.server == *id,
            _ => cell.client == *id || cell.server == *id,
        },
        Value::Proto(proto) => cell.proto == *proto,
        Value::Cipher(cipher) => cell.cipher.code == cipher.code && cell.cipher.openssl == cipher.openssl,
        Value::Group(group) => cell.group == *group,
        Value::Cert(cert) => cell.cert == *cert,
        Value::Chain(chain) => cell.chain == *chain,
        Value::Verify(verify) => cell.verify == *verify,
        Value::Auth(auth) => cell.auth == *auth,
        Value::Resume(resume) => cell.resume == *resume,
        Value::Bytes(bytes) => cell.bytes == *bytes,
        Value::Chunk(chunk) => cell.chunk == *chunk,
        Value::Direction(direction) => cell.direction == *direction,
        Value::Requests(requests) => cell.requests == *requests,
        Value::RecordSize(size) => cell.record_size == *size,
        Value::EarlyData(bytes) => cell.early_data == *bytes,
        Value::Hello(hello) => cell.hello == *hello,
        Value::Etm(etm) => cell.etm == *etm,
        Value::Ems(ems) => cell.ems == *ems,
        Value::Alpn(alpn) => cell.alpn == *alpn,
        Value::Accel(accel) => cell.accel == *accel,
    }
}

/// The names under which `~` looks for the value of `key`, in lower case: a cipher has two, a mixed pair two engines.
fn names(cell: &Cell, key: Key) -> Vec<String> {
    let names = match key {
        Key::Engine => vec![cell.client.clone(), cell.server.clone()],
        Key::Client => vec![cell.client.clone()],
        Key::Server => vec![cell.server.clone()],
        Key::Proto => vec![cell.proto.to_string()],
        Key::Cipher => vec![cell.cipher.openssl.to_owned(), cell.cipher.iana.to_owned()],
        Key::Group => vec![cell.group.to_string()],
        Key::Cert => vec![cell.cert.to_string()],
        Key::Verify => vec![cell.verify.to_string()],
        Key::Auth => vec![cell.auth.to_string()],
        Key::Resume => vec![cell.resume.to_string()],
        Key::Direction => vec![cell.direction.to_string()],
        Key::Hello => vec![cell.hello.to_string()],
        Key::Etm => vec![cell.etm.to_string()],
        Key::Ems => vec![cell.ems.to_string()],
        Key::Alpn => vec![cell.alpn.to_string()],
        Key::Accel => vec![cell.accel.to_string()],
        Key::Chain | Key::Bytes | Key::Chunk | Key::Requests | Key::RecordSize | Key::EarlyData => {
            number_of(cell, key).iter().map(u64::to_string).collect()
        }
    };
    names.into_iter().map(|name| name.to_lowercase()).collect()
}

fn number_of(cell: &Cell, key: Key) -> Option<u64> {
    match key {
        Key::Chain => Some(u64::from(cell.chain)),
        Key::Bytes => Some(cell.bytes),
        Key::Chunk => Some(u64::from(cell.chunk)),
        Key::Requests => Some(u64::from(cell.requests)),
        Key::RecordSize => Some(u64::from(cell.record_size)),
        Key::EarlyData => Some(u64::from(cell.early_data)),
        _ => None,
    }
}
