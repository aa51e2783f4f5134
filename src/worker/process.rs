//! The side of the one who asks: a worker process, and what can go wrong with it.

use std::fmt;
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::executable::Executable;
use super::protocol::{Hello, PROTOCOL, Reply, Request};
use super::reading::{LastWords, lines, printable};
use crate::campaign::NoNumbers;
use crate::cell::Cell;
use crate::measure::Stop;

/// A running worker that has said who it is.
pub struct Worker<'a> {
    name: String,
    child: Child,
    requests: ChildStdin,
    replies: Receiver<io::Result<Vec<u8>>>,
    last_words: LastWords,
    hello: Hello,
    terms: Terms<'a>,
    /// Whether the wish to stop was passed on.
    told_to_stop: bool,
    /// Whether it was ended: its number may belong to another process by now.
    has_ended: bool,
}

/// On which terms workers are employed.
#[derive(Clone, Copy, Debug)]
pub struct Terms<'a> {
    /// The processor to stay on.
    pub core: Option<u64>,
    /// How long a worker may be silent beyond what its work should take.
    pub patience: Duration,
    /// Ends the work early.
    pub stop: Stop<'a>,
}

impl fmt::Debug for Worker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("name", &self.name)
            .field("pid", &self.child.id())
            .finish_non_exhaustive()
    }
}

/// What became of a worker that cannot be asked any more.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// It could not be started.
    #[error("{name} cannot be started: {error}")]
    Unstartable {
        /// What the command line called it.
        name: String,
        /// The system's words.
        error: io::Error,
    },
    /// It ended before it answered.
    #[error("the worker of {name} {}{}", ended(.status), said(.last_words))]
    Died {
        /// What the command line called it.
        name: String,
        /// How it ended; none if nobody can tell.
        status: Option<ExitStatus>,
        /// The end of what it wrote to its standard error.
        last_words: String,
    },
    /// It did not answer in time.
    #[error("the worker of {name} did not answer within {} s{}", .deadline.as_secs(), said(.last_words))]
    Hung {
        /// What the command line called it.
        name: String,
        /// How long it was waited for.
        deadline: Duration,
        /// The end of what it wrote to its standard error.
        last_words: String,
    },
    /// It answered what is no reply, or none to what was asked.
    #[error("the worker of {name} talks nonsense: {what}{}", said(.last_words))]
    Nonsense {
        /// What the command line called it.
        name: String,
        /// What is wrong with the answer.
        what: String,
        /// The end of what it wrote to its standard error.
        last_words: String,
    },
    /// It is a worker of another protocol.
    #[error(
        "{name} is a worker of protocol {theirs} (tlspair {version}), but this tlspair {} speaks protocol {PROTOCOL}",
        env!("CARGO_PKG_VERSION")
    )]
    OtherProtocol {
        /// What the command line called it.
        name: String,
        /// Its protocol.
        theirs: u32,
        /// Its version of tlspair.
        version: String,
    },
}

fn ended(status: &Option<ExitStatus>) -> String {
    status.map_or_else(|| "ended".to_owned(), |status| format!("ended with {status}"))
}

fn said(last_words: &str) -> String {
    if last_words.is_empty() { String::new() } else { format!("; its last words: {last_words}") }
}

impl From<WorkerError> for NoNumbers {
    fn from(error: WorkerError) -> Self {
        Self::Error(error.to_string())
    }
}

impl<'a> Worker<'a> {
    /// Starts a worker and hears who it is.
    pub fn start(executable: &Executable, terms: Terms<'a>) -> Result<Self, WorkerError> {
        let name = executable.name.clone();
        let unstartable = |error| WorkerError::Unstartable { name: name.clone(), error };
        let mut child = command(executable).spawn().map_err(unstartable)?;
        let (requests, replies, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(requests), Some(replies), Some(errors)) = (requests, replies, errors) else {
            unreachable!("all three were asked to be pipes");
        };
        let unknown = Hello {
            protocol: 0,
            version: String::new(),
            build: super::Build::this_one(),
            hash: String::new(),
            engines: Vec::new(),
            other_engines: Vec::new(),
            core: None,
        };
        let mut worker = Self {
            name: name.clone(),
            child,
            requests,
            replies: lines(replies),
            last_words: LastWords::of(errors),
            hello: unknown,
            terms,
            told_to_stop: false,
            has_ended: false,
        };
        match worker.ask(&Request::Hello { protocol: PROTOCOL, core: terms.core }, Duration::ZERO)? {
            Reply::Hello(hello) if hello.protocol == PROTOCOL => {
                worker.hello = *hello;
                Ok(worker)
            }
            Reply::Hello(hello) => {
                Err(WorkerError::OtherProtocol { name, theirs: hello.protocol, version: hello.version })
            }
            other => Err(worker.nonsense(&other)),
        }
    }

