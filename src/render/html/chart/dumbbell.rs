//! Then and now: two dots on a logarithmic axis with a line between them.

use maud::html;

use super::drawing::{Anchor, Drawing};
use super::scale::{Scale, percent};
use crate::render::grid::{Align, Column, Grid, Row};
use crate::render::html::block::Figure;
use crate::render::number::{ratio, significant};

/// A chart of pairs.
pub(in crate::render::html) struct Dumbbells {
    pub(in crate::render::html) title: String,
    pub(in crate::render::html) pairs: Vec<Pair>,
}

/// Seconds of one row, of one loop.
pub(in crate::render::html) struct Pair {
    pub(in crate::render::html) label: String,
    pub(in crate::render::html) name: &'static str,
    pub(in crate::render::html) then: Option<f64>,
    pub(in crate::render::html) now: Option<f64>,
}

const HIGH: u32 = 14;

impl Dumbbells {
    pub(in crate::render::html) fn figure(self) -> Figure {
        let seconds = || {
            let both = self.pairs.iter().flat_map(|pair| [pair.then, pair.now]);
            both.flatten().filter(|&seconds| seconds > 0.0)
        };
        let low = 10f64.powf(seconds().fold(1.0, f64::min).log10().floor());
        let high = 10f64.powf(seconds().fold(1.0, f64::max).log10().ceil());
        let scale = Scale::log(low, high.max(10.0 * low));
        let mut drawing = Drawing::default();
        let mut last = "";
        for pair in &self.pairs {
            if pair.label != last {
                drawing.down(if last.is_empty() { 0 } else { 6 });
                drawing.heading(&pair.label);
                last = &pair.label;
            }
            draw(&mut drawing, pair, scale);
        }
        axis(&mut drawing, low, high, scale);
        drawing.labels(&[(
            0.0,
            Anchor::Start,
            "○ 1997   ● now   seconds, each step is 10 times the last".to_owned(),
        )]);
        let description = format!(
            "{} rows: seconds of CPU in 1997 as a hollow dot and now as a full one, on an axis where each step is ten \
             times the last. The table below has all numbers.",
            self.pairs.len()
        );
        let numbers = numbers(&self.pairs);
        drawing.figure(self.title, description, numbers)
    }
}

fn draw(drawing: &mut Drawing, pair: &Pair, scale: Scale) {
    drawing.words(pair.name, &words(pair));
    let (top, middle) = (drawing.y(), drawing.y() + HIGH / 2);
    drawing.put(&html! { line.axis x1="0" x2="100%" y1=(middle) y2=(middle) {} });
    let place = |seconds: Option<f64>| seconds.map(|seconds| inset(scale.place(seconds)));
    let (then, now) = (place(pair.then), place(pair.now));
    if let Some((then, now)) = then.zip(now) {
        drawing.put(&html! { line x1=(percent(now)) x2=(percent(then)) y1=(middle) y2=(middle) {} });
    }
    for (place, class) in [(then, "mark hollow"), (now, "mark")] {
        if let Some(place) = place {
            drawing.put(&html! { circle class=(class) cx=(percent(place)) cy=(middle) r="4.5" {} });
        }
    }
    drawing.down(top + HIGH - drawing.y());
}

/// Away from the edges, where half of a dot would be cut off.
fn inset(place: f64) -> f64 {
    0.02 + 0.96 * place
}

fn axis(drawing: &mut Drawing, low: f64, high: f64, scale: Scale) {
    let mut labels = Vec::new();
    let mut tick = low;
    while tick <= high * 1.01 {
        let place = inset(scale.place(tick));
        drawing.upright("axis", place, drawing.y(), 5);
        labels.push((place, Anchor::at(place), tick_words(tick)));
        tick *= 10.0;
    }
    drawing.down(5);
    drawing.labels(&labels);
}

/// A power of ten.
fn tick_words(tick: f64) -> String {
    if tick >= 0.99 { format!("{tick:.0}") } else { significant(tick, 1) }
}

fn words(pair: &Pair) -> String {
    let seconds = |seconds: Option<f64>, digits: usize| {
        seconds.map_or_else(|| "—".to_owned(), |seconds| significant(seconds, digits))
    };
    let times = faster(pair).map(|times| format!(", {} faster", ratio(times))).unwrap_or_default();
    format!("{} → {} s{times}", then_words(pair), seconds(pair.now, 3))
}

fn then_words(pair: &Pair) -> String {
    pair.then.map_or_else(|| "—".to_owned(), |seconds| format!("{seconds:.2}"))
}

fn faster(pair: &Pair) -> Option<f64> {
    let now = pair.now.filter(|&seconds| seconds > 0.0)?;
    Some(pair.then? / now)
}

fn numbers(pairs: &[Pair]) -> Grid {
    let columns = vec![
        Column::key("row", Align::Left),
        Column::key("loop", Align::Left),
        Column::key("1997, s", Align::Right),
        Column::key("now, s", Align::Right),
        Column::key("faster", Align::Right),
    ];
    let absent = || "—".to_owned();
    let rows = pairs.iter().map(|pair| {
        Row::Cells(vec![
            pair.label.clone(),
            pair.name.to_owned(),
            then_words(pair),
            pair.now.map_or_else(absent, |seconds| significant(seconds, 3)),
            faster(pair).map_or_else(absent, ratio),
        ])
    });
    Grid { rows: rows.collect(), columns }
}
