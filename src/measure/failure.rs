//! What can go wrong with a connection.

use super::witness::Phase;
use crate::engine::{Disagreement, EngineError, Side};

/// Why a connection of a cell failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {cause}", side_prefix(*.side), .phase.name())]
pub struct Failure {
    /// In whose hands; none if in nobody's.
    pub side: Option<Side>,
    /// In which phase.
    pub phase: Phase,
    /// What happened.
    pub cause: FailureCause,
}

impl Failure {
    /// The same, of data that were sent before the handshake was over: the receiver need not take them.
    pub(super) fn of_early_data(self) -> Self {
        match self.cause {
            FailureCause::Lost { received, sent } => {
                Self { cause: FailureCause::TurnedDown { taken: received, sent }, ..self }
            }
            _ => self,
        }
    }
}

fn side_prefix(side: Option<Side>) -> String {
    side.map_or_else(String::new, |side| format!("{side}, "))
}

/// What happened to a failed connection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FailureCause {
    /// The library said so.
    #[error("{0}")]
    Library(#[from] EngineError),
    /// Both sides wait for each other.
    #[error("both sides wait for each other and nothing is on its way")]
    Stalled,
    /// Data did not arrive whole.
    #[error("received {received} of {sent} bytes")]
    Lost {
        /// Bytes that came.
        received: u64,
        /// Bytes that were sent.
        sent: u64,
    },
    /// The server passed 0-RTT data over, as it may.
    #[error("the server took {taken} of {sent} bytes of 0-RTT data and turned the rest down")]
    TurnedDown {
        /// Bytes that it took.
        taken: u64,
        /// Bytes that were sent.
        sent: u64,
    },
    /// Bytes are on their way that nobody reads.
    #[error("bytes of a connection at rest are still unread")]
    Unread,
    /// Data arrived changed.
    #[error("received data differs from what was sent, at byte {0}")]
    Changed(u64),
    /// Not what the cell says.
    #[error("{0}")]
    Disagrees(#[from] Disagreement),
}

/// A library's error, with whose and when.
pub(super) fn failed(phase: Phase, side: Side) -> impl Fn(EngineError) -> Failure {
    move |error| Failure { side: Some(side), phase, cause: error.into() }
}
