//! The text of `tlspair list`.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::text::Style;
use crate::engine::Capabilities;

/// Dimensions in the order of a cell's id.
const DIMENSIONS: [&str; 8] = ["proto", "cipher", "group", "cert", "verify", "auth", "resume", "accel"];
/// Where values begin.
const INDENT: usize = 11;
/// Longer lines are hard to read, however wide a screen is.
const WIDEST: usize = 110;

/// An engine and where it is.
#[derive(Clone, Copy, Debug)]
pub struct Engine<'a> {
    /// What it can do.
    pub capabilities: &'a Capabilities,
    /// Which other executable it is in; none for this one.
    pub executable: Option<&'a str>,
}

/// Every engine with what it supports and, where not, why; then the ids of those that are not here, and how to get them.
pub fn engines<'a>(
    engines: impl Iterator<Item = Engine<'a>>,
    absent: impl Iterator<Item = (&'a str, &'a str)>,
    style: Style,
) -> String {
    let absent = absent.map(|(id, how)| format!("{id}: not here\n  {how}\n"));
    let parts: Vec<String> = engines.map(|engine| one(engine, width(style))).chain(absent).collect();
    parts.join("\n")
}

/// The names of the suites.
pub fn suites(names: &[&str], style: Style) -> String {
    let mut text = "suites\n".to_owned();
    paragraph(&mut text, "", &names.join(" "), width(style));
    text
}

fn width(style: Style) -> usize {
    style.width.map_or(WIDEST, |width| WIDEST.min(width.into()))
}

/// The same as Markdown: a table a dimension, a row a value, a column an engine.
pub fn markdown<'a>(engines: impl Iterator<Item = Engine<'a>>) -> String {
    let all: Vec<&Capabilities> = engines.map(|engine| engine.capabilities).collect();
    let mut text = String::from("| engine | library | version | build |\n|:--|:--|:--|:--|\n");
    for Capabilities { id, library, version, build, .. } in &all {
        _ = writeln!(text, "| `{id}` | {library} | {version} | {build} |");
    }
    for dimension in DIMENSIONS {
        let ids: Vec<String> = all.iter().map(|one| format!("`{}`", one.id)).collect();
        let rule = vec![":-:"; all.len()].join("|");
        _ = write!(text, "\n## `{dimension}`\n\n| | {} |\n|:--|{rule}|\n", ids.join(" | "));
        for value in values(&all, dimension) {
            let has = |one: &&Capabilities| {
                one.supports.get(dimension).is_some_and(|values| values.contains(&value))
            };
            let marks: Vec<&str> = all.iter().map(|one| if has(one) { "yes" } else { "" }).collect();
            _ = writeln!(text, "| `{value}` | {} |", marks.join(" | "));
        }
    }
    text
}

/// Every value that anybody has, in the order of the engine that has most of them, then of the others.
fn values(all: &[&Capabilities], dimension: &str) -> Vec<String> {
    let mut lists: Vec<&Vec<String>> = all.iter().filter_map(|one| one.supports.get(dimension)).collect();
    lists.sort_by_key(|values| std::cmp::Reverse(values.len()));
    let mut found: Vec<String> = Vec::new();
    for value in lists.into_iter().flatten() {
        if !found.contains(value) {
            found.push(value.clone());
        }
    }
    found
}

fn one(engine: Engine<'_>, width: usize) -> String {
    let Capabilities { id, library, version, build, supports, lacks } = engine.capabilities;
    let place = engine.executable.map_or_else(String::new, |name| format!(" in {name}"));
    let mut text = format!("{id}: {library} {version}{place}\n");
    paragraph(&mut text, "build", build, width);
    for dimension in DIMENSIONS {
        let mut label = dimension;
        if let Some(values) = supports.get(dimension) {
            paragraph(&mut text, label, &values.join(" "), width);
            label = "";
        }
        for (reason, values) in by_reason(lacks.get(dimension)) {
            paragraph(&mut text, label, &format!("not {}: {reason}", values.join(" ")), width);
            label = "";
        }
    }
    text
}

/// Values that are missing for one reason stand together, in the order in which the reasons first come up.
fn by_reason(lacks: Option<&BTreeMap<String, String>>) -> Vec<(&str, Vec<&str>)> {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for (value, reason) in lacks.into_iter().flatten() {
        match groups.iter_mut().find(|(known, _)| known == reason) {
            Some((_, values)) => values.push(value),
            None => groups.push((reason, vec![value])),
        }
    }
    groups
}

/// A label and text wrapped beside it.
fn paragraph(text: &mut String, label: &str, words: &str, width: usize) {
    let mut line = format!("  {label:<indent$}", indent = INDENT - 2);
    let mut is_empty = true;
    for word in words.split(' ') {
        if !is_empty && line.len() + 1 + word.len() > width {
            _ = writeln!(text, "{}", line.trim_end());
            line = " ".repeat(INDENT);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    _ = writeln!(text, "{}", line.trim_end());
}
