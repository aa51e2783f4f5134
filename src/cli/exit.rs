//! How the program ends: exit codes that scripts can rely on.

use std::process::ExitCode;

use crate::baseline::BaselineError;
use crate::results::Status;

/// The exit codes of every sub-command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// All went well.
    Ok = 0,
    /// Something outside the command line went wrong: a file, a disk, every cell of a run.
    Operational = 1,
    /// The command line or a suite is wrong.
    Usage = 2,
    /// Something got worse.
    Regression = 3,
    /// Nothing was selected, or nothing of it can run here.
    Nothing = 4,
    /// A question stays open, and that is not to be.
    Inconclusive = 5,
    /// A verification failed.
    VerificationFailed = 6,
    /// Ctrl-C.
    Interrupted = 130,
}

impl Exit {
    /// How a run of rows ends: what failed is an error, what nothing supports is none unless there is nothing else.
    pub fn of_rows(complete: bool, rows: impl Iterator<Item = Status>) -> Self {
        let rows: Vec<Status> = rows.collect();
        if !complete {
            Self::Interrupted
        } else if rows.contains(&Status::Error) {
            Self::Operational
        } else if rows.contains(&Status::Ok) {
            Self::Ok
        } else {
            Self::Nothing
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error with the exit code it ends the program with.
#[derive(Debug)]
pub struct Ending {
    /// The code.
    pub exit: Exit,
    /// The one message; may have several lines.
    pub message: String,
    /// Whether the message brings a heading of its own, as the mistakes of suite files do.
    pub has_heading: bool,
}

impl Ending {
    /// A mistake on the command line or in a suite.
    pub fn usage(message: impl ToString) -> Self {
        Self::plain(Exit::Usage, message)
    }

    /// A mistake in a suite, rendered with the place in the file.
    pub fn rendered(message: String) -> Self {
        Self { exit: Exit::Usage, message, has_heading: true }
    }

    /// A failure of the outside world.
    pub fn operational(message: impl ToString) -> Self {
        Self::plain(Exit::Operational, message)
    }

    /// A baseline that cannot be had.
    pub fn baseline(error: BaselineError) -> Self {
        if error.is_usage() { Self::usage(error) } else { Self::operational(error) }
    }

    /// Nothing to do.
    pub fn nothing(message: impl ToString) -> Self {
        Self::plain(Exit::Nothing, message)
    }

    fn plain(exit: Exit, message: impl ToString) -> Self {
        Self { exit, message: message.to_string(), has_heading: false }
    }
}
