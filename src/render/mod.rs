//! Results for people and for tools: text tables, Markdown, CSV, HTML, and what CI services read. Everything goes through a `Write` that the caller gives;
//! nothing is printed from here.

mod arrivals;
mod bars;
pub mod baselines;
mod classic;
mod compare;
mod csv;
mod dims;
mod explain;
pub mod export;
mod formats;
pub mod github;
mod grid;
pub mod html;
pub mod list;
mod markdown;
pub mod number;
mod page;
mod predict;
mod report;
mod run;
mod selftest;
pub mod speed;
mod text;
mod visible;
mod workloads;

pub use self::classic::{ClassicRow, seconds_for_1000};
pub use self::csv::write_csv;
pub use self::markdown::write_markdown;
pub use self::report::Report;
pub use self::selftest::write_selftest;
pub use self::text::{Style, write_text};
pub use visible::visible;

use crate::measure::LoopKind;

/// What stands for a number of something that did not happen or was not counted.
pub const ABSENT: &str = "—";

/// A loop of a cell, named like one more dimension.
fn loop_name(id: &str, kind: LoopKind) -> String {
    format!("{id}/loop={}", kind.name())
}

/// What kind of connection a loop is made of, by the loop's name.
fn connection(loop_name: &str) -> &'static str {
    if loop_name == LoopKind::Full.name() { "full" } else { "resumed" }
}

fn or_absent(text: Option<String>) -> String {
    text.unwrap_or_else(|| ABSENT.to_owned())
}
