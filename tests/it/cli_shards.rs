//! Shards from the command line, run beside each other and merged.

use std::process::Command;

use serde_json::Value;
use tlspair::results::{Document, Shard};
use tlspair::suite::built_in;

use crate::cli::{Folder, NOTHING, OK, OPERATIONAL, USAGE, program, results_at, tlspair, tlspair_with};

/// Five cells on the null engine, in loops of two.
const FIVE: &str = "run --engine null --bytes 1,2,3,4,5 -n 2 -q";

fn run_shard(folder: &Folder, arguments: &str, shard: &str, name: &str) {
    tlspair(&format!("{arguments} --shard {shard} --export json={}", folder.arg(name))).ends(OK);
}

/// A document without what two runs never have in common: times, and whose harness was measured when.
fn without_times(document: &Document) -> Value {
    let mut value = serde_json::to_value(document).expect("a document is JSON");
    forget_times(&mut value);
    value
}

fn forget_times(value: &mut Value) {
    const TIMES: [&str; 9] = [
        "date",
        "harness",
        "cpu_ns",
        "wall_ns",
        "cpu_wall_differ",
        "per_connection_ns",
        "phases",
        "first_connection",
        "samples_ns",
    ];
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !TIMES.contains(&name.as_str()));
            fields.values_mut().for_each(forget_times);
        }
        Value::Array(items) => items.iter_mut().for_each(forget_times),
        _ => {}
    }
}

fn has_gnu_parallel() -> bool {
    let version = Command::new("parallel").arg("--version").output();
    version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).starts_with("GNU parallel"))
}

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn shards_that_gnu_parallel_runs_merge_to_the_unsharded_run_but_for_times() {
    if !has_gnu_parallel() {
        eprintln!("skipped: GNU parallel is not here; scripts/setup test installs it");
        return;
    }
    let folder = Folder::new();
    // The engine without cryptography: signatures of others vary in length from run to run.
    let smoke = built_in("smoke").expect("it is built in").replace("engine = \"all\"", "engine = \"null\"");
    let suite = folder.file("smoke.toml", &smoke);
    let shards = Command::new("parallel")
        .env("PARALLEL_HOME", folder.path("parallel"))
        .args(["--will-cite", "--jobs", "2", env!("CARGO_BIN_EXE_tlspair"), "run", &suite, "--shard", "{}/2"])
        .args(["--quiet", "--num", "3", "--export", &format!("json={}", folder.arg("{}.json"))])
        .args([":::", "1", "2"])
        .output()
        .expect("it is here");
    assert!(shards.status.success(), "{}", String::from_utf8_lossy(&shards.stderr));
    let unsharded = tlspair_with(["run", &suite, "-q", "-n", "3", "--json"]).ends(OK).results();
    assert!(unsharded.cells.len() >= 8, "{}", unsharded.cells.len());
    let merged = tlspair_with(["merge", &folder.arg("2.json"), &folder.arg("1.json"), "--json"]).ends(OK);
    assert_eq!(merged.stderr, format!("{} cells from 2 files\n", unsharded.cells.len()));
    let merged = merged.results();
    assert!(merged.complete && merged.warnings.is_empty());
    assert_eq!(without_times(&merged), without_times(&unsharded));
}

#[test]
fn a_shard_runs_its_cells_only_and_knows_the_whole_plan() {
    let whole = tlspair(&format!("{FIVE} --json")).ends(OK).results();
    assert_eq!((whole.plan.cells, whole.plan.shard), (5, None));
    for (shard, of_whole) in
        [("1/2", vec![0, 2, 4]), ("2/2", vec![1, 3]), ("5/5", vec![4]), ("1/1", vec![0, 1, 2, 3, 4])]
    {
        let part = tlspair(&format!("{FIVE} --json --shard {shard}")).ends(OK).results();
        let ids: Vec<&str> = part.cells.iter().map(|cell| cell.id.as_str()).collect();
        let expected: Vec<&str> = of_whole.iter().map(|&at: &usize| whole.cells[at].id.as_str()).collect();
        assert_eq!(ids, expected, "{shard}");
        assert_eq!((&part.plan.hash, part.plan.cells), (&whole.plan.hash, 5));
        assert_eq!((part.plan.shard, part.complete), (shard.parse().ok(), true));
        assert_eq!(part.engines, whole.engines);
    }
    let reuse = tlspair(&format!("{FIVE} --json --reuse")).ends(OK).results();
    assert_ne!(reuse.plan.hash, whole.plan.hash, "loops are part of a plan");
}

