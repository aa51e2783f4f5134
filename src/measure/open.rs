//! Connections of one pair that are open at the same time.

use super::connection::{Open, Pair, Payload};
use super::failure::{Failure, FailureCause};
use super::witness::{Nobody, Phase, Witness};
use crate::engine::Start;

/// Opens connections and keeps them open until all are closed. They take turns on the pair's pipes.
pub struct OpenConnections<'a, 'p> {
    pair: &'a mut Pair<'p>,
    open: Vec<Open>,
}

impl<'a, 'p> OpenConnections<'a, 'p> {
    /// None open yet.
    pub fn over(pair: &'a mut Pair<'p>) -> Self {
        Self { pair, open: Vec::new() }
    }

    /// Connections that are opened and closed before.
    pub fn warm_up(&mut self, connections: u64) -> Result<(), Failure> {
        for _ in 0..connections {
            self.pair.connect(Start::Fresh, false, Payload::Plain, &mut Nobody)?;
        }
        Ok(())
    }

    /// Opens one more, with a full handshake and one exchange of data.
    pub fn one_more(&mut self, witness: &mut impl Witness) -> Result<(), Failure> {
        self.open.reserve(1); // the harness's own, so not in a library's turn
        let open = self.pair.open(Start::Fresh, Payload::Plain, witness)?;
        self.pair.rest(witness);
        // What is still on its way now would be read by the next connection.
        if !self.pair.pipes.is_empty() {
            let cause = FailureCause::Unread;
            return Err(Failure { side: None, phase: Phase::Transfer, cause });
        }
        self.open.push(open);
        Ok(())
    }

    /// Closes all, the oldest first.
    pub fn close_all(&mut self, witness: &mut impl Witness) -> Result<(), Failure> {
        for open in self.open.drain(..) {
            let closed = self.pair.close(open, false, witness);
            self.pair.rest(witness);
            self.pair.pipes.reset();
            closed?;
        }
        Ok(())
    }
}
