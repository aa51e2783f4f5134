//! Every sub-command doing what it is for.

use serde_json::Value;
use tlspair::engine::{Capabilities, Engines};
use tlspair::render::{Style, list};
use tlspair::results::Status;
#[cfg(all(feature = "openssl", feature = "mbedtls"))]
use tlspair::results::{DimValue, Document};
#[cfg(all(feature = "openssl", feature = "mbedtls"))]
use tlspair::suite::history::table_1997;

use crate::cli::{Folder, OK, USAGE, results_at, tlspair, tlspair_with};

#[test]
fn list_shows_every_engine_with_what_it_lacks() {
    let ran = tlspair("list").ends(OK);
    assert_eq!(ran.stderr, "");
    for info in Engines::built_in().infos() {
        let heading = format!("{}: {} {}\n", info.id, info.library, info.version);
        assert!(ran.stdout.contains(&heading), "{heading}");
    }
    let one = tlspair("list null").ends(OK).stdout;
    assert!(
        one.starts_with("null: ") && one.lines().filter(|line| !line.starts_with(' ')).count() == 1,
        "{one}"
    );
}

#[test]
fn list_stays_within_the_terminal() {
    let capabilities: Vec<Capabilities> = Engines::built_in().iter().map(Capabilities::of).collect();
    let shown = capabilities.iter().map(|capabilities| list::Engine { capabilities, executable: None });
    let text = list::engines(shown, std::iter::empty(), Style { width: Some(64), color: false });
    assert!(text.lines().any(|line| line.len() > 50), "{text}");
    let wide: Vec<&str> = text.lines().filter(|line| line.chars().count() > 64).collect();
    assert_eq!(wide, Vec::<&str>::new());
}

#[test]
fn list_as_json_has_the_shape_of_the_contract() {
    let listing: Value = serde_json::from_str(&tlspair("list --json").ends(OK).stdout).expect("JSON");
    let engines = listing["engines"].as_array().expect("a list");
    let ids: Vec<&str> = engines.iter().filter_map(|engine| engine["id"].as_str()).collect();
    let infos = Engines::built_in().infos();
    assert_eq!(ids, infos.iter().map(|info| info.id).collect::<Vec<_>>());
    for (engine, info) in engines.iter().zip(infos) {
        assert_eq!((&engine["library"], &engine["version"]), (&info.library.into(), &info.version.into()));
        assert_eq!(engine["build"], Value::from(info.build));
        for dimension in ["proto", "cipher", "group", "cert", "verify", "auth", "resume"] {
            let values = engine["supports"][dimension].as_array().expect("a list a dimension");
            assert!(!values.is_empty() && values.iter().all(Value::is_string), "{} {dimension}", info.id);
        }
    }
}

#[test]
fn verify_goes_through_a_suite_and_counts() {
    let ran = tlspair("verify smoke -q").ends(OK);
    assert_eq!(ran.stderr, "");
    let (outcomes, summary) = ran.stdout.trim_end().rsplit_once('\n').expect("lines");
    let count = |word: &str| outcomes.lines().filter(|line| line.starts_with(word)).count();
    let (verified, unsupported) = (count("ok "), count("unsupported "));
    assert_eq!(verified + unsupported, outcomes.lines().count());
    assert_eq!(summary, format!("{verified} verified, {unsupported} unsupported, 0 failed"));
}

#[test]
fn verify_takes_flags() {
    let ran = tlspair("verify --engine null --bytes 1,100").ends(OK);
    let cell = "engine=null/proto=tls1.3/cipher=TLS_AES_128_GCM_SHA256";
    let expected =
        format!("ok           {cell}\nok           {cell}/bytes=100\n2 verified, 0 unsupported, 0 failed\n");
    assert_eq!(ran.stdout, expected);
}

