//! The HTML page: every section and every number is there, and nothing from anywhere else.

use std::collections::BTreeSet;

use tlspair::link::Link;
use tlspair::render::html::{HtmlPart, write_html};
use tlspair::render::{Report, number, write_markdown};
use tlspair::results::{Arrivals, Explanation};

use crate::comparisons::{paired, separate};
use crate::documents::{classic_document, classic_rows, empty, sample};
use crate::markup::{Element, parse};
use crate::pages::{classic, explanation, hostile, large, page, speed, with_workloads};
use crate::render::written;

fn read(page: &str) -> Element {
    parse(page).unwrap_or_else(|why| panic!("{why}"))
}

fn headings(page: &Element) -> Vec<String> {
    page.named("h3").iter().map(|heading| heading.text()).collect()
}

/// Hands every kind of report to a test.
fn each(test: impl Fn(&str, Report<'_>)) {
    let few = classic_document();
    test("classic rows", Report::Classic { document: &few, rows: &classic_rows(&few) });
    test("classic", Report::Cells(&classic()));
    test("sample", Report::Cells(&sample()));
    test("empty", Report::Cells(&empty()));
    test("workloads", Report::Cells(&with_workloads()));
    test("hostile", Report::Cells(&hostile()));
    test("paired", Report::Comparison(&paired()));
    test("separate", Report::Comparison(&separate()));
    test("speed", Report::Speed(&speed()));
    test("one cell explained", Report::Explanation(&explanation(1)));
    test("explained", Report::Explanation(&explanation(2)));
}

#[test]
fn every_section_is_there_and_none_without_content() {
    let cells = ["Full handshakes and resumed ones", "How connections spread", "On the wire", "On the heap"];
    assert_eq!(headings(&read(&page(Report::Cells(&sample())))), cells);
    let mut of_1997 = vec!["The table of 1997"];
    of_1997.extend(cells);
    assert_eq!(headings(&read(&page(Report::Cells(&classic())))), of_1997);
    let workloads = headings(&read(&page(Report::Cells(&with_workloads()))));
    assert_eq!(
        (workloads[1].as_str(), workloads[5].as_str()),
        ("Libraries beside each other", "Beside the loops")
    );
    assert_eq!(headings(&read(&page(Report::Comparison(&paired())))), ["Verdicts", "Before and after"]);
    assert_eq!(headings(&read(&page(Report::Speed(&speed())))), ["What primitives take"]);
    assert_eq!(headings(&read(&page(Report::Explanation(&explanation(1))))), ["Of each side's time"]);
    let two = headings(&read(&page(Report::Explanation(&explanation(2)))));
    assert_eq!(two, ["Of each side's time", "Every operation"]);
    assert_eq!(headings(&read(&page(Report::Cells(&empty())))), Vec::<String>::new());
}

#[test]
fn what_arrives_over_a_link_has_a_section() {
    let link = Link { rtt_ns: 50_000_000, bits_per_second: None, initcwnd: 10 };
    let mut document = sample();
    document.link = Some(link);
    for cell in &mut document.cells {
        cell.arrivals = Some(Arrivals::of(&link, cell));
    }
    let page = page(Report::Cells(&document));
    assert!(headings(&read(&page)).contains(&"With a network between".to_owned()));
    assert!(page.contains("first byte ms"));
}

/// Where operations come to more than was measured, what is not attributed is below zero, and not left out.
#[test]
fn shares_below_zero_are_in_the_numbers() {
    let mut explanation = explanation(1);
    let sides = explanation.cells[0].sides.as_mut().expect("it was explained");
    sides.client.operations.iter_mut().for_each(|one| one.ns = one.ns.or(Some(1.0)));
    sides.client.machinery_ns = Some(sides.client.measured_ns());
    let page = page(Report::Explanation(&explanation));
    let share = sides_share(&explanation);
    assert!(share.starts_with('−') && page.matches(&share).count() >= 2, "{share}");
}

fn sides_share(explanation: &Explanation) -> String {
    let client = &explanation.cells[0].sides.as_ref().expect("it was explained").client;
    let rest = client.unattributed_ns().expect("it is priced");
    number::signed_percent(rest / client.measured_ns())
}

/// What Markdown has in its cells stands in the page's cells, with the marks of its notes.
#[test]
fn every_number_of_the_table_is_on_the_page() {
    each(|name, report| {
        let markdown = written(|out| write_markdown(&report, out));
        let page = read(&page(report));
        let shown: BTreeSet<String> =
            page.named("td").iter().chain(&page.named("th")).map(|cell| cell.text()).collect();
        let mut rows = markdown.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
        let columns: Vec<&str> = rows.next().expect("a header").split(" | ").collect();
        for row in rows {
            for (column, cell) in columns.iter().zip(row.split(" | ")) {
                // Letters for bars are drawn instead.
                let cell = cell.replace('\\', "");
                let is_there = shown.iter().any(|text| text.replace('\\', "") == cell);
                assert!(is_there || column.starts_with("bar"), "{name}: no `{cell}` of {column}");
            }
        }
    });
}

#[test]
fn nothing_comes_from_elsewhere_and_nothing_runs() {
    each(|name, report| {
        let text = page(report);
        let page = read(&text);
        for forbidden in ["script", "img", "iframe", "object", "embed", "image", "use", "foreignObject"] {
            assert_eq!(page.named(forbidden).len(), 0, "{name}: {forbidden}");
        }
        let ids: Vec<&str> = page.all().iter().filter_map(|element| element.attribute("id")).collect();
        for element in page.all() {
            for (key, value) in &element.attributes {
                assert!(!key.starts_with("on") && key != "src" && key != "style", "{name}: {key}={value}");
                let points_inside = value.strip_prefix('#').is_some_and(|id| ids.contains(&id));
                assert!(key != "href" || points_inside || value == "data:,", "{name}: {value}");
            }
        }
        let style = page.named("style")[0].text();
        assert!(!style.contains("@import") && !style.contains("http"), "{name}");
        let local = style.matches("url(#").count();
        assert_eq!(style.matches("url(").count(), local, "{name}: only patterns of the page");
    });
}

#[test]
fn ids_are_unique_headings_in_order_and_tables_described() {
    each(|name, report| {
        let page = read(&page(report));
        let ids: Vec<&str> = page.all().iter().filter_map(|element| element.attribute("id")).collect();
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{name}");
        let levels: Vec<u8> =
            page.all().iter().filter_map(|element| element.name.strip_prefix('h')?.parse().ok()).collect();
        assert_eq!((levels[0], levels.iter().filter(|level| **level == 1).count()), (1, 1), "{name}");
        assert!(levels.windows(2).all(|two| two[1] <= two[0] + 1), "{name}: {levels:?}");
        for table in page.named("table") {
            assert_eq!(table.children[0].name, "caption", "{name}");
            assert!(!table.children[0].text().is_empty(), "{name}");
            assert!(table.named("th").iter().all(|heading| heading.attribute("scope").is_some()), "{name}");
            let widths: BTreeSet<usize> = table
                .named("tbody")
                .iter()
                .flat_map(|body| &body.children)
                .map(|row| row.children.len())
                .collect();
            assert!(widths.len() <= 1, "{name}: rows of different lengths");
        }
    });
}

#[test]
fn every_chart_has_a_title_a_description_and_its_numbers() {
    each(|name, report| {
        let page = read(&page(report));
        for figure in page.named("figure") {
            let svg = figure.children.iter().find(|child| child.name == "svg").expect("a chart");
            assert_eq!(svg.attribute("role"), Some("img"), "{name}");
            let (title, description) = (&svg.children[0], &svg.children[1]);
            assert_eq!((title.name.as_str(), description.name.as_str()), ("title", "desc"), "{name}");
            let labels = format!(
                "{} {}",
                title.attribute("id").expect("an id"),
                description.attribute("id").expect("an id")
            );
            assert_eq!(svg.attribute("aria-labelledby"), Some(labels.as_str()), "{name}");
            assert!(!title.text().is_empty() && !description.text().is_empty(), "{name}");
            assert_eq!(figure.named("table").len(), 1, "{name}");
            assert!(!figure.named("tbody").is_empty(), "{name}: a table of nothing");
        }
        let outside: Vec<&Element> = page.named("svg");
        let in_figures: usize = page.named("figure").iter().map(|figure| figure.named("svg").len()).sum();
        assert_eq!(outside.len(), in_figures + 1, "{name}: the patterns alone stand outside");
    });
}

#[test]
fn no_chart_has_a_place_that_is_no_number() {
    each(|name, report| {
        let text = page(report);
        for wrong in ["NaN", "inf%", "\"-0%", "=\"-"] {
            assert!(!text.contains(wrong), "{name}: {wrong}");
        }
    });
}

#[test]
fn control_characters_are_seen_and_markup_stays_text() {
    let text = page(Report::Cells(&hostile()));
    assert!(!text.chars().any(|letter| letter.is_control() && letter != '\n'), "a control character");
    assert!(text.contains("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &lt;b&gt;\\n\\u{1b}[31m"));
    let outside_of_style = text.split("</style>").nth(1).expect("a style sheet");
    assert!(!outside_of_style.trim_end().contains('\n'), "a line of another's making");
}

#[test]
fn what_was_interrupted_and_what_is_doubtful_stands_at_the_top() {
    let mut document = sample();
    document.complete = false;
    document.plan.cells = 9;
    document.warnings = vec!["the clock ran backwards".to_owned()];
    let comparison = separate();
    let parts = [("run.json", Report::Cells(&document)), ("cmp.json", Report::Comparison(&comparison))]
        .map(|(origin, report)| HtmlPart { origin: Some(origin), report });
    let page = read(&written(|out| write_html(&parts, out)));
    let header = page.named("header")[0].text();
    assert!(header.contains("Not complete: ") && header.contains("4 cells so far."), "{header}");
    assert!(header.contains("run.json") && header.contains("cmp.json"), "{header}");
    let text = page.named("main")[0].text();
    for words in ["the clock ran backwards", "4 of 9", "another program took 12 %", "Example CPU", "3.6.3"] {
        assert!(text.contains(words), "{words}");
    }
}

/// Binned, a sample costs nothing: ten times as many make no larger page.
#[test]
fn a_large_run_stays_below_two_megabytes() {
    let page = page(Report::Cells(&large(200, 1000)));
    read(&page);
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}
