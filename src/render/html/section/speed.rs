//! Primitives: the table, and bars by engine.

use super::Section;
use crate::render::Report;
use crate::render::html::block::{Block, Figure};
use crate::render::html::chart::{Bar, Bars, Group};
use crate::render::html::patterns::Fill;
use crate::render::html::table::Table;
use crate::render::number::{counted, significant};
use crate::results::{PerOperation, PrimitiveResult, Speed, Status};

pub(super) fn sections(speed: &Speed) -> Vec<Section> {
    if speed.primitives.is_empty() {
        return Vec::new();
    }
    let page = Report::Speed(speed).page();
    let table = Table { caption: "Primitives by engine".to_owned(), grid: page.grid, notes: page.notes };
    let mut blocks = vec![Block::Table(table)];
    let figures = figures(speed);
    if !figures.is_empty() {
        blocks.push(Block::Figures(figures));
    }
    blocks.extend(page.lists.into_iter().map(Block::List));
    let lead = vec![
        "Longer bars are faster. The thin line over an end is the 95 % interval of the median.".to_owned(),
    ];
    vec![Section { title: "What primitives take".to_owned(), lead, blocks }]
}

/// One a primitive, with a group a size.
fn figures(speed: &Speed) -> Vec<Figure> {
    let mut names: Vec<&str> = Vec::new();
    for result in speed.primitives.iter().filter(|result| result.per_operation_ns.is_some()) {
        if !names.contains(&result.primitive.as_str()) {
            names.push(&result.primitive);
        }
    }
    names.into_iter().map(|name| figure(speed, name)).collect()
}

fn figure(speed: &Speed, name: &str) -> Figure {
    let mut groups: Vec<(Option<u64>, Group)> = Vec::new();
    let results = speed.primitives.iter().filter(|result| result.primitive == name);
    for result in results.filter(|result| result.status != Status::Unsupported) {
        if groups.last().is_none_or(|(bytes, _)| *bytes != result.bytes) {
            let label = result.bytes.map_or_else(|| name.to_owned(), |bytes| counted(bytes, "byte"));
            groups.push((result.bytes, Group { label, bars: Vec::new() }));
        }
        groups.last_mut().expect("one was just made sure of").1.bars.push(bar(result));
    }
    let takes_bytes = groups.iter().any(|(bytes, _)| bytes.is_some());
    Bars {
        title: name.to_owned(),
        about: "What each engine does in a second; longer is faster.",
        names: ["size", "engine"],
        unit: if takes_bytes { "MB/s" } else { "ops/s" },
        groups: groups.into_iter().map(|(_, group)| group).collect(),
    }
    .figure()
}

fn bar(result: &PrimitiveResult) -> Bar {
    // What is fast by the time of an operation is slow by its rate: the ends change places.
    let rate = |ns: f64| result.bytes.map_or(1e9 / ns, |bytes| bytes as f64 * 1e3 / ns);
    let each = result.per_operation_ns.as_ref();
    let value = each.map(|each| rate(each.median));
    let interval = |each: &PerOperation| Some((rate(each.median_high?), rate(each.median_low?)));
    Bar {
        label: result.engine.clone(),
        value,
        interval: each.and_then(interval),
        shown: value.map_or_else(|| "error".to_owned(), |value| significant(value, 3)),
        fill: Fill::FIRST,
    }
}
