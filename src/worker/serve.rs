//! The worker's side: requests are read, done, and answered, until the input ends.

use std::io::{self, BufRead, Read, Write};
use std::time::Duration;

use super::executable::own_hash;
use super::protocol::{BatchTimes, Build, Failed, Hello, PROTOCOL, Reply, Request, TaskOf};
use super::work::{bind_to, burdened};
use crate::campaign::{Here, Lab, LoopTask, NoNumbers, TriedCell, Workload, guarded};
use crate::cell::Cell;
use crate::cost::BothSides;
use crate::engine::{Capabilities, EngineInfo, Engines};
use crate::fixtures::Credentials;
use crate::measure::{Batches, LoopKind, ReadyCell, Stop, needs};
use crate::results::{EngineEntry, LoopResult, Measured};
use crate::speed::{OwnTask, Task};
use crate::suite::{MAX_CONNECTIONS, cell_of};

/// Does what requests ask for. Behind it are engines and real clocks, or, in tests, a clock that can be set.
pub trait Desk: Lab {
    /// The engines that requests may name.
    fn engines(&self) -> &Engines;

    /// Prepares a loop and warms it up; `burden_ns` of real work are to go with each connection.
    fn open(&mut self, cell: Cell, kind: LoopKind, warm_up: u64, burden: Duration) -> Result<(), NoNumbers>;

    /// Times a batch of the loop opened last.
    fn batch(&mut self, connections: u64) -> Result<BatchTimes, NoNumbers>;
}

/// Answers the requests on standard input until there are no more.
pub fn serve_stdio(desk: &mut dyn Desk) -> io::Result<()> {
    serve(desk, io::stdin().lock(), io::stdout().lock())
}

/// Answers requests until there are no more.
pub fn serve(desk: &mut dyn Desk, mut requests: impl BufRead, mut replies: impl Write) -> io::Result<()> {
    let mut greeted = false;
    while let Some(line) = next_line(&mut requests)? {
        let reply = match serde_json::from_slice(&line) {
            _ if line.len() as u64 > LONGEST => {
                misunderstood(format!("a request has {LONGEST} bytes at most"))
            }
            Ok(Request::Hello { protocol, core }) => {
                greeted = protocol == PROTOCOL;
                Reply::Hello(Box::new(hello(desk.engines(), core)?))
            }
            Ok(_) if !greeted => misunderstood("it was not greeted in its own protocol first"),
            Ok(request) => match out_of_bounds(&request) {
                Some(why) => misunderstood(why),
                None => answer(desk, request, &mut replies)?,
            },
            Err(error) => misunderstood(error),
        };
        send(&reply, &mut replies)?;
    }
    Ok(())
}

/// The longest line that is read: many times what any request takes.
const LONGEST: u64 = 64 << 10;

/// The next line, which may be anything; none at the end of the input. What is too long for a request is cut off, and a byte
/// longer still.
fn next_line(requests: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let length = requests.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line)?;
    if length as u64 > LONGEST && !line.ends_with(b"\n") {
        requests.skip_until(b'\n')?;
    }
    Ok((length > 0).then_some(line))
}

/// Why the numbers of a request are out of all bounds, in words: they must not become memory or time.
fn out_of_bounds(request: &Request) -> Option<String> {
    /// Real work beside a connection: a minute.
    const MAX_BURDEN_NS: u64 = 60_000_000_000;
    /// Kinds of operations in a connection, both sides together, are some forty.
    const MAX_TASKS: u64 = 1000;
    let too_much = |bytes: Option<u64>, budget_ns| {
        above("bytes", bytes.unwrap_or(1), Task::MOST_BYTES as u64)
            .or_else(|| above("the budget in ns", budget_ns, Task::MOST_TIME.as_nanos() as u64))
    };
    let (connections, burden_ns) = match *request {
        Request::Hello { .. }
        | Request::List
        | Request::Needs { .. }
        | Request::Verify { .. }
        | Request::Try { .. }
        | Request::Count { .. } => return None,
        Request::Time { connections, .. } | Request::Batch { connections } => (connections, 0),
        Request::Open { warm_up, burden_ns, .. } => (warm_up, burden_ns),
        Request::Operate { bytes, budget_ns, .. } => return too_much(bytes, budget_ns),
        Request::OperateInTurn { ref tasks, budget_ns } => {
            let most = tasks.iter().filter_map(|task| task.bytes).max();
            return above("tasks", tasks.len() as u64, MAX_TASKS).or_else(|| too_much(most, budget_ns));
        }
        Request::Work { what: Workload::Open { connections }, .. } => {
            return above("connections at once", connections, Workload::MOST_OPEN);
        }
        Request::Work { what: Workload::Threads { connections, threads, .. }, .. } => {
            if let Some(why) = above("threads", threads.into(), Workload::MOST_THREADS.into()) {
                return Some(why);
            }
            (connections, 0)
        }
    };
    if !(1..=MAX_CONNECTIONS).contains(&connections) {
        Some(format!("connections must be 1 to {MAX_CONNECTIONS}, not {connections}"))
    } else if burden_ns > MAX_BURDEN_NS {
        Some(format!("the burden must be {MAX_BURDEN_NS} ns at most, not {burden_ns}"))
    } else {
        None
    }
}

