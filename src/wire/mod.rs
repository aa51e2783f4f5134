//! What passes over the wire: a passive observer that parses the records of a connection, the counts made from them,
//! what the plaintext part of the handshake shows, and the formulas that the counts must agree with.
//!
//! No library's word is taken here, so this is the independent witness for what libraries say of themselves.

mod count;
mod cursor;
mod handshake;
mod observer;
pub mod oracle;
mod record;
mod seen;
mod ssl2;

pub use count::{AppCount, WireCount};
pub use handshake::{HandshakeParser, Message, message_type};
pub use observer::{Observer, Trace};
pub use record::{ContentType, Record, RecordReader, Stage};
pub use seen::{Contradiction, Seen};
pub use ssl2::message_type as ssl2_message_type;

use crate::measure::{Failure, LoopKind, LoopPlan, LoopRun, Pair, Payload, Stop};

/// Runs the shortest loop of this kind that ends with such a connection (one full handshake, or a full and a
/// resumed one) and hands out what passed over the wire in the last.
pub fn observe(pair: &mut Pair<'_>, kind: LoopKind) -> Result<Trace, Failure> {
    let connections = match kind {
        LoopKind::Full => 1,
        LoopKind::Reuse => 2,
    };
    let mut observer = Observer::default();
    let plan = LoopPlan { kind, connections, payload: Payload::Plain, stop: Stop::default() };
    LoopRun::of(pair, plan, &mut observer, |_, _| {})?;
    Ok(observer.into_trace())
}
