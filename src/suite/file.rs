//! Reads a suite file into products. It goes on after a mistake, so that one run tells all of them.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::filter::Filter;
use super::key::Key;
use super::product::Product;
use super::thresholds::{self, PartialThresholds};
use super::value::{Axis, EngineNames, Listed, Value};
use crate::cell::UnknownName;
use crate::measure::LoopKind;
use crate::mistake::Problem;

/// The longest loop.
pub const MAX_CONNECTIONS: u64 = 10_000_000;

/// A suite file as it was read, before any cell is made.
#[derive(Default)]
pub(super) struct Draft {
    pub title: String,
    pub about: String,
    pub connections: Option<u64>,
    pub loops: Option<Vec<LoopKind>>,
    pub blocks: Vec<Block>,
    pub problems: Vec<Problem>,
}

/// One `[[cells]]` block.
pub(super) struct Block {
    /// Its header.
    pub at: Range<usize>,
    pub product: Product,
    pub exclusions: Vec<Exclusion>,
    pub thresholds: PartialThresholds,
}

/// What the blocks of a suite inherit.
#[derive(Default)]
struct Defaults {
    axes: Vec<Axis>,
    thresholds: PartialThresholds,
}

/// One expression of a block's `exclude` list.
pub(super) struct Exclusion {
    pub at: Range<usize>,
    pub filter: Filter,
}

type Item<'a> = Spanned<DeValue<'a>>;

/// A key with its place, and its value.
type Entry<'a, 'i> = (&'a str, Range<usize>, &'a Item<'i>);

const TOP_KEYS: [&str; 6] = ["title", "about", "connections", "loops", "defaults", "cells"];

/// Reads `text`; what is wrong is in the draft's problems, and blocks with mistakes are left out.
pub(super) fn read(text: &str, engines: &EngineNames) -> Draft {
    let mut reader = Reader { text, engines, draft: Draft::default() };
    let (table, errors) = DeTable::parse_recoverable(text);
    if errors.is_empty() {
        reader.top(table.get_ref());
    }
    for error in errors {
        reader.complain(Problem::of_toml(&error, "not valid TOML"));
    }
    reader.draft
}

struct Reader<'t> {
    text: &'t str,
    engines: &'t EngineNames,
    draft: Draft,
}

