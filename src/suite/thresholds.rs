//! From which growth on a difference is a regression: what suites say, and what holds where they say nothing.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::cell::{Cell, UnknownName};
use crate::mistake::{Mistake, Problem};
use crate::results::Thresholds;

/// Thresholds as far as a suite sets them: 0.03 is 3 %.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PartialThresholds {
    /// CPU time.
    pub time: Option<f64>,
    /// Bytes, records and flights on the wire.
    pub wire: Option<f64>,
    /// Allocations, and peak and held bytes of the heap.
    pub heap: Option<f64>,
    /// Instructions.
    pub instructions: Option<f64>,
}

/// From how much more CPU time on a loop counts as slower where no suite says otherwise: 0.03 is 3 %.
pub const DEFAULT_TIME_THRESHOLD: f64 = 0.03;

/// Transfers from this size on are bulk work, whose instruction counts hardly vary.
const BULK_BYTES: u64 = 64 << 10;

impl PartialThresholds {
    /// These, and where they are silent the others.
    pub fn or(self, others: Self) -> Self {
        Self {
            time: self.time.or(others.time),
            wire: self.wire.or(others.wire),
            heap: self.heap.or(others.heap),
            instructions: self.instructions.or(others.instructions),
        }
    }
}

impl Thresholds {
    /// What holds for a cell: what its suite says; else 3 % for time, 0 for the wire, 1 % for the heap, and for
    /// instructions 0.1 % in transfers of 64 KiB and more and 0.5 % in smaller ones.
    pub fn of(said: PartialThresholds, cell: &Cell) -> Self {
        let instructions = if cell.bytes >= BULK_BYTES { 0.001 } else { 0.005 };
        Self {
            time: said.time.unwrap_or(DEFAULT_TIME_THRESHOLD),
            wire: said.wire.unwrap_or(0.0),
            heap: said.heap.unwrap_or(0.01),
            instructions: said.instructions.unwrap_or(instructions),
        }
    }
}

/// The key in suites.
pub(super) const KEY: &str = "thresholds";

const METRICS: [&str; 4] = ["time", "wire", "heap", "instructions"];

/// The largest threshold, in percent.
const MOST_PERCENT: f64 = 1000.0;

/// The smallest threshold of time, in percent: two builds of the same source differ by as much.
const LEAST_TIME_PERCENT: f64 = 1.0;

/// Reads the table of thresholds of a block or of the defaults; what is wrong is added to `problems`.
pub(super) fn read(item: &Spanned<DeValue<'_>>, problems: &mut Vec<Problem>) -> Option<PartialThresholds> {
    let DeValue::Table(table) = item.get_ref() else {
        let what = format!("thresholds are a table, not a TOML {}", item.get_ref().type_str());
        problems.push(Problem::new(item.span(), what, "write thresholds = { time = \"5%\", heap = \"1%\" }"));
        return None;
    };
    let mut thresholds = PartialThresholds::default();
    let before = problems.len();
    for (name, at, value) in metrics(table) {
        let Some(metric) = thresholds.metric(name) else {
            problems.push(Problem::of(at, UnknownName::new("threshold", name, METRICS)));
            continue;
        };
        match percent(name, value.get_ref()) {
            Ok(percent) => *metric = Some(percent / 100.0),
            Err(mistake) => problems.push(Problem::of(value.span(), mistake)),
        }
    }
    (problems.len() == before).then_some(thresholds)
}

impl PartialThresholds {
    fn metric(&mut self, name: &str) -> Option<&mut Option<f64>> {
        match name {
            "time" => Some(&mut self.time),
            "wire" => Some(&mut self.wire),
            "heap" => Some(&mut self.heap),
            "instructions" => Some(&mut self.instructions),
            _ => None,
        }
    }
}

type Metric<'a, 'i> = (&'a str, std::ops::Range<usize>, &'a Spanned<DeValue<'i>>);

fn metrics<'a, 'i>(table: &'a DeTable<'i>) -> impl Iterator<Item = Metric<'a, 'i>> {
    table.iter().map(|(key, value)| (key.get_ref().as_ref(), key.span(), value))
}

/// A number in percent, or a text that ends in a percent sign.
fn percent(name: &str, value: &DeValue<'_>) -> Result<f64, Mistake> {
    let hint = "write percent in quotes or as a number: \"5%\", \"0.5%\" or 5";
    let wrong = |what: String| Mistake::new(what, hint);
    let digits = match value {
        DeValue::String(text) => text
            .trim()
            .strip_suffix('%')
            .map(|digits| digits.trim_end().to_owned())
            .ok_or_else(|| wrong(format!("`{text}` is not in percent")))?,
        DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().to_owned(),
        DeValue::Float(float) => float.as_str().to_owned(),
        other => return Err(wrong(format!("a threshold is in percent, not a TOML {}", other.type_str()))),
    };
    let percent: f64 = digits.parse().map_err(|_| wrong(format!("`{digits}` is no number")))?;
    let least = if name == "time" { LEAST_TIME_PERCENT } else { 0.0 };
    if (least..=MOST_PERCENT).contains(&percent) {
        return Ok(percent);
    }
    let nearest = if percent > MOST_PERCENT { MOST_PERCENT } else { least };
    Err(Mistake::new(
        format!("the threshold of {name} must be {least} to {MOST_PERCENT} %, not {percent} %"),
        format!("the nearest valid threshold is \"{nearest}%\""),
    ))
}
