//! The page of a self-test: a row a comparison of the program with itself, what was noticed beside, and what this machine
//! can be trusted with.

use std::io::{self, Write};

use super::ABSENT;
use super::compare::words::{change, percent};
use super::grid::{Align, Column, Grid, Row};
use super::number::{self, count, counted, duration, percent_short};
use super::page::{List, Page, machine_line};
use super::text::{Style, write_page};
use crate::compare::DEFAULT_NOISE_FLOOR;
use crate::selftest::{Disturbance, Noise, Probe, SelftestReport, Share};

/// Writes a self-test as text.
pub fn write_selftest(report: &SelftestReport, style: Style, out: &mut dyn Write) -> io::Result<()> {
    write_page(&page(report), style, out)
}

fn page(report: &SelftestReport) -> Page {
    let rows = report.probes().map(|probe| Row::Cells(values(probe)));
    let lists =
        [noise(report), harness(report), disturbance(report), false_differences(report), failures(report)];
    Page {
        caption: caption(report),
        grid: Grid { columns: columns(), rows: rows.collect() },
        notes: Vec::new(),
        lists: lists.into_iter().flatten().collect(),
        footer: footer(report),
    }
}

fn caption(report: &SelftestReport) -> Vec<String> {
    let mut caption = vec![format!(
        "{} compared with itself, slowed down by real work on the new side or not at all: {} a comparison, seed {}, {}.",
        report.side.name,
        counted(report.rounds, "round"),
        report.seed,
        report.core.map_or_else(|| "not bound to a core".to_owned(), |core| format!("on core {core}")),
    )];
    caption.extend(report.suites.iter().map(|suite| format!("{}: {}", suite.title, suite.about)));
    caption.push(format!(
        "regression, improvement: loops called slower or faster by {} at least, with the 95 % interval of the chance; \
         where nothing was slowed down, these are false alarms. above floor: loops surely slower than the noise floor. \
         measured: median over the loops of how much longer the new side took, and of the half-width of their \
         95 % intervals.",
        percent_short(report.threshold),
    ));
    caption
}

fn columns() -> Vec<Column> {
    vec![
        Column::key("slowed by", Align::Right),
        Column::number("loops", "compared"),
        Column::number("loops", "unchanged"),
        Column::number("loops", "inconclusive"),
        Column::number("regression", "loops"),
        Column::number("regression", "chance"),
        Column::number("improvement", "loops"),
        Column::number("improvement", "chance"),
        Column::number("above floor", "loops"),
        Column::number("above floor", "chance"),
        Column::number("measured %", "median"),
        Column::number("measured %", "±"),
    ]
}

fn values(probe: &Probe) -> Vec<String> {
    let slowed_by = if probe.slowdown == 0.0 { "nothing".to_owned() } else { percent_short(probe.slowdown) };
    let mut values =
        vec![slowed_by, count(probe.comparisons()), count(probe.unchanged), count(probe.inconclusive)];
    for share in [probe.regressions, probe.improvements, probe.slower] {
        values.extend([count(share.count), chance(share)]);
    }
    values.push(probe.median_ratio.map_or_else(|| ABSENT.to_owned(), |ratio| change(ratio, 2)));
    values.push(
        probe.noise.map_or_else(|| ABSENT.to_owned(), |noise| format!("{:.2}", noise.half_width * 100.0)),
    );
    values
}

/// `0 to 10.9 %`.
fn chance(share: Share) -> String {
    let ends = [share.low, share.high].map(|end| format!("{:.1}", end * 100.0));
    format!("{} to {} %", ends[0], ends[1])
}

fn noise(report: &SelftestReport) -> Option<List> {
    let same = report.same.as_ref()?;
    let Noise { median, p95, half_width } = same.noise?;
    let mut items = vec![
        format!(
            "Half of all comparisons differ by less than {}, 95 of 100 by less than {}; median half-width of the \
             intervals {}.",
            fine(median),
            fine(p95),
            fine(half_width)
        ),
        floor(report, p95),
    ];
    items.retain(|item| !item.is_empty());
    Some(List { heading: "Noise, where nothing was slowed down:".to_owned(), items })
}

fn floor(report: &SelftestReport, learned: f64) -> String {
    match (&report.floor.file, &report.floor.reason) {
        (Some(file), _) => {
            let used = if learned < DEFAULT_NOISE_FLOOR {
                format!(
                    "`compare` takes {} all the same, which is the least",
                    percent_short(DEFAULT_NOISE_FLOOR)
                )
            } else {
                "`compare` takes it from now on".to_owned()
            };
            format!("Noise floor: {}, kept in {file}; {used}.", fine(learned))
        }
        (None, Some(reason)) => format!("Noise floor: not kept, because {reason}."),
        (None, None) => String::new(),
    }
}

