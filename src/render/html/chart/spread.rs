//! How the connections of a loop spread: a histogram from the fastest to the 99th of a hundred, and how slow the rest are.

use maud::html;

use super::drawing::{Anchor, Drawing};
use super::scale::Scale;
use crate::render::grid::{Align, Column, Grid, Row};
use crate::render::html::block::Figure;
use crate::render::html::patterns::Fill;
use crate::render::number::{count, duration};
use crate::stats::Summary;

/// A chart of histograms, each on its own axis.
pub(in crate::render::html) struct Spreads<'a> {
    pub(in crate::render::html) title: String,
    pub(in crate::render::html) spreads: Vec<Spread<'a>>,
}

/// The samples of one loop.
pub(in crate::render::html) struct Spread<'a> {
    pub(in crate::render::html) label: String,
    pub(in crate::render::html) name: &'static str,
    /// At least one.
    pub(in crate::render::html) samples_ns: &'a [u64],
    pub(in crate::render::html) fill: Fill,
}

const BINS: usize = 48;
const HIGH: u32 = 30;
/// From this ratio of the ends on equal ratios show more than equal differences.
const LOG_FROM: f64 = 4.0;

/// Samples sorted into bins of the axis.
struct Binned {
    scale: Scale,
    counts: [u32; BINS],
    summary: Summary,
    /// Slower than the axis is long.
    beyond: usize,
    slowest_ns: u64,
}

impl Spreads<'_> {
    pub(in crate::render::html) fn figure(self) -> Figure {
        let mut drawing = Drawing::default();
        let mut rows = Vec::new();
        let mut words = Vec::new();
        let mut last = "";
        for spread in &self.spreads {
            let Some(binned) = Binned::of(spread.samples_ns) else { continue };
            if spread.label != last {
                drawing.down(if last.is_empty() { 0 } else { 6 });
                drawing.heading(&spread.label);
                last = &spread.label;
            }
            draw(&mut drawing, spread, &binned);
            words.push(format!(
                "{} {}: median {}",
                spread.label,
                spread.name,
                duration(binned.summary.median_ns)
            ));
            rows.push(row(spread, &binned));
        }
        let description = format!(
            "Histograms of the time of single connections. {}. The table below has the percentiles.",
            words.join("; ")
        );
        drawing.figure(self.title, description, Grid { columns: columns(), rows })
    }
}

impl Binned {
    fn of(samples_ns: &[u64]) -> Option<Self> {
        let summary = Summary::of(samples_ns)?;
        let slowest_ns = samples_ns.iter().copied().max()?;
        let (low, high) = (summary.min_ns as f64, summary.p99_ns.max(summary.min_ns as f64 + 1.0));
        let is_log = low > 0.0 && high / low >= LOG_FROM;
        let scale = if is_log { Scale::log(low, high) } else { Scale::linear(low, high) };
        let mut counts = [0; BINS];
        let mut beyond = 0;
        for &sample in samples_ns {
            if sample as f64 > high {
                beyond += 1;
            } else {
                let bin = (scale.place(sample as f64) * BINS as f64) as usize;
                counts[bin.min(BINS - 1)] += 1;
            }
        }
        Some(Self { scale, counts, summary, beyond, slowest_ns })
    }

    /// The outline of all bins, 100 high.
    fn outline(&self) -> String {
        let most = u64::from(self.counts.iter().copied().max().unwrap_or_default().max(1));
        let mut path = String::from("M0 100");
        // Neighbours of the same height are one step.
        for bins in self.counts.chunk_by(|one, next| one == next) {
            let top = 100 - (u64::from(bins[0]) * 100).div_ceil(most);
            path.push_str(&format!("V{top}h{}", bins.len()));
        }
        path.push_str("V100Z");
        path
    }
}

fn draw(drawing: &mut Drawing, spread: &Spread<'_>, binned: &Binned) {
    let Summary { min_ns, median_ns, p95_ns, p99_ns, .. } = binned.summary;
    drawing.words(spread.name, &format!("median {}, 95 % {}", duration(median_ns), duration(p95_ns)));
    let top = drawing.y();
    let view_box = format!("0 0 {BINS} 100");
    drawing.put(&html! {
        rect.track x="0" y=(top) width="100%" height=(HIGH) {}
        svg x="0" y=(top) width="100%" height=(HIGH) viewBox=(view_box) preserveAspectRatio="none" {
            path class=(flat(spread.fill)) d=(binned.outline()) {}
        }
    });
    drawing.upright("median", binned.scale.place(median_ns), top, HIGH);
    drawing.upright("dashed", binned.scale.place(p95_ns), top, HIGH);
    drawing.down(HIGH);
    let beyond = match binned.beyond {
        0 => duration(p99_ns),
        beyond => format!(
            "{}; {} more to {}",
            duration(p99_ns),
            count(beyond as u64),
            duration(binned.slowest_ns as f64)
        ),
    };
    let low =
        format!("{}{}", duration(min_ns as f64), if binned.scale.is_log() { " (log axis)" } else { "" });
    drawing.labels(&[(0.0, Anchor::Start, low), (1.0, Anchor::End, beyond)]);
}

/// The colour without its pattern, which a histogram's stretched picture would distort.
fn flat(fill: Fill) -> String {
    fill.class().replace('f', "c")
}

fn columns() -> Vec<Column> {
    let mut columns = vec![Column::key("cell", Align::Left), Column::key("loop", Align::Left)];
    let numbers = ["connections", "fastest", "median", "mean", "95 %", "99 %", "slowest"];
    columns.extend(numbers.map(|title| Column::key(title, Align::Right)));
    columns
}

fn row(spread: &Spread<'_>, binned: &Binned) -> Row {
    let Summary { count: connections, min_ns, median_ns, mean_ns, p95_ns, p99_ns, .. } = binned.summary;
    let mut cells = vec![spread.label.clone(), spread.name.to_owned(), count(connections as u64)];
    let times = [min_ns as f64, median_ns, mean_ns, p95_ns, p99_ns, binned.slowest_ns as f64];
    cells.extend(times.map(duration));
    Row::Cells(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_is_in_a_bin_or_beyond_all() {
        let mut samples: Vec<u64> = (0..1000).map(|index| 100_000 + index * 10).collect();
        samples[7] = 90_000_000;
        let binned = Binned::of(&samples).expect("samples");
        assert_eq!(binned.counts.iter().sum::<u32>() as usize + binned.beyond, samples.len());
        assert_eq!((binned.slowest_ns, binned.scale.is_log()), (90_000_000, false));
        assert!(binned.beyond >= 10);
    }

    #[test]
    fn a_wide_spread_gets_a_logarithmic_axis() {
        let samples: Vec<u64> = (1..=1000).map(|index| index * index).collect();
        assert!(Binned::of(&samples).expect("samples").scale.is_log());
    }

    #[test]
    fn equal_samples_and_a_single_one_are_drawn_too() {
        for samples in [vec![5; 10], vec![7], vec![0]] {
            let binned = Binned::of(&samples).expect("samples");
            assert_eq!(binned.outline(), "M0 100V0h1V100h47V100Z");
        }
    }
}