#[test]
fn run_takes_a_suite_file_with_its_loops_and_connections() {
    let folder = Folder::new();
    let suite = folder.file(
        "mine.toml",
        "title = 'Mine'\nabout = 'A test.'\nconnections = 7\nloops = ['full']\n[[cells]]\nengine = 'null'\nbytes = [1, 10]\n",
    );
    let document = tlspair_with(["run", &suite, "--json"]).ends(OK).results();
    let runs: Vec<_> = document.cells.iter().map(|cell| (&cell.loops.full, &cell.loops.reuse)).collect();
    assert_eq!(runs.len(), 2);
    for (full, reuse) in runs {
        assert_eq!((full.as_ref().map(|run| run.connections), reuse), (Some(7), &None));
    }
    // The command line comes before the suite.
    let document = tlspair_with(["run", &suite, "--json", "--num", "3", "--reuse"]).ends(OK).results();
    for cell in &document.cells {
        let reuse = cell.loops.reuse.as_ref().expect("it was asked for");
        assert_eq!((reuse.connections, reuse.resumed, &cell.loops.full), (3, 2, &None));
    }
}

#[test]
fn run_takes_built_in_suites_and_filters() {
    let ran = tlspair("run smoke -n 2 -q --json -f proto=tls1.3,cipher~aes -f proto=ssl3");
    assert_eq!(ran.stderr, "");
    let ran = ran.ends(OK);
    let document = ran.results();
    assert!(document.complete);
    assert_eq!(document.cells.len(), 2 * Engines::built_in().tls_ids().len());
    for cell in &document.cells {
        match cell.status {
            Status::Ok => assert_eq!(cell.reason, None),
            Status::Unsupported => assert!(cell.reason.is_some() && cell.loops.full.is_none(), "{}", cell.id),
            Status::Error => panic!("{}: {:?}", cell.id, cell.reason),
        }
    }
}

#[cfg(unix)]
#[test]
fn run_takes_a_suite_from_a_pipe() {
    let folder = Folder::new();
    let pipe = folder.arg("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo").success());
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::write(pipe, "title = 'T'\nabout = 'A.'\n[[cells]]\nengine = 'null'\n")
    });
    let document = tlspair_with(["run", &pipe, "-n", "2", "--json"]).ends(OK).results();
    writer.join().expect("no panic").expect("it was read");
    assert_eq!(document.cells.len(), 1);
}

#[test]
fn the_loop_flag_chooses() {
    for (flag, full, reuse) in [
        ("", true, true),
        ("--loop both", true, true),
        ("--loop full", true, false),
        ("--loop reuse", false, true),
        ("--reuse", false, true),
    ] {
        let document = tlspair(&format!("run --engine null --num 4 --json {flag}")).ends(OK).results();
        let loops = &document.cells[0].loops;
        assert_eq!((loops.full.is_some(), loops.reuse.is_some()), (full, reuse), "{flag}");
        let kinds: Vec<&str> =
            document.harness.iter().flatten().map(|cost| cost.loop_name.as_str()).collect();
        assert_eq!((kinds.contains(&"full"), kinds.contains(&"reuse")), (full, reuse), "{flag}");
    }
}

#[test]
fn several_exports_say_the_same() {
    let folder = Folder::new();
    let export = |format: &str| format!("--export={format}={}", folder.arg(format));
    let ran = tlspair_with([
        "run",
        "--engine=null",
        "--num=2",
        "--bytes=1,2",
        &export("json"),
        &export("csv"),
        &export("md"),
        &export("table"),
        "--json",
    ])
    .ends(OK);
    assert_eq!(folder.names(), ["csv", "json", "md", "table"]);
    let document = results_at(&folder.path("json"));
    assert_eq!(ran.results(), document);
    let text = |name: &str| std::fs::read_to_string(folder.path(name)).expect("it was written");
    assert_eq!(text("csv").lines().count(), 3);
    for name in ["md", "table"] {
        assert!(text(name).contains("Machine: "), "{name}");
    }
    // Without an export to stdout the table goes there.
    let ran = tlspair("run --engine null --num 2").ends(OK);
    assert!(ran.stdout.contains("Machine: ") && ran.stdout.contains("null"), "{}", ran.stdout);
}

