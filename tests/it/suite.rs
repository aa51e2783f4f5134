//! Suites and cell flags: which cells they make.

use std::collections::HashSet;

use proptest::prelude::*;
use tlspair::cell::{CIPHERS, Cell, Cert, Proto, Resume};
use tlspair::engine::Engines;
use tlspair::measure::LoopKind;
use tlspair::suite::{Expansion, Product, Suite};

use crate::support::named_engines;

const HEAD: &str = "title = 'T'\nabout = 'A.'\n";

fn engines() -> Engines {
    named_engines(&["openssl", "rustls-ring"])
}

fn suite(blocks: &str) -> Suite {
    let text = format!("{HEAD}{blocks}");
    Suite::parse(&text, "test.toml", &engines()).unwrap_or_else(|error| panic!("{error}"))
}

fn flags(flags: &[(&str, &str)]) -> Expansion {
    Product::parse_flags(flags, &engines()).unwrap_or_else(|error| panic!("{error}"))
}

fn flag_error(flags: &[(&str, &str)]) -> String {
    Product::parse_flags(flags, &engines()).expect_err("a mistake").to_string()
}

fn ids(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::id).collect()
}

#[test]
fn a_block_is_the_product_of_its_lists_the_last_varying_fastest() {
    let suite =
        suite("[[cells]]\nengine = 'openssl'\nbytes = [1, '1KiB']\ncipher = ['AES128-SHA', 'AES256-SHA']\n");
    let found: Vec<_> = suite.cells.iter().map(|cell| (cell.bytes, cell.cipher.openssl)).collect();
    assert_eq!(found, [(1, "AES128-SHA"), (1, "AES256-SHA"), (1024, "AES128-SHA"), (1024, "AES256-SHA")]);
}

#[test]
fn ruled_out_combinations_are_left_out_and_counted() {
    let suite = suite(
        "[[cells]]\nengine = 'openssl'\nproto = ['tls1.2', 'tls1.3']\n\
         cipher = ['AES128-SHA', 'TLS_AES_128_GCM_SHA256']\n",
    );
    assert_eq!((suite.cells.len(), suite.ruled_out), (2, 2));
}

#[test]
fn all_means_every_tls_engine_and_is_what_a_block_without_engines_has() {
    for block in ["[[cells]]\nengine = 'all'\n", "[[cells]]\nproto = 'tls1.3'\n", "[[cells]]\n"] {
        let suite = suite(block);
        let found: Vec<_> = suite.cells.iter().map(|cell| cell.client.as_str()).collect();
        assert_eq!(found, ["openssl", "rustls-ring"], "{block}");
    }
}

#[test]
fn client_and_server_lists_are_paired() {
    let suite = suite("[[cells]]\nclient = 'all'\nserver = ['openssl', 'rustls-ring']\n");
    let found: Vec<_> = suite.cells.iter().map(Cell::engines).collect();
    assert_eq!(found, ["openssl", "openssl→rustls-ring", "rustls-ring→openssl", "rustls-ring"]);
}

#[test]
fn engines_of_the_project_that_are_not_built_in_are_noted_and_skipped() {
    let suite = suite(
        "[[cells]]\nengine = ['mbedtls', 'openssl']\nexclude = 'engine=mbedtls'\n\
         [[cells]]\nengine = ['mbedtls', 'rustls-aws-lc']\n",
    );
    assert_eq!(suite.absent_engines, ["mbedtls", "rustls-aws-lc"]);
    assert_eq!((suite.cells.len(), suite.excluded), (1, 0));
}

#[test]
fn exclusions_take_cells_out_of_their_block() {
    let suite = suite(
        "[[cells]]\nengine = 'openssl'\ncert = ['rsa2048', 'rsa4096']\nbytes = [1, 1024]\n\
         exclude = ['cert=rsa4096,bytes=1']\n",
    );
    assert_eq!((suite.cells.len(), suite.excluded), (3, 1));
    assert!(!suite.cells.iter().any(|cell| cell.cert == Cert::Rsa4096 && cell.bytes == 1));
}

#[test]
fn the_same_cell_in_two_blocks_is_kept_once() {
    let suite = suite("[[cells]]\nbytes = [1, 2]\n[[cells]]\nbytes = [2, 3]\nverify = 'none'\n");
    assert_eq!((suite.cells.len(), suite.merged), (6, 2));
}

