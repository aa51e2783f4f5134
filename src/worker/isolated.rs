//! A lab in a worker process: what crashes there is an error of its cell, and the next cell gets a fresh worker.

use std::time::Duration;

use super::process::allowance;
use super::protocol::TaskOf;
use super::{Executable, Post, Reply, Request, Terms};
use crate::campaign::{Lab, LoopTask, NoNumbers, TriedCell, Workload};
use crate::cell::Cell;
use crate::cost::BothSides;
use crate::engine::Variables;
use crate::measure::LoopKind;
use crate::results::{Dims, LoopResult, Measured};
use crate::speed::{OwnTask, Task};

/// See the module's documentation.
#[derive(Debug)]
pub struct Isolated<'a>(Post<'a>);

impl<'a> Isolated<'a> {
    /// Workers of this executable, the first when it is needed.
    pub fn new(executable: &Executable, terms: Terms<'a>) -> Self {
        Self(Post::vacant(executable, terms))
    }
}

impl Isolated<'_> {
    /// The variables that a process of this executable needs to run the cell, if its engines can.
    pub fn needs(&mut self, cell: &Cell) -> Result<Variables, NoNumbers> {
        match self.0.ask(&Request::Needs { dims: Dims::from(cell) }, Duration::ZERO)? {
            Reply::Needs { variables } => Ok(variables),
            other => Err(self.0.nonsense(&other)),
        }
    }
}

impl Lab for Isolated<'_> {
    fn try_cell(&mut self, cell: &Cell) -> Result<TriedCell, NoNumbers> {
        match self.0.ask(&Request::Try { dims: Dims::from(cell) }, allowance(cell))? {
            Reply::Tried(tried) if tried.is_of(cell) => Ok(*tried),
            other => Err(self.0.nonsense(&other)),
        }
    }

    fn verify_cell(&mut self, cell: &Cell) -> Result<(), NoNumbers> {
        match self.0.ask(&Request::Verify { dims: Dims::from(cell) }, allowance(cell))? {
            Reply::Verified => Ok(()),
            other => Err(self.0.nonsense(&other)),
        }
    }

    fn time_loop(
        &mut self,
        cell: &Cell,
        what: LoopTask,
        progress: &mut dyn FnMut(u64, Duration),
    ) -> Result<LoopResult, NoNumbers> {
        let LoopTask { kind, connections, renewed } = what;
        let request = Request::Time { dims: Dims::from(cell), kind, connections, renewed };
        match self.0.ask_observing(&request, allowance(cell), progress)? {
            Reply::Timed(timed) if timed.connections == connections || self.0.is_stopped() => Ok(*timed),
            Reply::Timed(_) => Err(self.0.cut_short()),
            other => Err(self.0.nonsense(&other)),
        }
    }

    fn work(&mut self, cell: &Cell, workload: Workload) -> Result<Measured, NoNumbers> {
        let request = Request::Work { dims: Dims::from(cell), what: workload };
        // Nothing is heard meanwhile, so the deadline is that of all connections together.
        let connections = match workload {
            Workload::Open { connections } => connections,
            Workload::Threads { connections, threads, .. } => connections * u64::from(threads),
        };
        let expected = allowance(cell) * u32::try_from(connections).unwrap_or(u32::MAX);
        match self.0.ask(&request, expected)? {
            Reply::Worked(measured) => Ok(measured),
            other => Err(self.0.nonsense(&other)),
        }
    }

    fn count_operations(&mut self, cell: &Cell, kind: LoopKind) -> Result<BothSides, NoNumbers> {
        match self.0.ask(&Request::Count { dims: Dims::from(cell), kind }, allowance(cell))? {
            Reply::Counted(counted) => Ok(counted),
            other => Err(self.0.nonsense(&other)),
        }
    }

    fn time_primitive(&mut self, engine: &str, task: Task, budget: Duration) -> Result<Vec<f64>, NoNumbers> {
        let request = Request::Operate {
            engine: engine.to_owned(),
            primitive: task.primitive.to_string(),
            bytes: task.bytes.map(|bytes| bytes as u64),
            budget_ns: budget.as_nanos() as u64,
        };
        match self.0.ask(&request, budget)? {
            Reply::Operated(samples) if samples.iter().all(|ns| ns.is_finite() && *ns >= 0.0) => Ok(samples),
            other => Err(self.0.nonsense(&other)),
        }
    }

    fn time_in_turn(&mut self, tasks: &[OwnTask], budget: Duration) -> Result<Vec<Vec<f64>>, NoNumbers> {
        let request = Request::OperateInTurn {
            tasks: tasks.iter().map(TaskOf::from).collect(),
            budget_ns: budget.as_nanos() as u64,
        };
        let is_time = |ns: &f64| ns.is_finite() && *ns >= 0.0;
        match self.0.ask(&request, budget)? {
            Reply::OperatedInTurn(samples)
                if samples.len() == tasks.len() && samples.iter().flatten().all(is_time) =>
            {
                Ok(samples)
            }
            other => Err(self.0.nonsense(&other)),
        }
    }
}