#[cfg(feature = "openssl")]
#[test]
fn the_habit_of_ssltest_needs_no_suite() {
    let habit =
        "run --engine openssl --proto ssl3 --cipher DES-CBC3-SHA --cert rsa512 --num 10 --bytes 102400";
    let document = tlspair(&format!("{habit} --json")).ends(OK).results();
    let [cell] = document.cells.as_slice() else { panic!("one cell") };
    assert_eq!(cell.id, "engine=openssl/proto=ssl3/cipher=DES-CBC3-SHA/cert=rsa512/bytes=102400");
    let negotiated = cell.negotiated.as_ref().expect("it ran");
    assert_eq!((negotiated.proto.as_str(), negotiated.cipher.as_str()), ("ssl3", "DES-CBC3-SHA"));
    let (full, reuse) = (cell.loops.full.as_ref(), cell.loops.reuse.as_ref());
    assert_eq!(full.map(|run| (run.connections, run.resumed)), Some((10, 0)));
    assert_eq!(reuse.map(|run| (run.connections, run.resumed)), Some((10, 9)));
}

#[cfg(all(feature = "openssl", feature = "mbedtls", feature = "ssl2"))]
#[test]
fn classic_repeats_the_table_of_1997_row_by_row() {
    let folder = Folder::new();
    let ran = tlspair_with(["classic", "--num", "2", "--export", &format!("json={}", folder.arg("c.json"))])
        .ends(OK);
    let document = results_at(&folder.path("c.json"));
    check_rows(&document, 2);
    for cell in &document.cells {
        assert_eq!(cell.status, Status::Ok, "{}: {:?}", cell.id, cell.reason);
        let by_own_engine = cell.dims.value("engine") == Some(&DimValue::Text("ssl2".to_owned()));
        assert_eq!(by_own_engine, cell.id.contains("proto=ssl2"), "{}", cell.id);
    }
    // The text may be broken between words.
    let text = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
    let sentence =
        "connections a second with no session reuse at 10240 bytes, RC4-MD5, 512-bit key (1997: about 49).";
    assert!(text.contains("This machine manages about ") && text.contains(sentence), "{}", ran.stdout);
    let own_code = "ssl2: tlspair's own SSL 2.0";
    assert!(text.contains(own_code) && text.contains("cryptography of OpenSSL"), "{}", ran.stdout);
}

#[cfg(all(feature = "openssl", feature = "mbedtls"))]
#[test]
fn classic_on_one_engine_says_what_it_lacks() {
    let document = tlspair("classic --num 2 --engine openssl --json -q").ends(OK).results();
    check_rows(&document, 2);
    for cell in &document.cells {
        assert_eq!(cell.dims.value("engine"), Some(&DimValue::Text("openssl".to_owned())));
        if cell.id.contains("cipher=DES-CBC-SHA/") {
            assert!(cell.reason.as_ref().is_some_and(|reason| reason.contains("no cipher DES-CBC-SHA")));
        }
        if cell.id.contains("proto=ssl2/") {
            assert!(cell.reason.as_ref().is_some_and(|reason| reason.contains("no SSL 2.0")), "{}", cell.id);
        }
    }
    assert_eq!(document.cells.iter().filter(|cell| cell.status == Status::Unsupported).count(), 8);
}