#[test]
fn blocks_inherit_defaults_and_may_replace_them() {
    let suite = suite(
        "[defaults]\nengine = 'openssl'\nbytes = [1, 2]\nresume = ['ticket', 'psk-dhe']\n\
         [[cells]]\nproto = 'tls1.2'\n[[cells]]\nproto = 'tls1.3'\nbytes = 3\n\
         [[cells]]\nclient = 'openssl'\nserver = 'rustls-ring'\nproto = 'tls1.3'\n",
    );
    let found: Vec<_> = suite.cells.iter().map(|cell| (cell.proto, cell.resume, cell.bytes)).collect();
    let tls13 = |bytes| (Proto::Tls13, Resume::PskDhe, bytes);
    let tls12 = |bytes| (Proto::Tls12, Resume::Ticket, bytes);
    assert_eq!(found, [tls12(1), tls12(2), tls13(3), tls13(1), tls13(2)]);
    assert_eq!(suite.cells[3].engines(), "openssl→rustls-ring");
}

#[test]
fn loops_and_connections_are_read() {
    let suite = suite("connections = 0x10\nloops = 'reuse'\n[[cells]]\n");
    assert_eq!((suite.connections, suite.loops), (Some(16), Some(vec![LoopKind::Reuse])));
}

#[test]
fn numbers_have_units_and_ranges() {
    for (list, expected) in [
        ("'16KiB'", vec![16384]),
        ("'1 MiB'", vec![1 << 20]),
        ("'1_000'", vec![1000]),
        ("0x10", vec![16]),
        ("'1..3'", vec![1, 2, 3]),
        ("'1..10+4'", vec![1, 5, 9]),
        ("'1KiB..8KiB x2'", vec![1024, 2048, 4096, 8192]),
        ("['1..1000x10', 5]", vec![1, 10, 100, 1000, 5]),
        ("'1GiB..1GiB'", vec![1 << 30]),
    ] {
        let suite = suite(&format!("[[cells]]\nengine = 'openssl'\nbytes = {list}\n"));
        assert_eq!(suite.cells.iter().map(|cell| cell.bytes).collect::<Vec<_>>(), expected, "{list}");
    }
}

#[test]
fn flags_make_the_cells_of_the_same_suite() {
    let from_flags = flags(&[
        ("proto", "tls1.2, tls1.3"),
        ("cipher", "AES128-SHA,TLS_AES_128_GCM_SHA256"),
        ("bytes", "1,1KiB"),
        ("chain", "1..2"),
    ]);
    let from_suite = suite(
        "[[cells]]\nproto = ['tls1.2', 'tls1.3']\ncipher = ['AES128-SHA', 'TLS_AES_128_GCM_SHA256']\n\
         bytes = [1, 1024]\nchain = [1, 2]\n",
    );
    assert_eq!(ids(&from_flags.cells), ids(&from_suite.cells));
    assert_eq!(from_flags.ruled_out, from_suite.ruled_out);
}

#[test]
fn no_flags_make_the_default_cell_on_every_engine() {
    assert_eq!(
        ids(&flags(&[]).cells),
        ["engine=openssl", "engine=rustls-ring"]
            .map(|engine| { format!("{engine}/proto=tls1.3/cipher=TLS_AES_128_GCM_SHA256") })
    );
    assert_eq!(flags(&[("bytes", "1"), ("bytes", "2"), ("bytes", "1")]).cells.len(), 4);
}

#[test]
fn wrong_flags_are_named_with_the_nearest_choice() {
    for (given, says) in [
        (("proto", "tls1.2,tls14"), "--proto: unknown proto `tls14`; did you mean"),
        (("engine", "opnssl"), "--engine: unknown engine `opnssl`; did you mean `openssl`"),
        (
            ("engine", "mbedtls"),
            "--engine: engine `mbedtls` is not in this build; cargo build --release --features mbedtls; this one has `openssl`",
        ),
        (("bytes", "1,,2"), "--bytes: a value is missing"),
        (("bytes", "0"), "--bytes: bytes must be 1 to 1 GiB, not 0"),
        (("byts", "1"), "--byts: unknown dimension `byts`; did you mean `bytes`"),
        (("client", "openssl"), "--client: `client` without `server`"),
        (("resume", "ticket"), "--resume: `ticket` makes no cell: TLS 1.3 does not resume by ticket"),
        (("chunk", "1..1000,1001..2000"), ""),
    ] {
        if says.is_empty() {
            assert_eq!(flags(&[given]).cells.len(), 4000);
            continue;
        }
        let error = flag_error(&[given]);
        assert!(error.starts_with(says), "{error}");
    }
    let many = "1..1000,1001..2000,2001..3000";
    let error = flag_error(&[("engine", "openssl"), ("chunk", many), ("bytes", "1..100")]);
    assert!(error.starts_with("--chunk: the flags make 300000 combinations"), "{error}");
}

