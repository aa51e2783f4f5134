//! What is to be known before any number: where, by what and how it was measured, and what makes it doubtful.

use maud::{Markup, html};

use crate::compare::Summary;
use crate::render::compare::closing;
use crate::render::number::{count, counted};
use crate::render::page::{engine_words, harness_line};
use crate::render::{Report, visible};
use crate::results::{Comparison, Document, EngineEntry, Explanation, Machine, Prediction, Speed, ToolInfo};

/// What stands at the head of a part.
pub(super) struct Facts {
    /// What was cut short, in words; none if nothing was.
    pub(super) incomplete: Option<String>,
    warnings: Vec<String>,
    /// The result in a sentence, where there is one.
    verdict: Option<String>,
    /// Names and what stands beside them.
    entries: Vec<(String, String)>,
    /// What was measured and how to read it.
    method: Vec<String>,
}

impl Facts {
    /// Of a report.
    pub(super) fn of(report: &Report<'_>) -> Self {
        let mut facts = match report {
            Report::Cells(document) | Report::Classic { document, .. } => Self::of_document(document),
            Report::Comparison(comparison) => Self::of_comparison(comparison),
            Report::Speed(Speed { machine, tool, engines, warnings, complete, primitives, .. }) => {
                let mut facts = Self::begin(machine, tool, warnings);
                facts.engines(engines);
                facts.cut_short(*complete, primitives.len() as u64, "result");
                facts
            }
            Report::Explanation(Explanation {
                machine, tool, engines, warnings, complete, cells, ..
            }) => {
                let mut facts = Self::begin(machine, tool, warnings);
                facts.engines(engines);
                facts.cut_short(*complete, cells.len() as u64, "connection");
                facts
            }
            Report::Prediction(Prediction {
                machine,
                tool,
                engines,
                warnings,
                complete,
                cells,
                device,
                ..
            }) => {
                let mut facts = Self::begin(machine, tool, warnings);
                facts.entry(
                    "device",
                    format!("{}: {}, {} ({})", device.id, device.cpu, device.library, device.source),
                );
                facts.engines(engines);
                facts.cut_short(*complete, cells.len() as u64, "connection");
                facts
            }
        };
        let page = match *report {
            // What is to be said of 1997 stands above its table.
            Report::Classic { document, .. } => Report::Cells(document).page(),
            _ => report.page(),
        };
        // The letters of bars stand beside the charts that have them.
        facts.method.extend(page.caption.into_iter().filter(|line| !line.starts_with("Bars: ")));
        facts
    }

    fn of_document(document: &Document) -> Self {
        let mut facts = Self::begin(&document.machine, &document.tool, &document.warnings);
        let (done, planned) = (document.cells.len() as u64, document.plan.cells);
        facts.entry("cells", planned_words(done, planned));
        if let Some(shard) = document.plan.shard {
            facts.entry("shard", shard.to_string());
        }
        facts.engines(&document.engines);
        facts.entries.extend(harness(document));
        facts.cut_short(document.complete, done, "cell");
        facts
    }

    fn of_comparison(comparison: &Comparison) -> Self {
        let mut facts = Self::begin(&comparison.machine, &comparison.tool, &comparison.warnings);
        facts.verdict = Some(Summary::of(comparison).sentence());
        facts.entry("old", closing::side(&comparison.old));
        facts.entry("new", closing::side(&comparison.new));
        for line in closing::engine_lines(&comparison.old.engines, &comparison.new.engines) {
            facts.entry("engines", line);
        }
        for line in &comparison.left_out {
            facts.entry("left out", line.clone());
        }
        facts.method.push(closing::method_line(comparison));
        facts.cut_short(comparison.complete, comparison.cells.len() as u64, "cell");
        facts
    }

    fn begin(machine: &Machine, tool: &ToolInfo, warnings: &[String]) -> Self {
        let mut facts = Self {
            incomplete: None,
            warnings: warnings.to_vec(),
            verdict: None,
            entries: Vec::new(),
            method: Vec::new(),
        };
        let cpu = machine.cpu.clone().unwrap_or_else(|| format!("unknown {} processor", machine.arch));
        let cores = machine.cores.map(|cores| format!(", {}", counted(cores, "core"))).unwrap_or_default();
        facts.entry("machine", format!("{cpu}{cores}"));
        if !machine.features.is_empty() {
            facts.entry("features", machine.features.join(" "));
        }
        let kernel = machine.kernel.as_deref().unwrap_or_default();
        facts.entry("system", format!("{} {kernel}", machine.os).trim_end().to_owned());
        let (name, version) = (&tool.name, &tool.version);
        facts.entry(
            "tool",
            format!("{name} {version} for {} at opt-level {}", machine.target, machine.opt_level),
        );
        facts.entry("date", machine.date.clone());
        facts
    }

    fn entry(&mut self, name: &str, text: String) {
        self.entries.push((name.to_owned(), text));
    }

    fn engines(&mut self, engines: &[EngineEntry]) {
        self.entries.extend(engines.iter().map(|engine| (engine.id.clone(), engine_words(engine))));
    }

    fn cut_short(&mut self, complete: bool, done: u64, what: &str) {
        if !complete {
            self.incomplete = Some(format!("{} so far.", counted(done, what)));
        }
    }

    pub(super) fn render(&self) -> Markup {
        html! {
            @if let Some(incomplete) = &self.incomplete {
                p.alarm { strong { "Not complete: " } (visible(incomplete)) }
            }
            @for warning in &self.warnings { p.alarm { strong { "Warning: " } (visible(warning)) } }
            @if let Some(verdict) = &self.verdict { p.verdict { (visible(verdict)) } }
            @for line in &self.method { p { (visible(line)) } }
            dl {
                @for (name, text) in &self.entries {
                    dt { (visible(name)) }
                    dd { (visible(text)) }
                }
            }
        }
    }
}

/// What the harness itself costs, whose name stands beside it already.
fn harness(document: &Document) -> Option<(String, String)> {
    let line = harness_line(document)?;
    let words = line.strip_prefix("The harness itself, ").unwrap_or(&line).to_owned();
    Some(("harness".to_owned(), words))
}

fn planned_words(done: u64, planned: u64) -> String {
    if planned > done { format!("{} of {}", count(done), count(planned)) } else { count(done) }
}
