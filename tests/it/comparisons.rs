//! Comparisons made by hand, for tests of what is made of them.

use tlspair::cell::{Cell, Choice};
use tlspair::measure::LoopKind;
use tlspair::results::{
    CellComparison, Change, Comparability, Comparison, ComparisonKind, Counted, CountedSide, Design, Dims,
    Effect, EngineEntry, Evidence, FirstLook, InstructionCount, Instructions, LoopComparison,
    LoopComparisons, Method, PlanEntry, Round, RoundTime, SCHEMA, SideEntry, SuiteEntry, Thresholds,
    ToolInfo, Verdict,
};

use crate::documents::{empty, measured};
use crate::support::{cell, mixed, with_cipher};

/// Two executables: every verdict, every way not to be compared, every kind of doubt, differences in what was counted.
pub fn paired() -> Comparison {
    let plain = |engine| cell(engine, &Choice::default());
    let legacy = |engine, cipher| cell(engine, &with_cipher(cipher));
    let mut slower = compared(&plain("rustls-ring"), verdicts(Verdict::Regression, Verdict::Unchanged));
    check_again(slower.loops.full.as_mut().expect("it was compared"));
    let mut faster = compared(&plain("openssl"), verdicts(Verdict::Improvement, Verdict::Inconclusive));
    faster.loops.reuse.as_mut().expect("it was compared").doubts =
        vec!["wall-clock time and CPU time part | by 12 %".to_owned()];
    faster.changes =
        vec![change("wire.full.client_bytes", "512", "508", false, "the client sends 4 bytes less")];
    let mut grown = compared(
        &mixed("openssl", "rustls-ring", &Choice::default()),
        verdicts(Verdict::Unchanged, Verdict::Unchanged),
    );
    grown.loops.full.as_mut().expect("it was compared").instructions = None;
    grown.changes = vec![
        change(
            "heap.server.allocations",
            "305",
            "355",
            true,
            "the server allocates 50 times more (305 → 355)",
        ),
        change("wire.full.client_bytes", "512", "508", false, "the client sends 4 bytes less"),
    ];
    let cells = vec![
        compared(&legacy("openssl", "AES128-SHA"), verdicts(Verdict::Unchanged, Verdict::Unchanged)),
        apart(
            &legacy("openssl", "DES-CBC3-SHA"),
            Comparability::Lost,
            "new: OpenSSL 4.0 has no DES-CBC3-SHA",
        ),
        apart(
            &legacy("rustls-ring", "AES128-GCM-SHA256"),
            Comparability::Neither,
            "rustls has no static RSA",
        ),
        faster,
        slower,
        apart(&legacy("openssl", "AES256-SHA"), Comparability::Gained, "old: switched off"),
        apart(
            &legacy("openssl", "AES256-SHA256"),
            Comparability::Error,
            "new: the worker died, 100 % sure:\nsignal 11",
        ),
        grown,
    ];
    comparison(cells)
}

/// A results file against another engine of an executable: no rounds in common, and interrupted.
pub fn separate() -> Comparison {
    let times = |ns: f64| vec![time(ns), time(ns * 1.01), time(ns * 0.98)];
    let evidence = Evidence::Separate { old: times(200_000.0), new: times(190_000.0) };
    let timed = LoopComparison {
        evidence,
        p_slower: None,
        p_faster: None,
        instructions: None,
        ..timed(Verdict::Inconclusive, 0.95)
    };
    let loops = LoopComparisons { full: Some(timed), reuse: None };
    let mut only = compared(&cell("openssl", &Choice::default()), loops);
    only.new_engines = Some("rustls-ring".to_owned());
    only.counted = None;
    let mut comparison = comparison(vec![only]);
    comparison.method.design = Design::Separate;
    comparison.method.core = None;
    comparison.complete = false;
    comparison.suites.clear();
    comparison.old = SideEntry { name: "base.json".to_owned(), hash: None, ..comparison.old };
    comparison.new.engines = comparison.old.engines.clone();
    comparison.warnings = vec!["another program took 12 % of the processor".to_owned()];
    comparison.left_out = vec!["mbedtls: only the old side has it".to_owned()];
    comparison
}

fn comparison(cells: Vec<CellComparison>) -> Comparison {
    let document = empty();
    Comparison {
        schema: SCHEMA,
        kind: ComparisonKind::Comparison,
        tool: ToolInfo { name: "tlspair".to_owned(), version: "0.1.0".to_owned() },
        machine: document.machine,
        complete: true,
        suites: vec![SuiteEntry { title: "Sample".to_owned(), about: "A few cells.".to_owned() }],
        plan: PlanEntry { hash: "0".repeat(64), cells: cells.len() as u64, shard: None },
        old: side("exe:./old", "3.6.3", "0.23.40", "vendored"),
        new: side("exe:./new", "4.0.0", "0.23.46", "vendored, no legacy"),
        method: Method {
            design: Design::Paired,
            rounds: 3,
            pairs: 20,
            seed: 42,
            alpha: 0.05,
            noise_floor: 0.01,
            noise_floor_from: "the default".to_owned(),
            core: Some(1),
        },
        warnings: Vec::new(),
        left_out: Vec::new(),
        cells,
    }
}

