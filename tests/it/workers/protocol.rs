//! The messages survive the way through JSON, whatever they hold.

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tlspair::campaign::TriedCell;
use tlspair::cell::Choice;
use tlspair::engine::Capabilities;
use tlspair::measure::LoopKind;
use tlspair::results::{CellResult, DimValue, Dims, EngineEntry, LoopResult};
use tlspair::worker::{BatchTimes, Build, Failed, Hello, Reply, Request};

use crate::documents::{measured, timed};
use crate::support::cell;

/// There and back in one line.
#[track_caller]
fn survives<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(message: &T) {
    let line = serde_json::to_string(message).expect("messages are plain JSON");
    assert!(!line.contains(['\n', '\r']), "one line: {line}");
    let back: T = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error} in {line}"));
    assert_eq!(&back, message);
}

fn dims() -> impl Strategy<Value = Dims> {
    let value =
        prop_oneof![any::<u64>().prop_map(DimValue::Number), any::<String>().prop_map(DimValue::Text)];
    prop::collection::vec((any::<String>(), value), 0..6).prop_map(Dims::new)
}

fn kind() -> impl Strategy<Value = LoopKind> {
    prop_oneof![Just(LoopKind::Full), Just(LoopKind::Reuse)]
}

fn request() -> impl Strategy<Value = Request> {
    prop_oneof![
        (any::<u32>(), any::<Option<u64>>()).prop_map(|(protocol, core)| Request::Hello { protocol, core }),
        dims().prop_map(|dims| Request::Try { dims }),
        dims().prop_map(|dims| Request::Needs { dims }),
        dims().prop_map(|dims| Request::Verify { dims }),
        Just(Request::List),
        (dims(), kind(), any::<u64>(), any::<bool>()).prop_map(|(dims, kind, connections, renewed)| {
            Request::Time { renewed, dims, kind, connections }
        }),
        (dims(), kind(), any::<u64>(), any::<u64>())
            .prop_map(|(dims, kind, warm_up, burden_ns)| Request::Open { dims, kind, warm_up, burden_ns }),
        any::<u64>().prop_map(|connections| Request::Batch { connections }),
    ]
}

fn hello() -> impl Strategy<Value = Hello> {
    let entry = any::<[String; 4]>().prop_map(|[id, library, version, build]| EngineEntry {
        id,
        library,
        version,
        build,
    });
    let engines = prop::collection::vec(entry, 0..4);
    (any::<u32>(), any::<[String; 6]>(), engines.clone(), engines, any::<Option<u64>>()).prop_map(
        |(protocol, words, engines, other_engines, core)| {
            let [version, hash, target, profile, opt_level, cflags] = words;
            let build = Build { target, profile, opt_level, cflags };
            Hello { protocol, version, build, hash, engines, other_engines, core }
        },
    )
}

fn failed() -> impl Strategy<Value = Failed> {
    prop_oneof![
        any::<String>().prop_map(Failed::Unsupported),
        any::<String>().prop_map(Failed::Error),
        Just(Failed::Stopped),
        any::<String>().prop_map(Failed::Misunderstood),
    ]
}

fn batch() -> impl Strategy<Value = BatchTimes> {
    any::<[u64; 5]>().prop_map(|[connections, cpu_ns, wall_ns, client_ns, server_ns]| BatchTimes {
        connections,
        cpu_ns,
        wall_ns,
        client_ns,
        server_ns,
    })
}

fn listed() -> impl Strategy<Value = Vec<Capabilities>> {
    let words = || prop::collection::btree_map(any::<String>(), any::<String>(), 0..3);
    let supports =
        prop::collection::btree_map(any::<String>(), any::<[String; 2]>().prop_map(Vec::from), 0..3);
    let lacks = prop::collection::btree_map(any::<String>(), words(), 0..3);
    let one = (any::<[String; 4]>(), supports, lacks).prop_map(|(words, supports, lacks)| {
        let [id, library, version, build] = words;
        Capabilities { id, library, version, build, supports, lacks }
    });
    prop::collection::vec(one, 0..3)
}

/// A cell that was tried, with words and numbers that may be anything.
fn tried() -> impl Strategy<Value = TriedCell> {
    (any::<String>(), any::<[u64; 4]>(), any::<i64>()).prop_map(|(words, numbers, held)| {
        let cell = cell("null", &Choice::default());
        let mut result: CellResult = measured(&cell, 100_000);
        result.loops = Default::default();
        result.reason = Some(words);
        let [bytes, allocations, full_ns, resumed_ns] = numbers;
        result.wire.full.iter_mut().for_each(|wire| wire.client_bytes = bytes);
        result.heap.iter_mut().for_each(|heap| {
            heap.client.allocations = allocations;
            heap.server.held_bytes = held;
        });
        TriedCell { result, full_ns, resumed_ns }
    })
}

