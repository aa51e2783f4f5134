//! Printing to stdout, where results go and nothing else.

use std::io::{self, ErrorKind, Write, stdout};

use super::Ending;

/// Prints all of `text` and flushes it. A reader that has gone away ends the program quietly.
pub fn print(text: &[u8]) -> Result<(), Ending> {
    let mut out = stdout().lock();
    let written = out.write_all(text).and_then(|()| out.flush());
    match written {
        Ok(()) => Ok(()),
        Err(failure) => write_failed(&failure).map_or(Ok(()), Err),
    }
}

/// What a failed write to stdout means: nothing if the reader has had enough, an error otherwise.
pub fn write_failed(failure: &io::Error) -> Option<Ending> {
    let reader_left = failure.kind() == ErrorKind::BrokenPipe;
    (!reader_left).then(|| Ending::operational(format!("cannot write to standard output: {failure}")))
}
