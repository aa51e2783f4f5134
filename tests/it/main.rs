//! Whole-program and whole-engine tests, in one executable so that the C libraries are linked once.

mod contract;
#[cfg(feature = "mbedtls")]
mod mbedtls;
mod support;
