//! A comparison as CSV: one row a cell and loop, or one a cell that was not compared.

use super::{Fields, push, push_heap};
use crate::measure::LoopKind;
use crate::render::compare::Row;
use crate::results::{CountedSide, Effect, LoopComparison, RoundTime, WireCount};
use crate::suite::Key;

/// Name and value of each field of a row; a row of nothing gives the header.
pub(super) fn fields(row: Option<&Row<'_>>) -> Fields {
    let mut fields = Fields::new();
    let cell = row.map(|row| row.cell);
    push(&mut fields, "id", cell.map(|cell| &cell.id));
    for key in Key::ALL.map(Key::name) {
        push(&mut fields, key, cell.and_then(|cell| cell.dims.value(key)));
    }
    push(&mut fields, "new_engines", cell.and_then(|cell| cell.new_engines.as_ref()));
    let kind = row.and_then(|row| row.timed).map(|(kind, _)| kind);
    push(&mut fields, "loop", kind.map(LoopKind::name));
    push(&mut fields, "verdict", row.map(|row| row.standing().name()));
    push(&mut fields, "is_regression", row.map(Row::is_regression));
    push(&mut fields, "reason", cell.and_then(|cell| cell.reason.as_ref()));
    let thresholds = cell.map(|cell| cell.thresholds);
    push(&mut fields, "threshold_time", thresholds.map(|thresholds| thresholds.time));
    push(&mut fields, "threshold_wire", thresholds.map(|thresholds| thresholds.wire));
    push(&mut fields, "threshold_heap", thresholds.map(|thresholds| thresholds.heap));
    push(&mut fields, "threshold_instructions", thresholds.map(|thresholds| thresholds.instructions));
    push_times(&mut fields, row.and_then(|row| row.timed).map(|(_, times)| times));
    let counted = cell.and_then(|cell| cell.counted.as_ref());
    push_counted(&mut fields, "old", kind, counted.map(|counted| &counted.old));
    push_counted(&mut fields, "new", kind, counted.map(|counted| &counted.new));
    let changes =
        cell.map(|cell| cell.changes.iter().map(|change| change.words.as_str()).collect::<Vec<_>>());
    push(&mut fields, "changes", changes.map(|changes| changes.join("; ")));
    fields
}

fn push_times(fields: &mut Fields, times: Option<&LoopComparison>) {
    push(fields, "batch", times.map(|times| times.batch));
    push_side(fields, "old", times.and_then(LoopComparison::old_median));
    push_side(fields, "new", times.and_then(LoopComparison::new_median));
    push_effect(fields, "cpu", times.map(|times| times.cpu));
    push_effect(fields, "wall", times.map(|times| times.wall));
    push_effect(fields, "client", times.map(|times| times.client));
    push_effect(fields, "server", times.map(|times| times.server));
    push(fields, "p_slower", times.and_then(|times| times.p_slower));
    push(fields, "p_faster", times.and_then(|times| times.p_faster));
    let rounds = times.map(|times| times.evidence.old_times().len().max(times.evidence.new_times().len()));
    push(fields, "rounds", rounds);
    let odd = times.map(|times| times.odd_rounds.iter().map(u64::to_string).collect::<Vec<_>>());
    push(fields, "odd_rounds", odd.map(|odd| odd.join("; ")));
    push(fields, "doubts", times.map(|times| times.doubts.join("; ")));
    let first = times.and_then(|times| times.first_look.as_ref());
    push(fields, "first_verdict", first.map(|look| look.verdict.name()));
    push_effect(fields, "first_cpu", first.map(|look| look.cpu));
    let instructions = times.and_then(|times| times.instructions);
    push(fields, "old_client_instructions", instructions.map(|counts| counts.old.client));
    push(fields, "old_server_instructions", instructions.map(|counts| counts.old.server));
    push(fields, "new_client_instructions", instructions.map(|counts| counts.new.client));
    push(fields, "new_server_instructions", instructions.map(|counts| counts.new.server));
}

fn push_side(fields: &mut Fields, side: &str, median: Option<RoundTime>) {
    push(fields, format!("{side}_cpu_ns"), median.map(|time| time.cpu_ns));
    push(fields, format!("{side}_wall_ns"), median.map(|time| time.wall_ns));
    push(fields, format!("{side}_client_ns"), median.map(|time| time.client_ns));
    push(fields, format!("{side}_server_ns"), median.map(|time| time.server_ns));
}

fn push_effect(fields: &mut Fields, name: &str, effect: Option<Effect>) {
    push(fields, format!("{name}_ratio"), effect.map(|effect| effect.ratio));
    push(fields, format!("{name}_low"), effect.and_then(|effect| effect.low));
    push(fields, format!("{name}_high"), effect.and_then(|effect| effect.high));
}

/// The handshake is that of the row's loop.
fn push_counted(fields: &mut Fields, side: &str, kind: Option<LoopKind>, counted: Option<&CountedSide>) {
    let handshake = counted.zip(kind).and_then(|(counted, kind)| counted.wire.handshake(kind));
    let name = |field: &str| format!("{side}_handshake_{field}");
    let number = |of: fn(WireCount) -> u64| handshake.map(of);
    push(fields, name("client_bytes"), number(|wire| wire.client_bytes));
    push(fields, name("server_bytes"), number(|wire| wire.server_bytes));
    push(fields, name("client_records"), number(|wire| wire.client_records));
    push(fields, name("server_records"), number(|wire| wire.server_records));
    push(fields, name("flights"), number(|wire| wire.flights));
    push(fields, name("post_handshake_bytes"), number(|wire| wire.post_handshake_bytes));
    let app = counted.and_then(|counted| counted.wire.app);
    push(fields, format!("{side}_app_client_bytes"), app.map(|app| app.client_bytes));
    push(fields, format!("{side}_app_server_bytes"), app.map(|app| app.server_bytes));
    push(fields, format!("{side}_app_client_records"), app.map(|app| app.client_records));
    push(fields, format!("{side}_app_server_records"), app.map(|app| app.server_records));
    let heap = counted.and_then(|counted| counted.heap.as_ref());
    push_heap(fields, &format!("{side}_heap_client"), heap.map(|heap| &heap.client));
    push_heap(fields, &format!("{side}_heap_server"), heap.map(|heap| &heap.server));
}
