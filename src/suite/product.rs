//! The product over lists of values, one list a dimension: what a suite's block and the cell flags of the command
//! line have in common.

use std::collections::HashSet;
use std::ops::Range;

use super::filter::Filter;
use super::key::Key;
use super::value::{Axis, EngineNames, Listed, Value};
use crate::cell::{Cell, Choice, Proto, RuledOut, nearest};
use crate::mistake::{MOST_NAMES, listed};

/// The most combinations that all products of a suite may have together.
pub const MAX_COMBINATIONS: u128 = 100_000;

/// How many combinations to look through for the one that explains best why a value makes no cell.
const MAX_EXAMPLES: usize = 300;

/// Lists of values by dimension. The first list varies slowest, the last fastest.
#[derive(Clone, Debug)]
pub struct Product {
    axes: Vec<Axis>,
}

/// What a product, or several, came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    /// The cells, each once.
    pub cells: Vec<Cell>,
    /// Combinations that the protocol itself rules out.
    pub ruled_out: usize,
    /// Cells left out because an exclusion matched.
    pub excluded: usize,
    /// Cells left out because the same cell came before.
    pub merged: usize,
    /// Engines of the project that were named and that this executable lacks.
    pub absent_engines: Vec<String>,
}

impl Expansion {
    /// Adds cells that are not there yet.
    pub(super) fn add(&mut self, cells: Vec<Cell>, seen: &mut HashSet<String>) {
        for cell in cells {
            if seen.insert(cell.id()) {
                self.cells.push(cell);
            } else {
                self.merged += 1;
            }
        }
    }
}

/// What one product came to, with what is wrong with it.
pub(super) struct Outcome {
    pub cells: Vec<Cell>,
    pub ruled_out: usize,
    pub excluded: usize,
    /// Whether the protocol rules out every combination.
    pub is_void: bool,
    /// Listed values that are in no combination the protocol allows. Only the one to blame if all are ruled out.
    pub useless: Vec<Useless>,
    /// The exclusions, by their place in the list, that matched nothing.
    pub idle_exclusions: Vec<usize>,
}

/// A listed value that makes no cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Useless {
    pub key: Key,
    pub text: String,
    pub at: Range<usize>,
    pub inherited: bool,
    /// The protocol's reason.
    pub reason: String,
    /// What the value could be instead.
    pub hint: String,
}

/// One element of the product.
struct Combination {
    choice: Choice,
    client: String,
    server: String,
    /// Whether this executable has both engines.
    present: bool,
}

impl Combination {
    fn pin(&self) -> Result<Cell, RuledOut> {
        self.choice.pin(&self.client, &self.server)
    }

    /// The same with another value, wherever that of its dimension came from.
    fn pin_with(&self, value: &Value) -> Result<Cell, RuledOut> {
        let mut choice = self.choice.clone();
        value.choose(&mut choice);
        choice.pin(&self.client, &self.server)
    }

    /// The values of a dimension that would make the combination possible.
    fn repairs(&self, key: Key) -> Vec<String> {
        Value::all(key).iter().filter(|value| self.pin_with(value).is_ok()).map(Value::name).collect()
    }
}

impl Product {
    /// Takes the product over `axes`; without one for engines, over all of this executable, varying fastest.
    pub(super) fn of(mut axes: Vec<Axis>, engines: &EngineNames) -> Self {
        if !axes.iter().any(|axis| axis.key.is_engine()) {
            axes.push(Axis::all_engines(engines));
        }
        Self { axes }
    }

    /// How many combinations there are before any is left out.
    pub(super) fn combinations(&self) -> u128 {
        self.axes.iter().fold(1, |product: u128, axis| product.saturating_mul(axis.values.len() as u128))
    }

    /// The dimension with the most values.
    pub(super) fn longest(&self) -> Key {
        self.axes.iter().max_by_key(|axis| axis.values.len()).map_or(Key::Engine, |axis| axis.key)
    }

    /// The named engines that this executable lacks, with the places where they are named. "all" names none.
    pub(super) fn absent_engines(&self) -> impl Iterator<Item = &Listed> {
        let listed = self.axes.iter().flat_map(|axis| &axis.values);
        listed.filter(
            |listed| matches!(&listed.value, Value::Engine { id, present: false } if *id == listed.text),
        )
    }

    /// Where the values that come from a suite's defaults are written.
    pub(super) fn inherited_places(&self) -> impl Iterator<Item = &Range<usize>> {
        let inherited = self.axes.iter().filter(|axis| axis.inherited);
        inherited.flat_map(|axis| &axis.values).map(|listed| &listed.at)
    }

