//! A lab in a worker process: what crashes there is an error of its cell, and the next cell gets a fresh worker.

use std::time::Duration;

use super::process::allowance;
use super::{Executable, Reply, Request, Terms, Worker};
use crate::campaign::{Lab, NoNumbers, TriedCell};
use crate::cell::Cell;
use crate::measure::LoopKind;
use crate::results::{Dims, LoopResult};

/// See the module's documentation.
#[derive(Debug)]
pub struct Isolated<'a> {
    executable: Executable,
    terms: Terms<'a>,
    worker: Option<Worker<'a>>,
}

impl<'a> Isolated<'a> {
    /// Workers of this executable, the first when it is needed.
    pub fn new(executable: Executable, terms: Terms<'a>) -> Self {
        Self { executable, terms, worker: None }
    }

    fn ask(
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
            Reply::Failed(failed) => Err(failed.into()),
            reply => Ok(reply),
        }
    }

    fn nonsense(&mut self, reply: &Reply) -> NoNumbers {
        let worker = self.worker.take();
        worker.map_or(NoNumbers::NotReached, |mut worker| worker.nonsense(reply).into())
    }
}

impl Lab for Isolated<'_> {
    fn try_cell(&mut self, cell: &Cell) -> Result<TriedCell, NoNumbers> {
        let request = Request::Try { dims: Dims::from(cell) };
        match self.ask(&request, allowance(cell), &mut |_, _| {})? {
            Reply::Tried(tried) => Ok(*tried),
            other => Err(self.nonsense(&other)),
        }
    }

    fn time_loop(
        &mut self,
        cell: &Cell,
        kind: LoopKind,
        connections: u64,
        progress: &mut dyn FnMut(u64, Duration),
    ) -> Result<LoopResult, NoNumbers> {
        let request = Request::Time { dims: Dims::from(cell), kind, connections };
        match self.ask(&request, allowance(cell), progress)? {
            Reply::Timed(timed) => Ok(*timed),
            other => Err(self.nonsense(&other)),
        }
    }
}