    /// Who it is.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Asks, and waits for the answer; `expected` is what the work should take. A worker that failed to answer is dead
    /// afterwards.
    pub fn ask(&mut self, request: &Request, expected: Duration) -> Result<Reply, WorkerError> {
        self.ask_observing(request, expected, &mut |_, _| {})
    }

    /// The same; `progress` is told the connections so far and their mean time.
    pub fn ask_observing(
        &mut self,
        request: &Request,
        expected: Duration,
        progress: &mut dyn FnMut(u64, Duration),
    ) -> Result<Reply, WorkerError> {
        let mut line = serde_json::to_vec(request).expect("requests are plain JSON");
        line.push(b'\n');
        if self.requests.write_all(&line).and_then(|()| self.requests.flush()).is_err() {
            return Err(self.died()); // it has closed its input
        }
        loop {
            match self.reply(self.terms.patience + 10 * expected)? {
                Reply::Progress { done, per_connection_ns } => {
                    progress(done, Duration::from_nanos(per_connection_ns));
                }
                reply => return Ok(reply),
            }
        }
    }

    /// What to say of a reply that does not answer the question.
    pub fn nonsense(&mut self, reply: &Reply) -> WorkerError {
        self.talks_nonsense(format!("{reply:?} does not answer the request"))
    }

    fn reply(&mut self, patience: Duration) -> Result<Reply, WorkerError> {
        /// How often the wish to stop is looked at.
        const GLANCE: Duration = Duration::from_millis(100);
        let asked = Instant::now();
        loop {
            self.pass_on_stop();
            match self.replies.recv_timeout(GLANCE) {
                Ok(Ok(line)) => {
                    return serde_json::from_slice(&line).map_err(|error| {
                        let said = printable(&line);
                        self.talks_nonsense(format!("`{}` ({error})", shortened(said.trim_end())))
                    });
                }
                Ok(Err(error)) => return Err(self.talks_nonsense(error.to_string())),
                Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
                Err(RecvTimeoutError::Timeout) if asked.elapsed() > patience => {
                    let last_words = self.end();
                    return Err(WorkerError::Hung {
                        name: self.name.clone(),
                        deadline: patience,
                        last_words,
                    });
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// A worker is in a process group of its own, so that Ctrl-C reaches it only when the one who asks wishes so.
    fn pass_on_stop(&mut self) {
        if self.terms.stop.requested() && !self.told_to_stop {
            self.told_to_stop = true;
            interrupt(&self.child);
        }
    }

    fn died(&mut self) -> WorkerError {
        // It has closed its output, which a process does when it ends; one that lives on is ended.
        let grace = Instant::now();
        let mut status = self.child.try_wait().ok().flatten();
        while status.is_none() && grace.elapsed() < Duration::from_secs(1) {
            std::thread::sleep(Duration::from_millis(5));
            status = self.child.try_wait().ok().flatten();
        }
        WorkerError::Died { name: self.name.clone(), status, last_words: self.end() }
    }

    fn talks_nonsense(&mut self, what: String) -> WorkerError {
        WorkerError::Nonsense { name: self.name.clone(), what, last_words: self.end() }
    }

    /// Ends the process; gives what it said last.
    fn end(&mut self) -> String {
        if !std::mem::replace(&mut self.has_ended, true) {
            kill(&mut self.child);
            self.child.wait().ok();
        }
        self.last_words.of_ended()
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

/// What a worker may need until it next says something: a few dozen connections of a cell, on a slow machine.
pub(crate) fn allowance(cell: &Cell) -> Duration {
    const BYTES_PER_SECOND: u64 = 10_000_000;
    Duration::from_secs(1 + 50 * cell.bytes * u64::from(cell.requests) / BYTES_PER_SECOND)
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 100;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn command(executable: &Executable) -> Command {
    let mut command = Command::new(&executable.path);
    command
        .arg("worker")
        .envs(&executable.variables)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

#[cfg(unix)]
fn interrupt(child: &Child) {
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        rustix::process::kill_process(pid, rustix::process::Signal::INT).ok(); // it may have ended
    }
}

#[cfg(not(unix))]
fn interrupt(_child: &Child) {}

/// Kills a worker that may have ended by itself, and, where its executable is a script, what that started.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if let Some(pid) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        rustix::process::kill_process_group(pid, rustix::process::Signal::KILL).ok();
    }
    child.kill().ok();
}
