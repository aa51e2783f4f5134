//! The messages. Requests go to the worker, replies come from it; each is one line of JSON.

use serde::{Deserialize, Serialize};

use crate::campaign::{NoNumbers, TriedCell, Workload};
use crate::cell::UnknownName;
use crate::cost::BothSides;
use crate::engine::{Capabilities, Variables};
use crate::measure::{LoopKind, TimedLoop};
use crate::results::{Dims, EngineEntry, LoopResult, Measured};
use crate::speed::{OwnTask, Task};

/// The version of the protocol. Both sides must have the same.
pub const PROTOCOL: u32 = 5;

/// What a worker is asked to do. It answers each request with one reply, after any number of
/// [`Reply::Progress`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Says who it is: the first request.
    Hello {
        /// The protocol of who asks.
        protocol: u32,
        /// The processor to stay on.
        core: Option<u64>,
    },
    /// Says what each of its engines can do.
    List,
    /// Asks for the variables that a worker must be started with to run a cell, and whether its engines can.
    Needs {
        /// The cell.
        dims: Dims,
    },
    /// Tries a cell as `verify` does.
    Verify {
        /// The cell.
        dims: Dims,
    },
    /// Tries a cell.
    Try {
        /// The cell.
        dims: Dims,
    },
    /// Times a loop as `run` does.
    Time {
        /// The cell.
        dims: Dims,
        /// Which loop.
        #[serde(rename = "loop")]
        kind: LoopKind,
        /// How many connections.
        connections: u64,
        /// Whether each resumption but the first comes after a full handshake of its own.
        #[serde(default)]
        renewed: bool,
    },
    /// Prepares a loop for batches, and warms it up. What was open before is closed.
    Open {
        /// The cell.
        dims: Dims,
        /// Which loop.
        #[serde(rename = "loop")]
        kind: LoopKind,
        /// Connections of the warm-up.
        warm_up: u64,
        /// Real work to do beside each connection, in nanoseconds of CPU time: what `selftest` slows a side down by.
        burden_ns: u64,
    },
    /// Puts a cell to something beside loops.
    Work {
        /// The cell.
        dims: Dims,
        /// What to do.
        what: Workload,
    },
    /// Counts the operations of a connection.
    Count {
        /// The cell.
        dims: Dims,
        /// In a full connection or a resumed one.
        #[serde(rename = "loop")]
        kind: LoopKind,
    },
    /// Does a primitive over and over.
    Operate {
        /// Whose.
        engine: String,
        /// Its name.
        primitive: String,
        /// Over how many bytes, if it takes any.
        bytes: Option<u64>,
        /// For about how long, in nanoseconds.
        budget_ns: u64,
    },
    /// Does primitives once each, in turn, again and again.
    OperateInTurn {
        /// Which.
        tasks: Vec<TaskOf>,
        /// For about how long, in nanoseconds.
        budget_ns: u64,
    },
    /// Times one batch of the open loop.
    Batch {
        /// How many connections.
        connections: u64,
    },
}

/// A primitive of an engine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TaskOf {
    /// Whose.
    pub engine: String,
    /// Its name.
    pub primitive: String,
    /// Over how many bytes, if it takes any.
    pub bytes: Option<u64>,
}

impl From<&OwnTask> for TaskOf {
    fn from(OwnTask { engine, task }: &OwnTask) -> Self {
        Self {
            engine: engine.clone(),
            primitive: task.primitive.to_string(),
            bytes: task.bytes.map(|bytes| bytes as u64),
        }
    }
}

impl TryFrom<TaskOf> for OwnTask {
    type Error = UnknownName;

    fn try_from(TaskOf { engine, primitive, bytes }: TaskOf) -> Result<Self, UnknownName> {
        let task = Task { primitive: primitive.parse()?, bytes: bytes.map(|bytes| bytes as usize) };
        Ok(Self { engine, task })
    }
}

