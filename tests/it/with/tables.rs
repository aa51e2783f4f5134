//! What stands in the table, and in which order.

use tlspair::measure::LoopKind;
use tlspair::results::Status;

use super::{copy_program, fake, one_and_two, processes, run_copy};
use crate::cli::{OK, USAGE};
use crate::contests::{Sides, virtual_clock};

const WITH: [&str; 4] = ["--with", "exe:./one", "--with", "exe:./two"];

#[test]
fn engines_of_all_executables_take_turns_in_the_order_of_the_plan() {
    let sides = one_and_two();
    let run = ["run", "--filter=engine~alpha|beta|null", "--proto=tls1.2,tls1.3", "--num=5", "--json"];
    let document = sides.run(&[&run[..], &WITH].concat()).ends(OK).results();
    let order: Vec<String> = document
        .cells
        .iter()
        .map(|cell| {
            format!(
                "{} {}",
                cell.dims.engines().expect("engines"),
                cell.dims.value("proto").expect("a version")
            )
        })
        .collect();
    assert_eq!(order, ["alpha tls1.2", "beta tls1.2", "alpha tls1.3", "beta tls1.3"]);
    for cell in &document.cells {
        assert_eq!((cell.status, &cell.reason), (Status::Ok, &None));
        for kind in LoopKind::BOTH {
            assert_eq!(cell.loops.of(kind).map(|one| one.connections), Some(5));
        }
    }
    let engines: Vec<&str> = document.engines.iter().map(|engine| engine.id.as_str()).collect();
    assert_eq!(engines, ["alpha", "beta"]);
    assert_eq!(document.engines[1].library, "none");
    // One of each says who it is, and one measures: it stays while the other has its turn.
    assert_eq!((processes(&sides, "one"), processes(&sides, "two")), (2, 2));
    sides.leave_nothing_running();
}

#[test]
fn own_engines_run_beside_those_of_others_in_one_table() {
    let sides = one_and_two();
    let run = ["run", "--engine=null,beta,alpha", "--proto=tls1.3", "--num=5", "--quiet", "--json"];
    for isolate in [&[][..], &["--isolate"]] {
        let document = sides.run(&[&run[..], &WITH, isolate].concat()).ends(OK).results();
        let ids: Vec<String> = document.cells.iter().filter_map(|cell| cell.dims.engines()).collect();
        assert_eq!(ids, ["null", "beta", "alpha"]);
        assert!(document.cells.iter().all(|cell| cell.status == Status::Ok));
        let engines: Vec<&str> = document.engines.iter().map(|engine| engine.id.as_str()).collect();
        assert_eq!(engines, ["null", "alpha", "beta"], "this executable's first, then as they were named");
    }
    sides.leave_nothing_running();
}

#[test]
fn two_engines_of_different_executables_are_a_row_with_the_reason() {
    let sides = one_and_two();
    let run = ["run", "--client=alpha,null", "--server=alpha,beta", "--num=5", "--quiet", "--json"];
    let document = sides.run(&[&run[..], &WITH].concat()).ends(OK).results();
    let reasons: Vec<Option<&str>> = document.cells.iter().map(|cell| cell.reason.as_deref()).collect();
    assert_eq!(
        reasons,
        [
            None,
            Some("alpha and beta are in different executables, exe:./one and exe:./two"),
            Some("null and alpha are in different executables, this one and exe:./one"),
            Some("null and beta are in different executables, this one and exe:./two"),
        ]
    );
    assert!(document.cells[1..].iter().all(|cell| cell.status == Status::Unsupported));
}

#[test]
fn verify_takes_cells_to_their_executables_too() {
    let sides = one_and_two();
    let verify = ["verify", "--engine=alpha,beta,null", "--proto=tls1.2", "--accel=on,off", "--quiet"];
    let ran = sides.run(&[&verify[..], &WITH].concat()).ends(OK);
    for line in [
        "ok           engine=alpha/proto=tls1.2/cipher=ECDHE-RSA-AES128-GCM-SHA256\n",
        "ok           engine=beta/proto=tls1.2/cipher=ECDHE-RSA-AES128-GCM-SHA256\n",
        "unsupported  engine=beta/proto=tls1.2/cipher=ECDHE-RSA-AES128-GCM-SHA256/accel=off: none 0.1.0 has no switch to ",
        "ok           engine=null/proto=tls1.2/cipher=ECDHE-RSA-AES128-GCM-SHA256/accel=off\n",
        "4 verified, 2 unsupported, 0 failed\n",
    ] {
        assert!(ran.stdout.contains(line), "{line} in {}", ran.stdout);
    }
}

