//! Whole-program and whole-engine tests, in one executable so that the C libraries are linked once.

mod contract;
mod heap;
mod heap_valgrind;
mod support;
mod wire;
mod wire_engines;
