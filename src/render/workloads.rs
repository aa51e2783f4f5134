//! The columns of what cells were put to beside their loops.

use super::grid::Column;
use super::number::{count, significant};
use super::page::Notes;
use super::{ABSENT, or_absent};
use crate::campaign::Workload;
use crate::measure::Contexts;
use crate::results::{CellResult, SideBytes, WorkloadResult};

/// The workloads of a document, each once, in their order.
pub(super) struct WorkloadColumns(Vec<Workload>);

impl WorkloadColumns {
    pub(super) fn of(cells: &[CellResult]) -> Self {
        let mut all = Vec::new();
        for WorkloadResult { workload, .. } in cells.iter().flat_map(|cell| &cell.workloads) {
            if !all.contains(workload) {
                all.push(*workload);
            }
        }
        Self(all)
    }

    pub(super) fn columns(&self) -> Vec<Column> {
        let titles = |workload: &Workload| match *workload {
            Workload::Open { .. } => OPEN.map(|title| Column::number("open", title)).to_vec(),
            Workload::Threads { kind, .. } => ["per s", "× one"]
                .map(|title| Column::number("threads", format!("{} {title}", kind.name())))
                .to_vec(),
        };
        self.0.iter().flat_map(titles).collect()
    }

    pub(super) fn values(&self, cell: &CellResult, notes: &mut Notes) -> Vec<String> {
        let of_cell = |workload: &Workload| cell.workloads.iter().find(|found| found.workload == *workload);
        let mut values = Vec::new();
        for workload in &self.0 {
            let found = of_cell(workload);
            let mut shown = match workload {
                Workload::Open { .. } => open_values(found).to_vec(),
                Workload::Threads { .. } => threads_values(cell, found).to_vec(),
            };
            if let Some(reason) = found.and_then(|found| found.reason.as_ref()) {
                shown[0] = format!("{ABSENT} {}", notes.mark(reason));
            }
            values.extend(shown);
        }
        values
    }

    pub(super) fn captions(&self) -> Vec<String> {
        let mut captions: Vec<String> = self.0.iter().map(caption).collect();
        captions.dedup();
        captions
    }
}

const OPEN: [&str; 5] = ["client each", "server each", "client all", "server all", "left"];

fn caption(workload: &Workload) -> String {
    match *workload {
        Workload::Open { connections } => format!(
            "open: live bytes of heap with {} connections open at once and at rest, what one adds (median) and all \
             together; left: what both sides keep once all are closed.",
            count(connections)
        ),
        Workload::Threads { threads, contexts, .. } => {
            let contexts = match contexts {
                Contexts::Separate => "each with contexts of its own",
                Contexts::Shared => "all with the same contexts",
            };
            format!(
                "threads: {threads} at once, {contexts}: connections of all per second of wall-clock time, and how many \
                 times as many that is as the loop on one thread."
            )
        }
    }
}

fn open_values(found: Option<&WorkloadResult>) -> [String; 5] {
    let bytes = found.and_then(WorkloadResult::open);
    let shown = |of: fn(SideBytes) -> u64, client: bool| {
        or_absent(bytes.map(|bytes| count(of(if client { bytes.client } else { bytes.server }))))
    };
    let left = bytes.map(|bytes| bytes.client.left_bytes + bytes.server.left_bytes);
    [
        shown(|side| side.each_bytes, true),
        shown(|side| side.each_bytes, false),
        shown(|side| side.total_bytes, true),
        shown(|side| side.total_bytes, false),
        or_absent(left.map(signed)),
    ]
}

/// Bytes that may be less than none.
pub(super) fn signed(bytes: i64) -> String {
    let sign = if bytes < 0 { "−" } else { "" };
    format!("{sign}{}", count(bytes.unsigned_abs()))
}

fn threads_values(cell: &CellResult, found: Option<&WorkloadResult>) -> [String; 2] {
    let Some((found, Workload::Threads { kind, .. })) = found.map(|found| (found, found.workload)) else {
        return [ABSENT.to_owned(), ABSENT.to_owned()];
    };
    let times = found.threads(kind);
    let alone = cell.loops.of(kind);
    [
        or_absent(times.and_then(|times| times.per_second()).map(|rate| significant(rate, 3))),
        or_absent(
            times
                .zip(alone)
                .and_then(|(times, alone)| times.times_one(alone))
                .map(|times| significant(times, 3)),
        ),
    ]
}
