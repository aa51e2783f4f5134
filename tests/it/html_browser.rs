//! The page in a real browser, Chromium without a window: nothing is wider than the screen, and nothing complains.
//!
//! The report stands in a frame of the width in question, inside a page that measures it: windows without a screen have
//! a least width, frames have none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tlspair::render::Report;
use tlspair::render::html::{HtmlPart, write_html};

use crate::cli::Folder;
use crate::comparisons::paired;
use crate::documents::sample;
use crate::pages::{classic, explanation, hostile, large, speed, with_workloads};
use crate::render::written;

const WIDTHS: [u32; 3] = [360, 390, 1280];

/// Everything that there is to show on one page.
fn report() -> String {
    let (classic, sample, workloads) = (classic(), sample(), with_workloads());
    let (large, hostile, paired, speed) = (large(25, 100), hostile(), paired(), speed());
    let (one, two) = (explanation(1), explanation(2));
    let reports = [
        ("classic.json", Report::Cells(&classic)),
        ("run.json", Report::Cells(&sample)),
        ("workloads.json", Report::Cells(&workloads)),
        ("large.json", Report::Cells(&large)),
        (
            "a/path/that/is/rather/long/and/has/no/spaces/at/all/in/its/many/folders/hostile.json",
            Report::Cells(&hostile),
        ),
        ("compare.json", Report::Comparison(&paired)),
        ("speed.json", Report::Speed(&speed)),
        ("one.json", Report::Explanation(&one)),
        ("two.json", Report::Explanation(&two)),
    ];
    let parts = reports.map(|(origin, report)| HtmlPart { origin: Some(origin), report });
    written(|out| write_html(&parts, out))
}

/// A page with the report in a frame, which says how wide it is, folded and unfolded.
fn wrapper(report: &str, width: u32) -> String {
    let escaped = report.replace('&', "&amp;").replace('"', "&quot;");
    format!(
        r#"<!DOCTYPE html><meta charset="utf-8"><title>frame</title><link rel="icon" href="data:,">
<style>body{{margin:0}}iframe{{border:0;width:{width}px;height:2000px}}</style>
<iframe id="frame" srcdoc="{escaped}"></iframe><p id="found"></p>
<script>
const frame = document.getElementById("frame"), found = [];
function measure(name) {{
  const page = frame.contentDocument.documentElement;
  found.push(name + " " + page.scrollWidth + " of " + frame.contentWindow.innerWidth);
}}
frame.onload = () => {{
  measure("folded");
  frame.contentDocument.querySelectorAll("details").forEach(one => one.open = true);
  measure("unfolded");
  const squeezed = [...frame.contentDocument.querySelectorAll("figure > svg")].filter(one => one.clientWidth < 200);
  found.push("squeezed " + squeezed.length);
  document.getElementById("found").textContent = found.join("; ");
  console.log("measured");
}};
</script>"#
    )
}

fn chromium(folder: &Folder, page: &Path, arguments: &[&str]) -> Output {
    Command::new("chromium")
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--hide-scrollbars", "--enable-logging=stderr", "--v=0"])
        .arg(format!("--user-data-dir={}", folder.arg("profile")))
        .args(arguments)
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("it starts, since it told its version")
}

#[expect(clippy::print_stderr, reason = "a skipped test must say so")]
fn is_here() -> bool {
    let is_here =
        Command::new("chromium").arg("--version").output().is_ok_and(|output| output.status.success());
    if !is_here {
        eprintln!("skipped: no chromium here (Debian's package chromium has it)");
    }
    is_here
}

/// What the wrapper found: between the tags of its paragraph.
fn found(output: &Output) -> String {
    let dom = String::from_utf8_lossy(&output.stdout);
    let after = dom.rsplit_once("<p id=\"found\">").map(|(_, after)| after.to_owned()).unwrap_or_default();
    after.split_once("</p>").map(|(found, _)| found.to_owned()).unwrap_or_default()
}

#[test]
fn nothing_is_wider_than_the_screen_and_nothing_complains() {
    if !is_here() {
        return;
    }
    let folder = Folder::new();
    let report = report();
    for width in WIDTHS {
        let page = PathBuf::from(folder.file(&format!("{width}.html"), &wrapper(&report, width)));
        let output = chromium(&folder, &page, &["--window-size=1300,2000", "--dump-dom"]);
        let expected = format!("folded {width} of {width}; unfolded {width} of {width}; squeezed 0");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(found(&output), expected, "{said}");
        // The wrapper's own line shows that complaints would be seen.
        let lines: Vec<&str> = said.lines().filter(|line| line.contains("CONSOLE")).collect();
        assert!(lines.len() == 1 && lines[0].contains("measured"), "{lines:#?}");
    }
}

/// Pictures for people to look at, in `target/tmp`; here, only that there is something on them.
#[test]
fn pages_can_be_looked_at() {
    if !is_here() {
        return;
    }
    let folder = Folder::new();
    let report = report();
    for width in [390, 1280] {
        let page = PathBuf::from(folder.file("page.html", &wrapper(&report, width)));
        for (name, scheme) in [("light", 1), ("dark", 0)] {
            let picture = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{width}-{name}.png"));
            fs::remove_file(&picture).ok(); // there is none the first time
            let size = format!("--window-size={},2000", width.max(500));
            let scheme = format!("--blink-settings=preferredColorScheme={scheme}");
            let output =
                chromium(&folder, &page, &[&size, &scheme, &format!("--screenshot={}", picture.display())]);
            let bytes = fs::metadata(&picture).map_or(0, |metadata| metadata.len());
            assert!(bytes > 20_000, "{bytes} bytes: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
