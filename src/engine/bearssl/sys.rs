//! The library's C interface, made from its header by the build script.

#![allow(
    missing_docs,
    non_camel_case_types,
    non_snake_case,
    non_upper_case_globals,
    unsafe_op_in_unsafe_fn,
    clippy::all
)]
#![allow(dead_code, reason = "the header has more than an engine calls")]

include!(concat!(env!("OUT_DIR"), "/bearssl.rs"));