fn reply() -> impl Strategy<Value = Reply> {
    let looped = (kind(), 1..200_u64, 1..10_000_000_u64).prop_map(|(kind, connections, base_ns)| {
        let timed = timed(kind, connections, base_ns);
        Reply::Timed(Box::new(LoopResult::of(&timed).expect("a connection ran")))
    });
    prop_oneof![
        hello().prop_map(|hello| Reply::Hello(Box::new(hello))),
        tried().prop_map(|tried| Reply::Tried(Box::new(tried))),
        any::<[u64; 2]>().prop_map(|[done, per_connection_ns]| Reply::Progress { done, per_connection_ns }),
        looped,
        listed().prop_map(Reply::Listed),
        prop::collection::btree_map(any::<String>(), any::<String>(), 0..3)
            .prop_map(|variables| Reply::Needs { variables }),
        Just(Reply::Verified),
        Just(Reply::Opened),
        batch().prop_map(Reply::Batch),
        failed().prop_map(Reply::Failed),
    ]
}

proptest! {
    #[test]
    fn every_request_survives(request in request()) {
        survives(&request);
    }

    #[test]
    fn every_reply_survives(reply in reply()) {
        survives(&reply);
    }
}

#[test]
fn messages_look_as_the_format_says() {
    let dims = Dims::new([("engine".to_owned(), DimValue::Text("null".to_owned()))]);
    let requests = [
        (Request::Hello { protocol: 5, core: None }, r#"{"hello":{"protocol":5,"core":null}}"#),
        (Request::Try { dims: dims.clone() }, r#"{"try":{"dims":{"engine":"null"}}}"#),
        (
            Request::Time { dims: dims.clone(), kind: LoopKind::Reuse, connections: 5, renewed: true },
            r#"{"time":{"dims":{"engine":"null"},"loop":"reuse","connections":5,"renewed":true}}"#,
        ),
        (
            Request::Open { dims, kind: LoopKind::Full, warm_up: 3, burden_ns: 0 },
            r#"{"open":{"dims":{"engine":"null"},"loop":"full","warm_up":3,"burden_ns":0}}"#,
        ),
        (Request::List, r#""list""#),
        (Request::Batch { connections: 7 }, r#"{"batch":{"connections":7}}"#),
    ];
    for (request, line) in requests {
        assert_eq!(serde_json::to_string(&request).expect("plain JSON"), line);
    }
    for (reply, line) in [
        (Reply::Opened, r#""opened""#),
        (Reply::Failed(Failed::Stopped), r#"{"failed":"stopped"}"#),
        (Reply::Failed(Failed::Error("no".to_owned())), r#"{"failed":{"error":"no"}}"#),
    ] {
        assert_eq!(serde_json::to_string(&reply).expect("plain JSON"), line);
    }
}

#[test]
fn what_is_unknown_is_refused_rather_than_passed_over() {
    for line in [
        r#"{"hello":{"protocol":5,"core":null,"more":1}}"#,
        r#"{"batch":{"connections":1.5}}"#,
        r#"{"batch":{"connections":18446744073709551616}}"#,
        r#"{"sleep":{}}"#,
        r#"{"batch":{"connections":1},"try":{}}"#,
    ] {
        assert!(serde_json::from_str::<Request>(line).is_err(), "{line}");
    }
}

#[test]
fn the_messages_in_the_document_are_messages() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/FORMAT.md");
    let text = std::fs::read_to_string(path).expect("the document is there");
    let (_, section) = text.split_once("## Messages of a worker").expect("a section on them");
    let block = section.split("```").nth(1).expect("examples").trim_start_matches("text\n");
    for line in block.lines() {
        let back = match line.split_at(2) {
            ("> ", request) => {
                serde_json::from_str::<Request>(request).and_then(|request| serde_json::to_string(&request))
            }
            ("< ", reply) => {
                serde_json::from_str::<Reply>(reply).and_then(|reply| serde_json::to_string(&reply))
            }
            _ => panic!("neither request nor reply: {line}"),
        };
        assert_eq!(back.unwrap_or_else(|error| panic!("{error}: {line}")), line[2..]);
    }
    assert_eq!(block.lines().count(), 23);
}
