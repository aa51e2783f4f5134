//! Why instructions could not be counted.

use std::io;
use std::path::PathBuf;

/// Why instructions could not be counted, in one line.
#[derive(Debug, thiserror::Error)]
pub enum CountError {
    /// There is no valgrind.
    #[error("counting instructions takes valgrind, and none is on the PATH: install it")]
    NoValgrind,
    /// Valgrind cannot be started, or gives up.
    #[error("valgrind failed: {words}")]
    Valgrind {
        /// What it said.
        words: String,
    },
    /// There is no such executable.
    #[error("cannot run {}: {error}", .exe.display())]
    NoExecutable {
        /// Its path.
        exe: PathBuf,
        /// The system's reason.
        error: io::Error,
    },
    /// The executable has no `count-loop`.
    #[error("{} does not know `count-loop`: it is no tlspair, or one too old to count instructions", .exe.display())]
    TooOld {
        /// Its path.
        exe: PathBuf,
    },
    /// The executable crashed, or talked nonsense.
    #[error("{} failed under valgrind: {words}", .exe.display())]
    Crashed {
        /// Its path.
        exe: PathBuf,
        /// The last that it said.
        words: String,
    },
    /// The executable ran, and callgrind did not see the fences.
    #[error("{} has no symbols by which to tell client and server apart: it must not be stripped", .exe.display())]
    NoSymbols {
        /// Its path.
        exe: PathBuf,
    },
    /// The executable cannot run the cell.
    #[error("{0}")]
    Cell(String),
    /// No room for callgrind's output.
    #[error("cannot keep callgrind's output: {0}")]
    Output(#[from] io::Error),
}
