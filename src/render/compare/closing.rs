//! What stands below a comparison: what came out, how it was found, on which machine, and what of.

use super::words::percent;
use crate::compare::Summary;
use crate::render::number::counted;
use crate::render::page::{engine_words, machine_line};
use crate::results::{Comparison, Design, EngineEntry, LoopComparison, Method, SideEntry};

/// The lines, in their order.
pub(super) fn lines(comparison: &Comparison) -> Vec<String> {
    let mut lines = vec![
        Summary::of(comparison).sentence(),
        method_line(comparison),
        machine_line(&comparison.machine, &comparison.tool),
        format!("Old: {}", side(&comparison.old)),
        format!("New: {}", side(&comparison.new)),
    ];
    lines.extend(engine_lines(&comparison.old.engines, &comparison.new.engines));
    lines.extend(comparison.left_out.iter().map(|words| format!("Left out: {words}")));
    lines.extend(comparison.warnings.iter().map(|words| format!("Warning: {words}")));
    if !comparison.complete {
        let cells = counted(comparison.cells.len() as u64, "cell");
        lines.push(format!("Not complete: {cells} so far."));
    }
    lines
}

/// How it was measured and decided.
pub(in crate::render) fn method_line(comparison: &Comparison) -> String {
    let Method { design, rounds, pairs, seed, alpha, noise_floor, noise_floor_from, core } =
        &comparison.method;
    let rounds = counted(*rounds, "round");
    let core = core.map_or_else(|| "not bound to a core".to_owned(), |core| format!("on core {core}"));
    let is_live = |side: &SideEntry| side.hash.is_some();
    let measured = match design {
        Design::Paired => format!(
            "{rounds} of a fresh process of each side, {} of batches a visit, seed {seed}, {core}{}",
            counted(*pairs, "pair"),
            again(comparison)
        ),
        Design::Separate if is_live(&comparison.old) || is_live(&comparison.new) => {
            format!("{rounds} of a fresh process of one side, seed {seed}; the other is saved results")
        }
        Design::Separate => "two saved results; nothing was measured now".to_owned(),
    };
    format!(
        "Method: {measured}. A regression is slower by more than the noise floor of {} % ({noise_floor_from}) \
         at q = {alpha}, and by {} % at least.",
        percent(*noise_floor),
        thresholds(comparison)
    )
}

/// What was measured a second time.
fn again(comparison: &Comparison) -> String {
    let loops = comparison.cells.iter().flat_map(|cell| [&cell.loops.full, &cell.loops.reuse]);
    let again: Vec<&LoopComparison> = loops.flatten().filter(|one| one.first_look.is_some()).collect();
    let rounds = again.iter().map(|one| one.evidence.old_times().len() as u64).max().unwrap_or_default();
    match again.len() as u64 {
        0 => String::new(),
        count => format!(
            "; {} once more in {} that alone count",
            counted(count, "suspect"),
            counted(rounds, "fresh round")
        ),
    }
}

/// The threshold of the times; its range if suites set several.
fn thresholds(comparison: &Comparison) -> String {
    let times = || comparison.cells.iter().map(|cell| cell.thresholds.time);
    let least = times().min_by(f64::total_cmp).unwrap_or_default();
    let most = times().max_by(f64::total_cmp).unwrap_or_default();
    if least == most { percent(least) } else { format!("{} to {}", percent(least), percent(most)) }
}

/// What a side is: its file, version and build.
pub(in crate::render) fn side(side: &SideEntry) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(side.hash.as_deref().map(|hash| format!("sha256 {}", hash.get(..12).unwrap_or(hash))));
    parts.push(format!("tlspair {}", side.version));
    parts.extend((!side.build.is_empty()).then(|| side.build.clone()));
    format!("{} ({})", side.name, parts.join(", "))
}

/// The engines that both sides have, as far as they differ.
pub(in crate::render) fn engine_lines(old: &[EngineEntry], new: &[EngineEntry]) -> Vec<String> {
    let both: Vec<(&EngineEntry, &EngineEntry)> =
        old.iter().filter_map(|old| Some((old, new.iter().find(|new| new.id == old.id)?))).collect();
    let lines: Vec<String> = both.iter().filter_map(|(old, new)| difference(old, new)).collect();
    if lines.is_empty() && !both.is_empty() {
        return vec!["Engines: the same versions and builds on both sides.".to_owned()];
    }
    lines
}

fn difference(old: &EngineEntry, new: &EngineEntry) -> Option<String> {
    if old == new {
        return None;
    }
    let id = &old.id;
    if old.library == new.library && old.build == new.build {
        return Some(format!("{id}: {} {} → {}", old.library, old.version, new.version));
    }
    Some(format!("{id}: {} → {}", engine_words(old), engine_words(new)))
}
