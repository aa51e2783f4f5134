//! Comparisons made by hand.

use crate::results::{
    CellComparison, Comparability, Comparison, ComparisonKind, Design, DimValue, Dims, Effect, Evidence,
    LoopComparison, LoopComparisons, Machine, Method, PlanEntry, Round, RoundTime, SCHEMA, SideEntry,
    Thresholds, ToolInfo, Verdict,
};

/// The thresholds of every sample cell.
pub const THRESHOLDS: Thresholds = Thresholds { time: 0.03, wire: 0.0, heap: 0.01, instructions: 0.005 };

/// A comparison of cells with these full loops, a cell each; nothing is judged yet.
pub fn comparison(evidence: impl IntoIterator<Item = Evidence>) -> Comparison {
    let cells = evidence.into_iter().enumerate().map(|(place, evidence)| {
        let loops = LoopComparisons { full: Some(unjudged(evidence)), reuse: None };
        cell(&format!("cell={place}"), loops)
    });
    of_cells(cells.collect())
}

/// A comparison of these cells.
pub fn of_cells(cells: Vec<CellComparison>) -> Comparison {
    let side = |name: &str| SideEntry {
        name: name.to_owned(),
        hash: None,
        version: "0.1.0".to_owned(),
        build: "by hand".to_owned(),
        engines: Vec::new(),
    };
    Comparison {
        schema: SCHEMA,
        kind: ComparisonKind::Comparison,
        tool: ToolInfo { name: "tlspair".to_owned(), version: "0.1.0".to_owned() },
        machine: Machine::this_one(),
        complete: true,
        suites: Vec::new(),
        plan: PlanEntry { hash: String::new(), cells: cells.len() as u64, shard: None },
        old: side("old"),
        new: side("new"),
        method: Method {
            design: Design::Paired,
            rounds: 10,
            pairs: 20,
            seed: 1,
            alpha: 0.05,
            noise_floor: 0.01,
            noise_floor_from: "by hand".to_owned(),
            core: None,
        },
        warnings: Vec::new(),
        left_out: Vec::new(),
        cells,
    }
}

/// A cell of the engine `null` that both sides ran.
pub fn cell(id: &str, loops: LoopComparisons) -> CellComparison {
    CellComparison {
        id: id.to_owned(),
        dims: Dims::new([("engine".to_owned(), DimValue::Text("null".to_owned()))]),
        new_engines: None,
        status: Comparability::Compared,
        reason: None,
        thresholds: THRESHOLDS,
        loops,
        counted: None,
        changes: Vec::new(),
    }
}

/// A loop whose conclusions are all wrong, so that a test sees which ones `judge` leaves alone.
pub fn unjudged(evidence: Evidence) -> LoopComparison {
    let wrong = Effect { ratio: 77.0, low: None, high: Some(-1.0) };
    LoopComparison {
        batch: 10,
        evidence,
        cpu: wrong,
        wall: wrong,
        client: wrong,
        server: wrong,
        p_slower: Some(77.0),
        p_faster: Some(77.0),
        verdict: Verdict::Improvement,
        odd_rounds: vec![77],
        doubts: vec!["wrong".to_owned()],
        first_look: None,
        instructions: None,
    }
}

/// Rounds of both sides with these growths (0.05: NEW took 5 % longer), the same for both clocks and both sides.
pub fn paired(growths: &[f64]) -> Evidence {
    let rounds = growths.iter().enumerate().map(|(place, growth)| {
        let log_ratio = growth.ln_1p();
        Round {
            number: place as u64 + 1,
            old: time(100_000.0),
            new: time(100_000.0 * (1.0 + growth)),
            cpu: log_ratio,
            wall: log_ratio,
            client: log_ratio,
            server: log_ratio,
        }
    });
    Evidence::Paired { rounds: rounds.collect() }
}

/// The same rounds with one figure replaced.
pub fn with(evidence: Evidence, change: impl Fn(&mut Round)) -> Evidence {
    let Evidence::Paired { mut rounds } = evidence else { panic!("only for rounds") };
    rounds.iter_mut().for_each(change);
    Evidence::Paired { rounds }
}

/// Processes of each side by itself, with these times of a connection.
pub fn separate(old: &[f64], new: &[f64]) -> Evidence {
    let times = |all: &[f64]| all.iter().map(|&ns| time(ns)).collect();
    Evidence::Separate { old: times(old), new: times(new) }
}

/// The only loop of the cell at this place.
pub fn full(comparison: &Comparison, place: usize) -> &LoopComparison {
    comparison.cells[place].loops.full.as_ref().expect("sample cells have a full loop")
}

/// The verdicts of all sample cells.
pub fn verdicts(comparison: &Comparison) -> Vec<Verdict> {
    (0..comparison.cells.len()).map(|place| full(comparison, place).verdict).collect()
}

fn time(ns: f64) -> RoundTime {
    RoundTime { cpu_ns: ns, wall_ns: ns, client_ns: ns / 2.0, server_ns: ns / 2.0 }
}
