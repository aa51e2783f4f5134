//! Numbers of bytes, chunks and certificates: `1024`, `1KiB`, and ranges of them.

use super::key::Key;

use crate::mistake::Mistake;

/// The most values that one range may stand for.
const MAX_RANGE: usize = 1000;

const UNITS: [(&str, u64); 5] = [("", 1), ("b", 1), ("kib", 1 << 10), ("mib", 1 << 20), ("gib", 1 << 30)];

/// Parses `text` as a number or a range of `key`'s, and checks it against the key's limits.
pub(super) fn numbers(key: Key, text: &str) -> Result<Vec<u64>, Mistake> {
    let Some((from, rest)) = text.split_once("..") else {
        return Ok(vec![number(key, text)?]);
    };
    let (to, pace) = match rest.find(['+', 'x']) {
        Some(at) => (&rest[..at], Pace::parse(&rest[at..])?),
        None => (rest, Pace::Plus(1)),
    };
    let (from, to) = (number(key, from)?, number(key, to)?);
    if from > to {
        return Err(Mistake::new(
            format!("the range {from}..{to} is empty"),
            format!("write the smaller number first: {to}..{from}"),
        ));
    }
    let next = |&value: &u64| pace.after(value).filter(|&value| value <= to);
    let values: Vec<u64> = std::iter::successors(Some(from), next).take(MAX_RANGE + 1).collect();
    if values.len() > MAX_RANGE {
        return Err(Mistake::new(
            format!("the range {from}..{to} has more than {MAX_RANGE} values"),
            format!("add a step, such as {from}..{to}+1024 or {from}..{to}x10"),
        ));
    }
    Ok(values)
}

/// Parses one number within `key`'s limits.
pub(super) fn number(key: Key, text: &str) -> Result<u64, Mistake> {
    let value = plain(text)?;
    let Some((least, most)) = key.limits() else {
        return Ok(value);
    };
    if !(least..=most).contains(&value) {
        let nearest = value.clamp(least, most);
        return Err(Mistake::new(
            format!("{} must be {least} to {}, not {value}", key.name(), in_units(most)),
            format!("the nearest valid number is {nearest}"),
        ));
    }
    Ok(value)
}

/// Parses a number of bytes, such as `16KiB`.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    plain(text).map_err(|Mistake { what, hint }| format!("{what}; {hint}"))
}

/// How a range goes on.
enum Pace {
    Plus(u64),
    Times(u64),
}

impl Pace {
    /// Parses `+STEP` or `xFACTOR`.
    fn parse(text: &str) -> Result<Self, Mistake> {
        let (sign, amount) = text.split_at(1);
        let amount = plain(amount)?;
        match sign {
            "+" if amount >= 1 => Ok(Self::Plus(amount)),
            "x" if amount >= 2 => Ok(Self::Times(amount)),
            "+" => Err(Mistake::new("a range cannot go on in steps of 0", "the smallest step is +1")),
            _ => Err(Mistake::new(
                format!("a range cannot go on in multiples of {amount}"),
                "the smallest factor is x2",
            )),
        }
    }

    fn after(&self, value: u64) -> Option<u64> {
        match self {
            Self::Plus(step) => value.checked_add(*step),
            Self::Times(factor) => value.checked_mul(*factor),
        }
    }
}

/// Digits (with `_` between them if need be) and a unit.
fn plain(text: &str) -> Result<u64, Mistake> {
    let text = text.trim();
    let digits_end = text.find(|c: char| !c.is_ascii_digit() && c != '_').unwrap_or(text.len());
    let (digits, unit) = text.split_at(digits_end);
    let digits = digits.replace('_', "");
    if digits.is_empty() {
        return Err(Mistake::new(
            format!("`{text}` is no whole number"),
            "write digits, if need be with KiB, MiB or GiB: 16KiB; or a range: 1..3",
        ));
    }
    let unit = unit.trim_start().to_ascii_lowercase();
    let Some((_, factor)) = UNITS.iter().find(|(name, _)| *name == unit) else {
        return Err(Mistake::new(
            format!("`{text}` has an unknown unit"),
            "units are KiB, MiB and GiB, powers of 1024",
        ));
    };
    let value = digits.parse::<u64>().ok().and_then(|value| value.checked_mul(*factor));
    value.ok_or_else(|| Mistake::new(format!("`{text}` is too large"), "the largest number here is 1GiB"))
}

/// A limit as people write it.
fn in_units(value: u64) -> String {
    let units = UNITS[2..].iter().rev().zip(["GiB", "MiB", "KiB"]);
    let unit = units.into_iter().find(|((_, factor), _)| value >= *factor && value.is_multiple_of(*factor));
    unit.map_or_else(|| value.to_string(), |((_, factor), name)| format!("{} {name}", value / factor))
}