fn above(what: &str, number: u64, most: u64) -> Option<String> {
    (!(1..=most).contains(&number)).then(|| format!("{what} must be 1 to {most}, not {number}"))
}

fn send(reply: &Reply, replies: &mut impl Write) -> io::Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    replies.write_all(&line)?;
    replies.flush()
}

fn misunderstood(why: impl ToString) -> Reply {
    Reply::Failed(Failed::Misunderstood(why.to_string()))
}

fn hello(engines: &Engines, core: Option<u64>) -> io::Result<Hello> {
    let (tls, others): (Vec<EngineInfo>, Vec<EngineInfo>) =
        engines.infos().into_iter().partition(|info| info.is_tls);
    let entries = |infos: Vec<EngineInfo>| infos.iter().map(EngineEntry::from).collect();
    Ok(Hello {
        protocol: PROTOCOL,
        version: env!("CARGO_PKG_VERSION").to_owned(),
        build: Build::this_one(),
        hash: own_hash()?.to_owned(),
        engines: entries(tls),
        other_engines: entries(others),
        core: core.filter(|&core| bind_to(core)),
    })
}

fn answer(desk: &mut dyn Desk, request: Request, replies: &mut impl Write) -> io::Result<Reply> {
    let dims = match &request {
        Request::Needs { dims }
        | Request::Verify { dims }
        | Request::Try { dims }
        | Request::Time { dims, .. }
        | Request::Count { dims, .. }
        | Request::Open { dims, .. }
        | Request::Work { dims, .. } => Some(dims),
        Request::Hello { .. }
        | Request::List
        | Request::Operate { .. }
        | Request::OperateInTurn { .. }
        | Request::Batch { .. } => None,
    };
    let cell = match dims.map(|dims| cell_of(dims, desk.engines())).transpose() {
        Ok(cell) => cell,
        Err(why) => return Ok(misunderstood(why)),
    };
    let mut unsent = Ok(());
    let done = match (request, cell) {
        (Request::List, _) => Ok(Reply::Listed(desk.engines().iter().map(Capabilities::of).collect())),
        (Request::Needs { .. }, Some(cell)) => {
            let needed = needs(desk.engines(), &cell).map_err(NoNumbers::from);
            needed.map(|variables| Reply::Needs { variables })
        }
        (Request::Verify { .. }, Some(cell)) => desk.verify_cell(&cell).map(|()| Reply::Verified),
        (Request::Try { .. }, Some(cell)) => desk.try_cell(&cell).map(|tried| Reply::Tried(Box::new(tried))),
        (Request::Time { kind, connections, renewed, .. }, Some(cell)) => {
            let what = LoopTask { kind, connections, renewed };
            let timed = desk.time_loop(&cell, what, &mut |done, mean| {
                let progress = Reply::Progress { done, per_connection_ns: mean.as_nanos() as u64 };
                unsent = send(&progress, replies);
            });
            timed.map(|timed| Reply::Timed(Box::new(timed)))
        }
        (Request::Open { kind, warm_up, burden_ns, .. }, Some(cell)) => {
            desk.open(cell, kind, warm_up, Duration::from_nanos(burden_ns)).map(|()| Reply::Opened)
        }
        (Request::Work { what, .. }, Some(cell)) => desk.work(&cell, what).map(Reply::Worked),
        (Request::Count { kind, .. }, Some(cell)) => desk.count_operations(&cell, kind).map(Reply::Counted),
        (Request::Operate { engine, primitive, bytes, budget_ns }, _) => {
            let OwnTask { engine, task } = match OwnTask::try_from(TaskOf { engine, primitive, bytes }) {
                Ok(own) => own,
                Err(unknown) => return Ok(misunderstood(unknown)),
            };
            desk.time_primitive(&engine, task, Duration::from_nanos(budget_ns)).map(Reply::Operated)
        }
        (Request::OperateInTurn { tasks, budget_ns }, _) => {
            let tasks: Vec<OwnTask> = match tasks.into_iter().map(OwnTask::try_from).collect() {
                Ok(tasks) => tasks,
                Err(unknown) => return Ok(misunderstood(unknown)),
            };
            desk.time_in_turn(&tasks, Duration::from_nanos(budget_ns)).map(Reply::OperatedInTurn)
        }
        (Request::Batch { connections }, _) => desk.batch(connections).map(Reply::Batch),
        (Request::Hello { .. }, _) | (_, None) => return Ok(misunderstood("an incomplete request")),
    };
    unsent?;
    Ok(done.unwrap_or_else(|why| Reply::Failed(why.into())))
}

