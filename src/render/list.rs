//! The text of `tlspair list`.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::engine::Capabilities;

/// Dimensions in the order of a cell's id.
const DIMENSIONS: [&str; 8] = ["proto", "cipher", "group", "cert", "verify", "auth", "resume", "accel"];
/// Where values begin, and where lines end.
const INDENT: usize = 11;
const WIDTH: usize = 110;

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
) -> String {
    let absent = absent.map(|(id, how)| format!("{id}: not here\n  {how}\n"));
    let parts: Vec<String> = engines.map(one).chain(absent).collect();
    parts.join("\n")
}

fn one(engine: Engine<'_>) -> String {
    let Capabilities { id, library, version, build, supports, lacks } = engine.capabilities;
    let place = engine.executable.map_or_else(String::new, |name| format!(" in {name}"));
    let mut text = format!("{id}: {library} {version}{place}\n");
    paragraph(&mut text, "build", build);
    for dimension in DIMENSIONS {
        let mut label = dimension;
        if let Some(values) = supports.get(dimension) {
            paragraph(&mut text, label, &values.join(" "));
            label = "";
        }
        for (reason, values) in by_reason(lacks.get(dimension)) {
            paragraph(&mut text, label, &format!("not {}: {reason}", values.join(" ")));
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
fn paragraph(text: &mut String, label: &str, words: &str) {
    let mut line = format!("  {label:<width$}", width = INDENT - 2);
    let mut is_empty = true;
    for word in words.split(' ') {
        if !is_empty && line.len() + 1 + word.len() > WIDTH {
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
