//! The SSL-overhead table of 1997, to stand beside what is measured today.

use serde::Deserialize;

use crate::cell::{Cell, Cert, Choice, Cipher, Proto};

/// The table with the conditions it was measured under.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// Connections a loop.
    pub connections: u64,
    /// Bytes that a write holds at most.
    pub chunk: u32,
    /// Its 28 rows in its own order.
    pub rows: Vec<Row>,
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Protocol version.
    pub proto: Proto,
    /// Cipher.
    pub cipher: &'static Cipher,
    /// Size of the server's RSA key.
    pub rsa_bits: u16,
    /// Bytes sent each way.
    pub bytes: u64,
    /// User seconds of the loop with full handshakes; none where the original has no row.
    pub full: Option<f64>,
    /// User seconds of the loop with resumed sessions; none where the original has no row.
    pub reuse: Option<f64>,
}

impl Row {
    /// What the row measures, without its times.
    fn subject(&self) -> (Proto, u16, u16, u64) {
        (self.proto, self.cipher.code, self.rsa_bits, self.bytes)
    }
}

impl Table {
    /// A row as a cell that an engine plays with itself.
    pub fn cell(&self, row: &Row, engine: &str) -> Cell {
        let choice = Choice {
            proto: Some(row.proto),
            cipher: Some(row.cipher),
            cert: Cert::from_rsa_bits(row.rsa_bits),
            bytes: Some(row.bytes),
            chunk: Some(self.chunk),
            ..Choice::default()
        };
        choice.pin(engine, engine).expect("the rows of 1997 are cells")
    }
}

/// The table of 1997. The row that the original lacks stands in its place, without times.
pub fn table_1997() -> Table {
    parse(include_str!("../../fixtures/classic-1997.toml"))
        .expect("the table is checked in, and a test reads all of it")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TableFile {
    connections: u64,
    chunk: u32,
    rows: Vec<RowFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RowFile {
    proto: String,
    cipher: String,
    rsa_bits: u16,
    bytes: u64,
    full: f64,
    reuse: f64,
}

fn parse(text: &str) -> Result<Table, String> {
    let file: TableFile = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut rows = Vec::new();
    for row in file.rows {
        rows.push(Row {
            proto: row.proto.parse().map_err(|unknown: crate::cell::UnknownName| unknown.to_string())?,
            cipher: Cipher::named(&row.cipher).map_err(|unknown| unknown.to_string())?,
            rsa_bits: row.rsa_bits,
            bytes: row.bytes,
            full: Some(row.full),
            reuse: Some(row.reuse),
        });
    }
    add_missing(&mut rows);
    Ok(Table { connections: file.connections, chunk: file.chunk, rows })
}

/// Each block of the table (one for each number of bytes) has the rows of the first; what a block lacks goes where
/// the first block has it.
fn add_missing(rows: &mut Vec<Row>) {
    let Some(first_bytes) = rows.first().map(|row| row.bytes) else { return };
    let pattern: Vec<Row> = rows.iter().filter(|row| row.bytes == first_bytes).cloned().collect();
    let mut all_bytes: Vec<u64> = rows.iter().map(|row| row.bytes).collect();
    all_bytes.dedup();
    let complete = all_bytes.iter().flat_map(|&bytes| {
        let rows = &*rows;
        pattern.iter().map(move |like| {
            let wanted = Row { bytes, full: None, reuse: None, ..like.clone() };
            rows.iter().find(|row| row.subject() == wanted.subject()).cloned().unwrap_or(wanted)
        })
    });
    *rows = complete.collect();
}
