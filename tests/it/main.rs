//! Whole-program and whole-engine tests, in one executable so that the C libraries are linked once.

mod contract;
mod heap;
mod filter;
mod suite;
mod suite_errors;
mod suite_files;
#[cfg(feature = "mbedtls")]
mod mbedtls;
mod support;
mod wire;
mod wire_engines;
