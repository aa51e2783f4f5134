//! What watches a connection: told at every hand-over who works from now on.

use crate::engine::Side;
use crate::pipe::Pipes;

/// A part of a connection's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Creation of an endpoint.
    Setup,
    /// Until both sides have finished.
    Handshake,
    /// Application data, both ways.
    Transfer,
    /// close_notify both ways, and freeing.
    Close,
}

impl Phase {
    /// All phases in their order.
    pub const ALL: [Self; 4] = [Self::Setup, Self::Handshake, Self::Transfer, Self::Close];

    /// The name used in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Setup => "setup",
            Self::Handshake => "handshake",
            Self::Transfer => "transfer",
            Self::Close => "close",
        }
    }
}

/// Who works from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The harness: nothing of it counts for a library.
    Harness,
    /// One side's library.
    Library {
        /// What it works on.
        phase: Phase,
        /// Whose it is.
        side: Side,
        /// In the handshake: whether the other side has finished already, so that all which this side still sends
        /// comes after the handshake.
        peer_done: bool,
    },
}

/// Watches connections. Called at each hand-over, before the next one works.
pub trait Witness {
    /// `next` works from now on. What the one before it sent is still unread in `pipes`.
    fn turn(&mut self, next: Turn, pipes: &mut Pipes);

    /// What happens until [`Witness::resume`], which it is not told of, is no part of what is measured.
    fn pause(&mut self) {}

    /// Ends a pause.
    fn resume(&mut self) {}
}

/// Watches nothing.
#[derive(Debug)]
pub struct Nobody;

impl Witness for Nobody {
    #[inline]
    fn turn(&mut self, _next: Turn, _pipes: &mut Pipes) {}
}
