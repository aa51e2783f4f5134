//! A device's file.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::Deserialize;
use serde::de::{MapAccess, Visitor};
use toml::Spanned;

use super::{Curves, Device, Published};
use crate::cell::{Cert, Cipher, UnknownName};
use crate::engine::Side;
use crate::measure::LoopKind;
use crate::mistake::{InvalidFile, Mistake, Problem};
use crate::primitive::Primitive;
use crate::suite::history::{Row, table_1997};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    id: String,
    cpu: String,
    library: String,
    source: String,
    engine: Option<String>,
    #[serde(default)]
    table_1997: bool,
    throughput: Option<Throughput>,
    #[serde(default)]
    operation_ms: BTreeMap<Spanned<String>, Spanned<f64>>,
    #[serde(default)]
    published: Vec<Spanned<PublishedEntry>>,
}

/// A table whose keys, beside the two first, are primitives.
struct Throughput {
    unit: Spanned<String>,
    block_sizes: Spanned<Vec<u64>>,
    primitives: Vec<(Spanned<String>, Speeds)>,
}

type Speeds = Spanned<Vec<Spanned<f64>>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedEntry {
    proto: Spanned<String>,
    cipher: Option<Spanned<String>>,
    group: Option<Spanned<String>>,
    cert: Option<Spanned<String>>,
    bytes: Option<u64>,
    side: Option<Spanned<String>>,
    #[serde(rename = "loop")]
    kind: LoopKind,
    ms: Spanned<f64>,
}

/// Bytes of the units that throughputs come in.
const UNITS: [(&str, f64); 5] =
    [("B/s", 1.0), ("kB/s", 1e3), ("MB/s", 1e6), ("KiB/s", 1024.0), ("MiB/s", 1024.0 * 1024.0)];

/// Reads a device and tells all that is wrong; `origin` names it in messages.
pub(super) fn parse(text: &str, origin: &str) -> Result<Device, InvalidFile> {
    let shape =
        |error| vec![Problem::of_toml(&error, "a device file is not so; docs/FORMAT.md describes it")];
    let device = toml::from_str(text).map_err(shape).and_then(device);
    device.map_err(|problems| InvalidFile::new(origin, text, problems))
}