    /// Makes the cells. The caller has checked that there are not too many combinations.
    pub(super) fn expand(&self, exclusions: &[Filter]) -> Outcome {
        let mut outcome = Outcome {
            cells: Vec::new(),
            ruled_out: 0,
            excluded: 0,
            is_void: true,
            useless: Vec::new(),
            idle_exclusions: Vec::new(),
        };
        let mut used: Vec<Vec<bool>> = self.axes.iter().map(|axis| vec![false; axis.values.len()]).collect();
        let mut matched = vec![false; exclusions.len()];
        for index in 0..self.combinations() as usize {
            let digits = self.digits(index);
            let combination = self.combination(&digits);
            let Ok(cell) = combination.pin() else {
                outcome.ruled_out += usize::from(combination.present);
                continue;
            };
            outcome.is_void = false;
            digits.iter().zip(&mut used).for_each(|(&digit, used)| used[digit] = true);
            let mut excluded = false;
            for (filter, matched) in exclusions.iter().zip(&mut matched) {
                let matches = filter.matches(&cell);
                excluded |= matches;
                *matched |= matches;
            }
            match (combination.present, excluded) {
                (false, _) => {}
                (true, true) => outcome.excluded += 1,
                (true, false) => outcome.cells.push(cell),
            }
        }
        outcome.useless = self.useless(&used, outcome.is_void);
        outcome.idle_exclusions = (0..matched.len()).filter(|&at| !matched[at]).collect();
        outcome
    }

    /// Which value each list gives to the combination with this number; the last list varies fastest.
    fn digits(&self, mut index: usize) -> Vec<usize> {
        let mut digits = vec![0; self.axes.len()];
        for (digit, axis) in digits.iter_mut().zip(&self.axes).rev() {
            *digit = index % axis.values.len();
            index /= axis.values.len();
        }
        digits
    }

    fn combination(&self, digits: &[usize]) -> Combination {
        let mut made = Combination {
            choice: Choice::default(),
            client: String::new(),
            server: String::new(),
            present: true,
        };
        for (axis, &digit) in self.axes.iter().zip(digits) {
            let value = &axis.values[digit].value;
            if let Value::Engine { id, present } = value {
                made.present &= present;
                if axis.key != Key::Server {
                    made.client.clone_from(id);
                }
                if axis.key != Key::Client {
                    made.server.clone_from(id);
                }
            }
            value.choose(&mut made.choice);
        }
        made
    }

    fn useless(&self, used: &[Vec<bool>], is_void: bool) -> Vec<Useless> {
        if is_void {
            let digits = vec![0; self.axes.len()];
            return vec![self.complaint(self.to_blame(&digits), &digits)];
        }
        let mut useless = Vec::new();
        for (axis, used) in used.iter().enumerate() {
            for value in (0..used.len()).filter(|&value| !used[value]) {
                useless.push(self.complaint(axis, &self.best_example(axis, value)));
            }
        }
        useless
    }

    /// The combination with this value that comes nearest to a cell: best one that a change of this value would
    /// repair, and a change of one other value too.
    fn best_example(&self, axis: usize, value: usize) -> Vec<usize> {
        let is_neutral = |axis: usize| Value::all(self.axes[axis].key).is_empty();
        let examples = (0..self.combinations() as usize)
            .map(|index| self.digits(index))
            .filter(|digits| digits[axis] == value)
            .filter(|digits| {
                digits
                    .iter()
                    .enumerate()
                    .all(|(other, &digit)| other == axis || digit == 0 || !is_neutral(other))
            })
            .take(MAX_EXAMPLES);
        let mut first = vec![0; self.axes.len()];
        first[axis] = value;
        let mut best = (0, first);
        for digits in examples {
            let repairable = usize::from(!self.repairs(axis, &digits).is_empty());
            let nearness = 1 + repairable + usize::from(self.other_repair(axis, &digits).is_some());
            if nearness > best.0 {
                best = (nearness, digits);
            }
            if nearness == 3 {
                break;
            }
        }
        best.1
    }

    /// Another dimension that could make the combination possible, with the values that would.
    fn other_repair(&self, axis: usize, digits: &[usize]) -> Option<(usize, Vec<String>)> {
        let others = (0..self.axes.len()).filter(|&other| other != axis);
        others.map(|other| (other, self.repairs(other, digits))).find(|(_, repairs)| !repairs.is_empty())
    }

