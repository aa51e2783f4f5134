//! The text format of Go's benchmarks, which benchstat reads. Its definition:
//! <https://go.dev/design/14313-benchmark-format>.
//!
//! benchstat parts results whose configuration lines differ into tables of their own. So only what makes numbers
//! incomparable is a configuration line; versions and dates, which differ whenever two files are compared, are comments.

use std::io::{self, Write};

use super::metrics::{self, CLIENT_TIME, COUNTED, CPU_TIME, LATENCY, Metric, SERVER_TIME};
use crate::measure::LoopKind;
use crate::render::compare::Row;
use crate::render::export::Exporter;
use crate::render::page::engine_words;
use crate::render::{Report, loop_name};
use crate::results::{
    CellResult, Comparison, Document, EngineEntry, Explanation, LoopResult, Machine, Prediction, RoundTime,
    Speed, ToolInfo,
};

pub(in crate::render) struct GoBench;

impl Exporter for GoBench {
    fn name(&self) -> &'static str {
        "gobench"
    }

    fn about(&self) -> &'static str {
        "Go's benchmark format, for benchstat"
    }

    fn write(&self, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
        match report {
            Report::Cells(document) | Report::Classic { document, .. } => write_document(document, out),
            Report::Comparison(comparison) => write_comparison(comparison, out),
            Report::Speed(speed) => write_speed(speed, out),
            Report::Explanation(explanation) => write_explanation(explanation, out),
            Report::Prediction(prediction) => write_prediction(prediction, out),
        }
    }
}

fn write_document(document: &Document, out: &mut dyn Write) -> io::Result<()> {
    write_head(&document.machine, &document.tool, out)?;
    write_engines(&document.engines, out)?;
    for cell in &document.cells {
        for kind in LoopKind::BOTH {
            if let Some(result) = cell.loops.of(kind) {
                write_loop(cell, kind, result, out)?;
            }
        }
    }
    Ok(())
}

/// One line a cell and loop, with both sides' means.
fn write_explanation(explanation: &Explanation, out: &mut dyn Write) -> io::Result<()> {
    write_head(&explanation.machine, &explanation.tool, out)?;
    write_engines(&explanation.engines, out)?;
    explanation.cells.iter().try_for_each(|cell| match metrics::of_explained_sides(cell) {
        Some(sides) => {
            let name = benchmark_name(&format!("{}/loop={}", cell.id, cell.loop_name));
            write_line(&name, 1, sides.iter().map(go_value), out)
        }
        None => Ok(()),
    })
}

/// The same of what is predicted, with the device in place of the processor.
fn write_prediction(prediction: &Prediction, out: &mut dyn Write) -> io::Result<()> {
    write_head(&prediction.machine, &prediction.tool, out)?;
    writeln!(out, "device: {}", prediction.device.id)?;
    prediction.cells.iter().try_for_each(|cell| match metrics::of_predicted_sides(cell) {
        Some(sides) => {
            let name = benchmark_name(&format!("{}/loop={}", cell.id, cell.loop_name));
            write_line(&name, 1, sides.iter().map(go_value), out)
        }
        None => Ok(()),
    })
}

/// One line a primitive: of its batches only the middle is on record.
fn write_speed(speed: &Speed, out: &mut dyn Write) -> io::Result<()> {
    write_head(&speed.machine, &speed.tool, out)?;
    write_engines(&speed.engines, out)?;
    speed.primitives.iter().try_for_each(|result| match &result.per_operation_ns {
        Some(each) => {
            let name = benchmark_name(&result.name());
            write_line(&name, each.batches, [(each.median, CPU_TIME.go_unit)], out)
        }
        None => Ok(()),
    })
}

/// Lines that a loop's samples are cut into, at most: benchstat compares distributions, and asks for ten values.
const BLOCKS: usize = 10;

/// One line a block of consecutive samples with its mean, and one line with what is known of the whole loop only.
fn write_loop(cell: &CellResult, kind: LoopKind, result: &LoopResult, out: &mut dyn Write) -> io::Result<()> {
    let name = benchmark_name(&loop_name(&cell.id, kind));
    // The first sample of a reuse loop is its one full handshake.
    let samples = result.samples_ns.get(usize::from(result.resumed > 0)..).unwrap_or_default();
    let blocks = BLOCKS.min(samples.len());
    for index in 0..blocks {
        let block = &samples[index * samples.len() / blocks..(index + 1) * samples.len() / blocks];
        let mean = block.iter().map(|&ns| ns as f64).sum::<f64>() / block.len() as f64;
        write_line(&name, block.len() as u64, [(mean, CPU_TIME.go_unit)], out)?;
    }
    let mut whole = metrics::of_sides(result);
    whole.extend(metrics::counted(&cell.wire, cell.heap.as_ref(), kind));
    let values: Vec<(f64, &str)> = whole.iter().map(go_value).collect();
    if values.is_empty() { Ok(()) } else { write_line(&name, result.connections, values, out) }
}

