//! The formats.

use std::io::{self, Write};

use super::super::formats::{Bmf, Gha, GoBench, Junit, OpenMetrics};
use super::super::html::{HtmlPart, write_html};
use super::super::{Report, Style, write_csv, write_markdown, write_text};
use crate::device::write_device;
use crate::results::write_json;

/// A format that results and comparisons can be written in.
pub trait Exporter: Sync {
    /// The name in `--export NAME=FILE`.
    fn name(&self) -> &'static str;

    /// What it is good for, in a few words.
    fn about(&self) -> &'static str;

    /// The one sub-command whose results it can hold; none if it can hold all.
    fn only_of(&self) -> Option<&'static str> {
        None
    }

    /// Writes a whole report.
    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()>;
}

/// Every format: the most complete first, those of other tools last.
pub static EXPORTERS: &[&dyn Exporter] =
    &[&Json, &Csv, &Markdown, &Html, &PlainText, &Bmf, &Gha, &Junit, &GoBench, &OpenMetrics, &Device];

struct Json;

impl Exporter for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "everything, samples included; what tlspair reads back"
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        match report {
            Report::Cells(document) | Report::Classic { document, .. } => write_json(document, out),
            Report::Comparison(comparison) => write_json(comparison, out),
            Report::Speed(speed) => write_json(speed, out),
            Report::Explanation(explanation) => write_json(explanation, out),
            Report::Prediction(prediction) => write_json(prediction, out),
        }
    }
}

struct Device;

impl Exporter for Device {
    fn name(&self) -> &'static str {
        "device"
    }

    fn about(&self) -> &'static str {
        "of `speed` and one engine: a device file for `predict`"
    }

    fn only_of(&self) -> Option<&'static str> {
        Some("speed")
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        match report {
            Report::Speed(speed) => write_device(speed, out),
            _ => Err(io::Error::other("a device file holds what `speed` measured")),
        }
    }
}

struct Csv;

impl Exporter for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn about(&self) -> &'static str {
        "one line a cell (in comparisons: and loop), full precision, for spreadsheets"
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        write_csv(report, out)
    }
}

struct Markdown;

impl Exporter for Markdown {
    fn name(&self) -> &'static str {
        "md"
    }

    fn about(&self) -> &'static str {
        "the table as Markdown"
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        write_markdown(report, out)
    }
}

struct Html;

impl Exporter for Html {
    fn name(&self) -> &'static str {
        "html"
    }

    fn about(&self) -> &'static str {
        "a page with tables and charts that needs no other file"
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        write_html(&[HtmlPart { origin: None, report: *report }], out)
    }
}

struct PlainText;

impl Exporter for PlainText {
    fn name(&self) -> &'static str {
        "table"
    }

    fn about(&self) -> &'static str {
        "the table as plain text"
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        write_text(report, Style::PLAIN, out)
    }
}