/// Real engines and real clocks.
pub struct EngineDesk<'a> {
    here: Here<'a>,
    open: Option<Batches>,
}

impl<'a> EngineDesk<'a> {
    /// Over these engines; `stop` ends whatever runs.
    pub fn new(engines: &'a Engines, stop: Stop<'a>) -> Self {
        Self { here: Here { engines, stop }, open: None }
    }
}

impl Lab for EngineDesk<'_> {
    fn try_cell(&mut self, cell: &Cell) -> Result<TriedCell, NoNumbers> {
        self.here.try_cell(cell)
    }

    fn verify_cell(&mut self, cell: &Cell) -> Result<(), NoNumbers> {
        self.here.verify_cell(cell)
    }

    fn time_loop(
        &mut self,
        cell: &Cell,
        what: LoopTask,
        progress: &mut dyn FnMut(u64, Duration),
    ) -> Result<LoopResult, NoNumbers> {
        self.here.time_loop(cell, what, progress)
    }

    fn work(&mut self, cell: &Cell, workload: Workload) -> Result<Measured, NoNumbers> {
        self.here.work(cell, workload)
    }

    fn count_operations(&mut self, cell: &Cell, kind: LoopKind) -> Result<BothSides, NoNumbers> {
        self.here.count_operations(cell, kind)
    }

    fn time_primitive(&mut self, engine: &str, task: Task, budget: Duration) -> Result<Vec<f64>, NoNumbers> {
        self.here.time_primitive(engine, task, budget)
    }

    fn time_in_turn(&mut self, tasks: &[OwnTask], budget: Duration) -> Result<Vec<Vec<f64>>, NoNumbers> {
        self.here.time_in_turn(tasks, budget)
    }
}

impl Desk for EngineDesk<'_> {
    fn engines(&self) -> &Engines {
        self.here.engines
    }

    fn open(&mut self, cell: Cell, kind: LoopKind, warm_up: u64, burden: Duration) -> Result<(), NoNumbers> {
        self.open = None; // freed before the next one takes memory
        let Here { engines, stop } = self.here;
        self.open = Some(guarded(|| {
            let ready = ReadyCell::of(engines, &cell, &Credentials::of(&cell))?;
            let ready = if burden.is_zero() { ready } else { burdened(ready, burden) };
            Ok(Batches::warmed_up(ready, kind, warm_up, stop)?)
        })?);
        Ok(())
    }

    fn batch(&mut self, connections: u64) -> Result<BatchTimes, NoNumbers> {
        let open = self.open.as_mut().ok_or_else(|| NoNumbers::Error("no loop is open".to_owned()))?;
        let timed = guarded(|| Ok(open.batch(connections, self.here.stop)?))?;
        Ok(BatchTimes::from(&timed))
    }
}
