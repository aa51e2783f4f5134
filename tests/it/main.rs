//! Whole-program and whole-engine tests, in one executable so that the C libraries are linked once.

mod cli;
mod cli_mistakes;
mod contract;
mod docs;
mod documents;
mod export;
mod filter;
mod heap;
mod heap_valgrind;
#[cfg(feature = "mbedtls")]
mod mbedtls;
mod render;
mod results;
mod schema;
mod suite;
mod suite_errors;
mod suite_files;
mod support;
mod wire;
mod wire_engines;
