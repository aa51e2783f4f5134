//! Counting: valgrind runs the executable, and what callgrind wrote is divided by the connections.

use std::path::Path;

use super::callgrind::costs;
use super::count_loop::Reply;
use super::error::CountError;
use super::fence::fence_name;
use super::valgrind::{self, Profile};
use crate::cell::DEFAULT_BYTES;
use crate::engine::Side;
use crate::measure::LoopKind;
use crate::results::{Dims, InstructionCount};

/// Connections that count where the handshake is what matters.
const HANDSHAKES: u64 = 20;
/// Connections that count at least.
const FEWEST: u64 = 2;
/// Bytes each way after which there are connections enough: their instructions hardly vary, and valgrind is slow.
const BYTES: u64 = 10 << 20;

/// Instructions of a connection of the cell with these dimensions, as the executable `exe` of this project plays it: the
/// mean over [`counted_connections`], all of them full or all resumed.
///
/// Safe to call on several threads at once; each call takes a process and some seconds.
pub fn count(exe: &Path, dims: &Dims, kind: LoopKind) -> Result<InstructionCount, CountError> {
    Counting::of(exe, dims, kind).run()
}

/// Whether there is a valgrind that starts.
pub fn available() -> Result<(), CountError> {
    valgrind::check()
}

/// How many connections of a cell that sends so many bytes each way are counted: 20, but not so many that they send more
/// than 10 MiB, and 2 at least. It depends on nothing else, so that two executables count the same.
pub fn counted_connections(bytes: u64) -> u64 {
    (BYTES / bytes.max(1)).clamp(FEWEST, HANDSHAKES)
}

/// What to count.
#[derive(Clone, Copy, Debug)]
pub struct Counting<'a> {
    /// An executable of this project.
    pub exe: &'a Path,
    /// The cell.
    pub dims: &'a Dims,
    /// Full connections or resumed ones.
    pub kind: LoopKind,
    /// How many connections to take the mean of; at least 1.
    pub connections: u64,
}

impl<'a> Counting<'a> {
    /// With the usual number of connections.
    pub fn of(exe: &'a Path, dims: &'a Dims, kind: LoopKind) -> Self {
        let connections = counted_connections(dims.number("bytes").unwrap_or(DEFAULT_BYTES));
        Self { exe, dims, kind, connections }
    }

    /// Counts.
    pub fn run(&self) -> Result<InstructionCount, CountError> {
        let Profile { reply, text } = valgrind::profile(self.exe, &self.arguments())?;
        let connections = match reply {
            Reply::Counted { connections, .. } => connections,
            Reply::Failed(reason) => return Err(CountError::Cell(reason)),
        };
        let mean_of = |side| match instructions_of(side, &text) {
            0 => Err(CountError::NoSymbols { exe: self.exe.to_owned() }),
            sum => Ok(sum as f64 / connections as f64),
        };
        Ok(InstructionCount { client: mean_of(Side::Client)?, server: mean_of(Side::Server)? })
    }

    fn arguments(&self) -> [String; 6] {
        let dims = serde_json::to_string(self.dims).expect("text and numbers can be written as JSON");
        let connections = self.connections.to_string();
        ["count-loop", &dims, "--loop", self.kind.name(), "--connections", &connections].map(str::to_owned)
    }
}

/// What callgrind collected inside the fences of a side: their own instructions, and those of all that they called.
fn instructions_of(side: Side, text: &str) -> u64 {
    let fence = fence_name(side);
    costs(text).filter(|cost| cost.function.starts_with(fence)).map(|cost| cost.instructions).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::DimValue;

    /// Each side calls its library; the server's fence was made for two kinds of work; the library's own costs and the
    /// harness's calls of fences count for nobody.
    fn file() -> String {
        let [client, server] = Side::BOTH.map(fence_name);
        format!(
            "fn={client}\n0 7\ncfn=library\ncalls=2 0\n0 1000\n\n\
             fn={server}\n0 5\ncfn=library\ncalls=1 0\n0 300\n\n\
             fn={server}::<of another kind>\n0 3\ncfn=library\ncalls=1 0\n0 40\n\n\
             fn=library\n0 1340\n\n\
             fn=harness\ncfn={client}\ncalls=2 0\n0 1007\n"
        )
    }

    #[test]
    fn a_side_has_what_its_fences_cost_with_all_that_they_call() {
        let file = file();
        assert_eq!(instructions_of(Side::Client, &file), 1007);
        assert_eq!(instructions_of(Side::Server, &file), 348);
        assert_eq!(instructions_of(Side::Client, "fn=library\n0 1340\n"), 0);
    }

    #[test]
    fn large_transfers_are_counted_in_fewer_connections() {
        let connections = [0, 1, 512 << 10, 1 << 20, 1 << 30].map(counted_connections);
        assert_eq!(connections, [20, 20, 20, 10, 2]);
    }

    #[test]
    fn the_number_of_connections_follows_from_the_dimensions() {
        let exe = Path::new("tlspair");
        let of = |dims: &Dims| Counting::of(exe, dims, LoopKind::Full).connections;
        assert_eq!(of(&Dims::default()), 20);
        assert_eq!(of(&Dims::new([("bytes".to_owned(), DimValue::Number(2 << 20))])), 5);
    }
}
