//! What runs under valgrind: connections of one cell, those that warm up without fences and those that count with them.

use serde::{Deserialize, Serialize};

use super::fence::FencedSide;
use crate::engine::{Engines, Side, Start};
use crate::fixtures::Credentials;
use crate::measure::{Failure, LoopKind, LoopRun, Nobody, Pair, Payload, ReadyCell};
use crate::results::Dims;
use crate::suite::cell_of;

/// Connections that run first and are not counted: libraries fill tables and caches on first use. The first is full, and
/// leaves the session for a reuse loop.
const WARM_UP: u64 = 3;

/// The one line that `tlspair count-loop` prints, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// All connections ran and were what the cell says.
    Counted {
        /// Those that counted.
        connections: u64,
        /// Those of them that both sides say were resumed.
        resumed: u64,
    },
    /// Why not, in words; of the library where it is the library's error.
    Failed(String),
}

impl From<Result<LoopRun, String>> for Reply {
    fn from(ran: Result<LoopRun, String>) -> Self {
        match ran {
            Ok(LoopRun { connections, resumed }) => Self::Counted { connections, resumed },
            Err(reason) => Self::Failed(reason),
        }
    }
}

/// Warms the cell with these dimensions up and runs `connections` behind fences, each verified: all full, or all
/// resumed. Says what counted, or in words why nothing did.
pub fn count_loop(
    engines: &Engines,
    dims: &Dims,
    kind: LoopKind,
    connections: u64,
) -> Result<LoopRun, String> {
    let cell = cell_of(dims, engines)?;
    let ready =
        ReadyCell::of(engines, &cell, &Credentials::of(&cell)).map_err(|not_ready| not_ready.to_string())?;
    warm_up(&mut ready.pair(), kind).map_err(|failure| failure.to_string())?;
    let [client, server] = Side::BOTH.map(|side| FencedSide::around(side, ready.prepared(side)));
    let mut pair = Pair::new(&cell, &client, &server);
    run(&mut pair, kind, usual_start(kind), connections).map_err(|failure| failure.to_string())
}

fn warm_up(pair: &mut Pair<'_>, kind: LoopKind) -> Result<(), Failure> {
    run(pair, kind, Start::Fresh, 1)?;
    run(pair, kind, usual_start(kind), WARM_UP - 1)?;
    Ok(())
}

fn usual_start(kind: LoopKind) -> Start {
    match kind {
        LoopKind::Full => Start::Fresh,
        LoopKind::Reuse => Start::Resume,
    }
}

/// Connections that all start alike. Sessions are kept as [`LoopRun::of`] keeps them: of each connection if they serve
/// once, else of the full one.
fn run(pair: &mut Pair<'_>, kind: LoopKind, start: Start, connections: u64) -> Result<LoopRun, Failure> {
    let single_use = pair.cell().resume.is_single_use();
    let keep = kind == LoopKind::Reuse && (start == Start::Fresh || single_use);
    let mut run = LoopRun::default();
    while run.connections < connections {
        let agreed = pair.connect(start, keep, Payload::Plain, &mut Nobody)?;
        run.connections += 1;
        run.resumed += u64::from(agreed.client.resumed && agreed.server.resumed);
    }
    Ok(run)
}
