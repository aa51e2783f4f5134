//! A device's file.

use std::collections::BTreeMap;
use std::io;

use serde::Deserialize;

use super::{Curves, Device, Published};
use crate::cell::{Cipher, UnknownName};
use crate::engine::Side;
use crate::measure::LoopKind;
use crate::primitive::Primitive;
use crate::suite::history::table_1997;

/// Why a device cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DeviceError {
    /// No such device.
    #[error("{0}; or give a file")]
    Unknown(UnknownName),
    /// No such file, or no right to read it.
    #[error("{origin}: {source}")]
    Io {
        /// The file.
        origin: String,
        /// The system's words.
        source: io::Error,
    },
    /// Not TOML, or not of the right shape.
    #[error("{origin}: {source}")]
    Shape {
        /// The file.
        origin: String,
        /// What is wrong, with line and column.
        source: Box<toml::de::Error>,
    },
    /// A value that makes no sense.
    #[error("{origin}: {why}")]
    Value {
        /// The file.
        origin: String,
        /// What is wrong.
        why: String,
    },
}

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
    operation_ms: BTreeMap<String, f64>,
    #[serde(default)]
    published: Vec<PublishedEntry>,
}

#[derive(Deserialize)]
struct Throughput {
    unit: String,
    block_sizes: Vec<u64>,
    #[serde(flatten)]
    primitives: BTreeMap<String, Vec<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublishedEntry {
    proto: String,
    cipher: Option<String>,
    group: Option<String>,
    cert: Option<String>,
    bytes: Option<u64>,
    side: Option<String>,
    #[serde(rename = "loop")]
    kind: LoopKind,
    ms: f64,
}

/// Bytes of the units that throughputs come in.
const UNITS: [(&str, f64); 5] =
    [("B/s", 1.0), ("kB/s", 1e3), ("MB/s", 1e6), ("KiB/s", 1024.0), ("MiB/s", 1024.0 * 1024.0)];

/// Reads a device; `origin` names it in messages.
pub(super) fn parse(text: &str, origin: &str) -> Result<Device, DeviceError> {
    let shape = |source| DeviceError::Shape { origin: origin.to_owned(), source: Box::new(source) };
    let file: File = toml::from_str(text).map_err(shape)?;
    device(file).map_err(|why| DeviceError::Value { origin: origin.to_owned(), why })
}

fn device(file: File) -> Result<Device, String> {
    let curves = file.throughput.map(curves).transpose()?.unwrap_or_default();
    let mut operations = Vec::new();
    for (name, ms) in file.operation_ms {
        let primitive = primitive(&name, false)?;
        is_new(primitive, &operations)?;
        operations.push((primitive, positive(&name, ms)? * 1e6));
    }
    let mut published = file.published.into_iter().map(entry).collect::<Result<Vec<_>, String>>()?;
    if file.table_1997 {
        published.extend(of_1997());
    }
    if curves.is_empty() && operations.is_empty() {
        return Err("it has no prices: neither [throughput] nor [operation_ms]".to_owned());
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

fn primitive(name: &str, takes_bytes: bool) -> Result<Primitive, String> {
    let primitive: Primitive = name.parse().map_err(|unknown: UnknownName| unknown.to_string())?;
    match (primitive.takes_bytes(), takes_bytes) {
        (true, false) => Err(format!("{name} works on bytes: it belongs into [throughput]")),
        (false, true) => Err(format!("{name} takes no bytes of any length: it belongs into [operation_ms]")),
        _ => Ok(primitive),
    }
}

/// Names are understood in upper case too.
fn is_new<P>(primitive: Primitive, known: &[(Primitive, P)]) -> Result<(), String> {
    if known.iter().any(|(other, _)| *other == primitive) {
        return Err(format!("{primitive} stands there twice"));
    }
    Ok(())
}

/// Far beyond what anything takes or does, and far from where arithmetic ends.
const LEAST: f64 = 1e-9;
const MOST: f64 = 1e15;

fn positive(name: &str, number: f64) -> Result<f64, String> {
    if (LEAST..=MOST).contains(&number) {
        Ok(number)
    } else {
        Err(format!("{name}: {number} is no cost; it must lie between {LEAST:e} and {MOST:e}"))
    }
}

/// Times from throughputs.
fn curves(throughput: Throughput) -> Result<Curves, String> {
    let Throughput { unit, block_sizes, primitives } = throughput;
    let known = UNITS.iter().find(|(name, _)| *name == unit);
    let names = UNITS.map(|(name, _)| name);
    let (_, bytes_per_second) =
        known.ok_or_else(|| UnknownName::new("unit of throughput", &unit, names).to_string())?;
    if block_sizes.is_empty() || !block_sizes.is_sorted_by(|one, next| one < next) {
        return Err("block_sizes must be one number or several that grow".to_owned());
    }
    if block_sizes.contains(&0) && block_sizes.len() > 1 {
        return Err("the block size 0, a long run, stands alone".to_owned());
    }
    let mut curves = Vec::new();
    for (name, speeds) in primitives {
        let primitive = primitive(&name, true)?;
        is_new(primitive, &curves)?;
        if speeds.len() != block_sizes.len() {
            let (found, wanted) = (speeds.len(), block_sizes.len());
            return Err(format!("{name} has {found} throughputs, and there are {wanted} block_sizes"));
        }
        let mut curve = Vec::new();
        for (&size, speed) in block_sizes.iter().zip(speeds) {
            let per_byte = 1e9 / (positive(&name, speed)? * bytes_per_second);
            curve.push((size, per_byte * size.max(1) as f64));
        }
        // As many decimal digits as a float has may be the difference.
        if let Some(pair) = curve.windows(2).find(|pair| pair[0].1 > pair[1].1 * (1.0 + 1e-9)) {
            let ((few, _), (many, _)) = (pair[0], pair[1]);
            return Err(format!("{name}: by these throughputs {many} bytes take less time than {few}"));
        }
        curves.push((primitive, curve));
    }
    Ok(curves)
}

fn entry(entry: PublishedEntry) -> Result<Published, String> {
    let words = |unknown: UnknownName| unknown.to_string();
    let side = match entry.side.as_deref() {
        None => None,
        Some("client") => Some(Side::Client),
        Some("server") => Some(Side::Server),
        Some(other) => return Err(UnknownName::new("side", other, ["client", "server"]).to_string()),
    };
    let published = Published {
        proto: entry.proto.parse().map_err(words)?,
        cipher: entry.cipher.as_deref().map(Cipher::named).transpose().map_err(words)?,
        group: entry.group.as_deref().map(str::parse).transpose().map_err(words)?,
        cert: entry.cert.as_deref().map(str::parse).transpose().map_err(words)?,
        bytes: entry.bytes,
        kind: entry.kind,
        side,
        ms: positive("a published time", entry.ms)?,
    };
    // What no cell can be would never be compared with anything.
    published.choice().pin("", "").map_err(|why| format!("[[published]]: {why}"))?;
    Ok(published)
}

/// The rows of the table of 1997, each loop's time by its connections. The one full handshake of a reuse loop is taken
/// out by the loop beside it.
fn of_1997() -> Vec<Published> {
    let table = table_1997();
    let connections = table.connections as f64;
    let of_row = |row: &crate::suite::history::Row| {
        let full = row.full.map(|seconds| seconds * 1e3 / connections);
        let resumed = row.reuse.zip(full).map(|(seconds, full)| (seconds * 1e3 - full) / (connections - 1.0));
        let of = |kind, ms: Option<f64>| {
            Some(Published {
                proto: row.proto,
                cipher: Some(row.cipher),
                group: None,
                cert: crate::cell::Cert::from_rsa_bits(row.rsa_bits),
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