fn device(file: File) -> Result<Device, Vec<Problem>> {
    let mut problems = Vec::new();
    let has_curves = file.throughput.as_ref().is_some_and(|throughput| !throughput.primitives.is_empty());
    if !has_curves && file.operation_ms.is_empty() {
        problems.push(Problem::new(0..0, "a device without prices", "add [throughput] or [operation_ms]"));
    }
    let curves = file.throughput.map_or_else(Vec::new, |throughput| curves(throughput, &mut problems));
    let mut operations = Vec::new();
    for (name, ms) in in_order(file.operation_ms) {
        let operation =
            primitive(&name, false, &operations).and_then(|primitive| Ok((primitive, positive(&ms)? * 1e6)));
        operations.extend(operation.map_err(|problem| problems.push(problem)));
    }
    let mut published = Vec::new();
    for one in file.published {
        published.extend(entry(one).map_err(|problem| problems.push(problem)));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    if file.table_1997 {
        published.extend(of_1997());
    }
    Ok(Device {
        id: file.id,
        cpu: file.cpu,
        library: file.library,
        source: file.source,
        engine: file.engine,
        table_1997: file.table_1997,
        published,
        curves,
        operations,
    })
}

/// Lines as they stand in the file, of which a second of the same name is the wrong one.
fn in_order<V>(lines: impl IntoIterator<Item = (Spanned<String>, V)>) -> Vec<(Spanned<String>, V)> {
    let mut lines: Vec<_> = lines.into_iter().collect();
    lines.sort_by_key(|(name, _)| name.span().start);
    lines
}

/// The primitive of a line, unless it stands in the wrong table or was there before: names are understood in upper case too.
fn primitive<P>(
    name: &Spanned<String>,
    takes_bytes: bool,
    known: &[(Primitive, P)],
) -> Result<Primitive, Problem> {
    let primitive: Primitive = named(name, str::parse)?;
    let name = (name.span(), name.get_ref());
    let wrong = |what: &str, label| Err(Problem::new(name.0, format!("{} {what}", name.1), label));
    match (primitive.takes_bytes(), takes_bytes) {
        (true, false) => wrong("works on bytes", "it belongs into [throughput]"),
        (false, true) => wrong("takes no bytes of any length", "it belongs into [operation_ms]"),
        _ if known.iter().any(|(other, _)| *other == primitive) => {
            wrong("stands there twice", "take this line out")
        }
        _ => Ok(primitive),
    }
}

/// What a text names.
fn named<T>(
    text: &Spanned<String>,
    parse: impl FnOnce(&str) -> Result<T, UnknownName>,
) -> Result<T, Problem> {
    parse(text.get_ref()).map_err(|unknown| Problem::of(text.span(), unknown))
}

/// Far beyond what anything takes or does, and far from where arithmetic ends.
const LEAST: f64 = 1e-9;
const MOST: f64 = 1e15;

fn positive(number: &Spanned<f64>) -> Result<f64, Problem> {
    let (value, at) = (*number.get_ref(), number.span());
    let label = format!("it must lie between {LEAST:e} and {MOST:e}");
    let is_sound = (LEAST..=MOST).contains(&value);
    if is_sound { Ok(value) } else { Err(Problem::new(at, format!("{value} is no cost"), label)) }
}

/// Times from throughputs.
fn curves(throughput: Throughput, problems: &mut Vec<Problem>) -> Curves {
    let Throughput { unit, block_sizes, primitives } = throughput;
    let unit = named(&unit, unit_bytes).map_err(|problem| problems.push(problem));
    let block_sizes = sizes(block_sizes).map_err(|problem| problems.push(problem));
    let mut curves = Vec::new();
    for (name, speeds) in in_order(primitives) {
        let primitive = primitive(&name, true, &curves);
        let (Ok(unit), Ok(block_sizes)) = (&unit, &block_sizes) else {
            problems.extend(primitive.err());
            continue;
        };
        let curve = primitive.and_then(|primitive| Ok((primitive, curve(&speeds, block_sizes, *unit)?)));
        curves.extend(curve.map_err(|problem| problems.push(problem)));
    }
    curves
}

fn unit_bytes(name: &str) -> Result<f64, UnknownName> {
    let known = UNITS.iter().find(|(unit, _)| *unit == name).map(|(_, bytes)| *bytes);
    known.ok_or_else(|| UnknownName::new("unit of throughput", name, UNITS.map(|(unit, _)| unit)))
}

fn sizes(sizes: Spanned<Vec<u64>>) -> Result<Vec<u64>, Problem> {
    let at = sizes.span();
    let sizes = sizes.into_inner();
    if sizes.is_empty() || !sizes.is_sorted_by(|one, next| one < next) {
        Err(Problem::new(at, "block_sizes that do not grow", "one number, or several in ascending order"))
    } else if sizes.contains(&0) && sizes.len() > 1 {
        Err(Problem::new(at, "the block size 0 among others", "0, a long run, stands alone"))
    } else {
        Ok(sizes)
    }
}

/// The nanoseconds at each size.
fn curve(speeds: &Speeds, sizes: &[u64], unit: f64) -> Result<Vec<(u64, f64)>, Problem> {
    let wrong = |what: String, label| Err(Problem::new(speeds.span(), what, label));
    let (found, wanted) = (speeds.get_ref().len(), sizes.len());
    if found != wanted {
        return wrong(format!("throughputs at {found} sizes, of {wanted} block_sizes"), "one a size");
    }
    let mut curve: Vec<(u64, f64)> = Vec::new();
    for (&size, speed) in sizes.iter().zip(speeds.get_ref()) {
        let ns = 1e9 / (positive(speed)? * unit) * size.max(1) as f64;
        // As many decimal digits as a float has may be the difference.
        if let Some((fewer, longer)) = curve.last().filter(|(_, before)| *before > ns * (1.0 + 1e-9)) {
            let what = format!(
                "by these throughputs {size} bytes take less time than {fewer}: {ns:.0} and {longer:.0} ns"
            );
            return wrong(what, "is the unit right, and the order?");
        }
        curve.push((size, ns));
    }
    Ok(curve)
}

fn entry(entry: Spanned<PublishedEntry>) -> Result<Published, Problem> {
    let at: Range<usize> = entry.span();
    let entry = entry.into_inner();
    let side = |name: &str| match name {
        "client" => Ok(Side::Client),
        "server" => Ok(Side::Server),
        other => Err(UnknownName::new("side", other, ["client", "server"])),
    };
    let published = Published {
        proto: named(&entry.proto, str::parse)?,
        cipher: entry.cipher.map(|name| named(&name, Cipher::named)).transpose()?,
        group: entry.group.map(|name| named(&name, str::parse)).transpose()?,
        cert: entry.cert.map(|name| named(&name, str::parse)).transpose()?,
        bytes: entry.bytes,
        kind: entry.kind,
        side: entry.side.map(|name| named(&name, side)).transpose()?,
        ms: positive(&entry.ms)?,
    };
    // What no cell can be would never be compared with anything.
    match published.choice().pin("", "") {
        Ok(_) => Ok(published),
        Err(why) => Err(Problem::of(at, Mistake::new(why.to_string(), "no connection is so"))),
    }
}

/// The rows of the table of 1997, each loop's time by its connections. The one full handshake of a reuse loop is taken
/// out by the loop beside it.
fn of_1997() -> Vec<Published> {
    let table = table_1997();
    let connections = table.connections as f64;
    let of_row = |row: &Row| {
        let full = row.full.map(|seconds| seconds * 1e3 / connections);
        let resumed = row.reuse.zip(full).map(|(seconds, full)| (seconds * 1e3 - full) / (connections - 1.0));
        let of = |kind, ms: Option<f64>| {
            Some(Published {
                proto: row.proto,
                cipher: Some(row.cipher),
                group: None,
                cert: Cert::from_rsa_bits(row.rsa_bits),
                bytes: Some(row.bytes),
                kind,
                side: None,
                ms: ms?,
            })
        };
        [of(LoopKind::Full, full), of(LoopKind::Reuse, resumed)]
    };
    table.rows.iter().flat_map(of_row).flatten().collect()
}

impl<'de> Deserialize<'de> for Throughput {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ThroughputVisitor)
    }
}

struct ThroughputVisitor;

impl<'de> Visitor<'de> for ThroughputVisitor {
    type Value = Throughput;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table with unit, block_sizes and a line a primitive")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Throughput, A::Error> {
        let (mut unit, mut block_sizes, mut primitives) = (None, None, Vec::new());
        while let Some(key) = map.next_key::<Spanned<String>>()? {
            match key.get_ref().as_str() {
                "unit" => unit = Some(map.next_value()?),
                "block_sizes" => block_sizes = Some(map.next_value()?),
                _ => primitives.push((key, map.next_value()?)),
            }
        }
        let missing = serde::de::Error::missing_field;
        Ok(Throughput {
            unit: unit.ok_or_else(|| missing("unit"))?,
            block_sizes: block_sizes.ok_or_else(|| missing("block_sizes"))?,
            primitives,
        })
    }
}