    /// A dimension that is not given at all, with the values that would make the combination possible.
    fn unlisted_repair(&self, digits: &[usize]) -> Option<String> {
        let whole = self.combination(digits);
        let unlisted = Key::ALL.into_iter().filter(|key| self.axes.iter().all(|axis| axis.key != *key));
        let mut found =
            unlisted.map(|key| (key, whole.repairs(key))).filter(|(_, values)| !values.is_empty());
        found.next().map(|(key, values)| format!("{} {}", key.name(), listed(&values, "or")))
    }

    /// The list whose value makes a ruled-out combination impossible. Where several do, the one that depends on
    /// the others (a cipher on the version, a certificate on the cipher), and the block's own before inherited ones.
    fn to_blame(&self, digits: &[usize]) -> usize {
        let mut candidates: Vec<usize> =
            (0..self.axes.len()).filter(|&axis| !self.axes[axis].key.is_engine()).collect();
        candidates.sort_by_key(|&axis| (self.axes[axis].inherited, std::cmp::Reverse(self.axes[axis].key)));
        let repairable = candidates.iter().find(|&&axis| !self.repairs(axis, digits).is_empty());
        let taking_part = || candidates.iter().find(|&&axis| self.takes_part(axis, digits));
        repairable.or_else(taking_part).or(candidates.first()).copied().unwrap_or(0)
    }

    /// Whether a combination without the axis's value would be possible, or impossible for another reason.
    fn takes_part(&self, axis: usize, digits: &[usize]) -> bool {
        let others = (0..self.axes.len()).filter(|&other| other != axis);
        let mut choice = Choice::default();
        others.for_each(|other| self.axes[other].values[digits[other]].value.choose(&mut choice));
        let whole = self.combination(digits);
        choice.pin(&whole.client, &whole.server).err() != whole.pin().err()
    }

    /// The values that would make the combination possible in place of the one that `axis` gives it.
    fn repairs(&self, axis: usize, digits: &[usize]) -> Vec<String> {
        self.combination(digits).repairs(self.axes[axis].key)
    }

    /// What stands in the way next if a value is changed that stood in the way first, such as "with proto tls1.3, …".
    fn next_obstacle(&self, digits: &[usize], first: &str) -> Option<String> {
        let combination = self.combination(digits);
        let changes =
            self.axes.iter().flat_map(|axis| Value::all(axis.key).into_iter().map(|to| (axis.key, to)));
        let mut after = changes.filter_map(|(key, value)| {
            let RuledOut(why) = combination.pin_with(&value).err()?;
            // A value that is in the way itself leads nowhere.
            let is_itself =
                Proto::ALL.iter().any(|proto| proto.name() == value.name() && why.contains(proto.title()));
            (!is_itself && without_versions(&why) != without_versions(first))
                .then(|| format!("with {} {}, {why}", key.name(), value.name()))
        });
        after.next()
    }

    fn complaint(&self, axis: usize, digits: &[usize]) -> Useless {
        let written = |axis: usize| &self.axes[axis].values[digits[axis]];
        let Listed { text, at, .. } = written(axis);
        let reason = self.combination(digits).pin().err().map_or_else(String::new, |RuledOut(why)| why);
        let valid = self.repairs(axis, digits);
        let here = near(text, &valid);
        let another = self.other_repair(axis, digits).map(|(other, values)| {
            let few = values.len() <= MOST_NAMES;
            let shown = if few { listed(&values, "or") } else { near(&written(other).text, &values) };
            format!("another {}: {shown}", self.axes[other].key.name())
        });
        let hint = match (valid.is_empty(), another) {
            (false, None) => format!("possible here: {here}"),
            (false, Some(another)) => format!("possible here: {here}; or {another}"),
            (true, Some(another)) => format!("possible with {another}"),
            (true, None) => match self.unlisted_repair(digits) {
                Some(another) => format!("possible with {another}"),
                None => {
                    let next = self.next_obstacle(digits, &reason);
                    let next = next.map_or_else(String::new, |next| format!(": {next}"));
                    format!("no one change of a name makes it possible{next}")
                }
            },
        };
        Useless {
            key: self.axes[axis].key,
            text: text.clone(),
            at: at.clone(),
            inherited: self.axes[axis].inherited,
            reason,
            hint,
        }
    }
}

/// A reason that holds for several versions, without their names.
fn without_versions(reason: &str) -> String {
    Proto::ALL.iter().fold(reason.to_owned(), |text, proto| text.replace(proto.title(), ""))
}

/// Those of the valid values that look most like what was written; all if none does.
fn near(written: &str, valid: &[String]) -> String {
    let near = nearest(written, valid.iter().map(String::as_str));
    listed(if near.is_empty() { valid } else { &near }, "or")
}