fn harness(report: &SelftestReport) -> Option<List> {
    let of_harness = report.harness.as_ref().map(|harness| {
        format!(
            "The harness itself: {} of the {} that a connection of the cheapest loop takes, {} ({}, {}).",
            duration(harness.harness_ns),
            duration(harness.connection_ns),
            number::percent(harness.share()),
            harness.id,
            harness.kind.name(),
        )
    });
    let of_clocks = report.clocks.iter().map(|clock| {
        let step = clock.step_ns.map_or_else(|| "n/a".to_owned(), duration);
        format!("{}: smallest step {step}, a reading costs {}.", clock.clock, duration(clock.read_ns))
    });
    let items: Vec<String> = of_harness.into_iter().chain(of_clocks).collect();
    (!items.is_empty()).then(|| List { heading: "Harness and clocks:".to_owned(), items })
}

fn disturbance(report: &SelftestReport) -> Option<List> {
    let Disturbance { stolen, stolen_of_core, waiting, load_before, load_after } = report.disturbance;
    let share = |share: Option<f64>| share.map_or_else(|| "n/a".to_owned(), fine);
    let load = |load: Option<f64>| load.map_or_else(|| "n/a".to_owned(), |load| format!("{load:.2}"));
    Some(List {
        heading: "What others took meanwhile:".to_owned(),
        items: vec![
            format!(
                "Stolen by the host: {} of the core measured on, {} of all.",
                share(stolen_of_core),
                share(stolen)
            ),
            format!("Some program waited for a processor: {} of the time.", share(waiting)),
            format!("Load: {} before, {} at the end.", load(load_before), load(load_after)),
        ],
    })
}

fn false_differences(report: &SelftestReport) -> Option<List> {
    let differences = &report.same.as_ref()?.differences;
    let heading = "Counted differently although nothing had changed:".to_owned();
    (!differences.is_empty()).then(|| List { heading, items: differences.clone() })
}

/// What failed, each once however often it was tried; of what this build does not run only the number.
fn failures(report: &SelftestReport) -> Option<List> {
    let mut items: Vec<String> = Vec::new();
    for failure in report.probes().flat_map(|probe| &probe.failures) {
        if !items.contains(failure) {
            items.push(failure.clone());
        }
    }
    let unsupported = report.same.as_ref().map_or(&[] as &[String], |same| &same.unsupported);
    if let [first, ..] = unsupported {
        let cells = counted(unsupported.len() as u64, "cell");
        items.push(format!("{cells} that this program does not run, such as {first}"));
    }
    (!items.is_empty()).then(|| List { heading: "Not compared:".to_owned(), items })
}

fn footer(report: &SelftestReport) -> Vec<String> {
    let mut lines: Vec<String> = report.trust.iter().map(|trust| trust.words.clone()).collect();
    lines.extend(report.warnings.iter().map(|warning| format!("Warning: {warning}.")));
    if !report.complete {
        lines
            .push(format!("Not complete: {} so far.", counted(report.probes().count() as u64, "comparison")));
    }
    lines.push(machine_line(&report.machine, &report.tool));
    lines
}

/// A share to a hundredth of a percent.
fn fine(share: f64) -> String {
    format!("{} %", percent(share))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selftest::tests::sample::report;

    fn shown(report: &SelftestReport) -> String {
        let mut out = Vec::new();
        write_selftest(report, Style { width: None, color: false }, &mut out)
            .expect("a vector takes everything");
        String::from_utf8(out).expect("text")
    }

    #[test]
    fn the_page_says_what_was_found_and_what_follows() {
        let text = shown(&report());
        for words in [
            "5 rounds a comparison, seed 42, not bound to a core",
            "nothing",
            "can be trusted to find slowdowns of 5 % and more at 5 rounds",
            "kept in /home/me/noise-floor.json; `compare` takes 1 % all the same",
            "260 ns of the 20.0 µs that a connection of the cheapest loop takes, 1.3 %",
            "monotonic clock: smallest step n/a, a reading costs 22.0 ns.",
            "Stolen by the host: n/a of the core measured on, 1.2 % of all.",
            "Load: n/a before, n/a at the end.",
            "Warning: the machine is made up.",
        ] {
            assert!(text.contains(words), "{words} in:\n{text}");
        }
        assert!(!text.contains("Not compared") && !text.contains("Not complete"), "{text}");
    }

    #[test]
    fn an_interrupted_self_test_is_shown_without_a_judgement() {
        let mut report = report();
        report.complete = false;
        report.trust = None;
        report.slowed.clear();
        report.floor = crate::selftest::FloorEntry { file: None, reason: Some("of a reason".to_owned()) };
        let text = shown(&report);
        assert!(text.contains("Not complete: 1 comparison so far.") && !text.contains("trusted"), "{text}");
        assert!(text.contains("Noise floor: not kept, because of a reason."), "{text}");
    }
}
