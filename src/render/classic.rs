//! The table of 1997 beside today's numbers.

use super::grid::{Align, Column, Grid, Row};
use super::number::{count, micros, ratio, significant};
use super::or_absent;
use super::page::{DIFFER_NOTE, Notes, Page, closing_lines};
use crate::cell::Proto;
use crate::measure::LoopKind;
use crate::results::{CellResult, Document, LoopResult, Loops, Status};
use crate::stats::Summary;
use crate::suite::history::{Row as Row1997, Table};

/// One row: what was measured in 1997, and the cell that repeats it.
#[derive(Clone, Copy, Debug)]
pub struct ClassicRow<'a> {
    /// Protocol version.
    pub proto: Proto,
    /// The cipher's OpenSSL name.
    pub cipher: &'a str,
    /// Bits of the server's RSA key.
    pub rsa_bits: u16,
    /// Bytes sent each way.
    pub bytes: u64,
    /// User seconds of 1000 full handshakes in 1997; none for the row that the table lacks.
    pub full_1997: Option<f64>,
    /// User seconds of 1 full and 999 resumed handshakes in 1997.
    pub reuse_1997: Option<f64>,
    /// The same now, run or not.
    pub now: &'a CellResult,
}

/// Connections of a loop in 1997: what seconds are given for.
const CONNECTIONS: u64 = 1000;

impl<'a> ClassicRow<'a> {
    /// A row of the table with what was measured now.
    pub fn of(row: &'a Row1997, now: &'a CellResult) -> Self {
        Self {
            proto: row.proto,
            cipher: row.cipher.openssl,
            rsa_bits: row.rsa_bits,
            bytes: row.bytes,
            full_1997: row.full,
            reuse_1997: row.reuse,
            now,
        }
    }

    /// The rows that a document is about if it is nothing but rows of the table, in their order; none otherwise.
    pub fn of_document(table: &'a Table, document: &'a Document) -> Option<Vec<Self>> {
        let mut rows = table.rows.iter();
        let is_of = |row: &Row1997, now: &CellResult| {
            let engine = now.dims.value("engine").map(ToString::to_string);
            engine.is_some_and(|engine| table.cell(row, &engine).id() == now.id)
        };
        let found = document
            .cells
            .iter()
            .map(|now| Some(Self::of(rows.find(|row| is_of(row, now))?, now)))
            .collect::<Option<Vec<Self>>>();
        found.filter(|rows| !rows.is_empty())
    }

    /// CPU seconds for 1000 connections now.
    pub(super) fn seconds_now(&self, kind: LoopKind) -> Option<f64> {
        seconds_for_1000(kind, &self.now.loops)
    }

    /// User seconds for 1000 connections in 1997.
    pub(super) fn seconds_1997(&self, kind: LoopKind) -> Option<f64> {
        match kind {
            LoopKind::Full => self.full_1997,
            LoopKind::Reuse => self.reuse_1997,
        }
    }

    /// How many times faster it is now.
    pub(super) fn times_faster(&self, kind: LoopKind) -> Option<f64> {
        let now = self.seconds_now(kind).filter(|&seconds| seconds > 0.0)?;
        Some(self.seconds_1997(kind)? / now)
    }
}

/// CPU seconds that 1000 connections of one kind take, from a loop of as many or of another number.
///
/// A reuse loop holds one full handshake however long it is, so that only the others are scaled. What the full one cost
/// is known best from the full loop; without that one, the resumed connections count at their median. None if the loop
/// did not run, or resumed nothing.
pub fn seconds_for_1000(kind: LoopKind, loops: &Loops) -> Option<f64> {
    let result = loops.of(kind)?;
    if result.connections == CONNECTIONS {
        return Some(result.cpu_seconds());
    }
    let ns = match kind {
        LoopKind::Full => cpu_ns_each(result) * CONNECTIONS as f64,
        LoopKind::Reuse => {
            let full_ns = loops.full.as_ref().map(cpu_ns_each);
            let (first_ns, resumed_ns) = full_ns
                .and_then(|full_ns| Some((full_ns, cpu_ns_resumed(result, full_ns)?)))
                .or_else(|| sampled_ns(result))?;
            first_ns + resumed_ns * (CONNECTIONS - 1) as f64
        }
    };
    Some(ns / 1e9)
}

fn cpu_ns_each(result: &LoopResult) -> f64 {
    result.cpu_ns as f64 / result.connections as f64
}

/// CPU time of one resumed connection if the full one took `full_ns`; none if nothing is left for it.
fn cpu_ns_resumed(reuse: &LoopResult, full_ns: f64) -> Option<f64> {
    let rest_ns = reuse.cpu_ns as f64 - full_ns;
    (reuse.connections > 1 && rest_ns > 0.0).then(|| rest_ns / (reuse.connections - 1) as f64)
}

/// The sample of the full connection and the median of the resumed ones. Samples are wall-clock times: an interruption
/// lengthens one of them, which a median does not mind and a difference would.
fn sampled_ns(reuse: &LoopResult) -> Option<(f64, f64)> {
    let (first, resumed) = reuse.samples_ns.split_first()?;
    Some((*first as f64, Summary::of(resumed)?.median_ns))
}

