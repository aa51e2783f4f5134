//! `tlspair report` from the command line.

use std::fs;

use serde_json::json;
use tlspair::results::{SCHEMA, write_json};

use crate::cli::{Folder, OK, OPERATIONAL, USAGE, tlspair, tlspair_with};
use crate::comparisons::paired;
use crate::documents::sample;
use crate::markup::parse;
use crate::pages::{classic, explanation, speed};

/// A file of each kind.
fn files(folder: &Folder) -> [String; 5] {
    let write =
        |name: &str, content: Vec<u8>| folder.file(name, &String::from_utf8(content).expect("JSON is UTF-8"));
    let mut contents: [Vec<u8>; 5] = Default::default();
    let written = [
        write_json(&classic(), &mut contents[0]),
        write_json(&sample(), &mut contents[1]),
        write_json(&paired(), &mut contents[2]),
        write_json(&speed(), &mut contents[3]),
        write_json(&explanation(2), &mut contents[4]),
    ];
    assert!(written.iter().all(Result::is_ok), "a vector takes everything");
    let names = ["classic.json", "run.json", "compare.json", "speed.json", "explain.json"];
    let mut contents = contents.into_iter();
    names.map(|name| write(name, contents.next().expect("as many as names")))
}

#[test]
fn files_of_every_kind_make_one_page_in_their_order() {
    let folder = Folder::new();
    let files = files(&folder);
    let page = folder.arg("report.html");
    let arguments =
        ["report".to_owned()].into_iter().chain(files.clone()).chain(["-o".to_owned(), page.clone()]);
    let ran = tlspair_with(arguments).ends(OK);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
    let text = fs::read_to_string(&page).expect("a page");
    let read = parse(&text).unwrap_or_else(|why| panic!("{why}"));
    let parts: Vec<String> = read.named("h2").iter().map(|heading| heading.text()).collect();
    assert_eq!(parts.len(), files.len());
    for (part, file) in parts.iter().zip(&files) {
        assert!(part.starts_with(file.as_str()), "{part} of {file}");
    }

    let arguments = ["report".to_owned()].into_iter().chain(files).chain(["-o".to_owned(), "-".to_owned()]);
    assert_eq!(tlspair_with(arguments).ends(OK).stdout, text, "standard output gets the same");
}

#[test]
fn an_export_is_the_page_of_the_run() {
    let folder = Folder::new();
    let (page, results) = (folder.arg("run.html"), folder.arg("run.json"));
    tlspair(&format!("run --engine null -n 8 --bytes 1,1KiB --export html={page} --export json={results}"))
        .ends(OK);
    let exported = fs::read_to_string(&page).expect("a page");
    let reported = tlspair_with(["report", &results, "-o", "-"]).ends(OK).stdout;
    // Only the file's name is known to one alone.
    assert_eq!(reported.replace(&format!("{results}: results"), "Results"), exported);
}

#[test]
fn what_cannot_be_shown_is_refused_in_one_message() {
    let folder = Folder::new();
    let refused = |name: &str, content: &str| {
        let file = folder.file(name, content);
        let ran = tlspair_with(["report", &file, "-o", &folder.arg("report.html")]).ends(OPERATIONAL);
        ran.complains_of(&[&file]).stderr
    };
    let newer = refused("newer.json", &json!({ "schema": SCHEMA + 1 }).to_string());
    assert!(newer.contains(&format!("schema {}, but this tlspair reads schema {SCHEMA} only", SCHEMA + 1)));
    refused("words.json", "no JSON at all");
    refused("empty.json", "");
    refused("other.json", r#"{"name":"something else"}"#);
    refused("short.json", &json!({ "schema": SCHEMA }).to_string());
    let unknown = refused("unknown.json", &json!({ "schema": SCHEMA, "kind": "selftest" }).to_string());
    assert!(
        unknown.contains("a file of the kind \"selftest\", which this tlspair does not know"),
        "{unknown}"
    );
    let missing = folder.arg("missing.json");
    let ran = tlspair_with(["report", &missing, "-o", &folder.arg("report.html")]).ends(OPERATIONAL);
    ran.complains_of(&[&missing]);
    assert!(!folder.path("report.html").exists(), "half a page");
}

#[test]
fn the_output_is_looked_at_before_the_input() {
    let folder = Folder::new();
    let missing = folder.arg("missing.json");
    let nowhere = folder.arg("nowhere/report.html");
    let ran = tlspair_with(["report", &missing, "-o", &nowhere]).ends(OPERATIONAL);
    ran.complains_of(&["cannot write", &nowhere, "there is no folder"]);
    tlspair_with(["report", &missing, "-o", &folder.arg("")]).ends(OPERATIONAL).complains_of(&["folder"]);
    assert_eq!(tlspair_with(["report", &missing]).ends(USAGE).stdout, "");
    assert_eq!(tlspair_with(["report", "-o", "x.html"]).ends(USAGE).stdout, "");
}
