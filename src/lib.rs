//! **tlspair** measures what the TLS protocol costs: one process plays client and server of a connection over two
//! in-memory pipes, in the manner of SSLeay's `ssltest`, so that protocol and cipher cost are seen apart from
//! network latency.
//!
//! The words used throughout (engine, endpoint, pair, cell, suite, loop, phase) are explained in `docs/GLOSSARY.md`.

pub mod baseline;
pub mod campaign;
pub mod cell;
pub mod cli;
pub mod compare;
pub mod cost;
pub mod device;
pub mod engine;
pub mod fixtures;
pub mod heap;
pub mod instructions;
pub mod link;
pub mod measure;
pub mod merge;
pub mod mistake;
pub mod pipe;
pub mod primitive;
pub mod render;
pub mod results;
pub mod selftest;
pub mod speed;
pub mod stats;
pub mod store;
pub mod suite;
pub mod upgrade;
pub mod wire;
pub mod worker;
