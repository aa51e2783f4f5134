//! Whole-program and whole-engine tests, in one executable so that the C libraries are linked once.

mod contract;
mod documents;
mod export;
mod render;
mod results;
mod schema;
mod support;