#[test]
fn the_rows_of_1997_can_be_anothers() {
    let sides = one_and_two();
    let classic = ["classic", "--engine=beta", "--num=2", "--quiet", "--json"];
    let document = sides.run(&[&classic[..], &WITH].concat()).ends(OK).results();
    assert_eq!(document.cells.len(), 28);
    assert!(
        document.cells.iter().all(|cell| cell.status == Status::Ok && cell.id.starts_with("engine=beta/"))
    );
    assert_eq!(document.engines.len(), 1);
}

#[test]
fn the_program_joins_another_one_and_itself_adds_nothing() {
    let sides = Sides::new();
    copy_program(&sides, "copy");
    copy_program(&sides, "same");
    let both = ["--with=exe:./copy", "--with=exe:./same", "--num=2", "--engine=alpha,null", "--json"];
    let ran = sides.run_virtual(&[], &[&["run"][..], &both].concat()).ends(OK);
    assert!(
        ran.stderr.contains("exe:./same is left out: it is the same program as exe:./copy\n"),
        "{}",
        ran.stderr
    );
    let itself =
        sides.run(&["run", "--with=exe:./same", "--with=exe:self", "--engine=null", "--num=2"]).ends(OK);
    for name in ["exe:./same", "exe:self"] {
        let note = format!("{name} is left out: it is the same program as this one\n");
        assert!(itself.stderr.contains(&note), "{}", itself.stderr);
    }
}

#[test]
fn all_are_those_in_the_folder_beside_the_program() {
    let sides = one_and_two();
    copy_program(&sides, "tlspair");
    let run = |arguments: &[&str]| run_copy(&sides, "tlspair", arguments);
    let run_all = ["run", "--with=all", "--engine=alpha,beta", "--num=2", "--quiet", "--json"];
    run(&run_all).ends(USAGE).says_only(
        "--with all: there is no folder `engines` with executables beside this one; `make engines` makes them",
    );
    let folder = sides.folder().path("engines");
    std::fs::create_dir(&folder).expect("a folder of ours");
    for name in ["two", "one"] {
        std::fs::rename(sides.folder().path(name), folder.join(name)).expect("files of ours");
    }
    std::fs::write(folder.join("README"), "no program").expect("a file of ours");
    let document = run(&run_all).ends(OK).results();
    assert!(document.cells.iter().all(|cell| cell.status == Status::Ok));
    let engines: Vec<&str> = document.engines.iter().map(|engine| engine.id.as_str()).collect();
    assert_eq!(engines, ["alpha", "beta"]);
    let listed = run(&["list", "--all", "alpha"]).ends(OK);
    assert!(
        listed.stdout.starts_with(&format!("alpha: none 0.1.0 in exe:{}\n", folder.join("one").display())),
        "{}",
        listed.stdout
    );
}

#[test]
fn another_way_to_compile_is_a_warning_of_the_results() {
    let sides = Sides::new();
    fake(&sides, "other", env!("CARGO_PKG_VERSION"), "gamma");
    let ran =
        sides.run(&["run", "--with=exe:./other", "--engine=null,gamma", "--num=2", "--quiet", "--json"]);
    let document = ran.results();
    let [warning] = &document.warnings[..] else { panic!("{:?}", document.warnings) };
    assert!(warning.starts_with("exe:./other was compiled with target t where this one has "), "{warning}");
    let statuses: Vec<Status> = document.cells.iter().map(|cell| cell.status).collect();
    assert_eq!(statuses, [Status::Ok, Status::Error], "it says who it is and nothing else");
}

#[test]
fn the_example_that_stands_for_others_is_one_itself() {
    let sides = one_and_two();
    let with = format!("--with=exe:{}", virtual_clock().display());
    let ran = sides.run(&["run", "--with=exe:./one", &with, "--engine=alpha"]);
    ran.ends(crate::cli::OPERATIONAL).complains_of(&["both exe:./one and exe:", " have an engine alpha"]);
}

/// The operations of engines elsewhere are priced there.
#[cfg(feature = "rustls-ring")]
#[test]
fn engines_of_other_executables_are_explained() {
    let sides = Sides::new();
    copy_program(&sides, "copy");
    let ran = sides.run_virtual(
        &[],
        &[
            "explain",
            "--with=exe:./copy",
            "--engine=rustls-ring",
            "--proto=tls1.3",
            "--num=10",
            "--time=1",
            "--json",
            "-q",
        ],
    );
    let explanation: serde_json::Value = serde_json::from_str(&ran.ends(OK).stdout).expect("JSON");
    let cells = explanation["cells"].as_array().expect("cells");
    assert_eq!(cells.len(), 2);
    for cell in cells {
        assert_eq!(cell["status"], "ok", "{cell}");
        let operations = cell["sides"]["client"]["operations"].as_array().expect("operations");
        let priced = operations.iter().filter(|one| one["ns"].is_number()).count();
        assert!(priced > 5, "{cell}");
    }
}
