//! The results file: what is written reads back, fits its schema, and is refused for clear reasons.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tlspair::campaign::NoNumbers;
use tlspair::cell::Choice;
use tlspair::engine::Engines;
use tlspair::fixtures::Credentials;
use tlspair::measure::{LoopKind, LoopPlan, Nobody, NotReady, Payload, ReadyCell, Stop, TimedLoop};
use tlspair::results::{
    CellResult, Comparison, Document, HarnessCost, LoopResult, Machine, Negotiated, PlanEntry, Status,
    comparison_schema, explanation_schema, json_schema, prediction_schema, speed_schema, write_json,
};

use crate::comparisons::{paired, separate};
use crate::documents::{classic_document, empty, measured, sample, timed};
use crate::schema::violations;
use crate::support::{cell, mixed};

fn json(document: &Document) -> String {
    let mut out = Vec::new();
    write_json(document, &mut out).expect("a vector takes everything");
    String::from_utf8(out).expect("JSON is UTF-8")
}

#[test]
fn documents_read_back_as_they_were_written() {
    for document in [sample(), empty(), classic_document()] {
        assert_eq!(Document::parse(&json(&document), "sample").expect("it was just written"), document);
    }
}

#[test]
fn the_checked_in_schemas_are_those_of_the_types() {
    for (name, schema) in [
        ("results.schema.json", json_schema()),
        ("comparison.schema.json", comparison_schema()),
        ("speed.schema.json", speed_schema()),
        ("explanation.schema.json", explanation_schema()),
        ("prediction.schema.json", prediction_schema()),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name);
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, &schema).expect("the schema can be written");
        }
        let checked_in = fs::read_to_string(&path).unwrap_or_default();
        assert!(
            checked_in == schema,
            "fixtures/{name} is stale: run `UPDATE=1 cargo test --release --test it schema`, and take a new schema number \
             if a field was renamed, removed or given another meaning"
        );
    }
}

#[test]
fn comparisons_fit_their_schema_and_read_back() {
    let schema: Value = serde_json::from_str(&comparison_schema()).expect("the schema is JSON");
    for comparison in [paired(), separate()] {
        let mut out = Vec::new();
        write_json(&comparison, &mut out).expect("a vector takes everything");
        let value: Value = serde_json::from_slice(&out).expect("JSON");
        assert_eq!(violations(&schema, &value), Vec::<String>::new());
        assert_eq!(serde_json::from_value::<Comparison>(value.clone()).expect("a comparison"), comparison);
        for (pointer, wrong) in [
            ("/kind", serde_json::json!("results")),
            ("/cells/0/status", serde_json::json!("fine")),
            ("/cells/0/loops/full/verdict", serde_json::json!("slower")),
            ("/cells/0/loops/full/evidence/design", serde_json::json!("twice")),
            ("/method/seed", serde_json::json!(-1)),
        ] {
            let mut broken = value.clone();
            *broken.pointer_mut(pointer).expect(pointer) = wrong;
            assert_ne!(violations(&schema, &broken), Vec::<String>::new(), "{pointer}");
        }
    }
}

#[test]
fn documents_fit_the_schema() {
    let schema: Value = serde_json::from_str(&json_schema()).expect("the schema is JSON");
    for document in [sample(), empty(), classic_document(), null_run()] {
        let value = serde_json::from_str(&json(&document)).expect("JSON");
        assert_eq!(violations(&schema, &value), Vec::<String>::new());
    }
}

#[test]
fn the_schema_finds_what_does_not_fit() {
    let schema: Value = serde_json::from_str(&json_schema()).expect("the schema is JSON");
    let value: Value = serde_json::from_str(&json(&sample())).expect("JSON");
    for (pointer, wrong) in [
        ("/complete", serde_json::json!("yes")),
        ("/cells/0/status", serde_json::json!("fine")),
        ("/cells/0/loops/full/cpu_ns", serde_json::json!(-1)),
        ("/cells/0/dims/bytes", serde_json::json!(null)),
        ("/cells/0/loops/full/samples_ns/0", serde_json::json!("1")),
        ("/cells/0/heap/client", serde_json::json!({})),
    ] {
        let mut broken = value.clone();
        *broken.pointer_mut(pointer).expect(pointer) = wrong;
        assert_ne!(violations(&schema, &broken), Vec::<String>::new(), "{pointer}");
    }
}

