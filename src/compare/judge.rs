//! The verdict on each loop's times, and the second look at the suspects.

use super::ROUNDING;
use super::doubts::doubts;
use super::look::Look;
use crate::measure::LoopKind;
use crate::results::{Comparison, Evidence, FirstLook, LoopComparison, Method, Thresholds, Verdict};
use crate::stats::{benjamini_hochberg, holm};

/// Fills in everything that follows from the evidence of each loop: effects, adjusted p values, verdict, odd rounds
/// and doubts. What these fields held before does not matter.
///
/// The first measurements of all loops of all cells are one family for "slower" and one for "faster", adjusted after
/// Benjamini and Hochberg. Loops that were measured again are judged by the fresh measurement alone, adjusted after
/// Holm among themselves; their first one stays in the first families, so that the other loops' values do not depend
/// on it.
pub fn judge(comparison: &mut Comparison) {
    let Comparison { method, cells, .. } = comparison;
    let mut loops: Vec<(Thresholds, &mut LoopComparison)> = cells
        .iter_mut()
        .flat_map(|cell| {
            let both = [cell.loops.full.as_mut(), cell.loops.reuse.as_mut()].into_iter().flatten();
            both.map(|one| (cell.thresholds, one))
        })
        .collect();
    let first = loops.iter().map(|(_, one)| first_evidence(one));
    let first = Tested::family(first, method, benjamini_hochberg);
    let fresh = loops.iter().filter(|(_, one)| one.first_look.is_some()).map(|(_, one)| &one.evidence);
    let mut fresh = Tested::family(fresh, method, holm).into_iter();
    for ((thresholds, one), first) in loops.iter_mut().zip(first) {
        let decisive = match &mut one.first_look {
            None => first,
            Some(look) => {
                look.cpu = first.look.cpu.effect();
                look.p_slower = first.p_slower;
                look.verdict = first.verdict(method.alpha, thresholds.time);
                fresh.next().expect("the fresh family has every loop with a first look, in this order")
            }
        };
        let verdict = decisive.verdict(method.alpha, thresholds.time);
        one.doubts = doubts(&decisive.look, verdict, one.instructions, thresholds);
        decisive.write(verdict, one);
    }
}

/// The loops that `check` measures again: regressions, and inconclusive ones that would be regressions if they were
/// surer. A loop that was measured again is no suspect any more, whatever came out: looking until one likes what one
/// sees gives false alarms.
pub fn suspects(comparison: &Comparison) -> Vec<(usize, LoopKind)> {
    let mut suspects = Vec::new();
    for (place, cell) in comparison.cells.iter().enumerate() {
        for kind in LoopKind::BOTH {
            let Some(one) = cell.loops.of(kind).filter(|one| one.first_look.is_none()) else { continue };
            let is_slow = reaches(one.cpu.ratio.ln(), cell.thresholds.time);
            if one.verdict == Verdict::Regression || (one.verdict == Verdict::Inconclusive && is_slow) {
                suspects.push((place, kind));
            }
        }
    }
    suspects
}

/// Puts fresh evidence in the place of a suspect's, whose first measurement is kept as its first look. [`judge`] is to
/// be called when all suspects have theirs.
///
/// # Panics
///
/// If there is no such loop; `cell` and `kind` are to come from [`suspects`].
pub fn confirm(comparison: &mut Comparison, cell: usize, kind: LoopKind, evidence: Evidence) {
    let one =
        comparison.cells[cell].loops.of_mut(kind).as_mut().expect("a suspect is a loop that was measured");
    let first = std::mem::replace(&mut one.evidence, evidence);
    one.first_look.get_or_insert(FirstLook {
        evidence: first,
        cpu: one.cpu,
        p_slower: one.p_slower,
        verdict: one.verdict,
    });
}

/// A measurement with its p values adjusted within a family.
struct Tested {
    look: Look,
    p_slower: Option<f64>,
    p_faster: Option<f64>,
}

impl Tested {
    fn family<'a>(
        evidence: impl Iterator<Item = &'a Evidence>,
        method: &Method,
        adjust: fn(&[f64]) -> Vec<f64>,
    ) -> Vec<Self> {
        let looks: Vec<Look> = evidence.map(|evidence| Look::of(evidence, method.noise_floor)).collect();
        let slower = adjust_known(looks.iter().map(|look| look.p_slower), adjust);
        let faster = adjust_known(looks.iter().map(|look| look.p_faster), adjust);
        let both = slower.into_iter().zip(faster);
        looks
            .into_iter()
            .zip(both)
            .map(|(look, (p_slower, p_faster))| Self { look, p_slower, p_faster })
            .collect()
    }

    fn verdict(&self, alpha: f64, threshold: f64) -> Verdict {
        let Some(mean) = self.look.cpu.mean() else { return Verdict::Inconclusive };
        let is_sure = |p: Option<f64>| p.is_some_and(|p| p <= alpha);
        let limit = threshold.ln_1p();
        if is_sure(self.p_slower) && reaches(mean, threshold) {
            Verdict::Regression
        } else if is_sure(self.p_faster) && reaches(-mean, threshold) {
            Verdict::Improvement
        } else if self.look.cpu.bounds().is_some_and(|bounds| -limit <= bounds.low && bounds.high <= limit) {
            Verdict::Unchanged
        } else {
            Verdict::Inconclusive
        }
    }

    fn write(self, verdict: Verdict, one: &mut LoopComparison) {
        one.cpu = self.look.cpu.effect();
        one.wall = self.look.wall.effect();
        one.client = self.look.client.effect();
        one.server = self.look.server.effect();
        one.p_slower = self.p_slower;
        one.p_faster = self.p_faster;
        one.verdict = verdict;
        one.odd_rounds = self.look.odd_rounds;
    }
}

fn first_evidence(one: &LoopComparison) -> &Evidence {
    one.first_look.as_ref().map_or(&one.evidence, |look| &look.evidence)
}

/// Adjusts the p values that there are; what has none was not tested and does not count.
fn adjust_known(
    p_values: impl Iterator<Item = Option<f64>>,
    adjust: fn(&[f64]) -> Vec<f64>,
) -> Vec<Option<f64>> {
    let p_values: Vec<Option<f64>> = p_values.collect();
    let known: Vec<f64> = p_values.iter().flatten().copied().collect();
    let mut adjusted = adjust(&known).into_iter();
    p_values.iter().map(|p| p.and_then(|_| adjusted.next())).collect()
}

/// Whether ln(new/old) is at least the threshold's.
fn reaches(log_ratio: f64, threshold: f64) -> bool {
    log_ratio >= threshold.ln_1p() - ROUNDING
}
