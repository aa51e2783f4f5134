//! Reports as one HTML page that needs nothing else: no script, no font, no image from anywhere. Charts are inline SVG,
//! each with its numbers as a table beside it.

mod block;
mod chart;
mod facts;
mod page;
mod patterns;
mod section;
mod style;
mod table;

use std::io::{self, Write};

use super::Report;

/// Results to be shown on a page.
#[derive(Clone, Copy, Debug)]
pub struct HtmlPart<'a> {
    /// The file that they come from; none if they were measured just now.
    pub origin: Option<&'a str>,
    /// What there is to show.
    pub report: Report<'a>,
}

/// Writes a page with these parts, in their order.
pub fn write_html(parts: &[HtmlPart<'_>], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", page::page(parts).into_string())
}
