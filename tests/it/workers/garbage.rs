//! A worker that is asked nonsense answers each line, and goes on.

use proptest::prelude::*;
use tlspair::engine::Engines;
use tlspair::measure::Stop;
use tlspair::worker::{EngineDesk, Failed, Reply, serve};

/// Serves these bytes with the null engine; gives the replies.
fn replies_to(requests: &[u8]) -> Vec<Reply> {
    let engines = Engines::of(Vec::new());
    let mut replies = Vec::new();
    serve(&mut EngineDesk::new(&engines, Stop::default()), requests, &mut replies)
        .expect("a vector takes everything");
    let lines = std::str::from_utf8(&replies).expect("replies are text").lines();
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

const HELLO: &str = r#"{"hello":{"protocol":5,"core":null}}"#;
const BATCH: &str = r#"{"batch":{"connections":2}}"#;
const DIMS: &str = r#"{"engine":"null","proto":"tls1.3","cipher":"TLS_AES_128_GCM_SHA256","bytes":1}"#;

fn lines(lines: &[&str]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

fn misunderstood(reply: &Reply) -> &str {
    match reply {
        Reply::Failed(Failed::Misunderstood(why)) => why,
        other => panic!("{other:?}"),
    }
}

/// Insists that a greeted worker misunderstands this line, and then does its work.
#[track_caller]
fn misunderstands(line: &[u8]) -> String {
    let open = format!(r#"{{"open":{{"dims":{DIMS},"loop":"full","warm_up":1,"burden_ns":0}}}}"#);
    let requests = [&lines(&[HELLO]), line, b"\n", &lines(&[&open, BATCH])].concat();
    let replies = replies_to(&requests);
    assert_eq!(replies.len(), 4, "one reply a line: {replies:?}");
    assert!(matches!(replies[0], Reply::Hello(_)));
    assert_eq!(replies[2], Reply::Opened);
    assert!(matches!(replies[3], Reply::Batch(times) if times.connections == 2));
    misunderstood(&replies[1]).to_owned()
}

#[test]
fn garbage_is_answered_and_forgotten() {
    let deep = "[".repeat(100_000);
    let long = format!(r#"{{"try":{{"dims":{{"engine":"{}"}}}}}}"#, "x".repeat(1 << 20));
    for line in [
        &b""[..],
        b" ",
        b"\0",
        b"\xff\xfe\xfd",
        b"\r",
        b"{\"batch\":{\"connections\":\0}}",
        b"hello",
        b"null",
        b"{}",
        b"[]",
        b"\"batch\"",
        br#"{"batch":{"connections":1"#,
        br#"{"batch":{"connections":-1}}"#,
        br#"{"batch":{"connections":1e99}}"#,
        br#"{"batch":{"connections":99999999999999999999999999}}"#,
        br#"{"batch":{"connections":"1"}}"#,
        br#"{"batch":{"connections":1}} {"batch":{"connections":1}}"#,
        br#"{"open":{"dims":{},"loop":"both","warm_up":1,"burden_ns":0}}"#,
        deep.as_bytes(),
        long.as_bytes(),
    ] {
        assert!(!misunderstands(line).is_empty());
    }
}

#[test]
fn numbers_out_of_all_bounds_become_neither_memory_nor_time() {
    for (line, words) in [
        (r#"{"batch":{"connections":18446744073709551615}}"#.to_owned(), "connections must be 1 to 10000000"),
        (r#"{"batch":{"connections":1000000000000}}"#.to_owned(), "not 1000000000000"),
        (r#"{"batch":{"connections":0}}"#.to_owned(), "connections must be 1 to 10000000, not 0"),
        (format!(r#"{{"time":{{"dims":{DIMS},"loop":"full","connections":10000001}}}}"#), "not 10000001"),
        (
            format!(r#"{{"open":{{"dims":{DIMS},"loop":"full","warm_up":99999999999,"burden_ns":0}}}}"#),
            "not 99999999999",
        ),
        (
            format!(
                r#"{{"open":{{"dims":{DIMS},"loop":"full","warm_up":1,"burden_ns":18446744073709551615}}}}"#
            ),
            "the burden must be",
        ),
    ] {
        let why = misunderstands(line.as_bytes());
        assert!(why.contains(words), "{words} in {why}");
    }
}

/// Whatever its beginning says.
#[test]
fn a_line_that_is_too_long_is_no_request() {
    let padded = format!("{BATCH}{}", " ".repeat(70_000));
    let why = misunderstands(padded.as_bytes());
    assert!(why.contains("a request has 65536 bytes at most"), "{why}");
}

#[test]
fn cells_that_nobody_knows_are_misunderstood_in_words() {
    for (dims, words) in [
        (r#"{"engine":"nulll"}"#, "unknown engine `nulll`; did you mean `null`?"),
        (r#"{"engine":"null","proto":"tls9"}"#, "unknown proto `tls9`"),
        (r#"{"colour":"red"}"#, "colour"),
        (r#"{"engine":"null","bytes":0}"#, "bytes must be 1 to 1 GiB, not 0"),
        (r#"{"engine":"null","bytes":18446744073709551615}"#, "bytes must be 1 to 1 GiB"),
        (r#"{"engine":"null","bytes":"1,2"}"#, "`1,2` is more than one value"),
        (r#"{"engine":"null","bytes":"1..5"}"#, "do not name one cell"),
        (r#"{"engine":"null","proto":"tls1.3","group":"rsa"}"#, "group"),
    ] {
        let why = misunderstands(format!(r#"{{"try":{{"dims":{dims}}}}}"#).as_bytes());
        assert!(why.contains(words), "{words} in {why}");
    }
}

#[test]
fn nobody_is_served_before_the_greeting() {
    let other = r#"{"hello":{"protocol":1,"core":null}}"#;
    let replies = replies_to(&lines(&[BATCH, other, BATCH, HELLO, BATCH]));
    assert_eq!(replies.len(), 5);
    for reply in [&replies[0], &replies[2]] {
        assert!(misunderstood(reply).contains("not greeted in its own protocol"));
    }
    assert!(matches!(replies[1], Reply::Hello(_)), "whoever asks in another protocol is told ours");
    assert_eq!(replies[4], Reply::Failed(Failed::Error("no loop is open".to_owned())));
}

#[test]
fn a_loop_that_could_not_be_opened_leaves_none_open() {
    let open = |engine: &str| {
        format!(r#"{{"open":{{"dims":{{"engine":"{engine}"}},"loop":"reuse","warm_up":2,"burden_ns":0}}}}"#)
    };
    let mixed =
        r#"{"open":{"dims":{"client":"null","server":"nobody"},"loop":"full","warm_up":1,"burden_ns":0}}"#;
    let replies = replies_to(&lines(&[HELLO, &open("null"), BATCH, mixed, BATCH]));
    assert_eq!(replies[1], Reply::Opened);
    assert!(matches!(replies[2], Reply::Batch(_)));
    assert!(misunderstood(&replies[3]).contains("nobody"));
    assert!(matches!(replies[4], Reply::Batch(_)), "what was not understood changes nothing");
}

#[test]
fn the_last_line_needs_no_end_and_no_input_is_no_error() {
    assert_eq!(replies_to(b""), []);
    let replies = replies_to(HELLO.as_bytes());
    assert!(matches!(replies[..], [Reply::Hello(_)]));
    let cut = &HELLO.as_bytes()[..HELLO.len() / 2];
    assert!(!misunderstood(&replies_to(cut)[0]).is_empty());
}

proptest! {
    #[test]
    fn any_bytes_are_answered_line_by_line(garbage in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut expected = garbage.iter().filter(|&&byte| byte == b'\n').count();
        expected += usize::from(garbage.last().is_some_and(|&byte| byte != b'\n'));
        prop_assert_eq!(replies_to(&garbage).len(), expected);
    }

    #[test]
    fn a_request_with_any_byte_changed_is_answered(at in 0..HELLO.len(), byte in any::<u8>()) {
        prop_assume!(byte != b'\n');
        let mut line = HELLO.as_bytes().to_vec();
        line[at] = byte;
        // The number of a processor is not to be hit upon: the tests would be bound to it.
        prop_assume!(!line.ends_with(b"null}}") || at < HELLO.len() - 6 || byte == b'n');
        prop_assert_eq!(replies_to(&line).len(), 1);
    }
}