/// What a worker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Reply {
    /// Who it is.
    Hello(Box<Hello>),
    /// What each of its engines can do.
    Listed(Vec<Capabilities>),
    /// The engines can run the cell in a worker that was started with these.
    Needs {
        /// Variables of the environment.
        variables: Variables,
    },
    /// The cell is what it says.
    Verified,
    /// What the trial showed.
    Tried(Box<TriedCell>),
    /// How far a timed loop has come; more replies follow.
    Progress {
        /// Connections so far.
        done: u64,
        /// Their mean time.
        per_connection_ns: u64,
    },
    /// The loop.
    Timed(Box<LoopResult>),
    /// The loop is ready.
    Opened,
    /// The batch.
    Batch(BatchTimes),
    /// What the cell was put to.
    Worked(Measured),
    /// The operations of both sides.
    Counted(BothSides),
    /// Nanoseconds an operation, one sample a batch.
    Operated(Vec<f64>),
    /// Nanoseconds of each, one sample a turn.
    OperatedInTurn(Vec<Vec<f64>>),
    /// It did not work out.
    Failed(Failed),
}

/// Who a worker is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// Its protocol.
    pub protocol: u32,
    /// Its version of tlspair.
    pub version: String,
    /// How it was compiled.
    pub build: Build,
    /// SHA-256 of its executable, in hexadecimal.
    pub hash: String,
    /// Its engines that speak TLS.
    pub engines: Vec<EngineEntry>,
    /// Its other engines.
    pub other_engines: Vec<EngineEntry>,
    /// The processor that it stays on; null if it cannot.
    pub core: Option<u64>,
}

/// How an executable was compiled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Build {
    /// Target triple.
    pub target: String,
    /// Cargo's profile.
    pub profile: String,
    /// Optimisation level of Rust code.
    pub opt_level: String,
    /// Flags of the C compiler, from the environment of the build.
    pub cflags: String,
}

/// Times of one batch: all connections together, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BatchTimes {
    /// Connections that ran: fewer than asked for if told to stop.
    pub connections: u64,
    /// CPU time of the thread.
    pub cpu_ns: u64,
    /// Wall-clock time.
    pub wall_ns: u64,
    /// In the client's hands, by the monotonic clock.
    pub client_ns: u64,
    /// In the server's hands, by the monotonic clock.
    pub server_ns: u64,
}

/// Why a request has no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Failed {
    /// An engine cannot do this.
    Unsupported(String),
    /// An engine failed, in its own words.
    Error(String),
    /// The worker was told to stop.
    Stopped,
    /// The request makes no sense to this worker.
    Misunderstood(String),
}

impl Build {
    /// How this executable was compiled.
    pub fn this_one() -> Self {
        Self {
            target: env!("TLSPAIR_TARGET").to_owned(),
            profile: env!("TLSPAIR_PROFILE").to_owned(),
            opt_level: env!("TLSPAIR_OPT_LEVEL").to_owned(),
            cflags: env!("TLSPAIR_CFLAGS").to_owned(),
        }
    }

    /// In what `other` differs that makes Rust code faster or slower, in words; none if in nothing.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let pairs = [
            ("target", &self.target, &other.target),
            ("profile", &self.profile, &other.profile),
            ("opt-level", &self.opt_level, &other.opt_level),
        ];
        let different = pairs.into_iter().filter(|(_, own, other)| own != other);
        let words: Vec<String> =
            different.map(|(what, own, other)| format!("{what} {other} where this one has {own}")).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }
}

impl std::fmt::Display for Build {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { target, profile, opt_level, cflags } = self;
        write!(f, "{target}, profile {profile}, opt-level {opt_level}")?;
        if cflags.is_empty() { Ok(()) } else { write!(f, ", CFLAGS {cflags}") }
    }
}

impl From<&TimedLoop> for BatchTimes {
    fn from(timed: &TimedLoop) -> Self {
        let sides = timed.split.side();
        Self {
            connections: timed.run.connections,
            cpu_ns: timed.cpu.as_nanos() as u64,
            wall_ns: timed.wall.as_nanos() as u64,
            client_ns: sides.client_ns,
            server_ns: sides.server_ns,
        }
    }
}

impl From<NoNumbers> for Failed {
    fn from(why: NoNumbers) -> Self {
        match why {
            NoNumbers::Unsupported(reason) => Self::Unsupported(reason),
            NoNumbers::Error(reason) => Self::Error(reason),
            NoNumbers::NotReached => Self::Stopped,
        }
    }
}

impl From<Failed> for NoNumbers {
    fn from(failed: Failed) -> Self {
        match failed {
            Failed::Unsupported(reason) => Self::Unsupported(reason),
            Failed::Error(reason) => Self::Error(reason),
            Failed::Stopped => Self::NotReached,
            Failed::Misunderstood(reason) => Self::Error(format!("the worker cannot do this: {reason}")),
        }
    }
}
