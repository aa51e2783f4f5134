//! Reading what a worker says, on threads of their own: the one who asked must not wait longer than the deadline, and a
//! worker that complains much must not wait for its complaints to be read.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::render::visible;

/// The longest reply: a loop of ten million samples fits.
const MAX_LINE: u64 = 256 << 20;
/// How much of a worker's complaints is kept.
const LAST_WORDS: usize = 2000;

/// The lines of `output` as they come; the end of the channel is the end of the output.
pub(super) fn lines(output: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut output = BufReader::new(output);
        loop {
            let line = match line(&mut output) {
                Ok(line) if line.is_empty() => return,
                line => line,
            };
            let is_last = line.is_err();
            if sender.send(line).is_err() || is_last {
                return;
            }
        }
    });
    receiver
}

fn line(output: &mut impl BufRead) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    output.take(MAX_LINE).read_until(b'\n', &mut line)?;
    if line.len() as u64 == MAX_LINE {
        return Err(io::Error::other("a line without end"));
    }
    Ok(line)
}

/// The end of what a process wrote to its standard error.
#[derive(Debug)]
pub(super) struct LastWords {
    kept: Arc<Mutex<VecDeque<u8>>>,
    reader: JoinHandle<()>,
}

impl LastWords {
    pub(super) fn of(errors: impl Read + Send + 'static) -> Self {
        let kept = Arc::new(Mutex::new(VecDeque::new()));
        let keeper = Arc::clone(&kept);
        let reader = thread::spawn(move || {
            let mut errors = BufReader::new(errors);
            while let Ok(bytes @ [_, ..]) = errors.fill_buf() {
                let count = bytes.len();
                if let Ok(mut kept) = keeper.lock() {
                    kept.extend(bytes);
                    let surplus = kept.len().saturating_sub(LAST_WORDS);
                    kept.drain(..surplus);
                }
                errors.consume(count);
            }
        });
        Self { kept, reader }
    }

    /// What a process that has ended said last, in one line. A descendant of it that lives on is not waited for.
    pub(super) fn of_ended(&self) -> String {
        let waiting = Instant::now();
        while !self.reader.is_finished() && waiting.elapsed() < Duration::from_millis(200) {
            thread::sleep(Duration::from_millis(1));
        }
        let kept = self.kept.lock().map(|kept| Vec::from(kept.clone())).unwrap_or_default();
        printable(&kept)
    }
}

/// What a process said, in one line that is fit for a message, whatever it is.
pub(super) fn printable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    visible(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}
