//! A cell made ready to run: both engines found, asked whether they can, and prepared.

use std::fmt;

use super::connection::Pair;
use crate::cell::{Acceleration, Cell, UnknownName};
use crate::engine::{Endpoint, EngineError, Engines, Prepared, Side, Start, Unsupported, Variables};
use crate::fixtures::Credentials;

/// Why a cell cannot run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReady {
    /// No such engine in this executable.
    #[error("{0}")]
    UnknownEngine(#[from] UnknownName),
    /// An engine cannot do what the cell says.
    #[error("{0}")]
    Unsupported(#[from] Unsupported),
    /// An engine cannot share what it prepared with other threads.
    #[error("{side}: {why}")]
    Unshared {
        /// Whose engine.
        side: Side,
        /// Why not.
        why: Unsupported,
    },
    /// An engine failed to set itself up.
    #[error("{side}, prepare: {error}")]
    Failed {
        /// Whose engine.
        side: Side,
        /// The library's words.
        error: EngineError,
    },
}

/// A cell with both sides prepared.
pub struct ReadyCell<'a> {
    cell: &'a Cell,
    client: Box<dyn Prepared>,
    server: Box<dyn Prepared>,
}

impl fmt::Debug for ReadyCell<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadyCell").field("cell", &self.cell.id()).finish_non_exhaustive()
    }
}

impl<'a> ReadyCell<'a> {
    /// Asks both engines and prepares them with `credentials`.
    pub fn of(engines: &Engines, cell: &'a Cell, credentials: &Credentials) -> Result<Self, NotReady> {
        supported(engines, cell)?;
        let prepare = |side, id: &str| {
            let engine = engines.named(id)?;
            engine.prepare(side, cell, credentials).map_err(|error| NotReady::Failed { side, error })
        };
        Ok(Self {
            cell,
            client: prepare(Side::Client, &cell.client)?,
            server: prepare(Side::Server, &cell.server)?,
        })
    }

    /// A cell whose sides were made otherwise.
    pub(super) fn over(cell: &'a Cell, client: Box<dyn Prepared>, server: Box<dyn Prepared>) -> Self {
        Self { cell, client, server }
    }

    /// The same with both sides wrapped, to watch them or to burden them.
    pub fn wrapped(self, wrap: impl Fn(Side, Box<dyn Prepared>) -> Box<dyn Prepared>) -> Self {
        Self {
            client: wrap(Side::Client, self.client),
            server: wrap(Side::Server, self.server),
            cell: self.cell,
        }
    }

    /// The same where each session is resumed once: further resumptions come each after a full handshake of its own, as where
    /// a library has no more of them.
    pub fn renewed(self) -> Self {
        self.wrapped(|_, inner| Box::new(Renewed(inner)))
    }

    /// The client's and the server's side.
    pub(super) fn into_sides(self) -> (Box<dyn Prepared>, Box<dyn Prepared>) {
        (self.client, self.server)
    }

    /// Pipes and buffers for a loop over this cell.
    pub fn pair(&self) -> Pair<'_> {
        Pair::new(self.cell, &*self.client, &*self.server)
    }

    /// One prepared side, for whoever wants to stand between it and the harness.
    pub fn prepared(&self, side: Side) -> &dyn Prepared {
        match side {
            Side::Client => &*self.client,
            Side::Server => &*self.server,
        }
    }

    /// The cell.
    pub fn cell(&self) -> &'a Cell {
        self.cell
    }
}

/// The variables of the environment that a process needs to run the cell, which need not be this one. Whether both engines
/// can run it there is asked first.
pub fn needs(engines: &Engines, cell: &Cell) -> Result<Variables, NotReady> {
    let mut needed = Variables::new();
    for (side, id) in [(Side::Client, &cell.client), (Side::Server, &cell.server)] {
        let engine = engines.named(id)?;
        engine.could_play(cell, side)?;
        let switch = match cell.accel {
            Acceleration::On => &[],
            Acceleration::Off => engine.acceleration_switch()?,
        };
        for (name, value) in switch {
            let earlier = needed.insert((*name).to_owned(), (*value).to_owned());
            if earlier.is_some_and(|earlier| earlier != *value) {
                let (client, server) = (&cell.client, &cell.server);
                return Err(
                    Unsupported(format!("{client} and {server} want different values of {name}")).into()
                );
            }
        }
    }
    Ok(needed)
}

/// Whether both engines of the cell exist and can run it in this process.
pub fn supported(engines: &Engines, cell: &Cell) -> Result<(), NotReady> {
    engines.named(&cell.client)?.can_play(cell, Side::Client)?;
    engines.named(&cell.server)?.can_play(cell, Side::Server)?;
    Ok(())
}

/// A side whose sessions are resumed once.
struct Renewed(Box<dyn Prepared>);

impl Prepared for Renewed {
    fn endpoint(&self, start: Start) -> Result<Box<dyn Endpoint>, EngineError> {
        self.0.endpoint(start)
    }

    fn resumptions(&self) -> u64 {
        1
    }
}
