//! Results for people: text tables, Markdown and CSV. Everything goes through a `Write` that the caller gives;
//! nothing is printed from here.

pub mod baselines;
mod classic;
mod csv;
pub mod export;
mod grid;
pub mod list;
mod markdown;
pub mod number;
mod page;
mod report;
mod run;
mod text;

pub use self::classic::{ClassicRow, seconds_for_1000};
pub use self::csv::write_csv;
pub use self::markdown::write_markdown;
pub use self::report::Report;
pub use self::text::{Style, write_text};

/// What stands for a number of something that did not happen or was not counted.
pub const ABSENT: &str = "—";

fn or_absent(text: Option<String>) -> String {
    text.unwrap_or_else(|| ABSENT.to_owned())
}
