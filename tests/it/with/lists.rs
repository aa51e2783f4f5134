//! `tlspair list` over several executables.

use serde_json::Value;
use tlspair::engine::{Engines, KNOWN};

use super::{copy_program, one_and_two, run_copy};
use crate::cli::{OK, Ran};

fn listing(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).expect("JSON")
}

fn ids(listing: &Value, of: &str) -> Vec<String> {
    let entries = listing[of].as_array().expect("a list");
    entries.iter().map(|entry| entry["id"].as_str().expect("an id").to_owned()).collect()
}

#[test]
fn engines_of_other_executables_are_listed_like_own_ones() {
    let sides = one_and_two();
    let ran = sides.run(&["list", "--json", "--with=exe:./one", "--with=exe:./two", "beta", "null"]).ends(OK);
    let listing = listing(&ran);
    assert_eq!(ids(&listing, "engines"), ["beta", "null"]);
    assert_eq!(listing.get("absent"), None, "nobody asked for those");
    let [beta, null] = &listing["engines"].as_array().expect("a list")[..] else { panic!("{listing}") };
    assert_eq!(beta["executable"], "exe:./two");
    assert_eq!(null.get("executable"), None);
    for (key, value) in null.as_object().expect("an engine") {
        let expected: Value = match key.as_str() {
            "id" => "beta".into(),
            // It stands in for an engine that says no more than it must.
            "supports" | "lacks" => continue,
            _ => value.clone(),
        };
        assert_eq!(beta[key], expected, "{key}");
    }
    assert_eq!(beta["supports"]["proto"], null["supports"]["proto"]);
    sides.leave_nothing_running();
}

#[test]
fn every_engine_of_the_project_is_listed_here_or_with_how_to_get_it() {
    let sides = one_and_two();
    let listing = listing(&sides.run(&["list", "--all", "--json", "--with=exe:./one"]).ends(OK));
    let (here, absent) = (ids(&listing, "engines"), ids(&listing, "absent"));
    let mut all: Vec<&String> = here.iter().chain(&absent).collect();
    for known in KNOWN {
        let known = known.id.to_owned();
        assert_eq!(all.iter().filter(|id| ***id == known).count(), 1, "{known}");
        all.retain(|id| **id != known);
    }
    assert_eq!(all, ["alpha"]);
    assert!(Engines::built_in().infos().iter().all(|info| here.contains(&info.id.to_owned())));
    for entry in listing["absent"].as_array().expect("a list") {
        let how = entry["how"].as_str().expect("words");
        assert!(
            how.starts_with("cargo build --release --features ") || how.starts_with("make engines"),
            "{how}"
        );
    }
}

#[test]
fn engines_that_are_not_here_say_how_to_get_them() {
    let sides = one_and_two();
    copy_program(&sides, "tlspair");
    let ran = run_copy(&sides, "tlspair", &["list", "--all", "boringssl"]).ends(OK);
    assert_eq!(ran.stdout, "boringssl: not here\n  make engines, then --with all\n");
}
