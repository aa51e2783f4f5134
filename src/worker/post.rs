//! A post that is always filled: when its worker has died, the next request goes to a fresh one.

use std::time::Duration;

use super::{Executable, Failed, Reply, Request, Terms, Worker, WorkerError};
use crate::campaign::NoNumbers;

/// See the module's documentation.
#[derive(Debug)]
pub struct Post<'a> {
    executable: Executable,
    terms: Terms<'a>,
    worker: Option<Worker<'a>>,
}

impl<'a> Post<'a> {
    /// A post for workers of this executable, filled when it is needed.
    pub fn vacant(executable: &Executable, terms: Terms<'a>) -> Self {
        Self { executable: executable.clone(), terms, worker: None }
    }

    /// Fills the post now.
    pub fn fill(&mut self) -> Result<(), WorkerError> {
        self.worker = Some(Worker::start(&self.executable, self.terms)?);
        Ok(())
    }

    /// Asks and waits for an answer other than a failure; `expected` is what the work should take.
    pub fn ask(&mut self, request: &Request, expected: Duration) -> Result<Reply, NoNumbers> {
        self.ask_observing(request, expected, &mut |_, _| {})
    }

    /// The same; `progress` is told the connections so far and their mean time.
    pub fn ask_observing(
        &mut self,
        request: &Request,
        expected: Duration,
        progress: &mut dyn FnMut(u64, Duration),
    ) -> Result<Reply, NoNumbers> {
        let mut worker = match self.worker.take() {
            Some(worker) => worker,
            None => Worker::start(&self.executable, self.terms)?,
        };
        // Only a worker that answered is asked again.
        let reply = worker.ask_observing(request, expected, progress)?;
        self.worker = Some(worker);
        match reply {
            Reply::Failed(Failed::Stopped) => Err(self.cut_short()),
            Reply::Failed(failed) => Err(failed.into()),
            reply => Ok(reply),
        }
    }

    /// Whether workers were told to stop.
    pub fn is_stopped(&self) -> bool {
        self.terms.stop.requested()
    }

    /// What it means that a worker did less than it was asked: it was told to stop, if not by us, then by somebody.
    pub fn cut_short(&self) -> NoNumbers {
        if self.is_stopped() {
            NoNumbers::NotReached
        } else {
            let name = &self.executable.name;
            NoNumbers::Error(format!(
                "the worker of {name} stopped early, and was not told to by this program"
            ))
        }
    }

    /// Dismisses the worker for a reply that does not answer the question.
    pub fn nonsense(&mut self, reply: &Reply) -> NoNumbers {
        let worker = self.worker.take();
        worker.map_or(NoNumbers::NotReached, |mut worker| worker.nonsense(reply).into())
    }
}
