//! Whole-program and whole-engine tests, in one executable so that the C libraries are linked once.

#[cfg(all(target_arch = "x86_64", any(feature = "openssl", feature = "rustls-aws-lc")))]
mod acceleration;
mod baseline;
mod campaign;
mod cli;
mod cli_baselines;
mod cli_costs;
#[cfg(target_os = "linux")]
mod cli_faults;
mod cli_mistakes;
mod cli_numbers;
#[cfg(unix)]
mod cli_progress;
mod cli_runs;
mod cli_selftest;
mod cli_shards;
#[cfg(target_os = "linux")]
mod cli_signals;
mod comparisons;
#[cfg(target_os = "linux")]
mod contests;
mod contract;
mod cost;
#[cfg(all(target_os = "linux", feature = "openssl"))]
mod cost_callgrind;
mod docs;
mod documents;
mod export;
mod filter;
#[cfg(feature = "openssl")]
mod finite_field;
mod formats;
mod fuzz_seeds;
mod github;
#[cfg(feature = "gnutls")]
mod gnutls;
mod gobench;
mod heap;
mod heap_valgrind;
mod html;
mod html_browser;
mod html_command;
#[cfg(target_os = "linux")]
mod instructions;
mod markup;
#[cfg(feature = "mbedtls")]
mod mbedtls;
mod merge;
mod merge_comparisons;
mod mixed;
mod packages;
mod pages;
mod primitives;
mod render;
mod render_comparison;
mod results;
#[cfg(feature = "s2n")]
mod s2n;
mod schema;
#[cfg(feature = "ssl2")]
mod ssl2_scapy;
mod suite;
mod suite_errors;
mod suite_files;
mod suite_thresholds;
mod support;
mod tamper;
#[cfg(unix)]
mod upgrade;
mod wire;
mod wire_engines;
mod wire_features;
mod wire_ssl2;
#[cfg(target_os = "linux")]
mod with;
#[cfg(target_os = "linux")]
mod workers;
mod workloads;

/// Engines that are only there for others to talk to.
const PARTNERS: &[&str] = &[];

/// The engines that the tests are about.
fn engines() -> tlspair::engine::Engines {
    tlspair::engine::Engines::built_in()
}