/// The page of the table.
pub(super) fn page(document: &Document, rows: &[ClassicRow<'_>]) -> Page {
    let mut notes = Notes::default();
    let mut grid = Grid { columns: columns(), rows: Vec::with_capacity(rows.len() + 4) };
    for (index, row) in rows.iter().enumerate() {
        if index > 0 && rows[index - 1].bytes != row.bytes {
            grid.rows.push(Row::Gap);
        }
        grid.rows.push(Row::Cells(values(row, &mut notes)));
    }
    let mut footer: Vec<String> = closing_sentence(rows).into_iter().collect();
    footer.extend(closing_lines(document));
    Page {
        caption: vec![
            "Seconds of CPU for 1000 connections, client and server together, in 1997 (Pentium Pro 200, SSLeay 0.8, user time) \
             and now."
                .to_owned(),
            "full: 1000 full handshakes; reuse: 1 full handshake and 999 resumptions. µs: one connection of the full \
             loop in each side's hands."
                .to_owned(),
            "±: 95 % interval of a connection's mean within this run, widened by whatever interrupted it; runs of the \
             program differ by 1.5 to 2 % among themselves."
                .to_owned(),
        ],
        grid,
        notes: notes.into_texts(),
        lists: Vec::new(),
        footer,
    }
}

fn columns() -> Vec<Column> {
    let engine = Column { group: "engine", title: String::new(), align: Align::Left };
    vec![
        Column::key("protocol", Align::Left),
        Column::key("cipher", Align::Left),
        Column::key("RSA bits", Align::Right),
        Column::key("bytes", Align::Right),
        Column::number("1997", "full"),
        Column::number("1997", "reuse"),
        Column::number("now", "full"),
        Column::number("now", "±"),
        Column::number("now", "reuse"),
        Column::number("now", "±"),
        Column::number("faster", "full"),
        Column::number("faster", "reuse"),
        engine,
        Column::number("µs", "client"),
        Column::number("µs", "server"),
    ]
}

fn values(row: &ClassicRow<'_>, notes: &mut Notes) -> Vec<String> {
    let then = |kind| or_absent(row.seconds_1997(kind).map(|seconds| format!("{seconds:.2}")));
    let now = |kind| or_absent(row.seconds_now(kind).map(|seconds| significant(seconds, 3)));
    let sure = |kind| or_absent(row.now.loops.of(kind).and_then(uncertainty));
    let faster = |kind| or_absent(row.times_faster(kind).map(ratio));
    let sides = row.now.loops.full.as_ref().and_then(LoopResult::sides_cpu_ns);
    vec![
        row.proto.title().to_owned(),
        row.cipher.to_owned(),
        row.rsa_bits.to_string(),
        count(row.bytes),
        then(LoopKind::Full),
        then(LoopKind::Reuse),
        now(LoopKind::Full),
        sure(LoopKind::Full),
        now(LoopKind::Reuse),
        sure(LoopKind::Reuse),
        faster(LoopKind::Full),
        faster(LoopKind::Reuse),
        engine(row, notes),
        or_absent(sides.map(|(client_ns, _)| micros(client_ns))),
        or_absent(sides.map(|(_, server_ns)| micros(server_ns))),
    ]
}

/// How sure the time of a connection is, in percent: half the 95 % interval of its mean.
fn uncertainty(result: &LoopResult) -> Option<String> {
    Some(format!("{} %", significant(100.0 * result.mean_uncertainty()?, 2)))
}

/// Who ran the row, with marks for what is to be said about it.
fn engine(row: &ClassicRow<'_>, notes: &mut Notes) -> String {
    let reason = || row.now.reason.as_deref().unwrap_or("no reason is on record");
    let engines = || or_absent(row.now.dims.engines());
    match row.now.status {
        Status::Unsupported => return format!("none {}", notes.mark(reason())),
        Status::Error => return format!("error {}", notes.mark(&format!("{}: {}", engines(), reason()))),
        Status::Ok => {}
    }
    let mut words = vec![engines()];
    let loops = || LoopKind::BOTH.iter().filter_map(|&kind| row.now.loops.of(kind));
    let lengths: Vec<u64> = loops().map(|result| result.connections).collect();
    if lengths.iter().any(|&length| length != CONNECTIONS) {
        let (least, most) = (lengths.iter().min(), lengths.iter().max());
        let (least, most) = (least.copied().unwrap_or_default(), most.copied().unwrap_or_default());
        let run = if least == most { count(least) } else { format!("{} and {}", count(least), count(most)) };
        words.push(notes.mark(&format!(
            "{run} connections a loop were run; the seconds are scaled to 1000, a reuse loop's one full handshake \
             counted once"
        )));
    }
    if loops().any(|result| result.cpu_wall_differ) {
        words.push(notes.mark(DIFFER_NOTE));
    }
    words.join(" ")
}

/// What the README of 1997 ended its table with, for this machine.
fn closing_sentence(rows: &[ClassicRow<'_>]) -> Option<String> {
    let row = rows.iter().find(|row| {
        (row.proto, row.cipher, row.rsa_bits, row.bytes) == (Proto::Ssl3, "RC4-MD5", 512, 10240)
    })?;
    let now = row.now.loops.full.as_ref()?.connections_per_second()?;
    let then = row.full_1997.map_or_else(String::new, |seconds| {
        format!(" (1997: about {})", significant(CONNECTIONS as f64 / seconds, 2))
    });
    Some(format!(
        "This machine manages about {} connections a second with no session reuse at 10240 bytes, RC4-MD5, 512-bit \
         key{then}.",
        significant(rounded(now), 3)
    ))
}

/// Three significant digits: the sentence says "about".
fn rounded(value: f64) -> f64 {
    let step = 10f64.powi((value.log10().floor() as i32 - 2).max(0));
    (value / step).round() * step
}