impl Reader<'_> {
    fn complain(&mut self, problem: Problem) {
        self.draft.problems.push(problem);
    }

    /// A value of the wrong type.
    fn wrong_type(&mut self, item: &Item<'_>, what: &str, hint: &str) {
        let found = item.get_ref().type_str();
        self.complain(Problem::new(item.span(), format!("{what}, not a TOML {found}"), hint));
    }

    fn top(&mut self, table: &DeTable<'_>) {
        let mut defaults = Some(Defaults::default());
        let mut blocks: &[Item<'_>] = &[];
        for (key, at, item) in entries(table) {
            match key {
                "title" => self.draft.title = self.sentence(item, "title"),
                "about" => self.draft.about = self.sentence(item, "about"),
                "connections" => self.draft.connections = self.connections(item),
                "loops" => self.draft.loops = self.loops(item),
                "defaults" => defaults = self.defaults(item),
                "cells" => match item.get_ref() {
                    DeValue::Array(array) if array.is_empty() => {
                        self.complain(Problem::new(
                            item.span(),
                            "a suite without cells",
                            "add a [[cells]] block",
                        ));
                    }
                    DeValue::Array(array) => blocks = array,
                    _ => self.wrong_type(item, "cells are blocks", "write [[cells]], with two brackets"),
                },
                _ => {
                    self.complain(Problem::of(at, UnknownName::new("key", key, TOP_KEYS)));
                }
            }
        }
        for required in ["title", "about", "cells"] {
            if !table.contains_key(required) {
                let label = match required {
                    "title" => "add title = \"…\"",
                    "about" => "add about = \"…\": one sentence on what the suite shows",
                    _ => "add a [[cells]] block",
                };
                self.complain(Problem::new(0..0, format!("a suite without `{required}`"), label));
            }
        }
        for item in blocks {
            self.block(item, defaults.as_ref());
        }
    }

    fn sentence(&mut self, item: &Item<'_>, what: &str) -> String {
        match item.get_ref() {
            DeValue::String(text) if text.trim().is_empty() => {
                self.complain(Problem::new(item.span(), format!("{what} is empty"), "write some words"));
                String::new()
            }
            DeValue::String(text) => text.to_string(),
            _ => {
                self.wrong_type(item, &format!("{what} is a text"), "write it in quotes");
                String::new()
            }
        }
    }

    fn connections(&mut self, item: &Item<'_>) -> Option<u64> {
        let DeValue::Integer(integer) = item.get_ref() else {
            self.wrong_type(item, "connections is a whole number", "write digits, as in connections = 1000");
            return None;
        };
        let number = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
        let in_range = number.filter(|number| (1..=MAX_CONNECTIONS).contains(number));
        if in_range.is_none() {
            let nearest = if integer.as_str().starts_with(['-', '0']) { 1 } else { MAX_CONNECTIONS };
            let what = format!("connections must be 1 to {MAX_CONNECTIONS}, not {integer}");
            let label = format!("the nearest valid number is {nearest}");
            self.complain(Problem::new(item.span(), what, label));
        }
        in_range
    }

    fn loops(&mut self, item: &Item<'_>) -> Option<Vec<LoopKind>> {
        let mut loops = Vec::new();
        for item in self.items(item)? {
            let Some(name) = item.get_ref().as_str() else {
                self.wrong_type(item, "a loop is a name", "write \"full\" or \"reuse\"");
                return None;
            };
            match LoopKind::BOTH.into_iter().find(|kind| kind.name() == name) {
                Some(kind) if loops.contains(&kind) => {}
                Some(kind) => loops.push(kind),
                None => {
                    let valid = LoopKind::BOTH.map(LoopKind::name);
                    self.complain(Problem::of(item.span(), UnknownName::new("loop", name, valid)));
                    return None;
                }
            }
        }
        Some(loops)
    }

    /// The items of a list, or the one item that stands for a list of one. An empty list is a mistake.
    fn items<'a, 'i>(&mut self, item: &'a Item<'i>) -> Option<&'a [Item<'i>]> {
        match item.get_ref() {
            DeValue::Array(array) if array.is_empty() => {
                self.complain(Problem::new(
                    item.span(),
                    "an empty list",
                    "name a value, or leave the key out",
                ));
                None
            }
            DeValue::Array(array) => Some(array),
            _ => Some(std::slice::from_ref(item)),
        }
    }

    fn defaults(&mut self, item: &Item<'_>) -> Option<Defaults> {
        let DeValue::Table(table) = item.get_ref() else {
            self.wrong_type(item, "defaults are a table", "write [defaults], and a key = value a line");
            return None;
        };
        let (thresholds, dimensions): (Vec<_>, Vec<_>) =
            entries(table).into_iter().partition(|(key, ..)| *key == thresholds::KEY);
        let (mut axes, sound) = self.axes(&dimensions);
        axes.iter_mut().for_each(|axis| axis.inherited = true);
        let thresholds = self.thresholds(&thresholds)?;
        sound.then_some(Defaults { axes, thresholds })
    }

    /// Reads the dimensions of a table; tells whether all of them are well.
    fn axes(&mut self, entries: &[Entry<'_, '_>]) -> (Vec<Axis>, bool) {
        let mut axes = Vec::new();
        let mut sound = true;
        for (name, at, item) in entries {
            let values = match Key::named(name) {
                Ok(key) => self.values(key, item).map(|values| Axis { key, values, inherited: false }),
                Err(mut unknown) => {
                    unknown.dimension = "key";
                    self.complain(Problem::of(at.clone(), unknown));
                    None
                }
            };
            sound &= values.is_some();
            axes.extend(values);
        }
        (axes, sound && self.engines_agree(entries))
    }

    fn engines_agree(&mut self, entries: &[Entry<'_, '_>]) -> bool {
        let place = |key: Key| entries.iter().find(|(name, ..)| *name == key.name()).map(|(_, at, _)| at);
        let Err((key, mistake)) = Key::check_engines(|key| place(key).is_some()) else {
            return true;
        };
        self.complain(Problem::of(place(key).cloned().unwrap_or_default(), mistake));
        false
    }

    /// Reads the values of one dimension; nothing if any is wrong.
    fn values(&mut self, key: Key, item: &Item<'_>) -> Option<Vec<Listed>> {
        let mut values = Vec::new();
        let mut sound = true;
        for item in self.items(item)? {
            let text = match item.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(integer) if key.limits().is_some() => decimal(integer),
                _ => {
                    sound = false;
                    let hint = match key.limits() {
                        Some(_) => "write a whole number, or a text such as \"16KiB\" or \"1..3\"",
                        None => "write names in quotes",
                    };
                    self.wrong_type(item, &format!("{} is a value or a list of values", key.name()), hint);
                    continue;
                }
            };
            match Value::parse(key, &text, self.engines) {
                Ok(parsed) => values.extend(parsed.into_iter().map(|value| Listed {
                    text: text.clone(),
                    value,
                    at: item.span(),
                })),
                Err(mistake) => {
                    sound = false;
                    self.complain(Problem::of(item.span(), mistake));
                }
            }
        }
        sound.then_some(values)
    }

    /// Reads a block; without sound defaults it is only looked through for mistakes.
    fn block(&mut self, item: &Item<'_>, defaults: Option<&Defaults>) {
        let DeValue::Table(table) = item.get_ref() else {
            self.wrong_type(item, "cells are blocks", "write [[cells]], and a key = value a line");
            return;
        };
        let (excludes, others): (Vec<_>, Vec<_>) =
            entries(table).into_iter().partition(|(key, ..)| *key == "exclude");
        let (thresholds, dimensions): (Vec<_>, Vec<_>) =
            others.into_iter().partition(|(key, ..)| *key == thresholds::KEY);
        let (own, sound) = self.axes(&dimensions);
        let exclusions = match excludes.first() {
            Some((_, _, item)) => self.exclusions(item),
            None => Some(Vec::new()),
        };
        let thresholds = self.thresholds(&thresholds);
        if let (true, Some(exclusions), Some(thresholds), Some(defaults)) =
            (sound, exclusions, thresholds, defaults)
        {
            let product = Product::of(with_defaults(own, &defaults.axes), self.engines);
            let thresholds = thresholds.or(defaults.thresholds);
            self.draft.blocks.push(Block { at: item.span(), product, exclusions, thresholds });
        }
    }

    /// Reads the thresholds of a table, if it has any; nothing if they are wrong.
    fn thresholds(&mut self, entries: &[Entry<'_, '_>]) -> Option<PartialThresholds> {
        match entries.first() {
            Some((_, _, item)) => thresholds::read(item, &mut self.draft.problems),
            None => Some(PartialThresholds::default()),
        }
    }

    fn exclusions(&mut self, item: &Item<'_>) -> Option<Vec<Exclusion>> {
        let mut exclusions = Vec::new();
        let mut sound = true;
        for item in self.items(item)? {
            let Some(expression) = item.get_ref().as_str() else {
                sound = false;
                self.wrong_type(
                    item,
                    "exclude lists filters",
                    "write them in quotes: \"cert=rsa4096,bytes=1\"",
                );
                continue;
            };
            match Filter::parse(expression) {
                Ok(filter) => exclusions.push(Exclusion { at: item.span(), filter }),
                Err(error) => {
                    sound = false;
                    let at = self.inside(item.span(), expression, error.at);
                    self.complain(Problem::new(at, error.what, error.hint));
                }
            }
        }
        sound.then_some(exclusions)
    }

    /// Where a part of a TOML text stands in the file; the whole text if it was written with escapes.
    fn inside(&self, quoted: Range<usize>, content: &str, part: Range<usize>) -> Range<usize> {
        let begin = quoted.start + 1;
        let is_verbatim = self.text.get(begin..begin + content.len()) == Some(content);
        if is_verbatim { begin + part.start..begin + part.end } else { quoted }
    }
}

/// What a table holds, in the order of writing: the order in which a product varies.
fn entries<'a, 'i>(table: &'a DeTable<'i>) -> Vec<Entry<'a, 'i>> {
    let mut entries: Vec<Entry<'a, 'i>> =
        table.iter().map(|(key, item)| (key.get_ref().as_ref(), key.span(), item)).collect();
    entries.sort_by_key(|(_, at, _)| at.start);
    entries
}

/// The block's own lists after those of the defaults that it does not replace.
fn with_defaults(own: Vec<Axis>, defaults: &[Axis]) -> Vec<Axis> {
    let names_engines = own.iter().any(|axis| axis.key.is_engine());
    let replaced = |key: Key| own.iter().any(|axis| axis.key == key) || (names_engines && key.is_engine());
    let mut axes: Vec<Axis> = defaults.iter().filter(|axis| !replaced(axis.key)).cloned().collect();
    axes.extend(own);
    axes
}

/// An integer of any radix as decimal digits, or as written if it is too large for any use.
fn decimal(integer: &toml::de::DeInteger<'_>) -> String {
    i128::from_str_radix(integer.as_str(), integer.radix())
        .map_or_else(|_| integer.to_string(), |number| number.to_string())
}
