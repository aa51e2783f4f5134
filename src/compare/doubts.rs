//! What makes the comparison of a loop doubtful, or less simple than its verdict, in words.

use super::look::{Amount, LogRatio, Look, PROCESS_DEVIATION};
use super::words::{list, pace};
use crate::render::number::percent;
use crate::results::{Instructions, Thresholds, Verdict};
use crate::stats::Bounds;

/// Every doubt about a verdict.
pub(super) fn doubts(
    look: &Look,
    verdict: Verdict,
    counts: Option<Instructions>,
    thresholds: &Thresholds,
) -> Vec<String> {
    let limit = thresholds.time.ln_1p();
    let mut doubts = Vec::new();
    doubts.extend(little_evidence(look.amount));
    doubts.extend(odd_rounds(&look.odd_rounds));
    doubts.extend(wall_disagrees(look, limit));
    if matches!(verdict, Verdict::Unchanged | Verdict::Inconclusive) {
        doubts.extend(hidden_side("client", &look.client, limit));
        doubts.extend(hidden_side("server", &look.server, limit));
    }
    doubts.extend(counts.and_then(|counts| instructions_disagree(verdict, counts, thresholds.instructions)));
    doubts
}

fn little_evidence(amount: Amount) -> Option<String> {
    match amount {
        Amount::Nothing => Some("no round was completed".to_owned()),
        Amount::OneRound => {
            Some("only one round was completed: how much rounds differ is not known".to_owned())
        }
        Amount::OneProcess => Some(format!(
            "one side ran in a single process, so that no verdict is possible; the interval takes processes to differ by {} \
             among themselves, and more on a busy machine. `run --save-baseline` measures in several",
            percent(PROCESS_DEVIATION)
        )),
        Amount::Enough => None,
    }
}

fn odd_rounds(numbers: &[u64]) -> Option<String> {
    let names: Vec<String> = numbers.iter().map(u64::to_string).collect();
    match numbers {
        [] => None,
        [number] => Some(format!("round {number} is far from the others; it counts all the same")),
        _ => Some(format!("rounds {} are far from the others; they count all the same", list(&names))),
    }
}

/// The two clocks may differ by what decides a verdict before it means something.
fn wall_disagrees(look: &Look, limit: f64) -> Option<String> {
    let (wall, cpu) = (look.wall.mean()?, look.cpu.mean()?);
    let Bounds { low, high } = look.cpu.bounds()?;
    (wall < low - limit || wall > high + limit).then(|| {
        let (wall, cpu) = (pace(wall), pace(cpu));
        format!("wall clock says {wall}, CPU time {cpu}: something else ran, or the library waits")
    })
}

fn hidden_side(name: &str, side: &LogRatio, limit: f64) -> Option<String> {
    let Bounds { low, high } = side.bounds()?;
    let is_changed = low > limit || high < -limit;
    is_changed.then_some(())?;
    Some(format!("the {name} alone is {}", pace(side.mean()?)))
}

fn instructions_disagree(verdict: Verdict, counts: Instructions, threshold: f64) -> Option<String> {
    let growth = counts.new.total() / counts.old.total() - 1.0;
    let is_flat = growth.ln_1p().abs() <= threshold.ln_1p();
    let flat = |time: &str, work: &str| {
        Some(format!(
            "CPU time is {time} but instructions are flat: layout, caches or frequency, rather than {work} work"
        ))
    };
    match verdict {
        Verdict::Regression if is_flat => flat("up", "more"),
        Verdict::Improvement if is_flat => flat("down", "less"),
        Verdict::Unchanged if growth.is_finite() && !is_flat => {
            let direction = if growth > 0.0 { "up" } else { "down" };
            Some(format!("instructions are {direction} by {} but CPU time is flat", percent(growth.abs())))
        }
        _ => None,
    }
}
