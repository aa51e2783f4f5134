//! Progress on stderr: a redrawn line on a terminal, a plain line per finished cell elsewhere.

use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::is_dumb_terminal;
use crate::campaign::{Observer, Place, Progress};
use crate::measure::LoopKind;
use crate::render::{number, visible};
use crate::results::{CellResult, Status};

/// Shows progress as the terminal allows.
#[derive(Debug)]
pub struct OnStderr {
    lines: Lines,
}

/// Says lines that stay, without disturbing a progress line.
#[derive(Clone, Debug)]
pub struct Lines {
    bar: Option<ProgressBar>,
    quiet: bool,
}

impl OnStderr {
    /// Draws on a terminal, writes lines elsewhere, nothing at all if `quiet`.
    pub fn new(quiet: bool) -> Self {
        let drawn = stderr().is_terminal() && !is_dumb_terminal() && !quiet;
        let bar = drawn.then(|| {
            // No steady tick: a second thread would disturb what is being measured.
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template("{wide_msg}").expect("a valid template"));
            bar
        });
        Self { lines: Lines { bar, quiet } }
    }

    /// To say something while a campaign has the observer.
    pub fn lines(&self) -> Lines {
        self.lines.clone()
    }

    /// Draws a line in place of the last one, on a terminal.
    pub fn show(&self, line: String) {
        if let Some(bar) = &self.lines.bar {
            bar.set_message(visible(&line));
        }
    }

    /// Whether there is a terminal to draw on.
    pub fn is_drawn(&self) -> bool {
        self.lines.bar.is_some()
    }
}

impl Lines {
    /// For what shares stderr with another program, whose lines a redrawn one could wipe out.
    pub fn plain(quiet: bool) -> Self {
        Self { bar: None, quiet }
    }

    /// Says what is good to know.
    pub fn note(&self, line: &str) {
        if !self.quiet {
            self.warn(line);
        }
    }

    /// Says what must be known, even if asked to be quiet.
    pub fn warn(&self, line: &str) {
        let line = visible(line);
        match &self.bar {
            Some(bar) => bar.println(line),
            None => write_line(&line),
        }
    }
}

impl Drop for OnStderr {
    fn drop(&mut self) {
        if let Some(bar) = &self.lines.bar {
            bar.finish_and_clear();
        }
    }
}

/// Exports that cannot be written for a while: said once, until they can be or the reason is another one.
#[derive(Debug, Default)]
pub struct Trouble(Option<String>);

impl Trouble {
    /// Says what is new of it, and after what it will be tried again.
    pub fn tell<E: ToString>(&mut self, written: Result<(), E>, next: &str, lines: &Lines) {
        let trouble = written.err().map(|error| error.to_string());
        if let Some(words) = trouble.as_ref().filter(|_| trouble != self.0) {
            lines.warn(&format!("warning: {words}; tried again after the next {next}"));
        }
        self.0 = trouble;
    }
}

/// So many cells take a while to try.
const MANY_CELLS: usize = 100;

impl Observer for OnStderr {
    fn trying(&mut self, place: Place<'_>) {
        if place.number == 1 && place.of >= MANY_CELLS && self.lines.bar.is_none() {
            self.lines.note(&format!("trying each of {} cells once first", number::count(place.of as u64)));
        }
        self.show(format!("trying cell {} of {}: {}", place.number, place.of, place.cell));
    }

    fn planned(&mut self, runnable: usize, estimate: Duration) {
        let cells = number::counted(runnable as u64, "cell");
        self.lines.note(&plan(runnable, &cells, estimate));
    }

    fn progress(&mut self, place: Place<'_>, progress: Progress) {
        self.show(format!(
            "cell {} of {}, {} {}/{}, {} a connection, {} left: {}",
            place.number,
            place.of,
            progress.kind.name(),
            progress.done,
            progress.connections,
            number::duration(progress.per_connection.as_nanos() as f64),
            number::rough_duration(progress.left),
            place.cell,
        ));
    }

    fn finished(&mut self, place: Place<'_>, result: &CellResult) {
        if self.lines.bar.is_none() {
            let summary = summary(result);
            self.lines.note(&format!("{}/{} {}: {summary}", place.number, place.of, place.cell));
        }
    }
}

/// What is going to happen, in one line.
pub fn plan(runnable: usize, what: &str, estimate: Duration) -> String {
    if runnable == 0 {
        return "no cell can be measured; the results say why".to_owned();
    }
    let about = if estimate < Duration::from_secs(1) { "" } else { "about " };
    format!("{what}, {about}{}", number::rough_duration(estimate))
}

/// What came out of a cell, in one line.
fn summary(result: &CellResult) -> String {
    let reason = result.reason.as_deref().unwrap_or("no reason is on record");
    match result.status {
        Status::Unsupported => format!("not supported: {reason}"),
        Status::Error => format!("failed: {reason}"),
        Status::Ok => {
            let parts: Vec<String> = LoopKind::BOTH
                .into_iter()
                .filter_map(|kind| {
                    let timed = result.loops.of(kind)?;
                    let mean = timed.cpu_ns as f64 / timed.connections as f64;
                    Some(format!("{} {}", kind.name(), number::duration(mean)))
                })
                .collect();
            format!("{} a connection", parts.join(", "))
        }
    }
}

/// Writes to stderr at one go, so that what a compiler says beside does not cut the line; there is nobody to tell if that
/// fails.
fn write_line(line: &str) {
    stderr().lock().write_all(format!("{line}\n").as_bytes()).ok();
}
