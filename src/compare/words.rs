//! Phrases that several sentences share.

use crate::measure::LoopKind;
use crate::render::number::percent;

/// How much longer or shorter something takes: `8.1 % slower`, `8.1 % faster`, or `as fast` where the difference is
/// too small to be written.
pub(super) fn pace(log_ratio: f64) -> String {
    let growth = log_ratio.exp_m1();
    let size = percent(growth.abs());
    if size == percent(0.0) {
        "as fast".to_owned()
    } else {
        format!("{size} {}", if growth > 0.0 { "slower" } else { "faster" })
    }
}

/// A connection of one kind of loop.
pub(super) fn connection(kind: LoopKind) -> &'static str {
    match kind {
        LoopKind::Full => "full connection",
        LoopKind::Reuse => "resumed connection",
    }
}

/// Things in a row: `1`, `1 and 2`, `1, 2 and 3`.
pub(super) fn list(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}