fn write_comparison(comparison: &Comparison, out: &mut dyn Write) -> io::Result<()> {
    write_head(&comparison.machine, &comparison.tool, out)?;
    for (side, entry) in [(Side::Old, &comparison.old), (Side::New, &comparison.new)] {
        write_comment(&format!("{}: {}", side.name(), entry.name), out)?;
        write_engines(&entry.engines, out)?;
        writeln!(out, "side: {}", side.name())?;
        Row::all(comparison).iter().try_for_each(|row| write_processes(row, side, out))?;
    }
    Ok(())
}

/// One line a process of one side.
fn write_processes(row: &Row<'_>, side: Side, out: &mut dyn Write) -> io::Result<()> {
    let Some((kind, times)) = row.timed else {
        return Ok(());
    };
    let name = benchmark_name(&row.name());
    let counted = row.cell.counted.as_ref().map(|counted| side.of(&counted.old, &counted.new));
    let instructions = times.instructions.map(|counts| side.of(counts.old, counts.new));
    let constant: Vec<Metric> = counted
        .into_iter()
        .flat_map(|counted| metrics::of_side(counted, kind))
        .chain(instructions.into_iter().flat_map(metrics::of_instructions))
        .collect();
    let processes = side.of(times.evidence.old_times(), times.evidence.new_times());
    processes.iter().try_for_each(|time| {
        write_line(
            &name,
            times.batch,
            time_values(time).into_iter().chain(constant.iter().map(go_value)),
            out,
        )
    })
}

#[derive(Clone, Copy)]
enum Side {
    Old,
    New,
}

impl Side {
    fn name(self) -> &'static str {
        self.of("old", "new")
    }

    fn of<T>(self, old: T, new: T) -> T {
        match self {
            Self::Old => old,
            Self::New => new,
        }
    }
}

fn time_values(time: &RoundTime) -> [(f64, &'static str); 4] {
    [
        (time.cpu_ns, CPU_TIME.go_unit),
        (time.wall_ns, LATENCY.go_unit),
        (time.client_ns, CLIENT_TIME.go_unit),
        (time.server_ns, SERVER_TIME.go_unit),
    ]
}

fn go_value(metric: &Metric) -> (f64, &'static str) {
    (metric.value, metric.measure.go_unit)
}

fn write_head(machine: &Machine, tool: &ToolInfo, out: &mut dyn Write) -> io::Result<()> {
    write_comment(&format!("{} {}, {}", tool.name, tool.version, machine.date), out)?;
    writeln!(out, "goos: {}", go_os(&machine.os))?;
    writeln!(out, "goarch: {}", go_arch(&machine.arch))?;
    if let Some(cpu) = &machine.cpu {
        writeln!(out, "cpu: {}", one_line(cpu))?;
    }
    COUNTED.iter().try_for_each(|measure| writeln!(out, "Unit {} better=lower assume=exact", measure.go_unit))
}

fn write_engines(engines: &[EngineEntry], out: &mut dyn Write) -> io::Result<()> {
    engines
        .iter()
        .try_for_each(|engine| write_comment(&format!("{}: {}", engine.id, engine_words(engine)), out))
}

/// A line that is nothing to the format, because it begins with `#`.
fn write_comment(text: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {}", one_line(text))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn write_line<'a>(
    name: &str,
    iterations: u64,
    values: impl IntoIterator<Item = (f64, &'a str)>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{name} {iterations}")?;
    values.into_iter().try_for_each(|(value, unit)| write!(out, " {value} {unit}"))?;
    writeln!(out)
}

/// The name of a benchmark, which may hold no space; its parts `key=value` are what benchstat groups by. The last part
/// is always the loop, so that the number at the end of a name such as `chunk-8` is never taken for one of processors.
fn benchmark_name(name: &str) -> String {
    let word: String = name.chars().map(|letter| if letter.is_whitespace() { '_' } else { letter }).collect();
    format!("BenchmarkConnection/{word}")
}

/// The system as Go calls it.
fn go_os(os: &str) -> &str {
    match os {
        "macos" => "darwin",
        other => other,
    }
}

/// The processor's architecture as Go calls it.
fn go_arch(arch: &str) -> &str {
    match arch {
        "x86_64" => "amd64",
        "x86" => "386",
        "aarch64" => "arm64",
        other => other,
    }
}