#[test]
fn a_shard_beyond_the_cells_is_empty_complete_and_said_to_be() {
    let folder = Folder::new();
    let args = format!("run --engine null -n 2 --shard 2/3 --export json={}", folder.arg("2.json"));
    let ran = tlspair(&args).ends(OK);
    assert!(
        ran.stderr.contains("shard 2/3 is empty, because the whole plan has only 1 cell"),
        "{}",
        ran.stderr
    );
    let empty = results_at(&folder.path("2.json"));
    assert_eq!((empty.cells.len(), empty.complete), (0, true));
    assert_eq!(empty.plan.shard, Some(Shard { number: 2, of: 3 }));
    // A filter that leaves nothing is still a mistake.
    tlspair("run --engine null --shard 1/2 -f bytes=7").ends(NOTHING).complains_of(&["no cell matches"]);
}

#[test]
fn what_is_no_shard_is_refused_with_the_nearest() {
    for (shard, words) in [
        ("0/3", "there is no shard 0; the nearest is 1/3"),
        ("4/3", "there is no shard 4; the nearest is 3/3"),
        ("1/0", "cannot be cut into 0 shards"),
        ("a/b", "`a/b` is not NUMBER/OF, such as 1/3"),
        ("3", "`3` is not NUMBER/OF"),
    ] {
        tlspair(&format!("run --engine null --shard {shard}")).ends(USAGE).complains_of(&[words]);
    }
}

#[test]
fn merge_prints_the_table_and_exports_like_run() {
    let folder = Folder::new();
    for number in ["1", "2", "3"] {
        run_shard(&folder, FIVE, &format!("{number}/3"), number);
    }
    let files = ["1", "2", "3"].map(|name| folder.arg(name));
    let export = format!("json={}", folder.arg("merged.json"));
    let ran = tlspair_with(
        [["merge", "-q", "--export", &export].as_slice(), &files.each_ref().map(String::as_str)].concat(),
    );
    let ran = ran.ends(OK);
    assert!(ran.stdout.contains("Machine: ") && ran.stderr.is_empty(), "{}", ran.stderr);
    let bytes: Vec<_> = results_at(&folder.path("merged.json"))
        .cells
        .iter()
        .filter_map(|cell| cell.dims.number("bytes"))
        .collect();
    assert_eq!(bytes, [1, 2, 3, 4, 5]);
}

#[test]
fn missing_shards_are_refused_or_leave_a_file_that_is_not_complete() {
    let folder = Folder::new();
    run_shard(&folder, FIVE, "2/3", "2");
    let one = folder.arg("2");
    tlspair_with(["merge", &one]).ends(USAGE).complains_of(&["shards 1/3 and 3/3 are missing", "--partial"]);
    let ran = tlspair_with(["merge", &one, "--partial", "--json"]).ends(OK);
    let merged = ran.results();
    assert_eq!((merged.complete, merged.cells.len(), merged.plan.shard), (false, 2, None));
    assert_eq!(merged.warnings, ["shards 1/3 and 3/3 are missing"]);
    assert!(ran.stderr.contains("warning: shards 1/3 and 3/3 are missing"), "{}", ran.stderr);
    let table = tlspair_with(["merge", &one, "--partial", "-q"]).ends(OK).stdout;
    assert!(table.contains("Warning: shards 1/3 and 3/3 are missing."), "{table}");
}

#[test]
fn shards_of_another_machine_need_force_and_carry_a_warning() {
    let folder = Folder::new();
    run_shard(&folder, FIVE, "1/2", "1");
    run_shard(&folder, FIVE, "2/2", "2");
    let mut other = results_at(&folder.path("2"));
    other.machine.cpu = Some("Another CPU".to_owned());
    folder.file("2", &serde_json::to_string(&other).expect("a document is JSON"));
    let files = [folder.arg("1"), folder.arg("2")];
    tlspair_with(["merge", &files[0], &files[1]]).ends(USAGE).complains_of(&[
        "come from different machines: processor: ",
        "Another CPU",
        "--force",
    ]);
    let merged = tlspair_with(["merge", &files[0], &files[1], "--force", "--json"]).ends(OK).results();
    let [warning] = merged.warnings.as_slice() else { panic!("{:?}", merged.warnings) };
    assert!(warning.starts_with("merged from different machines: ") && merged.complete, "{warning}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new();
    tlspair_with(["merge", &folder.arg("no.json")]).ends(OPERATIONAL).complains_of(&["no.json: "]);
    let other = folder.file("other.json", "{}");
    tlspair_with(["merge", &other])
        .ends(OPERATIONAL)
        .complains_of(&["other.json: not a tlspair results file"]);
    tlspair("merge").ends(USAGE);
    let export = format!("json={}", folder.arg("nowhere/out.json"));
    let ran = program().args(["merge", &other, "--export", &export]).output().expect("the program starts");
    assert!(String::from_utf8_lossy(&ran.stderr).contains("there is no folder"), "exports are opened first");
}
