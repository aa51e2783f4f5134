//! The bodies of the fuzz targets over their seeds and some thousand changes of each, the same ones every time.

#[path = "../../fuzz/bodies.rs"]
mod bodies;

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// Changes of the seeds of each target.
const CHANGES: u64 = 3000;

/// What is put into a seed at times: what numbers, texts and files end or overflow with.
const WORDS: [&[u8]; 22] = [
    b"0",
    b"-1",
    b"1e400",
    b"1e-400",
    b"18446744073709551615",
    b"18446744073709551616",
    b"99999999999999999999999999",
    b"NaN",
    b"null",
    b"true",
    b"\"\"",
    b"[]",
    b"{}",
    b"{",
    b"]",
    b",",
    b"\n",
    b"\0",
    b"\xff",
    b"\xe2\x82\xac",
    b"\\u0000",
    b"..",
];

fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "no seeds in {}", folder.display());
    paths.iter().map(|path| fs::read(path).expect("a file")).collect()
}

/// A seed with a few changes.
fn changed(seeds: &[Vec<u8>], random: &mut ChaCha8Rng) -> Vec<u8> {
    let mut data = seeds[random.random_range(0..seeds.len())].clone();
    for _ in 0..random.random_range(1..6) {
        let from = random.random_range(0..=data.len());
        let to = (from + random.random_range(0..20)).min(data.len());
        match random.random_range(0..5) {
            0 => drop(data.splice(from..to, [])),
            1 => drop(data.splice(from..from, WORDS[random.random_range(0..WORDS.len())].iter().copied())),
            2 => change_a_number(&mut data, random),
            3 => data[from..to].iter_mut().for_each(|byte| *byte ^= 1 << random.random_range(0..8)),
            _ => {
                let other = &seeds[random.random_range(0..seeds.len())];
                let place = random.random_range(0..=other.len());
                let part = &other[place..(place + 40).min(other.len())];
                drop(data.splice(from..to, part.iter().copied()));
            }
        }
    }
    data
}

/// Numbers are where files go wrong and still can be read.
fn change_a_number(data: &mut Vec<u8>, random: &mut ChaCha8Rng) {
    let starts: Vec<usize> =
        (1..data.len()).filter(|&at| data[at].is_ascii_digit() && !data[at - 1].is_ascii_digit()).collect();
    if starts.is_empty() {
        return;
    }
    let from = starts[random.random_range(0..starts.len())];
    let length = data[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let word = WORDS[random.random_range(0..8)];
    drop(data.splice(from..from + length, word.iter().copied()));
}

#[track_caller]
fn bears_all(target: &str, body: fn(&[u8])) {
    let seeds = seeds(target);
    seeds.iter().for_each(|seed| body(seed));
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for number in 0..CHANGES {
        let data = changed(&seeds, &mut random);
        if catch_unwind(|| body(&data)).is_err() {
            panic!("change {number} of {target}: {}", String::from_utf8_lossy(&data));
        }
    }
}

#[test]
fn the_protocol_bears_all() {
    bears_all("protocol", bodies::protocol);
}

#[test]
fn results_and_comparisons_bear_all() {
    bears_all("results_file", bodies::results_file);
}

#[test]
fn suites_bear_all() {
    bears_all("suite_file", bodies::suite_file);
}

#[test]
fn seeds_are_what_they_are_meant_to_be() {
    let text = |seed: Vec<u8>| String::from_utf8(seed).expect("seeds are text");
    for seed in seeds("results_file").into_iter().map(text) {
        let is_results = tlspair::results::Document::parse(&seed, "seed").is_ok();
        let is_comparison = serde_json::from_str::<tlspair::results::Comparison>(&seed).is_ok();
        assert!(is_results || is_comparison, "{seed}");
    }
    for seed in seeds("suite_file").into_iter().map(text) {
        tlspair::suite::Suite::parse(&seed, "seed", bodies::engines())
            .unwrap_or_else(|error| panic!("{error}"));
    }
}
