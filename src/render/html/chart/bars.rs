//! Bars in groups: what belongs together stands together, each bar with its name and its number.

use maud::html;

use super::drawing::Drawing;
use super::scale::{Scale, percent};
use crate::render::grid::{Align, Column, Grid, Row};
use crate::render::html::block::Figure;
use crate::render::html::patterns::Fill;

/// A chart of bars that begin at 0.
pub(in crate::render::html) struct Bars {
    pub(in crate::render::html) title: String,
    /// What longer bars mean.
    pub(in crate::render::html) about: &'static str,
    /// What a group is, and what a bar, as headings of a table.
    pub(in crate::render::html) names: [&'static str; 2],
    pub(in crate::render::html) unit: &'static str,
    pub(in crate::render::html) groups: Vec<Group>,
}

/// Bars under one heading.
pub(in crate::render::html) struct Group {
    pub(in crate::render::html) label: String,
    pub(in crate::render::html) bars: Vec<Bar>,
}

/// One bar.
pub(in crate::render::html) struct Bar {
    pub(in crate::render::html) label: String,
    /// None where there is no number.
    pub(in crate::render::html) value: Option<f64>,
    /// Its 95 % interval.
    pub(in crate::render::html) interval: Option<(f64, f64)>,
    /// The number as people read it, or what stands in its place.
    pub(in crate::render::html) shown: String,
    pub(in crate::render::html) fill: Fill,
}

const THICK: u32 = 11;
/// How far intervals may reach, as a multiple of the longest bar.
const MOST_ROOM: f64 = 1.25;

impl Bars {
    pub(in crate::render::html) fn figure(self) -> Figure {
        let bars = || self.groups.iter().flat_map(|group| &group.bars);
        let longest = bars().filter_map(|bar| bar.value).fold(0.0, f64::max);
        let farthest = bars().filter_map(|bar| bar.interval).map(|(_, high)| high).fold(longest, f64::max);
        // An interval that nobody knows much by must not press all bars flat.
        let scale = Scale::from_zero(farthest.min(longest * MOST_ROOM));
        let mut drawing = Drawing::default();
        for group in &self.groups {
            drawing.heading(&group.label);
            group.bars.iter().for_each(|bar| draw(&mut drawing, bar, scale, self.unit));
            drawing.down(8);
        }
        let description = self.description();
        let numbers = self.numbers();
        drawing.figure(self.title, description, numbers)
    }

    /// The longest and the shortest say most of what the chart says.
    fn description(&self) -> String {
        let bars = || self.groups.iter().flat_map(|group| group.bars.iter().map(move |bar| (group, bar)));
        let valued = || bars().filter_map(|(group, bar)| Some((group, bar, bar.value?)));
        let words = |(group, bar, _): (&Group, &Bar, f64)| {
            format!("{}, {}: {} {}", group.label, bar.label, bar.shown, self.unit)
        };
        let longest = valued().max_by(|one, other| one.2.total_cmp(&other.2)).map(words);
        let shortest = valued().min_by(|one, other| one.2.total_cmp(&other.2)).map(words);
        let ends = match (longest, shortest) {
            (Some(longest), Some(shortest)) => format!(" Longest: {longest}. Shortest: {shortest}."),
            _ => " Nothing ran.".to_owned(),
        };
        format!("{} bars. {}{ends} The table below has all numbers.", bars().count(), self.about)
    }

    fn numbers(&self) -> Grid {
        let [group, bar] = self.names;
        let columns = vec![
            Column::key(group, Align::Left),
            Column::key(bar, Align::Left),
            Column::key(self.unit, Align::Right),
        ];
        let rows = self.groups.iter().flat_map(|group| {
            group
                .bars
                .iter()
                .map(|bar| Row::Cells(vec![group.label.clone(), bar.label.clone(), bar.shown.clone()]))
        });
        Grid { rows: rows.collect(), columns }
    }
}

fn draw(drawing: &mut Drawing, bar: &Bar, scale: Scale, unit: &str) {
    let Some(value) = bar.value else {
        drawing.words(&bar.label, &bar.shown);
        drawing.down(3);
        return;
    };
    drawing.words(&bar.label, &format!("{} {unit}", bar.shown));
    let y = drawing.y();
    drawing.put(&html! {
        rect.track x="0" y=(y) width="100%" height=(THICK) {}
        rect class=(bar.fill.class()) x="0" y=(y) width=(percent(scale.place(value))) height=(THICK) {}
    });
    if let Some((low, high)) = bar.interval {
        let middle = y + THICK / 2;
        let (from, to) = (percent(scale.place(low)), percent(scale.place(high)));
        drawing.put(&html! { line x1=(from) x2=(to) y1=(middle) y2=(middle) {} });
    }
    drawing.down(THICK + 3);
}