/// The names that other tools rely on.
#[test]
fn the_contract_s_fields_are_where_it_says() {
    let value: Value = serde_json::from_str(&json(&sample())).expect("JSON");
    let mut pointers: Vec<String> = [
        "/schema",
        "/tool/name",
        "/tool/version",
        "/machine/cpu",
        "/machine/features",
        "/complete",
        "/plan/hash",
        "/plan/cells",
        "/plan/shard",
        "/warnings",
        "/engines/0/id",
        "/engines/0/library",
        "/engines/0/version",
        "/engines/0/build",
        "/cells/0/id",
        "/cells/0/dims/engine",
        "/cells/0/dims/proto",
        "/cells/0/dims/cipher",
        "/cells/1/dims/client",
        "/cells/1/dims/server",
        "/cells/0/status",
        "/cells/0/reason",
        "/cells/0/negotiated/proto",
        "/cells/0/negotiated/cipher",
        "/cells/0/negotiated/group",
        "/cells/0/negotiated/signature",
    ]
    .map(str::to_owned)
    .to_vec();
    for kind in ["full", "reuse"] {
        for field in ["connections", "resumed", "cpu_ns", "wall_ns", "samples_ns"] {
            pointers.push(format!("/cells/0/loops/{kind}/{field}"));
        }
        for field in ["min", "median", "p95", "p99", "mean"] {
            pointers.push(format!("/cells/0/loops/{kind}/per_connection_ns/{field}"));
        }
        for phase in ["setup", "handshake", "transfer", "close"] {
            pointers.push(format!("/cells/0/loops/{kind}/phases/{phase}/client_ns"));
            pointers.push(format!("/cells/0/loops/{kind}/phases/{phase}/server_ns"));
        }
        for field in ["flights", "post_handshake_bytes"] {
            pointers.push(format!("/cells/0/wire/{kind}/{field}"));
        }
    }
    for part in ["full", "reuse", "app"] {
        for field in ["client_bytes", "server_bytes", "client_records", "server_records"] {
            pointers.push(format!("/cells/0/wire/{part}/{field}"));
        }
    }
    for side in ["client", "server"] {
        for field in ["allocations", "peak_bytes", "held_bytes"] {
            pointers.push(format!("/cells/0/heap/{side}/{field}"));
        }
    }
    let missing: Vec<&String> = pointers.iter().filter(|pointer| value.pointer(pointer).is_none()).collect();
    assert_eq!(missing, Vec::<&String>::new());
    assert_eq!(value["cells"][1]["heap"], Value::Null);
    assert_eq!(value["cells"][2]["loops"]["full"], Value::Null);
    assert_eq!(value["cells"][0]["reason"], Value::Null);
}

#[test]
fn dimensions_are_all_there_in_order_and_numbers_are_numbers() {
    let value: Value = serde_json::from_str(&json(&sample())).expect("JSON");
    let keys: Vec<&String> = value["cells"][0]["dims"].as_object().expect("an object").keys().collect();
    let expected = "engine proto cipher group cert chain verify auth resume bytes chunk direction requests \
                    record-size early-data hello etm ems alpn accel";
    assert_eq!(keys, expected.split(' ').collect::<Vec<_>>());
    assert_eq!(value["cells"][0]["dims"]["chain"], 1);
    assert_eq!(value["cells"][0]["dims"]["chunk"], 8192);
    assert_eq!(value["cells"][1]["dims"]["bytes"], 16384);
}

#[test]
fn other_files_are_refused_for_what_they_are() {
    let refused = |text: &str| Document::parse(text, "old.json").expect_err(text).to_string();
    let newer = json(&sample()).replace("\"schema\": 1", "\"schema\": 2");
    assert_eq!(refused(&newer), "old.json: schema 2, but this tlspair reads schema 1 only");
    assert_eq!(
        refused("{\"benchmarks\": []}"),
        "old.json: not a tlspair results file: it has no number called `schema`"
    );
    assert_eq!(refused("[1]"), refused("{\"schema\": \"1\"}"));
    assert!(refused("{").starts_with("old.json: not JSON (EOF"), "{}", refused("{"));
    let broken = json(&sample()).replace("\"complete\": true", "\"complete\": 1");
    let message = refused(&broken);
    assert!(message.contains("expected a boolean") && message.contains("at line "), "{message}");
    let absent = Document::load(Path::new("no-such-file.json")).expect_err("it does not exist").to_string();
    assert!(absent.starts_with("no-such-file.json: "), "{absent}");
}

