//! The fields of an explanation's rows: one row a cell, loop, side and kind of operation, and one for what is left.

use super::{Fields, push};
use crate::engine::Side;
use crate::results::{CellExplanation, ExplainedOperations, ExplainedSide, Explanation};

/// A row of a side; without operations, what its sums say.
pub(super) struct Row<'a> {
    cell: &'a CellExplanation,
    side: Option<(Side, &'a ExplainedSide)>,
    operations: Option<&'a ExplainedOperations>,
}

/// Every row, those of operations first on each side.
pub(super) fn rows(explanation: &Explanation) -> Vec<Row<'_>> {
    let mut rows = Vec::new();
    for cell in &explanation.cells {
        let Some(sides) = &cell.sides else {
            rows.push(Row { cell, side: None, operations: None });
            continue;
        };
        for (side, explained) in [(Side::Client, &sides.client), (Side::Server, &sides.server)] {
            let side = Some((side, explained));
            rows.extend(explained.operations.iter().map(|one| Row { cell, side, operations: Some(one) }));
            rows.push(Row { cell, side, operations: None });
        }
    }
    rows
}

pub(super) fn fields(row: Option<&Row<'_>>) -> Fields {
    let mut fields = Fields::new();
    let side = row.and_then(|row| row.side);
    let one = row.and_then(|row| row.operations);
    // The sums stand in rows of their own, so that a column can be added up.
    let sums = side.filter(|_| one.is_none()).map(|(_, explained)| explained);
    push(&mut fields, "id", row.map(|row| &row.cell.id));
    push(&mut fields, "loop", row.map(|row| &row.cell.loop_name));
    push(&mut fields, "status", row.map(|row| row.cell.status.name()));
    push(&mut fields, "reason", row.and_then(|row| row.cell.reason.as_ref()));
    push(&mut fields, "side", side.map(|(side, _)| side));
    push(&mut fields, "stage", one.map(|one| &one.stage));
    push(&mut fields, "purpose", one.map(|one| &one.purpose));
    push(&mut fields, "primitive", one.map(|one| &one.primitive));
    push(&mut fields, "bytes", one.and_then(|one| one.bytes));
    push(&mut fields, "count", one.map(|one| one.count));
    push(&mut fields, "share", one.map(|one| one.share));
    push(&mut fields, "ns", one.and_then(|one| one.ns));
    push(&mut fields, "rule", one.and_then(|one| one.rule.as_ref()));
    push(&mut fields, "measured_ns", sums.map(ExplainedSide::measured_ns));
    push(&mut fields, "operations_ns", sums.map(ExplainedSide::operations_ns));
    push(&mut fields, "machinery_ns", sums.and_then(|sums| sums.machinery_ns));
    push(&mut fields, "unattributed_ns", sums.and_then(ExplainedSide::unattributed_ns));
    fields
}
