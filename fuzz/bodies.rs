//! What the fuzz targets do with their input. `tests/it/fuzz_seeds.rs` does the same with the seeds and with some
//! thousand changes of them.

#![allow(dead_code, reason = "each fuzz target uses one of them")]

use std::io;
use std::time::Duration;

use tlspair::baseline::{Subject, objections};
use tlspair::campaign::{Lab, LoopTask, NoNumbers, TriedCell, Workload};
use tlspair::cell::Cell;
use tlspair::compare::{Summary, conclude, suspects};
use tlspair::cost::BothSides;
use tlspair::engine::Engines;
use tlspair::measure::LoopKind;
use tlspair::render::export::EXPORTERS;
use tlspair::render::{Report, Style, write_text};
use tlspair::results::{Comparison, Dims, Document, LoopResult, Measured};
use tlspair::speed::{OwnTask, Task};
use tlspair::suite::{EngineNames, Filter, Suite, cell_of};
use tlspair::worker::{BatchTimes, Desk, Reply, Request, serve};

/// A worker answers every line, whatever it is, and each answer can be read.
pub fn protocol(data: &[u8]) {
    let mut replies = Vec::new();
    serve(&mut Idle(Engines::of(Vec::new())), data, &mut replies).expect("a vector takes everything");
    let lines: Vec<&[u8]> = replies.split_inclusive(|&byte| byte == b'\n').collect();
    for line in &lines {
        serde_json::from_slice::<Reply>(line).expect("a worker's replies are replies");
    }
    let asked = data.iter().filter(|&&byte| byte == b'\n').count();
    let unended = usize::from(data.last().is_some_and(|&byte| byte != b'\n'));
    assert_eq!(lines.len(), asked + unended, "one reply a line");
    for line in data.split(|&byte| byte == b'\n') {
        if let Ok(request) = serde_json::from_slice::<Request>(line) {
            let again = serde_json::to_vec(&request).expect("requests are plain JSON");
            assert_eq!(serde_json::from_slice::<Request>(&again).ok(), Some(request));
        }
        if let Ok(reply) = serde_json::from_slice::<Reply>(line) {
            serde_json::to_vec(&reply).expect("replies are plain JSON");
        }
    }
}

/// Whatever can be read as results or as a comparison can be judged and shown in every format.
pub fn results_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(document) = Document::parse(text, "fuzz") {
        show(&Report::Cells(&document));
        let subject = Subject::of("fuzz", &document);
        assert_eq!(objections(subject, subject).reasons, Vec::<String>::new());
        let loops = |kind| document.cells.iter().filter_map(move |cell| cell.loops.of(kind));
        for one in LoopKind::BOTH.into_iter().flat_map(loops) {
            assert!(!one.processes().is_empty());
        }
    }
    if let Ok(mut comparison) = serde_json::from_str::<Comparison>(text) {
        conclude(&mut comparison);
        show(&Report::Comparison(&comparison));
        let sentence = Summary::of(&comparison).sentence();
        let found = suspects(&comparison);
        conclude(&mut comparison);
        assert_eq!(Summary::of(&comparison).sentence(), sentence, "judging twice changes nothing");
        assert_eq!(suspects(&comparison), found);
    }
}

fn show(report: &Report<'_>) {
    for exporter in EXPORTERS.iter().filter(|exporter| exporter.only_of().is_none()) {
        exporter.write(report, &mut io::sink()).expect("a sink takes everything");
    }
    for width in [None, Some(60)] {
        write_text(report, Style { width, color: true }, &mut io::sink()).expect("a sink takes everything");
    }
}

/// A suite is refused in words, or makes cells that each have a name of their own by which they are found again.
pub fn suite_file(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Err(error) = Filter::parse(text) {
        assert!(!error.to_string().is_empty());
    }
    match Suite::parse(text, "fuzz.toml", engines()) {
        Err(error) => {
            assert!(!error.render(false).is_empty());
            assert!(!error.render(true).is_empty());
        }
        Ok(suite) => {
            assert_eq!(suite.cells.len(), suite.thresholds.len());
            for cell in suite.cells.iter().take(20) {
                assert_eq!(cell_of(&Dims::from(cell), engines()).as_ref(), Ok(cell));
            }
        }
    }
}

/// The engines that suites may name.
pub fn engines() -> EngineNames {
    EngineNames::new(vec!["one".to_owned(), "two".to_owned()], vec!["null".to_owned()])
}

/// Does nothing, so that no time passes.
struct Idle(Engines);

impl Lab for Idle {
    fn try_cell(&mut self, _cell: &Cell) -> Result<TriedCell, NoNumbers> {
        Err(NoNumbers::Unsupported("idle".to_owned()))
    }

    fn verify_cell(&mut self, _cell: &Cell) -> Result<(), NoNumbers> {
        Err(NoNumbers::Unsupported("idle".to_owned()))
    }

    fn time_loop(
        &mut self,
        _cell: &Cell,
        _what: LoopTask,
        progress: &mut dyn FnMut(u64, Duration),
    ) -> Result<LoopResult, NoNumbers> {
        _ = progress;
        Err(NoNumbers::Error("idle".to_owned()))
    }

    fn work(&mut self, _cell: &Cell, _workload: Workload) -> Result<Measured, NoNumbers> {
        Err(NoNumbers::Error("idle".to_owned()))
    }

    fn count_operations(&mut self, _: &Cell, _: LoopKind) -> Result<BothSides, NoNumbers> {
        Ok(BothSides::default())
    }

    fn time_primitive(&mut self, _: &str, _: Task, _: Duration) -> Result<Vec<f64>, NoNumbers> {
        Ok(Vec::new())
    }

    fn time_in_turn(&mut self, _tasks: &[OwnTask], _budget: Duration) -> Result<Vec<Vec<f64>>, NoNumbers> {
        Err(NoNumbers::NotReached)
    }
}

impl Desk for Idle {
    fn engines(&self) -> &Engines {
        &self.0
    }

    fn open(&mut self, _: Cell, _: LoopKind, _: u64, _: Duration) -> Result<(), NoNumbers> {
        Ok(())
    }

    fn batch(&mut self, connections: u64) -> Result<BatchTimes, NoNumbers> {
        Ok(BatchTimes { connections, ..BatchTimes::default() })
    }
}