/// Values of a dimension, with its name.
type List = (&'static str, Vec<&'static str>);

/// Up to three different values of a dimension, with the dimension's name.
fn list(key: &'static str, values: &[&'static str]) -> impl Strategy<Value = List> + use<> {
    prop::sample::subsequence(values.to_vec(), 1..=values.len().min(3)).prop_map(move |list| (key, list))
}

fn lists() -> impl Strategy<Value = Vec<List>> {
    let ciphers: Vec<&str> = CIPHERS.iter().map(|cipher| cipher.openssl).collect();
    let protos: Vec<&str> = Proto::ALL.iter().map(|proto| proto.name()).collect();
    let certs: Vec<&str> = Cert::ALL.iter().map(|cert| cert.name()).collect();
    (
        list("engine", &["openssl", "rustls-ring", "null"]),
        list("proto", &protos),
        list("cipher", &ciphers),
        list("cert", &certs),
        list("bytes", &["1", "1024", "10KiB"]),
    )
        .prop_map(|(engine, proto, cipher, cert, bytes)| vec![engine, proto, cipher, cert, bytes])
        .prop_shuffle()
}

fn as_block(lists: &[List]) -> String {
    lists.iter().map(|(key, values)| format!("{key} = {values:?}\n")).collect()
}

proptest! {
    #[test]
    fn a_product_is_its_lists_minus_what_is_left_out(lists in lists(), limit in 1..3000u64) {
        let text = format!("{HEAD}[[cells]]\n{}exclude = 'bytes>{limit}'\n", as_block(&lists));
        let product: usize = lists.iter().map(|(_, values)| values.len()).product();
        // A value that fits nothing, or an exclusion without effect, is a mistake of its own.
        if let Ok(suite) = Suite::parse(&text, "test.toml", &engines()) {
            prop_assert_eq!(suite.cells.len() + suite.ruled_out + suite.excluded + suite.merged, product);
            prop_assert_eq!(suite.merged, 0);
            prop_assert!(suite.cells.iter().all(|cell| cell.bytes <= limit));
            let unique: HashSet<String> = suite.cells.iter().map(Cell::id).collect();
            prop_assert_eq!(unique.len(), suite.cells.len());
        }
    }

    #[test]
    fn flags_and_suite_agree_on_any_lists(lists in lists()) {
        let joined: Vec<(&str, String)> = lists.iter().map(|(key, values)| (*key, values.join(","))).collect();
        let given: Vec<(&str, &str)> = joined.iter().map(|(key, list)| (*key, list.as_str())).collect();
        let from_flags = Product::parse_flags(&given, &engines());
        let text = format!("{HEAD}[[cells]]\n{}", as_block(&lists));
        let from_suite = Suite::parse(&text, "test.toml", &engines());
        match (from_flags, from_suite) {
            (Ok(from_flags), Ok(from_suite)) => prop_assert_eq!(from_flags.cells, from_suite.cells),
            (Err(_), Err(_)) => {}
            (from_flags, from_suite) => prop_assert!(false, "{from_flags:?}\n{from_suite:?}"),
        }
    }

    #[test]
    fn a_cell_id_read_as_flags_is_the_cell(lists in lists()) {
        let text = format!("{HEAD}[[cells]]\n{}", as_block(&lists));
        if let Ok(suite) = Suite::parse(&text, "test.toml", &engines()) {
            for cell in suite.cells.iter().take(10) {
                let id = cell.id();
                let given: Vec<(&str, &str)> = id.split('/').filter_map(|part| part.split_once('=')).collect();
                prop_assert_eq!(&flags(&given).cells, std::slice::from_ref(cell));
            }
        }
    }
}
