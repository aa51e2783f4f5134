//! Workers: what they are asked and answer, and what becomes of a measurement when they fail.

mod faults;
mod garbage;
mod protocol;
mod signals;