#[test]
fn fields_of_later_versions_are_ignored() {
    let text = json(&sample()).replacen('{', "{ \"colour\": \"red\",", 1);
    assert_eq!(Document::parse(&text, "later").expect("only more than known"), sample());
}

#[test]
fn a_loop_without_connections_has_no_numbers() {
    assert_eq!(LoopResult::of(&timed(LoopKind::Full, 0, 1000)), None);
    assert_eq!(
        HarnessCost::of(&cell("null", &Choice::default()), LoopKind::Full, &timed(LoopKind::Full, 0, 1)),
        None
    );
}

#[test]
fn engines_of_a_cell_have_one_name() {
    let choice = Choice::default();
    assert_eq!(measured(&cell("null", &choice), 1).dims.engines().as_deref(), Some("null"));
    assert_eq!(measured(&mixed("a", "b", &choice), 1).dims.engines().as_deref(), Some("a→b"));
}

#[test]
fn cells_that_are_not_ready_keep_the_reason() {
    let cell = cell("nil", &Choice::default());
    let why =
        ReadyCell::of(&Engines::built_in(), &cell, &Credentials::of(&cell)).expect_err("no such engine");
    let result = CellResult::of(&cell, Err(NoNumbers::from(why.clone()))).expect("a row");
    assert_eq!((result.status, result.reason), (Status::Error, Some(why.to_string())));
    let error = tlspair::engine::EngineError::new("no memory");
    let why = NotReady::Failed { side: tlspair::engine::Side::Server, error };
    let result = CellResult::of(&cell, Err(why.into())).expect("a row");
    assert_eq!(
        (result.status, result.reason.as_deref()),
        (Status::Error, Some("server, prepare: no memory"))
    );
    assert_eq!(CellResult::of(&cell, Err(NoNumbers::NotReached)), None);
}

#[test]
fn this_machine_can_be_named() {
    let machine = Machine::this_one();
    assert_eq!((machine.os.as_str(), machine.arch.as_str()), (std::env::consts::OS, std::env::consts::ARCH));
    assert!(machine.date.ends_with('Z') && machine.date.len() == 20, "{}", machine.date);
    assert!(machine.target.contains('-') && !machine.opt_level.is_empty(), "{machine:?}");
    assert!(machine.cores.is_some_and(|cores| cores > 0));
}

/// A real run of the null pair, through every conversion.
fn null_run() -> Document {
    let cell = cell("null", &Choice::default());
    let engines = Engines::built_in();
    let ready =
        ReadyCell::of(&engines, &cell, &Credentials::of(&cell)).expect("the null engine runs everything");
    let mut pair = ready.pair();
    let agreed = pair
        .connect(tlspair::engine::Start::Fresh, false, Payload::Checked, &mut Nobody)
        .expect("the null engine does not fail");
    let mut result = CellResult::ok(&cell, Negotiated::from(&agreed));
    let plan = PlanEntry::whole(std::slice::from_ref(&cell), &LoopKind::BOTH);
    let mut document = Document::begin(&engines.infos(), plan);
    for kind in LoopKind::BOTH {
        let plan = LoopPlan { kind, connections: 10, payload: Payload::Plain, stop: Stop::default() };
        let timed = TimedLoop::of(&mut pair, plan, |_| {}).expect("nor now");
        result.loops.set(kind, LoopResult::of(&timed));
        document.harness.get_or_insert_default().extend(HarnessCost::of(&cell, kind, &timed));
    }
    document.cells.push(result);
    document
}

#[test]
fn a_real_run_fills_the_document() {
    let document = null_run();
    let result = &document.cells[0];
    assert_eq!(document.cell(&result.id), Some(result));
    assert_eq!(result.negotiated.as_ref().map(|agreed| agreed.proto.as_str()), Some("tls1.3"));
    let reuse = result.loops.of(LoopKind::Reuse).expect("it ran");
    assert_eq!((reuse.connections, reuse.resumed, reuse.samples_ns.len()), (10, 9, 10));
    let split = reuse.phases.total();
    let samples: u64 = reuse.samples_ns.iter().sum();
    assert!(
        samples.abs_diff(split.client_ns + split.server_ns) <= 8 + 10,
        "rounding to ns is all that parts them"
    );
    assert_eq!(document.harness.as_ref().map(Vec::len), Some(2));
}
