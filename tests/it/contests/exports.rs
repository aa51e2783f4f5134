//! Every format says of one comparison what the others say.

use std::fs;

use serde_json::Value;
use tlspair::measure::LoopKind;
use tlspair::results::{Comparison, LoopComparison};

use super::{QUIET, Sides, comparison, comparison_at, undated, with};
use crate::cli::{Folder, OK, REGRESSION, USAGE};
use crate::gobench::parse;

/// Three cells, of which one is slower, one is lost and one is as before.
const THREE_CELLS: [&str; 6] =
    ["--engine=alpha", "--proto=tls1.3", "--bytes=1,1000,50", "--seed=7", "--quiet", "--rounds=5"];

fn three_sides() -> Sides {
    Sides::quiet(&["SLOWDOWN=1.05", "SLOW_CELLS=bytes=1000", "LACKS=bytes=50", "EXTRA_BYTES=7"])
}

/// All formats of one comparison, and that comparison.
fn exported(sides: &Sides) -> Comparison {
    let formats = ["json", "csv", "md", "table", "junit", "gobench", "gha", "bmf"];
    let exports: Vec<String> = formats.iter().map(|format| format!("--export={format}=r.{format}")).collect();
    let mut arguments = with(&["check", "exe:./old", "exe:./new"], &THREE_CELLS);
    arguments.extend(exports.iter().map(String::as_str));
    let table = sides.run(&arguments).ends(REGRESSION).stdout;
    assert_eq!(read(sides.folder(), "r.table"), table, "the table is the same in a file");
    comparison_at(&sides.folder().path("r.json"))
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Name and times of each loop, as files with one value a name call it.
fn loops(comparison: &Comparison) -> Vec<(String, &LoopComparison)> {
    let mut loops = Vec::new();
    for cell in &comparison.cells {
        for kind in LoopKind::BOTH {
            loops.extend(cell.loops.of(kind).map(|one| (format!("{}/loop={}", cell.id, kind.name()), one)));
        }
    }
    loops
}

/// Whether a number that was read is this one, but for the last digit of a binary fraction, which reading may change.
fn is_same(read: Option<f64>, written: f64) -> bool {
    read.is_some_and(|read| (read / written - 1.0).abs() < 1e-14)
}

#[test]
fn every_format_tells_the_same_comparison() {
    let sides = three_sides();
    let comparison = exported(&sides);
    let folder = sides.folder();
    let loops = loops(&comparison);
    assert_eq!(loops.len(), 4);

    let csv = read(folder, "r.csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let column = |name: &str, reader: &mut csv::Reader<&[u8]>| {
        let headers = reader.headers().expect("a header");
        headers.iter().position(|header| header == name).unwrap_or_else(|| panic!("no column {name}"))
    };
    let (verdict, ratio) = (column("verdict", &mut reader), column("cpu_ratio", &mut reader));
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let timed = rows.iter().filter(|row| &row[verdict] != "lost");
    assert_eq!(rows.len(), loops.len() + 1, "a row a loop, and one of the lost cell");
    for (row, (name, one)) in timed.zip(&loops) {
        assert_eq!(&row[verdict], one.verdict.name(), "{name}");
        assert!(is_same(row[ratio].parse().ok(), one.cpu.ratio), "{name}");
    }

    let bmf: Value = serde_json::from_str(&read(folder, "r.bmf")).expect("JSON");
    let gha: Value = serde_json::from_str(&read(folder, "r.gha")).expect("JSON");
    for (name, one) in &loops {
        assert!(is_same(bmf[name]["cpu-ratio"]["value"].as_f64(), one.cpu.ratio), "{bmf}");
        let wanted = format!("{name} cpu-ratio");
        let mut entries = gha.as_array().expect("a list").iter();
        let entry = entries.find(|entry| entry["name"] == wanted.as_str()).expect(&wanted);
        assert!(is_same(entry["value"].as_f64(), one.cpu.ratio), "{entry}");
    }

    let go = parse(&read(folder, "r.gobench")).unwrap_or_else(|wrong| panic!("{wrong}"));
    let processes: usize =
        loops.iter().map(|(_, one)| one.evidence.old_times().len() + one.evidence.new_times().len()).sum();
    assert_eq!(go.results.len(), processes, "one line a process");
}

#[test]
fn junit_fails_for_exactly_what_got_worse() {
    let sides = three_sides();
    exported(&sides);
    let report = quick_junit::Report::deserialize_from_str(&read(sides.folder(), "r.junit")).expect("JUnit");
    let cases = &report.test_suites[0].test_cases;
    let failed: Vec<&str> = cases
        .iter()
        .filter(|case| matches!(case.status, quick_junit::TestCaseStatus::NonSuccess { .. }))
        .map(|case| case.name.as_str())
        .collect();
    let cell = "engine=alpha/proto=tls1.3/cipher=TLS_AES_128_GCM_SHA256";
    // Two loops are slower, a cell is lost, and in both others the handshake grew.
    let mut expected = vec![
        format!("{cell}/bytes=1000/loop=full"),
        format!("{cell}/bytes=1000/loop=reuse"),
        format!("{cell}/bytes=50"),
        format!("{cell}/counted"),
        format!("{cell}/bytes=1000/counted"),
    ];
    expected.sort();
    let mut failed: Vec<String> = failed.into_iter().map(str::to_owned).collect();
    failed.sort();
    assert_eq!(failed, expected);
}

#[test]
fn markdown_and_table_name_each_verdict() {
    let sides = three_sides();
    exported(&sides);
    for format in ["r.md", "r.table"] {
        let text = read(sides.folder(), format);
        for (word, times) in [("regression ", 2), ("unchanged ", 2), ("lost ", 1)] {
            let rows = text.lines().filter(|line| line.contains("alpha") && line.contains(word));
            assert_eq!(rows.count(), times, "{word} in {text}");
        }
        let counted = "the client sends 7 bytes more in a full handshake (238 → 245)";
        assert!(text.contains(counted), "{text}");
    }
}

#[test]
fn an_export_that_cannot_be_written_is_found_before_anything_is_measured() {
    let sides = Sides::quiet(&[]);
    let ran = sides.compared("compare", &with(&THREE_CELLS, &["--export=csv=no/such/folder/r.csv"]));
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    sides.compared("compare", &["--export=xyz=r.xyz"]).ends(USAGE);
    assert!(!sides.folder().names().iter().any(|name| name.contains(".state.")), "no side was started");
}

#[test]
fn shards_put_together_are_the_whole() {
    // Without noise it does not matter in which process a cell is measured.
    let sides = Sides::new();
    sides.add("old", &[]);
    sides.add("new", &["SLOWDOWN=1.05", "SLOW_CELLS=bytes=1000"]);
    let whole = comparison(&sides.compared("compare", &THREE_CELLS).ends(OK));
    for (shard, file) in [("--shard=1/2", "--export=json=1.json"), ("--shard=2/2", "--export=json=2.json")] {
        let arguments = with(&["compare", "exe:./old", "exe:./new", shard, file], &THREE_CELLS);
        sides.run(&arguments).ends(OK);
    }
    let sizes = ["1.json", "2.json"].map(|name| comparison_at(&sides.folder().path(name)).cells.len());
    assert_eq!(sizes.iter().sum::<usize>(), 3);
    let ran = sides.run(&["merge", "2.json", "1.json", "--quiet", "--json"]).ends(OK);
    let merged = comparison(&ran);
    assert!(merged.complete);
    assert_eq!((&merged.cells, &merged.plan), (&whole.cells, &whole.plan));
    assert_eq!((&merged.old, &merged.new, &merged.method), (&whole.old, &whole.new, &whole.method));
    assert!(undated(&ran.stdout, &merged).contains("\"then\""), "a merged file says when");
}

#[test]
fn results_are_on_disk_after_every_round() {
    let sides = Sides::new();
    sides.add("old", &[QUIET]);
    sides.add("new", &[QUIET, "FAULT=hang", "FAULT_AT=120"]);
    let arguments = with(
        &["compare", "exe:./old", "exe:./new", "--export=json=r.json"],
        &["--engine=alpha", "--proto=tls1.3", "--rounds=30", "--seed=7"],
    );
    let mut command = sides.command(&arguments);
    let mut child = command
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    // The new side hangs in the third round, and is waited for a minute at least.
    let rounds_on_disk = || {
        let text = fs::read_to_string(sides.folder().path("r.json")).ok()?;
        let comparison: Comparison = serde_json::from_str(&text).ok()?;
        Some(comparison.cells.first()?.loops.full.as_ref()?.evidence.old_times().len())
    };
    while rounds_on_disk() != Some(2) {
        assert_eq!(child.try_wait().expect("it can be asked"), None, "it hangs");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    assert!(!comparison_at(&sides.folder().path("r.json")).complete);
    sides.leave_nothing_running();
}
