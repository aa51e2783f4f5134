//! The library's own names, bound by the build script from its headers.

#![allow(unsafe_code)]
#![allow(missing_docs, non_camel_case_types, non_snake_case, non_upper_case_globals, dead_code)]
#![allow(unnecessary_transmutes, unsafe_op_in_unsafe_fn, unused_imports)]
#![allow(clippy::all, clippy::undocumented_unsafe_blocks)]

include!(concat!(env!("OUT_DIR"), "/sys.rs"));