/// 28 rows in the table's order; where an engine ran one, both loops are what they should be.
#[cfg(all(feature = "openssl", feature = "mbedtls"))]
fn check_rows(document: &Document, connections: u64) {
    let table = table_1997();
    assert_eq!((document.cells.len(), table.rows.len()), (28, 28));
    for (cell, row) in document.cells.iter().zip(&table.rows) {
        let dim = |key: &str| cell.dims.value(key).map(ToString::to_string).unwrap_or_default();
        assert_eq!(
            [dim("proto"), dim("cipher"), dim("cert"), dim("bytes")],
            [
                row.proto.to_string(),
                row.cipher.openssl.to_owned(),
                format!("rsa{}", row.rsa_bits),
                row.bytes.to_string()
            ]
        );
        let loops = [&cell.loops.full, &cell.loops.reuse];
        let counts = loops.map(|run| run.as_ref().map(|run| (run.connections, run.resumed)));
        if cell.status == Status::Ok {
            assert_eq!(counts, [Some((connections, 0)), Some((connections, connections - 1))], "{}", cell.id);
        } else {
            assert_eq!((cell.status, counts), (Status::Unsupported, [None, None]), "{:?}", cell.reason);
        }
    }
}

#[test]
fn classic_quick_runs_fifty_connections_a_loop() {
    let document = tlspair("classic --quick --engine null --json -q").ends(OK).results();
    assert_eq!(document.cells.len(), 28);
    for cell in &document.cells {
        let resumed = |run: &Option<_>| {
            run.as_ref().map(|run: &tlspair::results::LoopResult| (run.connections, run.resumed))
        };
        assert_eq!((resumed(&cell.loops.full), resumed(&cell.loops.reuse)), (Some((50, 0)), Some((50, 49))));
    }
}

#[test]
fn completions_help_and_version_go_to_stdout() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = tlspair(&format!("completions {shell}")).ends(OK);
        assert!(ran.stdout.contains("tlspair") && ran.stderr.is_empty(), "{shell}");
    }
    let ran = tlspair("man").ends(OK);
    assert!(ran.stdout.contains(".TH tlspair 1") && ran.stderr.is_empty(), "{}", ran.stdout);
    for arguments in ["--help", "-h", "run --help", "help classic", "--version", "run --version"] {
        let ran = tlspair(arguments).ends(OK);
        assert!(ran.stdout.contains("tlspair") && ran.stderr.is_empty(), "{arguments}");
    }
    let ran = tlspair("").ends(USAGE);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("Usage: tlspair"), "{}", ran.stderr);
}

/// Every sub-command that `--help` names has a page, and what is hidden has none.
#[test]
fn manual_pages_go_into_a_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    tlspair_with(["man", &pages.display().to_string()]).ends(OK);
    let read = |name: &str| std::fs::read_to_string(pages.join(name));
    for command in ["classic", "run", "compare", "speed", "explain", "predict", "report", "baseline-list"] {
        let page = read(&format!("tlspair-{command}.1")).expect("a page");
        assert!(page.contains("NAME") && page.contains("OPTIONS"), "{page}");
    }
    assert!(read("tlspair.1").expect("a page").contains("tlspair\\-run"));
    assert!(read("tlspair-worker.1").is_err());
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("a file");
    tlspair_with(["man", &file.display().to_string()])
        .ends(crate::cli::OPERATIONAL)
        .complains_of(&["file: "]);
}

#[test]
fn verify_tells_programs_what_it_tells_people() {
    let cells = "--engine null --proto ssl3,tls1.2 --bytes 1";
    let ran = tlspair(&format!("verify {cells} --json -q")).ends(OK);
    let document: Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert_eq!((&document["kind"], &document["complete"]), (&"verification".into(), &true.into()));
    let lines = tlspair(&format!("verify {cells} -q")).ends(OK).stdout;
    let cells = document["cells"].as_array().expect("cells");
    assert_eq!(lines.lines().count(), cells.len() + 1, "{lines}");
    for cell in cells {
        let (id, status) = (cell["id"].as_str().expect("text"), cell["status"].as_str().expect("text"));
        let reason = cell["reason"].as_str().map(|reason| format!(": {reason}")).unwrap_or_default();
        assert!(lines.contains(&format!("{status:<12} {id}{reason}\n")), "{status} {id}{reason}: {lines}");
    }
}
