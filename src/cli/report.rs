//! `tlspair report`: results as one HTML page.

use std::io;
use std::path::PathBuf;

use clap::Args;

use super::output::print;
use super::{Ending, Exit};
use crate::render::Report;
use crate::render::export::{Sink, Target};
use crate::render::html::{HtmlPart, write_html};
use crate::results::Loaded;

/// `tlspair report`.
#[derive(Args, Debug)]
pub struct ReportArgs {
    /// What `run`, `classic`, `compare`, `check`, `speed`, `explain` and `predict` wrote with `--export json=FILE`.
    #[arg(value_name = "RESULTS", required = true)]
    pub files: Vec<PathBuf>,
    /// The page; `-` is standard output.
    #[arg(short, long, value_name = "FILE", value_parser = parse_target)]
    pub output: Target,
}

/// Runs the sub-command.
pub fn run(args: &ReportArgs) -> Result<Exit, Ending> {
    if let Target::File(output) = &args.output {
        let place = output.canonicalize().ok();
        if place.is_some() && args.files.iter().any(|file| file.canonicalize().ok() == place) {
            return Err(Ending::usage(format!(
                "{} is one of the results: name another file",
                output.display()
            )));
        }
    }
    let sink = match &args.output {
        Target::Stdout => None,
        Target::File(path) => Some(Sink::open(path).map_err(Ending::operational)?),
    };
    let files = args
        .files
        .iter()
        .map(|path| Ok((path.display().to_string(), Loaded::load(path).map_err(Ending::operational)?)))
        .collect::<Result<Vec<(String, Loaded)>, Ending>>()?;
    let parts: Vec<HtmlPart<'_>> = files
        .iter()
        .map(|(name, loaded)| HtmlPart { origin: Some(name), report: report_of(loaded) })
        .collect();
    match sink {
        Some(sink) => sink.finish(|out| write_html(&parts, out)).map_err(Ending::operational)?,
        None => print(&in_memory(&parts))?,
    }
    Ok(Exit::Ok)
}

fn report_of(loaded: &Loaded) -> Report<'_> {
    match loaded {
        Loaded::Results(document) => Report::Cells(document),
        Loaded::Comparison(comparison) => Report::Comparison(comparison),
        Loaded::Speed(speed) => Report::Speed(speed),
        Loaded::Explanation(explanation) => Report::Explanation(explanation),
        Loaded::Prediction(prediction) => Report::Prediction(prediction),
    }
}

/// Written whole, so that a reader that leaves gets no half of a page from us.
fn in_memory(parts: &[HtmlPart<'_>]) -> Vec<u8> {
    let mut page = Vec::new();
    let written: io::Result<()> = write_html(parts, &mut page);
    written.expect("a vector takes everything");
    page
}

fn parse_target(text: &str) -> Result<Target, String> {
    if text.is_empty() {
        return Err("name a file, or - for standard output".to_owned());
    }
    Ok(Target::named(text))
}