fn side(name: &str, openssl: &str, rustls: &str, build: &str) -> SideEntry {
    let engine = |id: &str, library: &str, version: &str, build: &str| EngineEntry {
        id: id.to_owned(),
        library: library.to_owned(),
        version: version.to_owned(),
        build: build.to_owned(),
    };
    SideEntry {
        name: name.to_owned(),
        hash: Some("0123456789abcdef".repeat(4)),
        version: "0.1.0".to_owned(),
        build: "x86_64-unknown-linux-gnu, opt-level 3".to_owned(),
        engines: vec![
            engine("openssl", "OpenSSL", openssl, build),
            engine("rustls-ring", "rustls", rustls, "ring"),
        ],
    }
}

fn compared(cell: &Cell, loops: LoopComparisons) -> CellComparison {
    let result = measured(cell, 100_000);
    let side = CountedSide { negotiated: result.negotiated, wire: result.wire, heap: result.heap };
    CellComparison {
        loops,
        counted: Some(Counted { old: side.clone(), new: side }),
        reason: None,
        ..apart(cell, Comparability::Compared, "")
    }
}

fn apart(cell: &Cell, status: Comparability, reason: &str) -> CellComparison {
    CellComparison {
        id: cell.id(),
        dims: Dims::from(cell),
        new_engines: None,
        status,
        reason: Some(reason.to_owned()),
        thresholds: Thresholds { time: 0.03, wire: 0.0, heap: 0.05, instructions: 0.005 },
        loops: LoopComparisons::default(),
        counted: None,
        changes: Vec::new(),
    }
}

fn verdicts(full: Verdict, reuse: Verdict) -> LoopComparisons {
    let ratio = |verdict| match verdict {
        Verdict::Regression => 1.049,
        Verdict::Improvement => 0.92,
        Verdict::Unchanged => 1.0,
        Verdict::Inconclusive => 1.02,
    };
    let mut loops = LoopComparisons::default();
    for (kind, verdict) in LoopKind::BOTH.into_iter().zip([full, reuse]) {
        *loops.of_mut(kind) = Some(timed(verdict, ratio(verdict)));
    }
    loops
}

fn timed(verdict: Verdict, ratio: f64) -> LoopComparison {
    let effect = |ratio: f64, half: f64| Effect {
        ratio: tidy(ratio),
        low: Some(tidy(ratio - half)),
        high: Some(tidy(ratio + half)),
    };
    let round = |number: u64| {
        let old = time(100_000.0 + 500.0 * number as f64);
        let log = tidy(ratio.ln());
        Round { number, old, new: time(old.cpu_ns * ratio), cpu: log, wall: log, client: log, server: log }
    };
    LoopComparison {
        batch: 50,
        evidence: Evidence::Paired { rounds: (1..=3).map(round).collect() },
        cpu: effect(ratio, 0.008),
        wall: effect(ratio + 0.001, 0.02),
        client: Effect { ratio: tidy(ratio - 0.002), low: None, high: None },
        server: effect(ratio + 0.002, 0.01),
        p_slower: Some(0.004),
        p_faster: Some(0.9),
        verdict,
        odd_rounds: Vec::new(),
        doubts: Vec::new(),
        first_look: None,
        instructions: Some(Instructions {
            old: InstructionCount { client: 400_000.0, server: 600_000.0 },
            new: InstructionCount { client: 400_100.0, server: 600_500.0 },
        }),
    }
}

fn time(cpu_ns: f64) -> RoundTime {
    let part = |share: f64| tidy(cpu_ns * share);
    RoundTime { cpu_ns: part(1.0), wall_ns: part(1.01), client_ns: part(0.4), server_ns: part(0.6) }
}

/// So few digits that JSON gives them back exactly.
fn tidy(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

fn check_again(times: &mut LoopComparison) {
    times.odd_rounds = vec![2, 3];
    times.first_look = Some(FirstLook {
        evidence: times.evidence.clone(),
        cpu: Effect { ratio: 1.06, low: Some(1.05), high: Some(1.07) },
        p_slower: Some(0.001),
        verdict: Verdict::Regression,
    });
}

fn change(metric: &str, old: &str, new: &str, is_regression: bool, words: &str) -> Change {
    let number = |text: &str| text.parse::<f64>().expect("a number");
    Change {
        metric: metric.to_owned(),
        old: old.to_owned(),
        new: new.to_owned(),
        growth: Some(number(new) / number(old) - 1.0),
        is_regression,
        words: words.to_owned(),
    }
}
