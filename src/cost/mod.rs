//! What a connection is made of: the cryptographic operations that each side performs, counted from what was negotiated
//! and seen on the wire by the rules of the protocols, and what they cost by anybody's prices.
//!
//! Counted is what the standards demand of a side. What a library does beside (sealing tickets, random numbers, session
//! caches) is part of the protocol's machinery, as are its state machine, records, copies and allocations.

mod algorithms;
mod exchange;
mod messages;
mod parts;
mod price;
mod records;
mod schedule;
mod transcript;

pub use algorithms::Algorithms;
pub use messages::messages;
pub use parts::{BothSides, Part, Stage, parts};
pub use price::{Priced, Prices, Substitute, price};
