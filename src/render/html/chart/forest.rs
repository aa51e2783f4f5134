//! A forest plot: how many times as long each loop takes as before, with its interval, beside 1 and the threshold.

use maud::html;

use super::drawing::{Anchor, Drawing};
use super::scale::{Scale, percent};
use crate::render::grid::{Align, Column, Grid, Row};
use crate::render::html::block::Figure;
use crate::results::Effect;

/// A chart of effects.
pub(in crate::render::html) struct Effects {
    pub(in crate::render::html) title: String,
    pub(in crate::render::html) intervals: Vec<Interval>,
}

/// One loop of a cell.
pub(in crate::render::html) struct Interval {
    pub(in crate::render::html) label: String,
    pub(in crate::render::html) verdict: &'static str,
    /// Whether what was counted grew by more than allowed, whatever the time did.
    pub(in crate::render::html) grew: bool,
    /// The effect in words.
    pub(in crate::render::html) words: String,
    pub(in crate::render::html) effect: Effect,
    /// From which growth on it is a regression.
    pub(in crate::render::html) threshold: f64,
}

const HIGH: u32 = 18;
/// Ratios that an axis may name, those first that say most.
const TICKS: [f64; 21] = [
    1.0, 0.5, 2.0, 0.1, 10.0, 0.8, 1.25, 0.9, 1.1, 0.95, 1.05, 0.2, 5.0, 0.98, 1.02, 0.99, 1.01, 0.67, 1.5,
    0.01, 100.0,
];
/// Names of ticks need so much of the width.
const TICK_WIDTH: f64 = 0.13;

impl Effects {
    pub(in crate::render::html) fn figure(self) -> Figure {
        let scale = self.scale();
        let mut drawing = Drawing::default();
        for interval in &self.intervals {
            drawing.heading(&interval.label);
            drawing.words(&interval.verdict_words(), &interval.words);
            draw(&mut drawing, interval, scale);
        }
        axis(&mut drawing, scale);
        let legend = "new time ÷ old time; solid line: 1, dashed: threshold";
        drawing.labels(&[(0.0, Anchor::Start, legend.to_owned())]);
        let words =
            self.intervals.iter().map(|one| format!("{}: {}, {}", one.label, one.verdict_words(), one.words));
        let description = format!(
            "How many times as long each loop takes on the new side, with its 95 % interval. {}.",
            words.collect::<Vec<_>>().join("; ")
        );
        let numbers = self.numbers();
        drawing.figure(self.title, description, numbers)
    }

    /// Wide enough for every interval and every threshold.
    fn scale(&self) -> Scale {
        let mut low: f64 = 0.98;
        let mut high: f64 = 1.02;
        for Interval { effect, threshold, .. } in &self.intervals {
            low = low.min(effect.low.unwrap_or(effect.ratio)).min(1.0 - threshold);
            high = high.max(effect.high.unwrap_or(effect.ratio)).max(1.0 + threshold);
        }
        let low = low.max(1e-3);
        let margin = (high / low).powf(0.04);
        Scale::log(low / margin, high * margin)
    }

    fn numbers(&self) -> Grid {
        let mut columns =
            vec![Column::key("cell and loop", Align::Left), Column::key("verdict", Align::Left)];
        let numbers = ["ratio", "95 % from", "to", "threshold"];
        columns.extend(numbers.map(|title| Column::key(title, Align::Right)));
        let rows = self.intervals.iter().map(|one| {
            let shown =
                |ratio: Option<f64>| ratio.map_or_else(|| "—".to_owned(), |ratio| format!("{ratio:.4}"));
            let Effect { ratio, low, high } = one.effect;
            let mut cells = vec![one.label.clone(), one.verdict_words()];
            cells.extend([Some(ratio), low, high, Some(1.0 + one.threshold)].map(shown));
            Row::Cells(cells)
        });
        Grid { rows: rows.collect(), columns }
    }
}

impl Interval {
    fn verdict_words(&self) -> String {
        format!("{}{}", self.verdict, if self.grew { ", but grew" } else { "" })
    }
}

fn draw(drawing: &mut Drawing, interval: &Interval, scale: Scale) {
    let Interval { effect, threshold, verdict, .. } = interval;
    let (top, middle) = (drawing.y(), drawing.y() + HIGH / 2);
    drawing.put(&html! { rect.track x="0" y=(top) width="100%" height=(HIGH) {} });
    drawing.upright("limit", scale.place(1.0 - threshold), top, HIGH);
    drawing.upright("limit", scale.place(1.0 + threshold), top, HIGH);
    drawing.upright("one", scale.place(1.0), top, HIGH);
    if let (Some(low), Some(high)) = (effect.low, effect.high) {
        let (from, to) = (percent(scale.place(low)), percent(scale.place(high)));
        drawing.put(&html! { line x1=(from) x2=(to) y1=(middle) y2=(middle) {} });
        for end in [low, high] {
            drawing.upright("end", scale.place(end), middle - 4, 8);
        }
    }
    let (class, shape) = marker(verdict);
    drawing.put(&html! {
        svg x=(percent(scale.place(effect.ratio))) y=(middle) overflow="visible" { path class=(class) d=(shape) {} }
    });
    drawing.down(HIGH + 8);
}

/// A shape for each verdict: it points where the time went, or is hollow where nobody knows.
fn marker(verdict: &str) -> (&'static str, &'static str) {
    match verdict {
        "regression" => ("mark", "M-4 -6L6 0L-4 6Z"),
        "improvement" => ("mark", "M4 -6L-6 0L4 6Z"),
        "inconclusive" => ("mark hollow", "M0 -6L6 0L0 6L-6 0Z"),
        _ => ("mark", "M-4 -4H4V4H-4Z"),
    }
}

fn axis(drawing: &mut Drawing, scale: Scale) {
    let mut placed: Vec<(f64, f64)> = Vec::new();
    for tick in TICKS {
        let place = scale.place(tick);
        let is_inside = place > 0.0 && place < 1.0;
        if is_inside && placed.iter().all(|(_, other)| (other - place).abs() >= TICK_WIDTH) {
            placed.push((tick, place));
        }
    }
    let labels: Vec<(f64, Anchor, String)> =
        placed.iter().map(|&(tick, place)| (place, Anchor::at(place), tick.to_string())).collect();
    drawing.labels(&labels);
}
