//! Instructions of both sides, counted at once: unlike times they do not depend on what else runs.

use std::thread;
use std::time::{Duration, Instant};

use super::contest::{Contest, ContestObserver, Contested};
use crate::instructions::{self, CountError};
use crate::measure::LoopKind;
use crate::results::{Dims, InstructionCount, Instructions};

impl Contest<'_> {
    /// Counts the instructions of every loop that was measured. What cannot be counted is a warning of the comparison.
    pub fn count_instructions(&self, contested: &mut Contested, observer: &mut dyn ContestObserver) {
        let [old, new] = self.sides().map(|side| side.path);
        let started = Instant::now();
        let of = contested.planned.len();
        let mut counted = 0;
        for planned in &contested.planned {
            if self.terms.stop.requested() {
                contested.comparison.complete = false;
                return;
            }
            observer.counting(counted + 1, of, left(started.elapsed(), counted, of));
            counted += 1;
            let cell = &mut contested.comparison.cells[planned.cell];
            let kind = planned.entry.kind;
            let Some(one) = cell.loops.of_mut(kind) else { continue };
            let [old_side, new_side] = planned.entry.sides.as_slice() else { continue };
            match both((&old, &old_side.dims), (&new, &new_side.dims), kind) {
                Ok(instructions) => one.instructions = Some(instructions),
                Err(error) => {
                    let warning = format!("no instruction counts of {} {}: {error}", cell.id, kind.name());
                    contested.comparison.warnings.push(warning);
                    if !is_of_one_cell(&error) {
                        return; // the next cells would say the same
                    }
                }
            }
        }
    }
}

type Side<'a> = (&'a std::path::Path, &'a Dims);

fn both(old: Side<'_>, new: Side<'_>, kind: LoopKind) -> Result<Instructions, CountError> {
    let count = |(path, dims): Side<'_>| -> Result<InstructionCount, CountError> {
        instructions::count(path, dims, kind)
    };
    thread::scope(|scope| {
        let new = scope.spawn(move || count(new));
        let old = count(old)?;
        let new = new.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        Ok(Instructions { old, new })
    })
}

fn is_of_one_cell(error: &CountError) -> bool {
    matches!(error, CountError::Cell(_) | CountError::Crashed { .. } | CountError::Valgrind { .. })
}

/// What the rest should take, by what was counted so far; none before the first.
fn left(elapsed: Duration, counted: usize, of: usize) -> Option<Duration> {
    (counted > 0).then(|| elapsed.mul_f64((of - counted) as f64 / counted as f64))
}
