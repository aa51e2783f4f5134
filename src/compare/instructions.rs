//! Differences in instruction counts.

use super::ROUNDING;
use super::words::connection;
use crate::measure::LoopKind;
use crate::render::number::{count, percent};
use crate::results::{Change, InstructionCount, LoopComparisons, Thresholds};

/// Every difference in the instructions of a connection that is beyond the threshold in either direction; smaller ones
/// are how well such counts repeat. Growth of both sides together is a regression; that of one side alone is not,
/// because work may move from one to the other.
pub fn instruction_changes(loops: &LoopComparisons, thresholds: &Thresholds) -> Vec<Change> {
    LoopKind::BOTH
        .into_iter()
        .filter_map(|kind| Some((kind, loops.of(kind)?.instructions?)))
        .flat_map(|(kind, counts)| {
            PARTS.into_iter().filter_map(move |part| {
                change(kind, part, (part.of)(counts.old), (part.of)(counts.new), thresholds.instructions)
            })
        })
        .collect()
}

/// Who executes instructions.
#[derive(Clone, Copy)]
struct Part {
    field: &'static str,
    subject: &'static str,
    decides: bool,
    of: fn(InstructionCount) -> f64,
}

const PARTS: [Part; 3] = [
    Part { field: "client", subject: "the client executes", decides: false, of: |count| count.client },
    Part { field: "server", subject: "the server executes", decides: false, of: |count| count.server },
    Part {
        field: "total",
        subject: "both sides together execute",
        decides: true,
        of: InstructionCount::total,
    },
];

fn change(kind: LoopKind, part: Part, old: f64, new: f64, threshold: f64) -> Option<Change> {
    let growth = (old > 0.0).then(|| new / old - 1.0);
    let is_beyond = growth.map_or(new > old, |growth| growth.abs() > threshold + ROUNDING);
    is_beyond.then(|| Change {
        metric: format!("instructions.{}.{}", kind.name(), part.field),
        old: old.round().to_string(),
        new: new.round().to_string(),
        growth,
        is_regression: part.decides && new > old,
        words: words(kind, part, old, new, growth),
    })
}

fn words(kind: LoopKind, part: Part, old: f64, new: f64, growth: Option<f64>) -> String {
    let (subject, connection) = (part.subject, connection(kind));
    let [old, new] = [old, new].map(|number| count(number.round() as u64));
    match growth {
        None => format!("{subject} {new} instructions in a {connection}, before none"),
        Some(growth) => {
            let direction = if growth > 0.0 { "more" } else { "fewer" };
            let size = percent(growth.abs());
            format!("{subject} {size} {direction} instructions in a {connection} ({old} → {new})")
        }
    }
}
